"""The balance report: what a run of the lab shows, as a page or as Markdown."""
