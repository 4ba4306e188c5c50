"""Every folder here is one study, found by its name; this module is their registry.

`__init__` of a study has its parameters and figures, `answer` its facts and tables, `compared` what it compares, where
that is more than a mechanism, `words` its sentences and `formulas` its formulas; `kit` is what several share. They
import `models`, `mechanisms` and `core`, and never each other. Begin at `decision`.
"""

from __future__ import annotations

import pkgutil
import sys
from functools import cache
from importlib import import_module

from dpstudio.core.deferred import defer
from dpstudio.core.study import Study


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


@cache
def all_studies() -> dict[str, type[Study]]:
    """The studies by key, in the order of their places."""
    modules = sorted(name for _, name, _ in pkgutil.iter_modules(__path__) if not name.startswith("_"))
    studies = [cls for name in modules for cls in vars(import_module(f"{__name__}.{name}")).values()
               if isinstance(cls, type) and issubclass(cls, Study) and cls.__module__ == f"{__name__}.{name}"
               and "key" in vars(cls)]
    return {cls.key: cls for cls in sorted(studies, key=lambda cls: (cls.place, cls.key))}
