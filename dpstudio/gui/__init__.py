"""The window: the only part that knows Qt.

`shell` starts it and holds its frame; `session` has what a person set and what answers it; the other packages are what
is seen: `plot`, `pictures`, `controls`, `facts`, `help`, and windows beside the main one. All may import what is below
(`documents`, `data`, `studies`, `core`), nobody but the command line imports them. Begin at `shell/workbench.py`.
"""
