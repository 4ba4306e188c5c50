"""Matching: what each series of a study needs to be as good as one of them, or may have to be as private.

`choice` has what series are matched by and what is found of each, `matching` the search, by `core.solve`, and `words`
the sentence, of the words in `core.needs` that frontiers have as well. Begin at `matching.matching`.
"""
