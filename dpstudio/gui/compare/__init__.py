"""Settings beside each other, in a window of their own.

`settings` is the page of what is pinned and the present values, `matched` that of series where they are as good as one
of them; `model` and `table` show both, `window` holds them. What differs, and by how much, `documents/comparison.py`
says; what matches, `core/match`. Begin at `window.py`.
"""
