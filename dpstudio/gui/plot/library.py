"""Reads pyqtgraph without what is not used here, which takes more than half of the time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from PySide6 import QtCore, QtGui, QtWidgets

from dpstudio.core.deferred import defer, under

_ITEMS = "pyqtgraph.graphicsItems"


@contextmanager
def _without_a_copy_of_qt(*modules: ModuleType) -> Iterator[None]:
    """pyqtgraph makes a copy of each of these, and thereby all classes and enumerations in them; give it Qt's own."""
    for module in modules:
        sys.modules[module.__name__.replace("PySide6", "pyqtgraph.Qt")] = module
        module.__dir__ = list  # type: ignore[method-assign] # there is nothing to copy
    try:
        yield
    finally:
        for module in modules:
            del module.__dir__


if "pyqtgraph" not in sys.modules:
    # It imports all of its items and widgets only to offer their names; ViewBox is named as it ends.
    defer("pyqtgraph", "pyqtgraph.imageview", "pyqtgraph.multiprocess", *under("pyqtgraph.widgets"),
          *(name for name in under("pyqtgraph.graphicsItems") if not name.endswith(".ViewBox")))
    with _without_a_copy_of_qt(QtCore, QtGui, QtWidgets):
        import pyqtgraph

        pyqtgraph.setConfigOption  # noqa: B018 - what is used of it reads it
