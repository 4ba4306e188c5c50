"""The registry: every module of this package holds one study, found by name."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from dpstudio.core.deferred import defer
from dpstudio.core.study import Study

# scipy.special asks numpy for everything it has; of this nobody here needs these, and they take a third of the time.
defer("numpy.f2py", "numpy.testing", "numpy.ctypeslib", "numpy.rec", "numpy.char", "numpy.strings")


@cache
def all_studies() -> dict[str, type[Study]]:
    """The studies by key, in the order of their places."""
    modules = sorted(name for _, name, _ in pkgutil.iter_modules(__path__) if not name.startswith("_"))
    studies = [cls for name in modules for cls in vars(import_module(f"{__name__}.{name}")).values()
               if isinstance(cls, type) and issubclass(cls, Study) and cls.__module__ == f"{__name__}.{name}"
               and "key" in vars(cls)]
    return {cls.key: cls for cls in sorted(studies, key=lambda cls: (cls.place, cls.key))}
