"""The risk profile: caps on what an attacker may believe after an answer, for each of several priors.

`kept` says of every guarantee whether it keeps them, up to which ε it would, and in words; `figure` draws them.
"""
