"""Snapshots: states of a study under a name, to come back to.

`pane` lists them and what differs; `form` has the dialogs for the words that a person writes. What a snapshot holds,
`documents/state.py` says. Begin at `pane.py`.
"""
