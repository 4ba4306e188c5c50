"""Modules that are read when something of them is first used, not when they are imported."""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pkgutil import iter_modules
from threading import RLock
from types import ModuleType
from typing import Any

_READING = RLock()
_deferred: list[str] = []
_parts: dict[str, str] = {}
"""By package the module that is asked before all of the package is read."""
_wholes: set[str] = set()
"""Packages none of whose modules is read before them."""


class _Unread(ModuleType):
    """Stands for a module until something of it is used; to `import *` it gives nothing.

    The loader of the standard library reads it also when it is only imported, and is not safe among threads.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__version__":  # asked of any module, as by `import` and inspect
            raise AttributeError(name)
        if (part := _parts.get(self.__name__)) and name in (found := import_module(part)).__all__:
            return getattr(found, name)
        self.read()
        return getattr(self, name)

    def read(self) -> None:
        """Read it, unless it is read."""
        with _READING:
            if type(self) is _Unread:
                self.__class__ = ModuleType  # type: ignore[assignment]
                self.__spec__.loader.exec_module(self)  # type: ignore[union-attr]
                vars(self).setdefault("__getattr__", partial(_lacking, self.__name__))


class _PackageFirst(Loader, MetaPathFinder):
    """Reads a package before the first of its modules, as `import` does: each may need the other."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        package = name.rpartition(".")[0]
        if package not in _wholes or not isinstance(unread := sys.modules.get(package), _Unread):
            return None
        unread.read()
        if (read := sys.modules.get(name)) is None:
            return None
        spec = spec_from_loader(name, self, origin=read.__file__)
        assert spec is not None
        # `import` takes the description that a module has, and by its own would read it again.
        spec.loader_state, read.__spec__ = read.__spec__, spec
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module that was read with its package."""
        return sys.modules[spec.name]

    def exec_module(self, module: ModuleType) -> None:
        """Nothing but to give back its own description."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


sys.meta_path.insert(0, _PackageFirst())


def _lacking(package: str, name: str) -> Any:
    """What a package would have, had it not been given a stand-in to import all from."""
    if not name.startswith("__"):
        for module in [sys.modules[each] for each in _deferred if each.startswith(f"{package}.")]:
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module '{package}' has no attribute '{name}'")


def defer(*names: str, part: str = "", **known: object) -> None:
    """Put a stand-in for each module that is not read yet; what is first used of it reads it.

    What cannot be found is left to whoever imports it. What a part of a package lists in `__all__`, which has to be the
    package's own, is taken from there, and the rest of the package is not read for it; `known` it has until it is read.
    Modules of any other package read it first.
    """
    for name in names:
        if name in sys.modules or not (spec := _found(name)) or not spec.loader:
            continue
        module = sys.modules[name] = module_from_spec(spec)
        module.__class__ = _Unread
        vars(module).update(known)
        _deferred.append(name)
        if part:
            _parts[name] = f"{name}.{part}"
        package, _, short = name.rpartition(".")
        if package in sys.modules:
            setattr(sys.modules[package], short, module)
    if not part:
        _wholes.update(names)  # all at once, after the last was looked for beside the first


def under(package: str) -> list[str]:
    """The names of all modules in a package, of which none is read."""
    spec = _found(package)
    folders = spec.submodule_search_locations if spec else None
    return [f"{package}.{found.name}" for found in iter_modules(folders or [])]


def _found(name: str) -> ModuleSpec | None:
    """Where a module is; packages around it are not read to find it."""
    package, _, _ = name.rpartition(".")
    if not package or package in sys.modules:
        return find_spec(name)
    around = _found(package)
    return PathFinder.find_spec(name, around.submodule_search_locations) if around else None
