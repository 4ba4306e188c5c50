"""The pane that sweeps facts over one parameter or two.

`form` asks what to sweep (`ranges` over which values), `running` is the sweep as a worker does it, `pane` shows what
came of it, with what all panes of a picture that was made share (`gui/pictures/made.py`). What a sweep is,
`core/sweep` knows. Begin at `pane.py`.
"""
