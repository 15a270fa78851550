"""The balance report: the results of a run of the lab as a page or as Markdown."""
