"""What is read, not watched, need not follow a hand at every frame: the time belongs to the curves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer


class Pace(QObject):
    """Passes calls on at once after a pause, and else the newest of them once an interval."""

    def __init__(self, milliseconds: int, act: Callable[..., object], parent: QObject) -> None:
        super().__init__(parent)
        self._act = act
        self._waiting: tuple[Any, ...] | None = None
        self._timer = QTimer(self, singleShot=True, interval=milliseconds)
        self._timer.timeout.connect(self._pass_on)

    def __call__(self, *arguments: object) -> None:
        self._waiting = arguments
        if not self._timer.isActive():
            self._pass_on()

    def _pass_on(self) -> None:
        if self._waiting is not None:
            arguments, self._waiting = self._waiting, None
            self._act(*arguments)
            self._timer.start()
