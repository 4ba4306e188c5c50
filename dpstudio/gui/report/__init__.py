"""The report: what goes into it, the words of its first page, and how it is written beside the window."""
