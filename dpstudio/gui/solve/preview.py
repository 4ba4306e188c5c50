"""How a solution would look: its curves as a faint reference, in no session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal

from dpstudio.core.results import Span
from dpstudio.core.slow import Wanted
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.gui.session.answers import answering
from dpstudio.gui.shell.worker import Worker, failure
from dpstudio.scene.scene import Pinned


class SolutionPreview(QObject):
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
        self._looked: tuple[Update, Mapping[str, Span]] | None = None
        self._windows: Mapping[str, Span] = {}
        self._worker = Worker("preview", self)

    def show_study(self, study: Study | None, title: str = "", only: str | None = None) -> None:
        """Preview this study, or nothing; of one series alone, where its key is given."""
        other = (study, only) != (self._study, self._only)
        self._study, self._title, self._only = study, title, only
        if study is None:
            self._worker.stop()
            if self.pinned is not None:
                self.pinned = None
                self.shown.emit()
        elif other:
            self._worker.follow(self._start)

    def look(self, update: Update, windows: Mapping[str, Span]) -> None:
        """Follow what is in view: the windows that are held, and elsewhere those of the newest answer."""
        self._looked = update, windows
        if self._study is not None and self._in_view() != self._windows:
            self._worker.follow(self._start)

    def close(self) -> None:
        self._worker.close()

    def _in_view(self) -> Mapping[str, Span]:
        if self._looked is None or type(self._looked[0].study) is not type(self._study):
            return {}  # what is still in view may be of the study before, which has other tables
        update, held = self._looked
        return {name: held.get(name, window) for name, window in update.windows.items()}

    def _start(self) -> None:
        """Ask for what is seen alone: nobody has taken it yet."""
        if (study := self._study) is not None:
            self._windows = self._in_view()
            known = self.pinned.update.answer if self.pinned is not None else None
            work = partial(answering, study, self._windows, self._seen(), known, None)
            self._worker.start(work, told=lambda update: self._take(update, study),
                               failed=lambda error: failure(error, f"the preview of {study.key}"))

    def _take(self, update: Update, study: Study) -> None:
        if study == self._study:
            self.pinned = Pinned(self._title, update, self._only)
            self.shown.emit()
