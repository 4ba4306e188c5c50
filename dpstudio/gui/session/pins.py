"""What is pinned, computed for what is in view: a zoom must not leave its curves ending in mid-air."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from PySide6.QtCore import QObject, Signal

from dpstudio.core.answer import Update, Wanted
from dpstudio.core.results import Window
from dpstudio.core.study import Study
from dpstudio.gui.session.runner import Runner

Pinned: TypeAlias = tuple[Update, Study]

EXACT_ALONE = 1e6
"""Seconds of rest before simulating: what was simulated stands already, and only exact curves are computed anew."""


class Pins(QObject):
    """The pinned answer, with its exact tables sampled wherever somebody looks."""

    shown = Signal(object)
    """What to show as pinned, an update with its study, or None."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.seen: Callable[[], Wanted] = Wanted
        """What is being looked at."""
        self._pinned: Pinned | None = None
        self._windows: dict[str, Window] = {}
        self._again = False
        self._runner = Runner(self, rest=EXACT_ALONE)
        self._runner.updated.connect(self._take)

    def pin(self, pinned: Pinned | None) -> None:
        """Show this answer from now on, or none."""
        self._runner.stop()
        self._pinned, self._again = pinned, False
        self._windows = {}
        self.shown.emit(pinned)

    def look(self, update: Update, windows: Mapping[str, Window]) -> None:
        """Follow what is in view: the windows that a person or the picture holds, else those of the newest answer."""
        if self._pinned is None:
            return
        own = self._pinned[0].windows
        wanted = {name: windows.get(name, update.windows.get(name, window)) for name, window in own.items()}
        if wanted != self._windows:
            self._windows = wanted
            self._ask()

    def close(self) -> None:
        self._runner.close()

    def _ask(self) -> None:
        self._again = self._runner.waiting
        if not self._again and self._pinned is not None:
            self._runner.start(self._pinned[1], self._windows, self.seen())

    def _take(self, fresh: Update, study: Study) -> None:
        if self._pinned is None or study is not self._pinned[1]:
            return
        update = self._pinned[0]
        self.shown.emit((Update(fresh.answer, self._windows, update.seen, update.done), study))
        if self._again:
            self._ask()
