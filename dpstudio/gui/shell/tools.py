"""Windows beside the main one, and other parts that are rarely needed: each is made when it is first wanted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

WINDOWS = {
    "compare": "compare.window:CompareWindow",
    "handover": "pictures.handover:HandoverWindow",
    "history": "history.window:HistoryWindow",
    "region": "solve.region:RegionWindow",
    "sweep": "sweep.window:SweepWindow",
}
"""Where the window of each kind is declared, in this package."""

class Tools:
    """Knows what was made, until it goes."""

    def __init__(self, desk: QObject, parent: QWidget) -> None:
        """Windows are of this desk, and belong to this parent."""
        self._made: dict[str, Any] = {}
        self._makers: dict[str, Callable[[], QObject]] = {
            key: partial(_window, place, desk, parent) for key, place in WINDOWS.items()}

    def add(self, key: str, make: Callable[[], QObject]) -> None:
        """Let another part be made when it is first wanted."""
        self._makers[key] = make

    def get(self, key: str) -> Any:
        """The one there is, else a new one."""
        if key not in self._made:
            self._made[key] = made = self._makers[key]()
            made.destroyed.connect(lambda: self._made.pop(key, None))
        return self._made[key]

    def made(self, key: str) -> Any:
        """The one there is, else None."""
        return self._made.get(key)

    def open(self, key: str) -> Any:
        """Bring a window to the front."""
        window = self.get(key)
        window.begin()
        return window


def _window(place: str, desk: QObject, parent: QWidget) -> QObject:
    module, _, name = place.partition(":")
    made: QObject = getattr(import_module(f"dpstudio.gui.{module}"), name)(desk, parent)
    return made
