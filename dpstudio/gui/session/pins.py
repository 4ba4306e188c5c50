"""What is pinned, computed for what is in view: a zoom must not leave its curves ending in mid-air."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Signal

from dpstudio.core.answer import Wanted
from dpstudio.core.results import Span
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.session import title
from dpstudio.gui.session.document import Document
from dpstudio.gui.session.runner import Runner
from dpstudio.scene.scene import Pinned

EXACT_ALONE = 1e6
"""Seconds of rest before simulating: what was simulated stands already, and only exact curves are computed anew."""
REMEMBERED = 20
"""Answers that are kept: a pin that was removed may come back."""


class Pins(QObject):
    """The answers to all that is pinned of the study in view, sampled wherever somebody looks."""

    shown = Signal(object)
    """What to show as pinned: a list of Pinned, the newest last."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.seen: Callable[[], Wanted] = Wanted
        """What is being looked at."""
        self._document = document
        self._newest: tuple[Update, Study] | None = None
        self._own: dict[Study, Update] = {}
        """The answer to each as it was shown, with what was simulated."""
        self._fuller: dict[Study, Update] = {}
        """The same for what is in view."""
        self._windows: dict[str, Span] = {}
        self._due: list[Study] = []
        """What has still to be computed for what is in view."""
        self._told: list[Pinned] = []
        self._runner = Runner(self, rest=EXACT_ALONE)
        self._runner.updated.connect(self._take)
        self._runner.failed.connect(lambda _: self._ask())
        document.study_changed.connect(self._turn)
        document.changed.connect(self.follow)

    @property
    def studies(self) -> list[Study]:
        """What is pinned of the study in view."""
        return [pin.study for pin in self._document.state.pins]

    def look(self, update: Update, study: Study, windows: Mapping[str, Span]) -> None:
        """Follow what is in view: the windows that a person or the picture holds, else those of the newest answer."""
        self._newest = update, study
        wanted = {**update.windows, **windows}
        if wanted != self._windows:
            self._windows, self._due = wanted, self.studies
        self.follow()

    def follow(self) -> None:
        """Show what the session has pinned, and compute what of it has no answer yet."""
        studies = self.studies
        if self._newest is not None and self._newest[1] in studies:
            self._keep(*self._newest)
        self._due = [each for each in self._due if each in studies]
        self._due += [each for each in studies if each not in self._fuller and each not in self._due]
        self._tell()
        self._ask()

    def close(self) -> None:
        self._runner.close()

    def _turn(self) -> None:
        self._newest, self._windows, self._due = None, {}, []
        self._fuller.clear()
        self._runner.stop()

    def _keep(self, update: Update, study: Study) -> None:
        """Remember an answer that was shown, unless an earlier one was simulated further."""
        own = self._own.get(study)
        if own is None or own.done < update.done == update.total:
            self._own[study] = update
            self._fuller.pop(study, None)
        while len(self._own) > REMEMBERED:
            del self._own[next(iter(self._own))]

    def _tell(self) -> None:
        state = self._document.state
        told = [Pinned(title(pin, state.setting), update) for pin in state.pins
                if (update := self._fuller.get(pin.study) or self._own.get(pin.study))]
        if [(each.title, id(each.update)) for each in told] != [(each.title, id(each.update)) for each in self._told]:
            self._told = told
            self.shown.emit(told)

    def _ask(self) -> None:
        if self._due and self._windows and not self._runner.waiting:
            study = self._due.pop(0)
            self._runner.start(study, self._wanted(study), self.seen())

    def _wanted(self, study: Study) -> dict[str, Span]:
        own = self._own.get(study)
        return self._windows if own is None else {
            name: self._windows.get(name, window) for name, window in own.windows.items()}

    def _take(self, fresh: Update, study: Study) -> None:
        if study in self.studies:
            update = self._own.setdefault(study, fresh)
            self._fuller = {each: known for each, known in self._fuller.items() if each in self.studies}
            self._fuller[study] = Update(fresh.answer, self._wanted(study), update.seen, update.done)
            self._tell()
        self._ask()
