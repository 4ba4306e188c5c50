"""What is believed before a release, what is learnt from it, and what it is worth.

`records` and `costs` weigh decisions under a prior, `beta_bernoulli` and `continual` learn from noisy counts, `policy`
acts on them, `auditing` and `linkage` attack, `risk` says what an attacker gains, `plan` what several releases cost,
`histograms`, `contributions` and `clamping` say what is counted, `table` what noise makes of many counts, `numbers`
what is summed up, `testing` which shares a noisy count rules out. They import `mechanisms`, `core`, `vocabulary` and
`text`. Begin at `records`, or at `beta_bernoulli/posterior`.
"""
