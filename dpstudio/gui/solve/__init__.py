"""Solving in the window: what is wanted, what does it, and how it would look.

`solver` leads from the `bar` (of `row`s, which offer what `guess` proposes) to a `question`, which is answered away
from the window (`asking`) by `core/solve` for everything that is allowed, to the `answers` in the bar (as `shown` words
them) and a `preview` of the first; `region` is a pane of where all that is wanted holds. The document changes only by
`taking` an answer, or while a hand is `leading`. Begin at `solver.py`.
"""
