"""Writes pictures and numbers to files, beside the window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QBuffer, QObject, Signal
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QWidget

from dpstudio.core.figure import Figure
from dpstudio.core.resources import whether
from dpstudio.core.study import Study, answer
from dpstudio.core.update import Update
from dpstudio.data.origin import Origin
from dpstudio.documents import embedded, pictures, session_file, tables
from dpstudio.documents.files import atomic
from dpstudio.documents.session import Session, Words
from dpstudio.documents.setting import Setting, title
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.foreign import LINE, bounded
from dpstudio.gui.shell.questions import ask, may_replace, shown, where_to
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.window import Window
from dpstudio.gui.shell.worker import Job, Worker
from dpstudio.scene.scene import Pictured
from dpstudio.text.language import counted, in_english, tr
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Value

LEAVE_WORDS, ALONG = "Leave these words out", "Let them go along"
MOST_NAMED = 3
"""Numbers in texts that a question names."""

if TYPE_CHECKING:
    from dpstudio.core.match.choice import By
    from dpstudio.documents.comparison import ComparedSide, FactLine
    from dpstudio.gui.pictures.export_dialog import ExportRequest

    Compared = tuple[Sequence[ComparedSide], Sequence[FactLine], int, Session, str]


class Exports(QObject):
    """Exports one after the other, with exact counts of data only where that was chosen."""

    said = Signal(str)
    refused = Signal(str)
    """A file that could not be read or written: one sentence; nothing was changed."""
    counts_chosen = Signal()
    """Whether exact counts go along is another."""
    abandoned = Signal()
    """The window goes: whatever takes long is to be left unwritten, and what was typed to be kept."""

    def __init__(self, document: Document, settings: Settings, window: Window) -> None:
        super().__init__(window)
        self.exact_counts = False
        """Whether exact counts of data go along with sessions and exports."""
        self._document, self._settings, self._window = document, settings, window
        self._agreed: dict[str, Words] = {}
        """What a person said is to become of texts where counts are left out."""
        self._worker = Worker("exports", self, order="queue")

    def set_exact_counts(self, along: bool) -> None:
        """Whether exact counts of data go along with sessions and exports, until the window is closed."""
        self.exact_counts = along
        self.counts_chosen.emit()

    def leave(self, job: Job) -> None:
        """Let go of something that is being written, or waits for it."""
        self._worker.leave(job)

    def leaving(self, exact: bool, part: Callable[[Session], Session] | None = None) -> Session | None:
        """The session as it may leave, or None where the person would rather not.

        Where counts are left out, it is asked what becomes of the texts in it, or in the `part` of it that goes along:
        once for each text, and each time that one is new.
        """
        document = self._document
        session = part(document.session) if part else document.session
        texts = session.texts() if document.tells and not exact else ()
        settled = {self._agreed.get(text) for _, text in texts}
        if not texts or (len(settled) == 1 and None not in settled):
            return document.leaving(exact, settled.pop() or "left out" if texts else "blanked")
        chosen = ask_about_words(self._window, texts, document.counts)
        if chosen is None:
            return None
        self._agreed |= {text: chosen for _, text in texts}
        return document.leaving(exact, chosen)

    def export(self, request: ExportRequest) -> None:
        """Write pictures, with what is pinned, as the command line would; the window stays alive meanwhile."""
        leaving, published = self.leaving(request.exact_counts, Session.carried), self._settings.published
        if leaving is None:
            return

        def write() -> None:
            update = answer(leaving.study)
            if request.figure is None:
                pictures.write_all(request.path, leaving, update, format=request.format, size_mm=request.size_mm,
                                   dpi=request.dpi, published=published)
            else:
                pictures.write(request.path, leaving, update, leaving.study.figure(request.figure),
                               size_mm=request.size_mm, dpi=request.dpi, published=published)

        self._put(request.path, write)

    def export_made(self, request: ExportRequest, source: Pictured, figure: Figure, leaving: Session) -> None:
        """Write a picture that is none of the study's own, with the values that it was made at."""
        self._put(request.path, partial(pictures.write, request.path, values_of(leaving, request), source, figure,
                                        size_mm=request.size_mm, dpi=request.dpi, published=self._settings.published))

    def export_image(self, path: Path, image: QImage, session: Session) -> None:
        """Write a picture as it is on screen, with a session as it may leave."""
        def made() -> bytes:
            content = QBuffer()
            content.open(QBuffer.OpenModeFlag.WriteOnly)
            QImageWriter(content, b"png").write(image)
            return embedded.into_png(bytes(content.data().data()), session_file.text(session))

        self.put(path, made)

    def export_data(self, study: Study, update: Update, table: str | None = None) -> None:
        """Ask where to, and write everything as JSON, or the facts as CSV; of one table that alone, as CSV."""
        name, kinds = (f"{study.key}-{table}.csv", "CSV (*.csv)") if table else (
            f"{study.key}.json", f"{tr('JSON, everything')} (*.json);;{tr('CSV, the facts')} (*.csv)")
        if path := self.ask_where(name, kinds):
            self.write_data(path, study, update, table)

    def export_comparison(self, settings: Sequence[Setting], reference: int, known: Mapping[Study, Update]) -> None:
        """Ask where to, and write settings beside each other; what is `known` is not answered again."""
        from dpstudio.documents.comparison import ComparedSide, compared  # rarely needed, and not at the start

        leaving = [setting.leaving(self.exact_counts) for setting in settings]
        origins = [self._origin(setting) for setting in settings]
        others = (*leaving[:reference], *leaving[reference + 1:])
        session = self._session_of(leaving[reference])
        if session is None:
            return
        session = session.unpin().pin(*others)

        def made() -> Compared:
            updates = [known.get(each.study) or answer(each.study) for each in leaving]
            sides = [ComparedSide(title(each, *leaving), each.study, update.facts, origin)
                     for each, update, origin in zip(leaving, updates, origins, strict=True)]
            return sides, compared([side.facts for side in sides], reference), reference, session, ""

        self._export_compared(f"{settings[0].study.key}-compared", made)

    def export_matching(self, setting: Setting, reference: str, by: By, name: str) -> None:
        """Ask where to, and write the series of a setting, matched to one of them along a parameter."""
        from dpstudio.core.match.matching import matching
        from dpstudio.documents.comparison import matched

        leaving, origin = setting.leaving(self.exact_counts), self._origin(setting)
        session = self._session_of(leaving)
        if session is None:
            return

        def made() -> Compared:
            found = matching(type(leaving.study), leaving.explicit, reference, by, name)
            return *matched(found, origin), 0, session, found.says

        self._export_compared(f"{setting.study.key}-matched", made)

    def _session_of(self, setting: Setting) -> Session | None:
        """The session as it may leave, with this setting in view; None where the person would rather not."""
        kind = type(setting.study)
        leaving = self.leaving(self.exact_counts, lambda session: session.turn(kind).carried())
        return leaving and leaving.turn(kind).adopt(setting)

    def _origin(self, setting: Setting) -> Origin | None:
        return setting.origin and replace(setting.origin, exact=self.exact_counts)

    def _export_compared(self, name: str, made: Callable[[], Compared]) -> None:
        from dpstudio.documents.comparison import csv_text, json_text

        if path := self.ask_where(f"{name}.csv", "CSV (*.csv);;JSON (*.json)"):
            text = json_text if path.suffix.lower() == ".json" else csv_text
            self.put(path, lambda: text(*made()).encode("utf-8"))

    def write_data(self, path: Path, study: Study, update: Update, table: str | None = None) -> None:
        """Facts and tables as JSON, or, by the ending of the name, the facts or one table as CSV."""
        # With a default in the place of an exact count, and everything that follows from the default.
        leaving = self.leaving(self.exact_counts, lambda session: session.turn(type(study)).carried())
        if leaving is None:
            return
        tells = self._document.session.state(type(study)).tells and not self.exact_counts
        if study != self._document.study:  # the answer to what was asked before
            data = self._document.counted_in(study)
            leaving = leaving.turn(type(study)).with_values(
                session_file.explicit_of(study), data and replace(data, exact=self.exact_counts))

        def write() -> None:
            # A table is of what was in view, which may be where a count stood.
            told = update if leaving.study == study and not tells else answer(leaving.study)
            if path.suffix.lower() == ".csv":
                tables.write_csv(path, leaving, told, table)
            else:
                tables.write_json(path, leaving, told)

        self._put(path, write)

    @property
    def exporting(self) -> int:
        """How many exports are not written yet."""
        return self._worker.pending

    def ask_where(self, name: str, kinds: str, title: str = "") -> Path | None:
        """Where to, with the ending of what was chosen; a file that is there only where it may be replaced."""
        path, kind = where_to(self._window, title or tr("Export data"), self._settings.folder("export") / name, kinds)
        if not path:
            return None
        found = Path(path)
        if not found.suffix:
            found = found.with_name(f"{found.name}.{kind.rpartition('*.')[2].rstrip(')') or Path(name).suffix[1:]}")
        return found if may_replace(self._window, [found]) else None

    def put(self, path: Path, made: Callable[[], bytes], told: str = "") -> None:
        """Make the content of a file beside the window, and write it; `told` is said of it then."""
        def write() -> None:
            content = made()
            with atomic(path) as file:
                file.write(content)

        self._put(path, write, told)

    def _put(self, path: Path, write: Callable[[], object], told: str = "") -> None:
        def work() -> str:
            with in_english():
                write()
            return told or tr("Exported {path}", path=shown(path))

        self.do(work, path)

    def do(self, work: Callable[[], object], path: Path, done: Callable[[str], object] | None = None, *,
           told: Callable[[Any], object] = lambda _: None,
           failed: Callable[[Exception], object] | None = None) -> Job:
        """Do the work beside the window, which says what became of the file, unless others do."""
        self._settings.set_folder("export", path if whether(path.is_dir) else path.parent)
        self.said.emit(tr("Exporting {path}…", path=shown(path)))
        return self._worker.start(work, done or self.said.emit, told=told,
                                  failed=failed or (lambda error: self.refused.emit(sentence(error))))


