"""Building the judge that runs in a page; ``docs/page-judge.md`` explains it."""
