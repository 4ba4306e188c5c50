"""From the document to what is shown: asks for the newest answer, and keeps the windows it is seen through.

How a study is answered beside the window: what is in view first, and what is drawn once no hand moves any more. While
one does, curves come before what is read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal, SignalInstance

from dpstudio.core.answer import Answer
from dpstudio.core.results import Span
from dpstudio.core.slow import EVERY, NOTHING, Wanted
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.session import Session
from dpstudio.documents.setting import without
from dpstudio.gui.session.document import Document
from dpstudio.gui.session.views import Views
from dpstudio.gui.shell.worker import Pause, Worker, failure

REST = 0.12
"""Seconds without a change after which simulation begins: a moving slider needs the exact answer alone."""
SOON = 0.06
"""Seconds without a move after which all that is seen of the newest setting is made: a hand that moves moves again,
also where frames take three times as long as they should."""
SLICE = 0.001
"""Seconds that a move has for what is read of an earlier one."""
READING = 0.15
"""Seconds from one setting that is read to the next while a hand moves; one that takes longer is made at a stretch."""


class MidMove(NamedTuple):
    """What a hand that moves is shown: the newest answer's curves, and what is read of it or of an earlier one.

    It comes with its curves first, and again once also what is read is of it.
    """

    update: Update
    read: Update


class AskedOfStudy(NamedTuple):
    """What is asked: of a study, looked at through which windows of a person, and decided for what."""

    study: Study
    views: Mapping[str, Span]
    chosen: str | None


class ReadInSlices:
    """What is read, not watched, while a hand moves: facts and sentences, all of them of one setting.

    They need not follow every move, for the time belongs to the curves. So a move makes a slice of them; once all are
    made the moves after it show them, and then it is the turn of the newest setting.
    """

    def __init__(self, made: Update) -> None:
        self.made = made
        """The newest answer of which all that is read is made."""
        self._next = made
        self._steps: Iterator[None] | None = None
        """What is left to do for the next."""
        self._begun = -READING

    def begin(self, update: Update, seen: Wanted) -> None:
        """Take up this answer, unless it is another's turn or too soon."""
        if self._steps is None and (now := time.monotonic()) >= self._begun + READING:
            self._begun, self._next, self._steps = now, update, update.prepare(seen, hurry=True)

    def go_on(self) -> None:
        """Make a slice, or all that is left where it is late."""
        steps, self._steps = self._steps, None  # what fails is not gone on with
        if steps is None:
            return
        now = time.monotonic()
        for _ in steps:
            if now < self._begun + READING and time.monotonic() >= now + SLICE:
                self._steps = steps
                return
        self.made = self._next


def answering(study: Study, views: Mapping[str, Span] | None = None, seen: Wanted = NOTHING,
              answer: Answer[Any, Any, Any] | None = None, rest: float | None = REST, *,
              watched: Wanted = NOTHING, reading: ReadInSlices | None = None, telling: bool = False,
              chosen: str | None = None, whole: Update | None = None) -> Iterator[Update | MidMove | Pause | None]:
    """What is `seen` comes ready made, then everything, then what is drawn; None where it can be left.

    `answer` is an earlier one: where it is the study's, what it knows is not computed again. Without a `rest` only what
    is seen is answered. While a hand moves, `reading` is what its moves share, and what is `watched` comes first; a
    move that is `telling` what was read makes nothing more of that. It is spoken of as whoever decided for what is
    `chosen` reads it; of a `whole` answer nothing but that is new.
    """
    if whole is not None:
        update = whole.deciding(chosen)
        yield from update.prepare(replace(seen, sentences=EVERY))
        yield update
        return
    if answer is None or answer.study != study:
        answer = study.answer()
    answer = answer.deciding(chosen)
    update = Update(answer, views)
    answer.refused  # noqa: B018 - found here, for every picture asks
    if reading is not None:
        read = reading.made  # what this move makes of it is told by the next
        if not telling:
            reading.go_on()
        yield from update.prepare(watched, hurry=True)
        if not telling:
            reading.begin(update, seen)
        yield MidMove(update, read)
        yield Pause(SOON)
    yield from update.prepare(seen, hurry=True)
    dict(update.windows)  # found here, for where a hand rests the window asks for all of them
    yield update if reading is None else MidMove(update, update)
    if rest is None:
        return
    yield Pause(rest)
    everything = answer.everything(seen)
    if any(answer.slow(name, update.views.get(name)) for name in everything.tables):
        yield from update.prepare(everything, hurry=True)  # facts do not wait for pictures that take longer
        yield update
    yield from update.prepare(everything)
    yield update
    drawn = replace(seen, sentences=EVERY)
    for found, done in answer.simulate({**update.windows, **update.views}):
        if found is not None:
            update = Update(answer, views, found, done)
            yield from update.prepare(drawn)
            yield update
        elif done > update.done:
            update = update.further(done)
            yield update
        else:
            yield None


