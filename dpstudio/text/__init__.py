"""Numbers and sentences as text: the one way a number becomes text, rounded to its safe side.

`numbers` writes numbers and `entry` reads them as people write them; `given` quotes what was given in a refusal;
`sentences` has words around numbers, counted nouns, odds and shares. It imports nothing of the package. Begin at
`numbers`.
"""
