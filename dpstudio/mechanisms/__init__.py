"""What is released: small frozen records with exact methods, their laws, and what several of them come to together.

`decision` answers whether there are enough records, `noise` is added to numbers, `ranking` says which of them is then
the largest, `selection` chooses by scores, `quantile` by ranks, `response` and `shuffle` are answers of people, `watch`
looks at counts over time; `composition`, `losses`, `accounting`, `cells` and `asking` say what many give away, `laws`
what a guarantee says, `claims` what numbers alone leave, `releases` what is known of several and `mixed` what unlike
ones come to. They import `core`, `vocabulary` and `text` alone. Begin at `mechanism`, then at the `base` of a kind;
`decision/laplace` and `noise/exponential` are the plainest.
"""
