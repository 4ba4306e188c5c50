"""Sessions and exports: from the document to files and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFileDialog

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents import session
from dpstudio.gui.pictures.exports import Exports, sentence
from dpstudio.gui.session import recovery
from dpstudio.gui.session.document import Document
from dpstudio.gui.session.opening import Found, Reader, Stamp, stamp_of
from dpstudio.gui.session.recovery import Entry
from dpstudio.gui.shell.questions import ask, may_replace, shown
from dpstudio.gui.shell.settings import Settings, unkept
from dpstudio.gui.shell.window import Window
from dpstudio.studies import all_studies

SUFFIX = ".dpstudio"
LAST = recovery.LAST
AUTOSAVED = 1500
"""Milliseconds after a change at which the studies are written for the next start."""


@dataclass(frozen=True, slots=True)
class Place:
    """The file of a study's session, as it was last read or written here."""

    path: Path
    stamp: Stamp | None = None
    exact: bool = False
    """Whether it holds exact counts of data."""
    begun: Study | None = None
    """The study as the last window kept it, which may have been writing it to the file when it was killed."""


class Files(Exports):
    """Opens and saves sessions, one for each study, keeps all studies for the next start, and writes exports.

    Nothing that is neither in a file nor kept for the next start is given up without asking.
    """

    counts_missing = Signal(object)
    """A session left its exact counts out; its origin says how to count again."""
    named = Signal()
    """The document has another file now, or is saved."""
    opened = Signal()
    """A session was opened."""

    def __init__(self, document: Document, settings: Settings, window: Window) -> None:
        super().__init__(document, settings, window)
        self._places: dict[type[Study], Place] = {}
        self._discarded: list[type[Study]] = []
        self._keeper = recovery.Keeper()
        self._told_unkept = False
        self._leaving = False
        """Whether the window closes once the exports are written."""
        self._reader = Reader(self)
        self._reader.slow.connect(self._say_slow)
        self._reader.ended.connect(lambda: self._window.withdraw("reading"))
        self._background.idle.connect(self._leave)
        self._autosave = QTimer(self, singleShot=True, interval=AUTOSAVED)
        self._autosave.timeout.connect(self.keep)
        # Counted from the first change: a hand that never rests must not put it off for ever.
        document.changed.connect(lambda: self._autosave.isActive() or self._autosave.start())

    @property
    def path(self) -> Path | None:
        """The session of the study in view."""
        place = self._places.get(self._document.study_class)
        return place.path if place else None

    @path.setter
    def path(self, path: Path) -> None:
        self._places[self._document.study_class] = Place(path, stamp_of(path))

    # Opening

    def open(self) -> None:
        """Ask for a session, or a picture that carries one."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Open session", str(self._settings.folder("session")),
            f"Sessions and exported pictures (*{SUFFIX} *.json *.png *.svg *.pdf);;All files (*)")
        if path:
            self.open_path(path)

    def open_path(self, path: str | Path) -> None:
        """Restore what a file holds, once it is read; a bad one changes nothing."""
        found = Path(path).absolute()
        self._reader.read(found, self._opened, lambda error: self.refused.emit(sentence(error, found)))

    def _opened(self, found: Found) -> None:
        study_class, path = found.kept.study_class, found.path
        if not self._may_give_up(study_class, path):
            return
        self._document.open_study(study_class, found.kept.explicit)
        self._places.pop(study_class, None)
        if path.suffix.lower() in (SUFFIX, ".json"):
            data = found.kept.data
            self._places[study_class] = Place(path, found.stamp, data is not None and data.exact)
            self._remember(path)
        self._recall(found.kept.data)
        self.said.emit(f"Opened {shown(path)}")
        self.named.emit()
        self.opened.emit()

    def _say_slow(self, path: Path) -> None:
        self._window.report(f"Reading {shown(path)}…", "Cancel", self._reader.cancel, about="reading")

    def _may_give_up(self, study_class: type[Study], newcomer: Path) -> bool:
        """Whether the values of a study may make way for those of a file."""
        document, place = self._document, self._places.get(study_class)
        explicit = document.state_of(study_class).explicit
        known = place is None and any(dict(preset.values) == dict(explicit) for preset in study_class.presets)
        if known or not document.is_dirty(study_class):
            return True
        document.open_study(study_class)  # what is asked about is seen
        what = shown(place.path) if place else f"“{study_class.title}”"
        match ask(self._window, f"{what} has changes that are in no file.",
                  f"Opening {shown(newcomer)} replaces them.", "Save", "Discard"):
            case "Save":
                return self.save()
            case "Discard":
                return True
        return False

    # Saving

    def save(self) -> bool:
        """Write the study in view to its session; where there is none yet, ask for one."""
        place = self._places.get(self._document.study_class)
        if place is None:
            return self.save_as()
        now = stamp_of(place.path)
        if now is not None and now != place.stamp and not self._known(place):
            match ask(self._window, f"{shown(place.path)} has changed on the disk since it was opened or saved here.",
                      "Saving replaces what is in it now.", "Save as another file…", "Replace"):
                case "Save as another file…":
                    return self.save_as()
                case "":
                    return False
        return self._write(place.path, "; it had been removed" if now is None and place.stamp is not None else "")

    def _known(self, place: Place) -> bool:
        """Whether the file, though it changed, holds only what is in the window, or was when that was opened."""
        try:
            found = session.load_all(place.path)
        except (OSError, session.SessionError):
            return False
        study = found.study_class(**found.explicit)
        return found.data is None and study in (self._document.study, place.begun)

    def save_as(self) -> bool:
        suggested = self.path or self._settings.folder("session") / f"{self._document.study_class.key}{SUFFIX}"
        path, _ = QFileDialog.getSaveFileName(
            self._window, "Save session", str(suggested), f"Sessions (*{SUFFIX});;All files (*)",
            options=QFileDialog.Option.DontConfirmOverwrite)  # asked below, once the name is complete
        if not path:
            return False
        found = Path(path) if Path(path).suffix else Path(path).with_suffix(SUFFIX)
        return may_replace(self._window, [found]) and self._write(found)

    def _write(self, path: Path, besides: str = "") -> bool:
        if path.exists() and not path.is_file():  # what is written to a pipe waits for who reads it
            self.refused.emit(f"{shown(path)}: no ordinary file, so it cannot hold a session")
            return False
        exact = self._may_drop_counts(path)
        if exact is None:
            return False
        document = self._document
        _, explicit, data = self.outgoing(exact)
        self.keep()  # whoever is killed between the two finds in the file what was kept
        try:
            session.save(path, document.study_class, explicit, data)
        except OSError as error:
            self.refused.emit(sentence(error))
            return False
        held = data is not None and data.exact
        self._places[document.study_class] = Place(path, stamp_of(path), held)
        document.set_clean()
        self._remember(path)
        self.keep()  # so that the next start, even after a crash, takes this file for its own
        self.said.emit(f"Saved {shown(path)}{_counts_said(data)}{besides}")
        self.named.emit()
        return True

    def _may_drop_counts(self, path: Path) -> bool | None:
        """Whether exact counts go along with the session; None where the person would rather not save."""
        document, place = self._document, self._places.get(self._document.study_class)
        if self.exact_counts or place is None or place.path != path or not place.exact:
            return self.exact_counts
        if document.holds_counts:
            choice = ask(self._window, f"{shown(path)} holds exact counts of data, which are sensitive.",
                         "They can stay in it, or be left out: a default then stands in their place.",
                         "Keep exact counts", "Leave them out")
        elif document.awaited is not None:
            choice = ask(self._window, f"{shown(path)} holds exact counts of data, and the window has none any more.",
                         "Saving puts a default in their place. To have them again, cancel and open the session.",
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
        """Write the studies that the next start begins with."""
        try:
            self._keeper.keep(self._entries())
        except OSError as error:
            if not self._told_unkept:
                self._told_unkept = True
                self.refused.emit(f"The studies cannot be kept for the next start ({sentence(error)}).")
        else:
            self._told_unkept = False

    def _entries(self) -> list[Entry]:
        return [self._entry(study_class) for study_class in self._document.visited]

    def _entry(self, study_class: type[Study]) -> Entry:
        _, explicit, data = self.outgoing(study_class=study_class)
        place = self._places.get(study_class)
        return Entry(study_class, explicit, data, place.path if place else None, self._document.is_dirty(study_class),
                     place.exact if place else False, place.stamp if place else None)

    def recall(self, entries: Sequence[Entry]) -> None:
        """Go on from where the window was closed; the document begins with the first of them."""
        for i, entry in enumerate(entries):
            try:
                self._document.restore(entry.study_class, entry.explicit, changed=entry.changed)
            except InvalidParameter:
                continue
            if i > 0 and entry.data is not None:
                self._document.recall(entry.data, entry.study_class)
            if entry.file is not None:
                self._places[entry.study_class] = Place(entry.file, entry.stamp, entry.exact,
                                                         self._document.study_of(entry.study_class))
        if entries:
            self._recall(entries[0].data)
            self.named.emit()
        self._keeper.begin(entries, self._entries())

    def _recall(self, data: Origin | None) -> None:
        if data is not None:
            self._document.recall(data)
            if not data.exact:
                self.counts_missing.emit(data)

    # The end

    def may_close(self) -> bool:
        """Whether the window may close now: asks about sessions that are not saved, and waits for exports."""
        if self._leaving:
            return False
        unsaved = [study_class for study_class in self._places if self._document.is_dirty(study_class)]
        if unsaved and not self._settled(unsaved):
            return False
        if self.exporting:
            self._leaving = True
            self._window.report(f"{_exports(self.exporting)} being written; the window closes when that is done.",
                                "Close without", self._leave_at_once, about="leaving")
            return False
        return True

    def _settled(self, unsaved: Sequence[type[Study]]) -> bool:
        names = ", ".join(shown(self._places[study_class].path) for study_class in unsaved)
        has = "have" if len(unsaved) > 1 else "has"
        match ask(self._window, f"{names} {has} changes that are not saved.",
                  "All other studies are kept for the next start.", "Save", "Discard"):
            case "Save":
                seen = self._document.study_class
                for study_class in unsaved:
                    self._document.open_study(study_class)
                    if not self.save():
                        return False
                self._document.open_study(seen)
                return True
            case "Discard":
                self._discarded = list(unsaved)
                return True
        return False

    def _leave(self) -> None:
        if self._leaving:
            self._window.leave()

    def _leave_at_once(self) -> None:
        self._background.close(drop=True)
        self._window.leave()

    def close(self) -> None:
        """Keep what stands for the next start, and wait until every export is written."""
        self._autosave.stop()
        self._reader.cancel()
        for study_class in self._discarded:
            self._document.discard(study_class)
        self.keep()
        self._background.close()


def first_study() -> type[Study]:
    return next(iter(all_studies().values()))


def _counts_said(data: Origin | None) -> str:
    """What a session that was saved holds of data."""
    if data is None:
        return ""
    if data.exact:
        return ", with exact counts of data, which are sensitive"
    told = ". It names the table and the condition, so that it can count again" if data.told else ""
    return f"; exact counts of data are left out{told}"


def _exports(number: int) -> str:
    return "An export is" if number == 1 else f"{number} exports are"
