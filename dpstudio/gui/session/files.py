"""Sessions and exports: from the document to files and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFileDialog

from dpstudio.core.resources import whether
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin, is_table
from dpstudio.documents import session_file
from dpstudio.documents.codec import SessionError
from dpstudio.documents.session import Session, settings_of
from dpstudio.documents.state import StudyState, untouched
from dpstudio.gui.pictures.exports import Exports, sentence
from dpstudio.gui.session import recovery
from dpstudio.gui.session.document import Document
from dpstudio.gui.session.opening import Reader, ReadSession, stamp_of
from dpstudio.gui.session.recovery import FilePlace, LeftSession
from dpstudio.gui.shell.questions import ask, may_replace, shown, where_to
from dpstudio.gui.shell.settings import Settings, unkept
from dpstudio.gui.shell.window import Window
from dpstudio.studies import all_studies
from dpstudio.text.language import counted, tr
from dpstudio.text.sentences import listed

SUFFIX = ".dpstudio"
LAST = recovery.LAST
AUTOSAVED = 1500
"""Milliseconds after a change at which the session is written for the next start."""


class Files(Exports):
    """Opens and saves the session, keeps it for the next start, and writes exports.

    Nothing that is neither in a file nor kept for the next start is given up without asking.
    """

    counts_missing = Signal(object)
    """A session left its exact counts out; its origin says how to count again."""
    named = Signal()
    """The session has another file now, or is saved."""
    opened = Signal()
    """A session was opened."""
    table = Signal(str)
    """What was to be opened is a table of people's data."""

    def __init__(self, document: Document, settings: Settings, window: Window) -> None:
        super().__init__(document, settings, window)
        self._place: FilePlace | None = None
        self._discarded: tuple[type[Study], ...] = ()
        self._keeper = recovery.Keeper()
        self._told_unkept = False
        self._offered: tuple[type[Study], Origin | None] | None = None
        """The last study in view, and what was said of the counts that it is without."""
        self._leaving = False
        """Whether the window closes once the exports are written."""
        self._reader = Reader(self)
        self._reader.slow.connect(lambda path: window.report(
            tr("Reading {path}…", path=shown(path)), tr("Cancel"), self._reader.cancel, about="reading"))
        self._reader.ended.connect(lambda: self._window.withdraw("reading"))
        self._worker.idle.connect(lambda: window.leave() if self._leaving else None)
        self._autosave = QTimer(self, singleShot=True, interval=AUTOSAVED)
        self._autosave.timeout.connect(self.keep)
        # Counted from the first change: a hand that never rests must not put it off for ever.
        document.changed.connect(lambda: self._autosave.isActive() or self._autosave.start())
        document.changed.connect(self._offer_to_count)

    @property
    def path(self) -> Path | None:
        """The file of the session, if it has one."""
        return self._place.path if self._place else None

    @path.setter
    def path(self, path: Path) -> None:
        self._place = FilePlace(path, stamp_of(path), frozenset(all_studies().values()))

    @property
    def unsaved(self) -> tuple[type[Study], ...]:
        """The studies that the file holds otherwise; where there is none, nothing is unsaved."""
        document, held = self._document, self._place.held if self._place else frozenset()
        unsaved = tuple(each for each in document.unsaved if each in held)
        feared = document.session.attacker != document.saved.attacker  # whichever study is in view
        return unsaved or tuple(each for each in document.saved.states if feared and each in held)[:1]

    # Opening

    def open(self) -> None:
        """Ask for a session, or a file that carries one."""
        exported = "*.png *.svg *.pdf *.html *.csv *.parquet"
        path, _ = QFileDialog.getOpenFileName(
            self._window, tr("Open session"), str(self._settings.folder("session")),
            f"{tr('Sessions, and what was exported')} (*{SUFFIX} *.json {exported});;{tr('All files (*)')}")
        if path:
            self.open_path(path)

    def open_path(self, path: str | Path) -> None:
        """Restore what a file holds, once it is read; a bad one changes nothing."""
        found = Path(path).absolute()
        self._reader.read(found, self._opened, partial(self._refuse, found))

    def _refuse(self, path: Path, error: Exception) -> None:
        if is_table(path.name) and isinstance(error, OSError | session_file.NoSession):
            self.table.emit(str(path))
        else:
            self.refused.emit(sentence(error, path))

    def _opened(self, found: ReadSession) -> None:
        document, path, whole = self._document, found.path, found.opened.whole
        takes_over = found.opened.its_own and path.suffix.lower() in (SUFFIX, ".json")
        if not self._may_give_up(found, takes_over):
            return
        held = self._place.held if self._place else frozenset()
        # What a picture or a report brings into a session that has a file is not in that file.
        document.open(found.session, whole=whole,
                      in_file=takes_over or not held & found.session.states.keys())
        if takes_over:
            self._place = FilePlace(path, found.stamp, frozenset(found.session.states), _any_exact(found.session))
            self._remember(path)
        self._offered = None  # of what was opened it is said anew
        self._offer_to_count()
        self.said.emit(tr("Opened {path}", path=shown(path)))
        if found.opened.told:
            self.refused.emit(found.opened.told)
        self.named.emit()
        self.opened.emit()

    def _may_give_up(self, found: ReadSession, takes_over: bool) -> bool:
        """Whether what would be lost may make way for a session that was read."""
        document, session, in_file = self._document, self._document.session, self.unsaved
        path, newcomer = found.path, found.session
        after = session.open(newcomer, whole=found.opened.whole)
        loose = [each for each in document.unsaved if each not in in_file
                 and session.state(each).differs(after.state(each)) and not _comes_back(session.state(each))]
        lost = [*(in_file if takes_over else (each for each in in_file if each in newcomer.states)), *loose]
        if not lost:
            return True
        if document.study_class not in lost:
            document.turn(lost[0])  # what is asked about is seen
        explanation = tr("Opening {path} replaces them.", path=shown(path))
        match ask(self._window, _in_no_file(self.path, in_file, loose), explanation, "Save", "Discard"):
            case "Save":
                return self.save()
            case "Discard":
                return True
        return False

    # Saving

    def save(self) -> bool:
        """Write the session, all studies of it, to its file; where there is none yet, ask for one."""
        place = self._place
        if place is None:
            return self.save_as()
        now = stamp_of(place.path)
        if now is not None and now != place.stamp and not self._known(place):
            match ask(self._window, tr("{path} has changed on the disk since it was opened or saved here.",
                                       path=shown(place.path)),
                      tr("Saving replaces what is in it now."), "Save as another file…", "Replace"):
                case "Save as another file…":
                    return self.save_as()
                case "":
                    return False
        return self._write(place.path, tr("; it had been removed") if now is None and place.stamp is not None else "")

    def _known(self, place: FilePlace) -> bool:
        """Whether the file, though it changed, holds only what is in the window, or was when that was opened."""
        try:
            found = session_file.load(place.path)
        except (OSError, SessionError):
            return False
        return not any(state.origin for state in found.states.values()) and any(
            (found.attacker == known.attacker or not found.fears)
            and not any(found.state(each).differs(known.state(each)) for each in found.states)
            for known in (self._document.session, place.begun) if known is not None)

    def save_as(self) -> bool:
        suggested = self.path or self._settings.folder("session") / f"{self._document.study_class.key}{SUFFIX}"
        path, _ = where_to(self._window, tr("Save session"), suggested,
                           f"{tr('Sessions')} (*{SUFFIX});;{tr('All files (*)')}")
        if not path:
            return False
        found = Path(path) if Path(path).suffix else Path(path).with_suffix(SUFFIX)
        return may_replace(self._window, [found]) and self._write(found)

    def _write(self, path: Path, besides: str = "") -> bool:
        if whether(path.exists) and not path.is_file():  # what is written to a pipe waits for who reads it
            self.refused.emit(tr("{path}: no ordinary file, so it cannot hold a session", path=shown(path)))
            return False
        exact = self._may_drop_counts(path)
        if exact is None:
            return False
        leaving = self.leaving(exact)
        if leaving is None:
            return False
        leaving = leaving.whole(all_studies().values())
        self.keep()  # whoever is killed between the two finds in the file what was kept
        try:
            session_file.save(path, leaving)
        except OSError as error:
            self.refused.emit(sentence(error))
            return False
        origins = [state.origin for state in leaving.states.values() if state.origin is not None]
        self._place = FilePlace(path, stamp_of(path), frozenset(leaving.states), _any_exact(leaving))
        self._document.set_clean()
        self._remember(path)
        self.keep()  # so that the next start, even after a crash, takes this file for its own
        self.said.emit(tr("Saved {path}", path=shown(path)) + _counts_said(origins) + besides)
        self.named.emit()
        return True

    def _may_drop_counts(self, path: Path) -> bool | None:
        """Whether exact counts go along with the session; None where the person would rather not save."""
        states, place = self._document.session.states.values(), self._place
        if self.exact_counts or place is None or place.path != path or not place.exact:
            return self.exact_counts
        if any(state.holds_counts for state in states):
            choice = ask(self._window, tr("{path} holds exact counts of data, which are sensitive.", path=shown(path)),
                         tr("They can stay in it, or be left out: a default then stands in their place."),
                         "Keep exact counts", "Leave them out")
        elif any(state.awaited is not None for state in states):
            choice = ask(self._window, tr("{path} holds exact counts of data, and the window has none any more.",
                                          path=shown(path)),
                         tr("Saving puts a default in their place. To have them again, cancel and open the session."),
                         "Leave them out")
        else:
            return False
        return {"Keep exact counts": True, "Leave them out": False}.get(choice)

    def _remember(self, path: Path) -> None:
        self._settings.add_recent(str(path))
        self._settings.set_folder("session", path.parent)

    # From one start to the next

    def say_if_unkept(self) -> None:
        """Say at the start, once, that nothing can be kept."""
        if problem := unkept(self._settings):
            self._told_unkept = True
            self.refused.emit(problem)

    def keep(self) -> None:
        """Write the session that the next start begins with."""
        try:
            self._keeper.keep(self._left())
        except OSError as error:
            if not self._told_unkept:
                self._told_unkept = True
                self.refused.emit(tr("The studies cannot be kept for the next start ({error}).", error=sentence(error)))
        else:
            self._told_unkept = False

    def _left(self) -> LeftSession:
        return LeftSession.of(self._document, self.exact_counts, self._place)

    def begin(self, left: LeftSession) -> None:
        """Go on from where the window was closed; the document holds its session already."""
        self._place = left.place and replace(left.place, begun=left.session)
        self._offer_to_count()
        self.named.emit()
        self._keeper.begin(self._left())

    def _offer_to_count(self) -> None:
        """Say what the study in view is without, once: where it comes into view, or a snapshot brings that back."""
        study_class, awaited = self._document.study_class, self._document.state.awaited
        if awaited is None or self._offered != (study_class, awaited):
            self._offered = study_class, awaited
            if awaited is not None:
                self.counts_missing.emit(awaited)

    # The end

    def may_close(self) -> bool:
        """Whether the window may close now: asks about sessions that are not saved, and waits for exports."""
        if self._leaving:
            return False
        if self.unsaved and not self._settled():
            return False
        if self.exporting:
            self._leaving = True
            self._window.report(counted("An export is being written; the window closes when that is done.",
                                        "{n} exports are being written; the window closes when that is done.",
                                        self.exporting), tr("Close without"), self.give_up, about="leaving")
            return False
        return True

    def _settled(self) -> bool:
        unsaved = self.unsaved
        match ask(self._window, _in_no_file(self.path, unsaved, ()), tr("All else is kept for the next start."),
                  "Save", "Discard"):
            case "Save":
                return self.save()
            case "Discard":
                self._discarded = unsaved
                return True
        return False

    def give_up(self) -> None:
        """Close the window now, without the exports that are under way."""
        self._leaving = False  # not once more when nothing is under way
        self.abandoned.emit()
        self._worker.close()
        self._window.leave()

    def close(self) -> None:
        """Keep what stands for the next start, and wait until every export is written."""
        self._leaving = False
        self.abandoned.emit()
        self._autosave.stop()
        self._reader.cancel()
        self._document.discard(*self._discarded)
        self.keep()
        self._worker.close(finish=True)


