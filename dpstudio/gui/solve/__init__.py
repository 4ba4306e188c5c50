"""Solving in the window: what is wanted, what does it, and how it would look.

`solver` leads from the `bar` (of `row`s, which offer what `guess` proposes) to a `question`, which a worker answers by
`core/solve` for everything that is allowed, to the `answers` in the bar (as `shown` words them) and a `preview` of the
first; `region` is a pane of where all that is wanted holds. It changes the document only when an answer is taken, or a
hand leads. Begin at `solver.py`.
"""
