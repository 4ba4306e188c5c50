"""Testing a claim of differential privacy by drawing from the mechanism on two neighbouring datasets.

`subject` says what can be audited, and holds what is; `processing` and `cells` cut its outcomes into cells, with their
exact law; `certificate` turns counts of cells into a certified lower bound; `looks` says when one is made, and how much
error each may have so that all of them hold together. `own` does the same with outcomes of which no law is known, and
`exhibits` draws some from samplers with published defects.
"""
