"""Solving: the values of one or two parameters at which a study's facts are as somebody wants them.

    want = read_want(Decision, "band_width@laplace <= 500")
    solve(Decision, {"delta": 1e-9}, [want], ["epsilon"]).values

What is returned, put back, meets the wants; where none does, the nearest is said. `want` reads what is wanted,
`problem` has the parameters that may move, `along` looks along one of them (a trace of `core.trace`), `ends` says which
limit is meant, `solver` solves for one and for two, `region` draws where all holds, `solution` has the words; `among`
says of whom a thing can be wanted, and `every` asks all of them. It knows studies by their base class alone.
"""

from dpstudio.core.solve.want import Want, read_want

__all__ = ["Want", "read_want"]
