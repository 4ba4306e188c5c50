"""Solving in the window: what is wanted, what does it, and how it would look.

`solver` leads from the `card` (of `wanted` rows, in which `facts` are found, as `guess` proposes them) to a `question`,
which a worker answers by `core/solve`, and to its `preview`; `region` is a window of where all that is wanted holds.
It changes the document only when an answer is taken, or a hand leads. Begin at `solver.py`.
"""