def _any_exact(session: Session) -> bool:
    """Whether exact counts of data go along with a session."""
    return any(origin.exact for each in settings_of(session) for origin in each.counted.values())


def _comes_back(state: StudyState) -> bool:
    """Whether a preset, or a reset, brings all of it back."""
    setting = state.setting
    if state.differs(StudyState(setting)):
        return False
    as_it_comes = untouched(type(setting.study))  # type: ignore[arg-type]  # mypy compares the hash of instances
    return not state.differs(as_it_comes) or any(
        dict(preset.values) == dict(setting.set_here) for preset in setting.study.presets)


def _in_no_file(path: Path | None, in_file: Sequence[type[Study]], loose: Sequence[type[Study]]) -> str:
    """What would be lost, by the titles of its studies."""
    told = []
    if path is not None and in_file:
        told.append(tr("{path} has changes that are not saved, in {in_file}.", path=shown(path),
                       in_file=listed(tr(each.title) for each in in_file)))
    if loose:
        told.append(counted("{studies} has changes that are in no file.", "{studies} have changes that are in no file.",
                            len(loose), studies=listed(tr("“{title}”", title=tr(each.title)) for each in loose)))
    return " ".join(told)


def _counts_said(origins: Sequence[Origin]) -> str:
    """What a session that was saved holds of data."""
    if not origins:
        return ""
    if any(data.exact for data in origins):
        return tr(", with exact counts of data, which are sensitive")
    named = [tr("the table")]
    if any(data.where for data in origins):
        named.append(tr("the condition"))
    if any(data.by or data.of for data in origins):
        named.append(tr("the columns"))
    said = tr("; exact counts of data are left out")
    if any(data.told for data in origins):
        said += tr(". It names {names}, so that it can count again", names=listed(named))
    return said
