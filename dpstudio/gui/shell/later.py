"""What is done a moment later, by whoever is still there then."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid


def later(whose: QObject, act: Callable[[], object], milliseconds: int = 0) -> None:
    """Do this once the events at hand are done, or after so many milliseconds; not if `whose` has gone by then.

    `QTimer.singleShot(milliseconds, whose, act)` does the same, but PySide 6.11 keeps `act`, and all that it refers to,
    where `whose` has gone: a form of a dialog with forty entries, each time that one was closed at once.
    """
    def once() -> None:
        if isValid(whose):
            act()

    QTimer.singleShot(milliseconds, once)  # noqa: TID251  # the one place, and nobody goes before it