class Answers(QObject):
    """The newest answer to what the document asks.

    While an exact answer is under way the next question waits, however fast a hand moves: asking at every move would
    overtake each answer before it could be shown, and the picture would stand still until the hand rests.
    """

    shown = Signal(object, object)
    """An answer of which all that is watched is made, and the study it answers, with `windows` to show it in."""
    told = Signal(object, object)
    """One of which also all that is read is made, facts and sentences: while a hand moves, of a setting just passed."""
    headed = Signal(object, object)
    """The same, for its headline: while a hand moves a move later, for a frame has no time to lay out all of it."""
    said = Signal(object, object)
    """The same, for its other sentences: one more move later."""
    failed = Signal(str)
    finished = Signal()

    def __init__(self, document: Document, parent: QObject | None = None, *, rest: float = REST) -> None:
        super().__init__(parent)
        self.latest: tuple[Update, Study] | None = None
        """What is shown, if the present study was answered yet."""
        self.whole: Update | None = None
        """What is told."""
        self._untold: list[SignalInstance] = []
        """What is yet to be heard of it, in order."""
        self.seen: Callable[[], Wanted] = Wanted
        """What is being looked at."""
        self.watched: Callable[[], Wanted] = Wanted
        """The part of it that follows every move of a hand."""
        self._document = document
        self._views = Views()
        self._worker, self._rest = Worker("study", self), rest
        self._interacting = False
        self._first = False
        self._answered: Answer[Any, Any, Any] | None = None
        """The newest answer, kept while only views change."""
        self._reading: ReadInSlices | None = None
        """What the moves of a hand share."""
        self._asked: AskedOfStudy | None = None
        self._whole: AskedOfStudy | None = None
        """What was asked of which all is shown, what is drawn included."""
        document.study_changed.connect(self._turn)
        document.changed.connect(self.follow_document)
        document.moving.connect(self.set_interacting)
        self._views.hold(document.state.views)

    @property
    def windows(self) -> dict[str, Span]:
        """The stretch of x to show of each table; one that is missing is shown as it comes."""
        return dict(self._views.shown)

    def follow_document(self) -> None:
        """Ask what the document now says, unless that was asked already."""
        if self._asked != self._question():
            self._views.hold(self._document.state.views)
            self.ask()

    def _question(self) -> AskedOfStudy:
        state = self._document.state
        return AskedOfStudy(self._document.study, state.views, state.chosen)

    def ask(self) -> None:
        """Ask what the document now says, as soon as the last exact answer is in."""
        self._worker.follow(self._start)

    def set_interacting(self, interacting: bool) -> None:
        """Hold the windows still while a hand moves something, and see afterwards whether they still fit."""
        released = self._interacting and not interacting
        self._interacting = interacting
        if released and self.latest is not None and self._refit(*self.latest):
            self.ask()

    def choose_view(self, table: str, low: float, high: float, study_class: type[Study] | None = None) -> None:
        """Look at a stretch of one table, of the study in view if none is given, computed for just that stretch."""
        self._document.show(Session.on, study_class or self._document.study_class, Session.look, table, (low, high))

    def follow(self, table: str | None = None) -> None:
        """Look again at what the study finds worth seeing."""
        self._views.follow(table)
        self._give_up(self._document.state.views if table is None else (table,))
        self.ask()

    def begin_anew(self) -> None:
        """Look at what the session says a person zoomed to, and elsewhere at what the study finds worth seeing."""
        self._views = Views()
        self._views.hold(self._document.state.views)
        self.ask()

    def close(self) -> None:
        self._worker.close()

    def _turn(self) -> None:
        self._views = Views()
        self.latest = self.whole = self._reading = None  # answers to another question
        self._untold = []
        self._interacting = False
        self._worker.stop()

    def _start(self) -> None:
        self._first = True
        study = self._document.study
        self._asked = asked = self._question()
        # Where nothing but the choice is another, nothing is computed or drawn again.
        spoken = self._whole is not None and self._whole != asked and self._whole[:2] == asked[:2]
        self._whole = None
        if not self._interacting or self.whole is None:
            self._reading = None
        elif self._reading is None:
            self._reading = ReadInSlices(self.whole)
        work = partial(answering, study, self._views.shown, self.seen(), self._answered, self._rest,
                       watched=self.watched(), reading=self._reading, telling=bool(self._untold), chosen=asked.chosen,
                       whole=self.latest[0] if spoken and self.latest else None)
        self._worker.start(work, lambda _: self._end(asked), told=lambda news: self._take(news, study),
                           failed=lambda error: self.failed.emit(failure(error, f"the study {study.key}")))

    def _end(self, asked: AskedOfStudy) -> None:
        """All of it is there."""
        self._whole = asked
        self.finished.emit()

    def _take(self, news: Update | MidMove, study: Study) -> None:
        update, read = news if isinstance(news, MidMove) else (news, news)
        self._answered = update.answer
        first, self._first = self._first, False
        if first and not self._interacting and not self._worker.followed and self._refit(update, study):
            self._start()  # what was asked for is seen at once where it belongs, not first where it does not
            return
        drawn = isinstance(news, MidMove) and self.latest is not None and self.latest[0] is update
        self.latest = update, study
        if read is update:
            self._views.take(update.windows, study)
            self._reading = None  # what is under way of an earlier setting is overtaken
        if not drawn:
            self.shown.emit(update, study)
        if read is update or read is not self.whole:  # one that was told comes again with all that takes longer
            self._begin_to_tell(read)
        self._tell(len(self._untold) if read is update else 1)

    def _begin_to_tell(self, read: Update) -> None:
        """All that is read is of another setting; what was yet to be heard of the one before is heard first."""
        self._tell(len(self._untold))
        self.whole, self._untold = read, [self.told, self.headed, self.said]

    def _tell(self, parts: int) -> None:
        """Let so many parts be heard of what is told."""
        heard, self._untold = self._untold[:parts], self._untold[parts:]
        for signal in heard:
            if self.whole is not None:
                signal.emit(self.whole, self.whole.study)

    def _refit(self, update: Update, study: Study) -> bool:
        misfits = self._views.misfits(update.windows, study)
        for table in misfits:
            self._views.follow(table)
        self._give_up(misfits)
        return bool(misfits)

    def _give_up(self, tables: Collection[str]) -> None:
        """Let the session forget what a person zoomed to; whoever calls this asks."""
        asked = self._question()
        self._asked = asked._replace(views=without(asked.views, tables))
        self._document.show(Session.look_away, *tables)
