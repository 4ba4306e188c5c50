"""What studies share; no study is imported here.

`parameters` has what several are asked for, `attack` the pictures and facts of an attacker, `tables` columns of all
that is compared and streams of draws, `formulas` the formulas of several studies, `compared` what noise promises and
kinds of mechanisms by name, `doors` what the first page says of each study. Begin at `tables`.
"""
