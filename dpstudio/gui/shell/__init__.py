"""The frame of the window: menus, theme, status, settings, and what stands where.

`app` starts it, with as little read as can be before the first frame. `desk` is what all parts of one main window
share, and makes panes when they are first wanted; `workbench` shows it, `pane` is what panes have in common, and
`docking` the place in which they stand. Whatever runs beside the window runs in a `worker`: no other file touches
threads. Below the desk nothing here imports another package of windows. Begin at `desk.py`.
"""
