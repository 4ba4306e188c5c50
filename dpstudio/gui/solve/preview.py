"""How a solution would look: its curves as a faint reference, in no session."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Signal

from dpstudio.core.results import Span
from dpstudio.core.slow import Wanted
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.gui.session.runner import Runner
from dpstudio.scene.scene import Pinned

EXACT_ALONE = 1e6
"""Seconds of rest before simulating: nobody has taken it yet."""


class Preview(QObject):
    """The answer to one setting that nobody has taken yet, wherever somebody looks."""

    shown = Signal()
    """Another setting is previewed, or none any more."""

    def __init__(self, seen: Callable[[], Wanted], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pinned: Pinned | None = None
        """What is previewed, as a reference beside the pins."""
        self._title = ""
        self._only: str | None = None
        self._seen = seen
        self._study: Study | None = None
        self._windows: Mapping[str, Span] = {}
        self._again = False
        self._runner: Runner | None = None

    def show_study(self, study: Study | None, title: str = "", only: str | None = None) -> None:
        """Preview this study, or nothing; of one series alone, where its key is given."""
        other = (study, only) != (self._study, self._only)
        self._study, self._title, self._only = study, title, only
        if study is None:
            if self._runner is not None:
                self._runner.stop()
            self._again = False
            if self.pinned is not None:
                self.pinned = None
                self.shown.emit()
        elif other:
            self._ask()

    def look(self, windows: Mapping[str, Span]) -> None:
        """Follow what is in view."""
        if windows != self._windows:
            self._windows = dict(windows)
            if self._study is not None:
                self._ask()

    def close(self) -> None:
        if self._runner is not None:
            self._runner.close()

    def _ask(self) -> None:
        """Ask for the newest, once what is under way is in: asking at every move would let none arrive."""
        if self._runner is None:
            self._runner = Runner(self, rest=EXACT_ALONE)
            self._runner.updated.connect(self._take)
        self._again = self._runner.waiting
        if not self._again and self._study is not None:
            self._runner.start(self._study, self._windows, self._seen())

    def _take(self, update: Update, study: Study) -> None:
        if study == self._study:
            self.pinned = Pinned(self._title, update, self._only)
            self.shown.emit()
        if self._again:
            self._ask()
