"""One thing that is wanted: a fact, which way it shall lie, to which value, and the parameter that is solved for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter, Parameter, read_entry
from dpstudio.core.solve.want import RELATIONS, SIGNS, Relation, Want, read_values, written
from dpstudio.core.study import Study
from dpstudio.gui.controls.choices import Drop
from dpstudio.gui.controls.entry import NumberEntry
from dpstudio.gui.controls.scale import Number
from dpstudio.gui.controls.style import called, in_row, mark_refused, refusal_in_words, said_as
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.solve.fact_box import FactBox, entries
from dpstudio.gui.solve.goal_box import GoalBox
from dpstudio.gui.solve.guess import goals, on_pictures, relation_for, wanted
from dpstudio.text.entry import read_typed
from dpstudio.text.language import tr
from dpstudio.text.numbers import Side
from dpstudio.vocabulary import EPSILON, Quantity, Value, amount

DIGITS, EDGES = (0, 3, 2, 1), 18
"""Digits of a present value, the usual first, as far as there is room; and pixels of an entry that are its edges."""
SAFE: Mapping[Relation, Side] = {"<=": "up", ">=": "down", "=": "nearest"}
"""To which side a value that is reached already is rounded, so that it is one still."""
HANDS = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ShortcutFocusReason, Qt.FocusReason.OtherFocusReason)
"""Reasons for which somebody comes to the entry to want something, not on the way to another."""


class WantedEntry(NumberEntry):
    """An entry whose number counts while it is being typed, and that may be empty; Escape is not its own."""

    typed = Signal(object)
    """The number that stands there, or None where none does."""
    begun = Signal()
    """Somebody is here to want something."""

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parameter, theme, parent)
        self.textEdited.connect(self._read)

    def empty(self) -> None:
        """Hold no number."""
        self.aim(self._parameter)

    def _read(self, text: str) -> None:
        try:
            self.typed.emit(read_entry(self._parameter, text, typed=True))
        except InvalidParameter:
            self.typed.emit(None)

    def _accept_text(self) -> bool:
        if not self.text().strip():
            self.empty()
            return True
        return super()._accept_text()

    def _claims(self, event: QKeyEvent) -> bool:
        return event.key() != Qt.Key.Key_Escape and super()._claims(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in HANDS:
            self.begun.emit()


class WantedRow(QWidget):
    """“I want [fact] [at most] [value] → [parameter]”."""

    changed = Signal()
    fact_changed = Signal()
    """Another fact is wanted: whoever knows its present value tells it."""
    entered = Signal()
    refused = Signal(str)
    """Why something of it was refused; empty once it is mended."""

    def __init__(self, name: str, words: str, theme: Theme, of: QWidget | None = None, parent: QWidget | None = None
                 ) -> None:
        """`name` stands where a parameter's name does; `of` says whom the fact is of."""
        super().__init__(parent)
        self.name = name
        self.number: Number | None = None
        """What is wanted; None where nothing legible stands there."""
        self.at: Mapping[str, Value] | None = {}
        """Values of parameters at which it is wanted, whatever they are now; None where nothing legible stands there.
        """
        self.present: float | None = None
        """What the fact is now, rounded so that it does what is wanted; None while that is not known."""
        self._kind: type[Study] | None = None
        self._refusals: dict[object, str] = {}
        self.words, self.arrow = said_as(QLabel(words), role="muted"), said_as(QLabel("→"), role="muted")
        self.facts, self.goal = FactBox(), said_as(GoalBox(), tr("Parameter that is solved for"))
        self.relation = said_as(Drop(()), tr("How the fact shall lie"))
        for each in RELATIONS:
            self.relation.addItem(tr(SIGNS[each], "relation"), each)
        self.parameter = wanted(name, EPSILON, None)
        """What is wanted as a parameter; of a fact once one is chosen."""
        self.entry = WantedEntry(self.parameter, theme)
        self.at_entry = said_as(QLineEdit(placeholderText=tr("at present")), tr("Other values at which it is wanted"),
                                tr("Want it at other values of some parameters, such as N = 900"))
        self.at_entry.hide()
        self._row = in_row(self.words, self.facts, self.at_entry, self.relation, self.entry, *([of] if of else []),
                           self.arrow, self.goal, within=self)
        self.entry.typed.connect(self._type)
        self.entry.edited.connect(lambda _name, number, _final: self.show_number(number, tell=True))
        self.entry.refused.connect(lambda _name, sentence: self._refuse(self.entry, sentence))
        self.entry.entered.connect(self._enter)
        self.facts.chosen.connect(lambda _: self.fact_changed.emit())
        self.facts.unsettled.connect(self._hear)
        self.relation.chosen.connect(lambda _: self.changed.emit())
        self.at_entry.textEdited.connect(lambda _: self._read_at(final=False))
        self.at_entry.editingFinished.connect(lambda: self._read_at(final=True))
        self.at_entry.returnPressed.connect(self._enter)

    def show_study(self, study: Study, answer: Answer[Any, Any, Any]) -> None:
        """Offer the facts that there are at these values, and the parameters that matter."""
        self._kind = type(study)
        self.facts.show_facts(entries(answer))
        self.goal.show_parameters(*goals(study))

    def begin(self, quantity: Quantity) -> None:
        """Want a fact, of which nothing is said yet."""
        self.facts.show_fact(quantity)
        self.relation.show_option(relation_for(quantity))
        self.entry.setAccessibleName(tr("Wanted value, {quantity}", quantity=called(quantity)))
        self.goal.begin()
        self.parameter = wanted(self.name, quantity, None)
        self.empty()

    def empty(self) -> None:
        """Want nothing of it."""
        self.number = None
        self.entry.aim(self.parameter)
        self._refusals.clear()
        mark_refused(self.entry, False)

    def show_present(self, value: float | None) -> None:
        """Say what the fact is now: where nothing is wanted it stands there, rounded so that it does it."""
        quantity = self.facts.quantity
        if quantity is None:
            return
        now = "" if value is None else self._rounded(value, quantity)
        number = read_typed(now.replace("−", "-"))
        self.present = value if number is None else float(number)
        self.entry.setPlaceholderText(now)
        self.entry.setAccessibleDescription(tr("now {now}", now=now) if now else "")
        if self.number is None and not self.entry.isModified() and (
                other := wanted(self.name, quantity, value)) != self.parameter:
            self.parameter = other
            self.entry.aim(other)

    def _rounded(self, value: float, quantity: Quantity) -> str:
        """A value in as many digits as the entry has room for: a placeholder that is cut says that it is computed."""
        side, room = SAFE[self.chosen_relation], self.entry.width() - self._theme.px(EDGES)
        texts = [amount(value, quantity, digits, side) for digits in DIGITS]
        return next((text for text in texts if self.entry.fontMetrics().horizontalAdvance(text) <= room), texts[-1])

    def show_number(self, number: Number, *, tell: bool = False) -> None:
        """Want this value; `tell` where it is a hand's."""
        other, self.number = number != self.number, number
        self.entry.show_number(number)
        if other and tell:
            self.changed.emit()

    def show_want(self, quantity: Quantity, want: Want) -> None:
        """Want this, as somebody else wrote it."""
        self.begin(quantity)
        self.parameter = wanted(self.name, quantity, want.value)
        self.entry.aim(self.parameter)
        self.relation.show_option(want.relation)
        self.show_number(want.value)
        self.at_entry.setText(", ".join(f"{name} = {written(value)}" for name, value in want.at.items()))
        self.show_at(bool(want.at))
        self._read_at(final=True)

    def show_at(self, shown: bool) -> None:
        """Let it be wanted at other values, too."""
        self.at_entry.setVisible(shown)
        if not shown and self.at_entry.text():
            self.at_entry.clear()
            self._read_at(final=True)

    def want(self) -> Want | None:
        """What is wanted, of whomever; None while there is no value."""
        if self.number is None or self.at is None or self.refusal or not self.facts.settled:
            return None
        return Want(self.facts.key, self.chosen_relation, float(self.number), None, self.at)

    @property
    def chosen_relation(self) -> Relation:
        return RELATIONS[self.relation.currentIndex()]

    @property
    def drawn(self) -> bool:
        """Whether its line stands on a picture that is seen first."""
        fact = self.facts.quantity
        return self._kind is not None and fact is not None and on_pictures(self._kind, fact)

    @property
    def refusal(self) -> str:
        """Why something of it was refused, if it was."""
        return next(filter(None, self._refusals.values()), "")

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._row.setSpacing(theme.px(6))
        self.entry.set_theme(theme)
        for box, width in ((self.relation, 92), (self.entry, 76), (self.at_entry, 104), (self.goal, 68)):
            box.setFixedWidth(theme.px(width))

    def _enter(self) -> None:
        if self.want() is not None:
            self.entered.emit()

    def _refuse(self, part: object, sentence: str) -> None:
        self._refusals[part] = sentence
        if sentence and part is self.entry:
            self.number = None
        self.refused.emit(self.refusal)

    def _hear(self) -> None:
        """What is typed in the place of the fact names none yet, or does again."""
        self._refuse(self.facts, self.facts.refusal)
        self.changed.emit()

    def _type(self, number: Number | None) -> None:
        self.number = number
        self.changed.emit()

    def _read_at(self, *, final: bool) -> None:
        """Take what is typed as it comes to make sense; at the end say what makes none."""
        if self._kind is None:
            return
        parameters = self._kind.parameters()
        names = {each.quantity.symbol: each.name for each in parameters} | {each.name: each.name for each in parameters}
        typed = [[part.strip() for part in each.partition("=")] for each in self.at_entry.text().split(",")]
        before, sentence = (self.refusal, self.at), ""
        try:
            for name, _, _ in typed if any(map(any, typed)) else ():
                if name not in names:
                    known = ", ".join(each.quantity.symbol for each in parameters)
                    raise InvalidParameter("what stands before “=”", f"one of {known}", name)
            self.at = read_values(self._kind, (f"{names[name]}{sign}{value}" for name, sign, value in typed if name))
        except InvalidParameter as refusal:
            self.at, sentence = None, refusal_in_words(refusal, parameters)
        mark_refused(self.at_entry, bool(sentence) and final)
        self._refuse(self.at_entry, sentence if final else "")
        if before != (self.refusal, self.at):
            self.changed.emit()
