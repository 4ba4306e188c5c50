"""The first page: the questions with which people come, each answered at once, and what there was last time.

`page` has the list of `doors`, the `card` of the one that is open with what it asks (`asked`), and the `shelves` below;
`opened` is a door with what somebody typed there, of which the session knows nothing before it is taken.
"""
