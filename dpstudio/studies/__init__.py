"""Every folder here is one study, read by its name; this module is their registry.

`__init__` of a study has its parameters and figures, `answer` its facts and tables, `compared` what it compares, where
that is more than a mechanism, `words` its sentences and `formulas` its formulas; `kit` is what several share. They
import `models`, `mechanisms` and `core`, and never each other. Begin at `decision`.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from dpstudio.core.deferred import defer
from dpstudio.core.level import HEADINGS, DoorSign
from dpstudio.core.study import Study
from dpstudio.studies.kit.doors import SIGNS


def _masked(values: object) -> bool:
    """Whether something is masked, which numpy asks wherever it sorts; nothing is before numpy.ma is read."""
    core = sys.modules.get("numpy.ma.core")
    return core is not None and bool(core.is_masked(values))


# scipy.special asks numpy and scipy for everything they have, of which nobody here needs these, and writes into the
# description of each function which libraries' arrays it takes: more than half of the time. Its functions are in one
# part, but for those that are written in Python.
defer("numpy.f2py", "numpy.testing", "numpy.ctypeslib", "numpy.rec", "numpy.char", "numpy.strings", "numpy.polynomial",
      "numpy.random", "scipy.special._support_alternative_backends")
defer("numpy.ma", is_masked=_masked)
defer("scipy.special", part="_ufuncs")


SHIPPED = ("decision", "response", "mean", "noise", "posterior", "updating", "policy", "budget", "audit", "neighbours",
           "number", "table", "watch", "test", "plan")
"""The studies of this project by key, as lists have them: what comes first is explained first.

A folder is called by its study's key, and so are the class and the title, with a capital: a list of studies costs
nothing, and a study is read when somebody asks for it.
"""


class Studies(Mapping[str, type[Study]]):
    """The studies by key: those of the project, and behind them whatever else has a folder here, which is read."""

    def __init__(self) -> None:
        folders = sorted(name for _, name, _ in pkgutil.iter_modules(__path__) if name not in SHIPPED)
        found = [cls for name in folders for cls in vars(import_module(f"{__name__}.{name}")).values()
                 if isinstance(cls, type) and issubclass(cls, Study) and cls.__module__ == f"{__name__}.{name}"
                 and "key" in vars(cls)]
        self._others = {cls.key: cls for cls in found}

    def __getitem__(self, key: str) -> type[Study]:
        if key not in SHIPPED:
            return self._others[key]
        study: type[Study] = getattr(import_module(f"{__name__}.{key}"), key.capitalize())
        return study

    def __iter__(self) -> Iterator[str]:
        return iter((*SHIPPED, *self._others))

    def __len__(self) -> int:
        return len(SHIPPED) + len(self._others)


@cache
def all_studies() -> Studies:
    """The studies by key, in the order in which lists have them."""
    return Studies()


def study_titles() -> dict[str, str]:
    """What lists call the studies, by key; of those of the project none is read for it."""
    return {key: key.capitalize() if key in SHIPPED else all_studies()[key].title for key in all_studies()}


def doors() -> dict[str, DoorSign]:
    """What is read of every door, by the key of its study, in the order in which the first page has them.

    Of the studies of the project none is read for it.
    """
    found = {key: SIGNS.get(key) if key in SHIPPED else _sign(all_studies()[key]) for key in all_studies()}
    return {key: sign for heading in HEADINGS for key, sign in found.items() if sign and sign.heading == heading}


def _sign(study: type[Study]) -> DoorSign | None:
    door = study.door
    return None if door is None else DoorSign(door.title, door.question, door.heading)
