"""What studies share; no study is imported here.

`attack` has the pictures and facts of an attacker, `tables` columns of all that is compared and streams of draws,
`formulas` the formulas of several studies, `compared` kinds of mechanisms by name. Begin at `tables`.
"""