def ask_about_words(parent: QWidget, texts: Sequence[tuple[str, str]], counts: Collection[Value]) -> Words | None:
    """What becomes of texts that a person wrote where counts are left out; None where they would rather not."""
    from dpstudio.documents.numbers_in_text import found  # whoever has no data does not wait for it

    places = Counter(place for place, _ in texts)
    where = listed([place if number == 1 else f"{number} × {place}" for place, number in places.items()])
    near = [tr("“{number}” in {place}", number=bounded(number, LINE), place=place)
            for place, text in texts for number in found(text, counts)]
    told = " " + counted("{numbers} is near a count.", "{numbers} are near a count.", len(near),
                         numbers=listed(near[:MOST_NAMED])) if near else ""
    chosen = ask(parent, tr("Counts of data are left out, and words that you wrote may tell them."),
                 tr("They stand there: {where}.{told} No search of words is sure to find what they tell.", where=where,
                    told=told),
                 LEAVE_WORDS, ALONG)
    return {LEAVE_WORDS: "left out", ALONG: "along"}.get(chosen)  # type: ignore[return-value]


def values_of(session: Session, request: ExportRequest) -> Session:
    """What a picture carries that is none of the study's own: values, and the curves that it hides."""
    return Session.of(session.study_class, session.explicit, session.data).having(hidden=request.hidden)


def sentence(error: Exception, path: Path | None = None) -> str:
    """Why a file could not be read or written."""
    if isinstance(error, OSError) and (path or error.filename):
        return f"{shown(path or Path(str(error.filename)))}: {(error.strerror or str(error)).lower()}"
    return str(error)
