"""Settings beside each other, in a pane.

`settings` is the page of what is pinned and the present values, `matched` that of series where they are as good as one
of them; `model` and `table` show both, `pane` holds them. What differs, and by how much, `documents/comparison.py`
says; what matches, `core/match`. Begin at `pane.py`.
"""
