"""Writes reports and living pages beside the window, in steps between which they can be left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from dpstudio.documents.files import FileProgress, atomic
from dpstudio.documents.report import format_of, steps
from dpstudio.gui.pictures.exports import Exports, sentence
from dpstudio.gui.report.dialog import ReportRequest
from dpstudio.gui.shell.questions import shown
from dpstudio.gui.shell.window import Window
from dpstudio.gui.shell.worker import Job, failure
from dpstudio.studies import all_studies
from dpstudio.text.language import tr


class Writing(QObject):
    """Writes one file after the other, a report or a living page; each ends in a whole file or in none."""

    moved = Signal(object)
    """How far the one has come that is being written, a FileProgress; None once it has ended."""

    def __init__(self, files: Exports, window: Window) -> None:
        super().__init__(window)
        self._files, self._window = files, window
        self._under_way: dict[Job, str] = {}
        """With what each writes."""
        files.abandoned.connect(self.leave)

    @property
    def what(self) -> str:
        """What is being written, as a label begins: “Report”."""
        return tr("Report") if next(iter(self._under_way.values()), "") == "report" else tr("Living page")

    def write(self, request: ReportRequest) -> None:
        """Write a report of the session with every study, as it may leave: a saved one makes the same."""
        path, leaving = request.path, self._files.leaving(request.exact_counts)
        if leaving is None:
            return
        session = leaving.whole(all_studies().values())
        self.make(path, "report", lambda: steps(format_of(path), session, request.chosen))

    def make(self, path: Path, what: str, making: Callable[[], Iterator[FileProgress]]) -> None:
        """Write what is made in steps, which is called so."""
        def work() -> Iterator[FileProgress]:
            content = b""
            with closing(making()) as steps_made:  # type: ignore[type-var]
                for progress in steps_made:
                    content = progress.made or b""
                    yield progress
            with atomic(path) as file:
                file.write(content)

        def done(_: object) -> None:
            words = tr("Exported {path}", path=shown(path))
            self._end(job)
            self._files.said.emit(words)
            self._window.tell(words, ((tr("Open"), partial(_open, path)),
                                      (tr("Show folder"), partial(_open, path.parent))))

        def failed(error: Exception) -> None:
            self._end(job)
            self._files.refused.emit(sentence(error) if isinstance(error, OSError | ValueError) else
                                     _not_made(what, failure(error, f"a {what}")))

        job = self._files.do(work, path, done, told=self.moved.emit, failed=failed)
        self._under_way[job] = what

    def leave(self) -> None:
        """Leave what is being written and what waits for it: no file changes."""
        if self._under_way:
            under_way, self._under_way = self._under_way, {}
            for job in under_way:
                self._files.leave(job)
            self.moved.emit(None)
            self._files.said.emit(_none_written(frozenset(under_way.values())))

    def _end(self, job: Job) -> None:
        del self._under_way[job]
        self.moved.emit(None)


def _none_written(kinds: frozenset[str]) -> str:
    if len(kinds) > 1:
        return tr("Cancelled: no report and no living page was written")
    return (tr("Cancelled: no report was written") if "report" in kinds else
            tr("Cancelled: no living page was written"))


def _not_made(what: str, error: str) -> str:
    return (tr("The report could not be made ({error}).", error=error) if what == "report" else
            tr("The living page could not be made ({error}).", error=error))


def _open(path: Path) -> None:
    """With whatever the desktop has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
