"""Conditions on rows: read by a grammar of our own, held as a tree, written as SQL with parameters.

`parser` reads, `tree` holds, `sql` writes, and `clauses` are the comparisons that a form is made of. Nothing that a
person types reaches the database but as a parameter. Begin at `tree`.
"""
