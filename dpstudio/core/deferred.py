"""Modules that are read when something of them is first used, not when they are imported."""

from __future__ import annotations

import importlib.util
import sys


def defer(*names: str) -> None:
    """Put a stand-in for each submodule that is not read yet; its first attribute reads it.

    What cannot be found is left to whoever imports it.
    """
    for name in names:
        package, _, short = name.rpartition(".")
        if name in sys.modules or not (spec := importlib.util.find_spec(name)) or not spec.loader:
            continue
        spec.loader = importlib.util.LazyLoader(spec.loader)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        setattr(sys.modules[package], short, module)
