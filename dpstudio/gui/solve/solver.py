"""From what is wanted to the values that do it: asks, previews, lets a hand lead, and takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Span, stated
from dpstudio.core.slow import Wanted
from dpstudio.core.solve import read_want
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.noted import Solved
from dpstudio.documents.setting import Values
from dpstudio.gui.facts.model import Place
from dpstudio.gui.plot.labels import DragTarget
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Pace, Worker
from dpstudio.gui.solve.card import NAMES, SolveCard
from dpstudio.gui.solve.guess import at_once, drawn_as
from dpstudio.gui.solve.preview import SolutionPreview
from dpstudio.gui.solve.question import Question, Reply, refusal
from dpstudio.gui.solve.wanted import WantedRow

READING = 100
"""Milliseconds from one present value to the next."""
RELATIONS = {"<=": "≤", ">=": "≥", "=": "="}
"""Relations as a picture writes them."""


class Solver(QObject):
    """The solver of a window: its card, what it asks and what comes of it."""

    said = Signal(str)
    aimed = Signal(object)
    """The wanted values, to be dragged on the plots: a list of DragTarget."""
    region_wanted = Signal(object)
    """Where all of a Question holds is to be shown."""
    found_pair = Signal(object)
    """A Question of two parameters was answered."""
    closed = Signal()

    def __init__(self, document: Document, seen: Callable[[], Wanted], theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.document = document
        self.looked: Callable[[], Sequence[Place]] = tuple
        """The facts of the picture that is looked at."""
        self.card = SolveCard(theme)
        self.card.hide()
        self.worker, self.preview = Worker("solver", self), SolutionPreview(seen, self)
        self.found: Reply | None = None
        """The answer to what is asked, once it is there."""
        self._at = 0
        """Which of several solutions is chosen."""
        self._asked: Question | None = None
        self._newest: Update | None = None
        self._led: Values | None = None
        """Values to which a hand has led parameters without having let go."""
        self._take_waits = self._region_waits = False
        """Whether the answer that is under way is to be taken, or its region to be shown, once it is there."""
        self._previewed: Values | None = None
        """Values that a solution would set, as they are shown."""
        self._tell = Pace(READING, self._tell_present, self)
        self.worker.slow.connect(self._say_busy)
        card = self.card
        card.changed.connect(self._tell_present)
        card.changed.connect(self._ask)
        card.moved.connect(lambda: self._ask(overtake=False))
        card.fact_changed.connect(self._begin_row)
        card.added.connect(self._add)
        card.chosen.connect(self._choose)
        card.taken.connect(self.take)
        card.entered.connect(self._take_what_does_it)
        card.region_wanted.connect(self._ask_region)
        card.closed.connect(self.close)
        document.study_changed.connect(self.close)
        document.changed.connect(self._follow)

    @property
    def is_open(self) -> bool:
        return not self.card.isHidden()

    def open(self, place: Place) -> None:
        """Want a fact of the study in view; of one that is drawn, what it comes to."""
        index = self.document.study_class.answers().index()
        declared, note = index[place], ""
        if declared.simulated:
            exact = declared.exact.key if declared.exact else ""
            found = next((each for each in ((exact, place[1]), (exact, None)) if each in index), None)
            if found is None:
                self.said.emit(f"“{declared.quantity.label}” is estimated by draws, and nothing exact stands for it")
                return
            place, note = found, f"“{declared.quantity.label}” is estimated by draws; solved for is what it comes to."
        self._forget()
        self.card.begin(self.document.study, place, self._value(place), note, looked=self.looked())
        self.card.show()
        self._begin_typing()

    def ask_again(self, asked: Solved) -> None:
        """Ask what was kept, at the present values; of many wants, those that the card has room for."""
        wants = [read_want(self.document.study_class, text) for text in asked.wants[:len(self.card.rows)]]
        self.open((wants[0].quantity, wants[0].series))
        self.card.show_wants(self.document.study_class, wants, asked.names)
        self._begin_typing()

    def close(self) -> None:
        """Leave everything as it is."""
        if not self.is_open:
            return
        if self._asked is not None and self._asked.kind is not self.document.study_class:
            self._led = None  # what was led is another study's
        self._let_go()
        self.worker.stop()
        self.card.hide()
        self._forget()
        self.preview.show_study(None)
        self.aimed.emit([])
        self.closed.emit()

    def close_down(self) -> None:
        """Leave nothing running."""
        self.worker.close()
        self.preview.close()

    def show_update(self, update: Update, windows: Mapping[str, Span]) -> None:
        """Follow the newest answer: what the facts are now, and what is in view."""
        self._newest = update
        if self.is_open:
            self._tell()
            self.preview.look({**update.windows, **windows})

    def take(self) -> None:
        """Set what was found, in one step; of an answer that is still under way, once it is there and does it."""
        if not self.is_open:
            return
        if self._is_late():
            self._take_waits = True
            return
        found = self.found
        if found is None or not self.card.take_button.isEnabled():
            return
        values, words = found.every[self._at], found.words(self._at)
        question = found.question
        answers = found.met or question.proposed is None  # what a hand pointed at may be no answer
        try:
            self.document.solve(values, wants=[str(want) for want in question.wants] if answers else ())
        except InvalidParameter as refusal:
            self.said.emit(str(refusal))
            return
        self.close()
        self.said.emit(f"Taken: {words}")

    def _take_what_does_it(self) -> None:
        """Take an answer, or what a hand pointed at; the nearest takes a press of the button that names it."""
        if self._is_late() or (self.found is not None and not self.found.falls_short):
            self.take()
        elif self.found is not None:
            self.said.emit("Nothing does it: press the button to take the nearest")

    def _ask_region(self) -> None:
        """Want the region of what was found; of an answer that is still under way, once it is there."""
        found = self.found
        self._region_waits = found is None or self._is_late() or len(found.names) < 2
        if found is not None and not self._region_waits:
            self.region_wanted.emit(found.pair)

    def propose(self, values: Values) -> None:
        """Preview these values, and say whether they do it."""
        if self.is_open and (wants := self.card.wants):
            document = self.document
            self._put(Question(document.study_class, document.explicit, wants, tuple(values), proposed=values))

    # A hand on a target

    def lead(self, name: str, value: float) -> None:
        """A hand moves what is wanted, and the parameters follow."""
        if not self.is_open:
            return
        self.card.rows[NAMES.index(name)].show_number(value)
        names = self.card.names
        near = self._led or {name: getattr(self.document.study, name) for name in names}
        self._ask(overtake=False, led=True, near=near if names else None)

    def release(self) -> None:
        """The hand has let go."""
        if self.is_open:
            self._ask(overtake=False, led=True)

    # Asking

    def _begin_typing(self) -> None:
        """Ask what the card says, and give the keyboard to the value that is wanted."""
        self._tell_present()
        entry = self.card.rows[0].entry
        entry.setFocus(Qt.FocusReason.ShortcutFocusReason)
        entry.selectAll()
        self._ask()

    def _ask(self, *, overtake: bool = True, led: bool = False, near: Values | None = None) -> None:
        card, document = self.card, self.document
        self._take_waits = self._region_waits = False
        wants = card.wants
        if wants is None:
            self.worker.stop()
            self._forget()
            card.show_answer("", can_take=False)
            self._show_preview()
            return
        self._aim()
        question = Question(document.study_class, document.explicit, wants, card.names, led, near)
        if not led and self._asked is not None and self._asked.key == question.key and not self._leans_on_other():
            self._show_preview()
            return
        self._put(question, overtake=overtake)

    def _put(self, question: Question, *, overtake: bool = True) -> None:
        self._asked = question
        begin = partial(self.worker.start, partial(question.answered, self.worker.going),
                        partial(self._answer, question), failed=partial(self._refuse, question))
        if overtake:
            begin()
        else:
            self.worker.follow(begin)

    def _follow(self) -> None:
        """The document has changed: by what was led, or by another hand, whose moves would let no answer arrive."""
        if self.is_open and self._led is None:
            self.card.show_study(self.document.study, self.looked())
            self._ask(overtake=False)

    def _leans_on_other(self) -> bool:
        """Whether what was found leans on what was solved for as it was then, and now is not."""
        found, study = self.found, self.document.study
        return found is not None and found.leans and isinstance(study, found.question.kind) \
            and found.question.stands() != tuple(getattr(study, name) for name in found.question.names)

    def _is_late(self) -> bool:
        """Whether what was found is not yet the answer to what is asked."""
        return self.worker.busy or self.found is None or self.found.question is not self._asked

    def _say_busy(self) -> None:
        """It takes a while: what was said and previewed before is the answer no longer."""
        if self._led is None:
            self.card.show_busy()
            self._previewed = None
            self.preview.show_study(None)
            self._aim()

    # Answers

    def _answer(self, question: Question, found: Reply) -> None:
        if not self.is_open or question.kind is not self.document.study_class:
            return
        self.found, self._at = found, 0
        self.card.show_names(found.names)
        if question is self._asked:  # with the parameters that were found it is the same question
            self._asked = found.question
        if question.led:
            self._lead_document(found, moves_on=question.near is not None)
        self._show_found()
        if not question.led and found.question is self._asked and self._leans_on_other():
            self._ask(overtake=False)
        if len(found.names) > 1 and found.question.proposed is None:
            self.found_pair.emit(found.pair)
        if self._region_waits and not self._is_late():
            self._ask_region()
        if self._take_waits and not self._is_late():
            self._take_waits = False
            if found.met:
                self.take()

    def _lead_document(self, found: Reply, *, moves_on: bool) -> None:
        """Let the parameters follow; where nothing does it they stay. At the end, of several solutions the one here."""
        if found.met:
            led = self._led
            self._at = found.nearest(led) if led else 0
            self._led = found.every[self._at]
            self.document.solve(self._led, final=False)
        if not moves_on:
            self._let_go()

    def _let_go(self) -> None:
        """End the gesture of a hand that led."""
        if self._led is not None:
            led, self._led = self._led, None
            self.document.solve(led)

    def _refuse(self, question: Question, error: Exception) -> None:
        sentence = refusal(error)
        if question is self._asked and self.is_open:
            self._let_go()
            self._forget()
            self.card.show_answer(sentence, can_take=False)
            self._show_preview()

    def _show_found(self) -> None:
        found = self.found
        assert found is not None
        study = self._with(found.every[self._at])
        there = study == self.document.study
        take = "Done" if there else f"Take {'the nearest, ' * found.falls_short}{found.words(self._at)}"
        words = [found.words(i) for i in range(len(found.every))] if found.met else []
        self.card.show_answer(found.says, can_take=study is not None, take=take, others=words, at=self._at)
        self._show_preview()

    def _show_preview(self) -> None:
        """What taking it would show, unless it is shown already."""
        found = self.found
        study = None if found is None or self._led is not None else self._with(found.every[self._at])
        self._previewed = None
        if found is None or study in (None, self.document.study):
            self.preview.show_study(None)
        else:
            self._previewed = found.every[self._at]
            series = {want.series for want in found.question.wants}
            self.preview.show_study(study, f"{'nearest' if found.falls_short else 'preview'}: {found.words(self._at)}",
                                    series.pop() if len(series) == 1 else None)
        self._aim()

    def _with(self, values: Values) -> Study | None:
        """The study in view with these values; None where they do not go together with the others."""
        with suppress(InvalidParameter):
            return self.document.study_class(**{**self.document.explicit, **values})
        return None

    def _choose(self, at: int) -> None:
        self._at = at
        self._show_found()

    # Rows

    def _begin_row(self, row: WantedRow) -> None:
        """Want another fact, as it is now."""
        self.card.note.hide()
        row.begin(self.document.study_class, row.facts.place, self._value(row.facts.place))
        self._tell_present()
        if row is self.card.rows[0] and not self.card.several:
            self.card.show_names(())
        self._ask()

    def _add(self) -> None:
        """Want a second fact as well."""
        card = self.card
        quantity, series = card.rows[0].facts.place
        places = list(self.document.study_class.answers().index())
        partners = [place for place in card.rows[0].facts.places() if place[1] == series and place[0] != quantity]
        after = [place for place in partners if places.index(place) > places.index((quantity, series))]
        place = next(iter(after or partners), (quantity, series))
        card.rows[1].begin(self.document.study_class, place, self._value(place))
        card.want_second(shown=True)
        card.rows[1].facts.setFocus(Qt.FocusReason.OtherFocusReason)
        self._tell_present()
        self._ask()

    def _aim(self) -> None:
        """Let what is wanted be dragged wherever it lies on an axis; beside it stands what would be set."""
        quantities = [(row.parameter, row.number, RELATIONS[row.chosen_relation])
                      for row in self.card.active if row.facts.settled]
        targets = [DragTarget(parameter, drawn_as(parameter.quantity), f"wanted {sign}", float(number))
                   for parameter, number, sign in quantities if number is not None]
        for name, value in (self._previewed or {}).items():
            declared = self.document.study_class.parameter(name)
            quantity = declared.quantity
            targets.append(DragTarget(replace(declared, name=f"previewed {name}"), frozenset({quantity}),
                                  f"preview: {quantity.symbol} =", float(value), draggable=False))
        self.aimed.emit(targets)

    def _tell_present(self) -> None:
        """Say beside each value what the fact is now: in the answer that is shown, if there is one of this study."""
        shown = self._newest.answer if self._newest else None
        for row in self.card.active:
            if shown is None or type(shown.study) is not self.document.study_class:
                shown = self.document.study.answer()
            asked = shown.study.replace(**row.at).answer() if row.at else shown
            fact = at_once(asked, row.facts.place)
            row.now.setText(f"now {stated(fact)}" if fact else "")

    def _value(self, place: Place) -> float | None:
        fact = at_once(self.document.study.answer(), place)
        return fact.value if fact else None

    def _forget(self) -> None:
        self.found, self._asked, self._at = None, None, 0
        self._take_waits = self._region_waits = False
        self._previewed = None
