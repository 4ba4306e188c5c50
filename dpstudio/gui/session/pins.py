"""What is pinned, computed for what is in view: a zoom must not leave its curves ending in mid-air.

Curves in view come first, those of every pin; once the present answer is whole, each pin is answered whole too, with
all its facts and draws: those of a session that was opened again as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal

from dpstudio.core.results import Span
from dpstudio.core.slow import Wanted
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.setting import title
from dpstudio.gui.session.answers import answering
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.worker import Worker, failure
from dpstudio.scene.scene import Pinned

REMEMBERED = 20
"""Answers that are kept: a pin that was removed may come back."""


class Pins(QObject):
    """The answers to all that is pinned of the study in view, sampled wherever somebody looks."""

    shown = Signal(object)
    """What to show as pinned: a list of Pinned, the newest last."""
    answered = Signal()
    """More is known of an answer."""

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
        self._held: Mapping[str, Span] = {}
        """The windows that a person or the picture holds."""
        self._windows: dict[str, Span] = {}
        """What the pins are computed for: these, and elsewhere those of the newest answer."""
        self._due: list[Study] = []
        """What has still to be computed for what is in view."""
        self._told: list[Pinned] = []
        self._resting = False
        """Whether the present answer is whole, and nobody waits for another."""
        self._running: Study | None = None
        self._ended: set[Study] = set()
        """What was answered whole, or could not be."""
        self._worker = Worker("study", self)
        document.study_changed.connect(self._turn)
        document.changed.connect(self.follow)

    @property
    def studies(self) -> list[Study]:
        """What is pinned of the study in view."""
        return list(dict.fromkeys(pin.study for pin in self._document.state.pins))

    def look(self, update: Update, study: Study, windows: Mapping[str, Span]) -> None:
        """Follow what is in view: the windows that a person or the picture holds, else those of the newest answer."""
        self._newest, self._held = (update, study), windows
        self.follow()

    def follow(self) -> None:
        """Show what the session has pinned, and compute what of it has no answer yet."""
        studies = self.studies
        if studies and self._newest is not None:
            wanted = {**self._newest[0].windows, **self._held}
            if wanted != self._windows:
                self._windows, self._due = wanted, studies
        if self._newest is None or self._newest[1] != self._document.study:
            self._rest(False)  # the present answer comes first
        if self._newest is not None and self._newest[1] in studies:
            self._keep(*self._newest)
        self._due = [each for each in self._due if each in studies]
        self._due += [each for each in studies if each not in self._fuller and each not in self._due]
        self._tell()
        self._ask()

    def complete(self) -> None:
        """Answer each pin whole, one after the other, until something is asked anew."""
        self._rest(True)
        self._ask()

    def update_of(self, study: Study) -> Update | None:
        """As much of the answer to a pin as is known."""
        return self._fuller.get(study) or self._own.get(study)

    def close(self) -> None:
        self._worker.close()

    def _turn(self) -> None:
        self._newest, self._held, self._windows, self._due = None, {}, {}, []
        self._fuller.clear()
        self._ended.clear()
        self._rest(False)
        self._stop()

    def _rest(self, resting: bool) -> None:
        self._resting = resting
        if not resting and not self._worker.waiting:
            self._stop()

    def _stop(self) -> None:
        self._running = None
        self._worker.stop()

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
        told = [Pinned(title(pin, state.setting), update, pin.only) for pin in state.pins
                if (update := self.update_of(pin.study))]
        if [_identity(each) for each in told] != [_identity(each) for each in self._told]:
            self._told = told
            self.shown.emit(told)

    def _ask(self) -> None:
        """Begin with what comes next, unless the curves of a pin are under way."""
        if not self._windows or self._worker.waiting:
            return
        if self._due:
            self._start(self._due.pop(0))
        elif self._running is None and self._resting:
            unfinished = [each for each in self.studies if each not in self._ended and not self._whole(each)]
            if unfinished:
                self._start(unfinished[0])

    def _start(self, study: Study) -> None:
        self._running, own = study, self.update_of(study)
        work = partial(answering, study, self._wanted(study), self.seen(), own.answer if own else None)
        self._worker.start(work, partial(self._end, study), told=lambda update: self._take(update, study),
                           failed=partial(self._end, study))

    def _whole(self, study: Study) -> bool:
        """Whether all that can be drawn and every fact is known."""
        own = self.update_of(study)
        return own is not None and own.done == own.total and all(
            declared.simulated or own.answer.known(*place) for place, declared in own.answer.index().items())

    def _wanted(self, study: Study) -> dict[str, Span]:
        own = self._own.get(study)
        return self._windows if own is None else {
            name: self._windows.get(name, window) for name, window in own.windows.items()}

    def _take(self, fresh: Update, study: Study) -> None:
        if study in self.studies:
            own = self._own.get(study)
            if own is None or own.done < fresh.done:
                own = self._own[study] = fresh
            self._fuller = {each: known for each, known in self._fuller.items() if each in self.studies}
            self._fuller[study] = Update(fresh.answer, self._wanted(study), own.seen, own.done)
            self._tell()
            self.answered.emit()
        if self._due or not (self._resting and study in self.studies) or self._whole(study):
            self._stop()  # its curves are there, and that is all for now
            self._ask()

    def _end(self, study: Study, outcome: Exception | None) -> None:
        if outcome is not None:
            failure(outcome, f"a pin of {study.key}")
        self._ended.add(study)
        self._running = None
        self._ask()


def _identity(pin: Pinned) -> tuple[str, int, str | None]:
    return pin.title, id(pin.update), pin.only
