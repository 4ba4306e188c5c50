"""What is done a moment later, by whoever is still there then."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def later(whose: QObject, act: Callable[[], object], milliseconds: int = 0) -> None:
    """Do this once the events at hand are done, or after so many milliseconds; never, if `whose` has gone by then.

    `QTimer.singleShot(milliseconds, whose, act)` does the same, but PySide 6.11 keeps `act`, and all that it refers to,
    where `whose` has gone: a form of a dialog with forty entries, each time that one was closed at once.
    """
    timer = QTimer(whose, singleShot=True, interval=milliseconds)
    timer.timeout.connect(act)
    timer.timeout.connect(timer.deleteLater)
    timer.start()
