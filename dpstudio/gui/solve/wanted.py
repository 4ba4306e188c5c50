"""One thing that is wanted: a fact, which way it shall lie, and to which value."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from dpstudio.core.declare import InvalidParameter, Parameter, read_entry
from dpstudio.core.solve.want import RELATIONS, SIGNS, Relation, Want, read_values, written
from dpstudio.core.study import Study
from dpstudio.gui.controls.entry import NumberEntry, Refusal
from dpstudio.gui.controls.kinds import Drop
from dpstudio.gui.controls.scale import Number, scale_of
from dpstudio.gui.controls.slider import Slider
from dpstudio.gui.controls.style import (
    called,
    dress_sign,
    in_column,
    in_row,
    mark_refused,
    refusal_in_words,
    said_as,
    sign_button,
)
from dpstudio.gui.facts.model import Place
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.solve.facts import FactBox
from dpstudio.gui.solve.guess import relation_for, rounded, wanted
from dpstudio.vocabulary import EPSILON, Value


class WantedEntry(NumberEntry):
    """An entry whose number counts while it is being typed; Escape is not its own."""

    typed = Signal(object)
    """The number that stands there, or None where none does."""

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parameter, theme, parent)
        self.textEdited.connect(self._read)

    def _read(self, text: str) -> None:
        try:
            self.typed.emit(read_entry(self._parameter, text))
        except InvalidParameter:
            self.typed.emit(None)

    def _claims(self, event: QKeyEvent) -> bool:
        return event.key() != Qt.Key.Key_Escape and super()._claims(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)


class WantedRow(QWidget):
    """A fact, a relation and a value, with a slider around the present one."""

    changed = Signal()
    moved = Signal()
    """What is wanted moves on under a hand."""
    fact_changed = Signal()
    """Another fact is wanted: whoever knows its value begins it anew."""
    entered = Signal()
    removed = Signal()

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name, self._theme = name, theme
        self.number: Number | None = None
        """What is wanted; None where nothing legible stands there."""
        self.facts = FactBox()
        self.relation = said_as(Drop([SIGNS[each] for each in RELATIONS]), "How the fact shall lie")
        self.remove = sign_button("✕", "Want this no longer", "Want this no longer")
        self.remove.hide()
        self.at_button = sign_button("at…", "At other values",
                                     "Want it at other values of some parameters, such as another N")
        self.at_button.setCheckable(True)
        self.at_entry = said_as(QLineEdit(placeholderText="such as N = 900"), "Other values at which it is wanted")
        self.at_entry.hide()
        self.at: Mapping[str, Value] = {}
        """Values of parameters at which it is wanted, whatever they are now."""
        self._kind: type[Study] | None = None
        self.now = said_as(QLabel(), role="muted")
        self.parameter = wanted(name, EPSILON, None)
        """What is wanted as a parameter; of a fact once one is chosen."""
        scale = scale_of(self.parameter)
        assert scale is not None
        self.entry, self.slider = WantedEntry(self.parameter, theme), Slider(scale, theme)
        self._refusal = Refusal(self)
        first = in_row((self.facts, 1), self.at_button, self.remove, gap=4)
        self._second = in_row(self.relation, (self.now, 1), self.entry, gap=4)
        self._column = in_column(first, self.at_entry, self._second, self.slider, within=self)
        self.entry.typed.connect(self._type)
        self.entry.edited.connect(lambda _name, number, _final: self.show_number(number, tell=True))
        self.entry.refused.connect(self._say)
        self.entry.entered.connect(lambda: None if self.refusal() else self.entered.emit())
        self.slider.moved.connect(self._slide)
        self.facts.chosen.connect(lambda _: self.fact_changed.emit())
        self.facts.unsettled.connect(self._hear)
        self.relation.chosen.connect(lambda _: self.changed.emit())
        self.remove.clicked.connect(self.removed)
        self.at_button.toggled.connect(self._show_at)
        self.at_entry.textEdited.connect(lambda _: self._read_at(final=False))
        self.at_entry.editingFinished.connect(lambda: self._read_at(final=True))
        self.at_entry.returnPressed.connect(lambda: None if self.refusal() else self.entered.emit())

    def begin(self, kind: type[Study], place: Place, present: float | None) -> None:
        """Want a fact, as its present value suggests."""
        quantity = kind.answers().declaration(*place).quantity
        self._kind = kind
        self.facts.show_place(kind, place)
        self.relation.show_option(SIGNS[relation_for(quantity)])
        self._refusal.say("", self.height)
        self.parameter = parameter = wanted(self.name, quantity, present)
        for part in (self.entry, self.slider):
            part.setAccessibleName(f"Wanted value, {called(quantity)}")
        self.entry.aim(parameter)
        scale = scale_of(parameter)
        self.slider.setVisible(scale is not None)
        if scale is not None:
            self.slider.aim(scale)
        first = None if present is None else parameter.domain.accept(rounded(present))
        self.number = None
        if isinstance(first, float):
            self.show_number(first)

    def show_number(self, number: Number, *, tell: bool = False) -> None:
        """Want this value; `tell` where it is a hand's."""
        other, self.number = number != self.number, number
        self.entry.show_number(number)
        self.slider.show_number(number)
        if other and tell:
            self.changed.emit()

    def show_want(self, kind: type[Study], want: Want) -> None:
        """Want this, as somebody else wrote it."""
        self.begin(kind, (want.quantity, want.series), want.value)
        self.relation.show_option(SIGNS[want.relation])
        self.show_number(want.value)
        if want.at:
            self.at_button.setChecked(True)
            self.at_entry.setText(", ".join(f"{name} = {written(value)}" for name, value in want.at.items()))
            self._read_at(final=True)

    def want(self) -> Want | None:
        """What is wanted; None while there is no value."""
        if self.number is None or self.refusal() or not self.facts.settled:
            return None
        quantity, series = self.facts.place
        return Want(quantity, self.chosen_relation, float(self.number), series, self.at)

    @property
    def chosen_relation(self) -> Relation:
        return RELATIONS[self.relation.currentIndex()]

    def refusal(self) -> str:
        """Why the value was refused, if it was."""
        return self._refusal.text()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._column.setSpacing(theme.px(4))
        self._refusal.set_theme(theme)
        dress_sign(self.remove, theme)
        for part in (self.entry, self.slider):
            part.set_theme(theme)

    def forget_at(self) -> None:
        """Want it at the present values."""
        self.at_entry.clear()
        self.at_button.setChecked(False)

    def _hear(self) -> None:
        """What is typed in the place of the fact names none yet, or does again."""
        self._refusal.say(self.facts.refusal, lambda: self.facts.geometry().bottom() + 1)
        self.changed.emit()

    def _show_at(self, shown: bool) -> None:
        self.at_entry.setVisible(shown)
        if shown:
            self.at_entry.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.at_entry.clear()
            self._read_at(final=True)

    def _read_at(self, *, final: bool) -> None:
        """Take what is typed as it comes to make sense; at the end say what makes none."""
        if self._kind is None:
            return
        parameters = self._kind.parameters()
        names = {each.quantity.symbol: each.name for each in parameters} | {each.name: each.name for each in parameters}
        entries = [[part.strip() for part in each.partition("=")] for each in self.at_entry.text().split(",")]
        before, sentence, at = self.refusal(), "", self.at
        try:
            for name, _, _ in entries if any(map(any, entries)) else ():
                if name not in names:
                    known = ", ".join(each.quantity.symbol for each in parameters)
                    raise InvalidParameter("what stands before “=”", f"one of {known}", name)
            at = read_values(self._kind, (f"{names[name]}{equals}{value}" for name, equals, value in entries if name))
        except InvalidParameter as refusal:
            sentence = refusal_in_words(refusal, parameters)
        mark_refused(self.at_entry, bool(sentence) and final)
        self._refusal.say(sentence if final else "", lambda: self.at_entry.geometry().bottom() + 1)
        self.at_entry.setAccessibleDescription(sentence if final else "")
        if at != self.at or before != self.refusal():
            self.at = at
            self.changed.emit()

    def _slide(self, number: Number, final: bool) -> None:
        self.show_number(number)
        (self.changed if final else self.moved).emit()

    def _type(self, number: Number | None) -> None:
        self.number = number
        if number is not None:
            self.slider.show_number(number)
        self.changed.emit()

    def _say(self, _name: str, sentence: str) -> None:
        self._refusal.say(sentence, lambda: self._second.geometry().bottom() + 1)
        self.entry.setAccessibleDescription(sentence)
        if sentence:
            self.number = None
            self.changed.emit()
