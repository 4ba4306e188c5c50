"""The report: what goes into it, the words of its first page, and how it is written beside the window.

`dialog` asks, with the list of `contents`; `writing` writes what `documents/report` makes, in steps between which it
can be left. Begin at `dialog.py`.
"""
