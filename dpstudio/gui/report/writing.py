"""Writes a report beside the window, in steps between which it can be left."""

from __future__ import annotations

import logging
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from dpstudio.documents.files import atomic
from dpstudio.documents.report import Progress, format_of, steps
from dpstudio.documents.session import Session
from dpstudio.gui.pictures.exports import Exports, sentence
from dpstudio.gui.report.dialog import ReportRequest
from dpstudio.gui.shell.questions import shown
from dpstudio.gui.shell.window import Window

log = logging.getLogger(__name__)

SHOWN = 0.05
"""Seconds at least from one progress that is shown to the next."""


class Left(Exception):
    """Nobody wants it any more."""


class Writing(QObject):
    """Writes one report after the other; each ends in a whole file or in none."""

    moved = Signal(object)
    """How far the one has come that is being written, a Progress; None once it has ended."""
    _told = Signal(object, object)
    """From the thread that writes: what tells it to be left, and how far it has come."""

    def __init__(self, files: Exports, window: Window) -> None:
        super().__init__(window)
        self._files, self._window = files, window
        self._under_way: list[Event] = []
        """Of each report that is not written yet, what tells it to be left."""
        files.abandoned.connect(self.leave)
        self._told.connect(self._pass_on)

    def write(self, request: ReportRequest, session: Session) -> None:
        """Write what was asked for; the session is as it may leave."""
        path, left = request.path, Event()
        self._under_way.append(left)

        def work() -> str:
            content, told = b"", 0.0
            with closing(steps(format_of(path), session, request.chosen)) as making:  # type: ignore[type-var]
                for progress in making:
                    if left.is_set():
                        raise Left
                    content = progress.made or b""
                    if time.monotonic() - told >= SHOWN:
                        self._told.emit(left, progress)
                        told = time.monotonic()
            with atomic(path) as file:
                file.write(content)
            return f"Exported {shown(path)}"

        def done(words: str) -> None:
            self._end(left)
            self._files.said.emit(words)
            self._window.tell(words, (("Open", partial(_open, path)), ("Show folder", partial(_open, path.parent))))

        def failed(error: Exception) -> None:
            self._end(left)
            if isinstance(error, (OSError, ValueError)):
                self._files.refused.emit(sentence(error))
            elif not isinstance(error, Left):
                log.error("a report of %s failed", session.study_class.key, exc_info=error)
                self._files.refused.emit(f"The report could not be made ({type(error).__name__}: {error}).")

        self._files.do(work, path, done, failed)

    def leave(self) -> None:
        """Leave what is being written and what waits for it: no file changes."""
        if self._under_way:
            for left in self._under_way:
                left.set()
            self._under_way = []
            self.moved.emit(None)
            self._files.said.emit("Left: no report was written")

    def _pass_on(self, left: Event, progress: Progress) -> None:
        if not left.is_set():
            self.moved.emit(progress)

    def _end(self, left: Event) -> None:
        if left in self._under_way:
            self._under_way.remove(left)
            self.moved.emit(None)


def _open(path: Path) -> None:
    """With whatever the desktop has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
