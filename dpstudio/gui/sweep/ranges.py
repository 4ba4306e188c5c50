"""One parameter to sweep over: where its values begin and end, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QSizePolicy, QWidget

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.gui.controls.entry import NumberEntry, Refusal
from dpstudio.gui.controls.scale import Number, scale_of
from dpstudio.gui.controls.style import Combo, called, labelled, no_narrower, refill, refusal_in_words, said_as
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr
from dpstudio.text.numbers import exact

COUNT = 100
"""Values of a parameter, unless others are asked for."""
COUNTED = Parameter("count", v.SWEPT, v.SWEPT.domain)
PLACES = ((1, 0), (1, 2), (2, 0))
"""Where the words of each entry stand."""


class RangeForm(QWidget):
    """A parameter with where its values begin and end, how many there are, and whether their steps are ratios."""

    changed = Signal()

    def __init__(self, title: str, theme: Theme, *, optional: bool, count: int = COUNT) -> None:
        """`count` is how many values there are to begin with."""
        super().__init__()
        self._count = count
        self._title, self._theme, self._optional = title, theme, optional
        self._parameters: tuple[Parameter, ...] = ()
        self._wrong: dict[NumberEntry, str] = {}
        self._crossed: NumberEntry | None = None
        """The entry that is refused for what stands in the other, or for the steps."""
        self.parameter = no_narrower(said_as(Combo(), title), 12)
        self.log = said_as(QCheckBox(tr("Logarithmic steps")),
                           tip=tr("Each value is the one before times the same number"))
        self._refusal = Refusal(self)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._heading = labelled(title, self.parameter)
        self._grid.addWidget(self._heading, 0, 0)
        self._grid.addWidget(self.parameter, 0, 1, 1, 3)
        self.entries = [NumberEntry(COUNTED, theme) for _ in PLACES]
        self._labels = [labelled(words, entry) for entry, words in zip(
            self.entries, (tr("From"), tr("to"), tr("Values")), strict=True)]
        for entry, label, (row, column) in zip(self.entries, self._labels, PLACES, strict=True):
            self._grid.addWidget(label, row, column)
            self._grid.addWidget(entry, row, column + 1)
            entry.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            entry.edited.connect(self._check)
            entry.refused.connect(lambda _, sentence, entry=entry: self._refuse(entry, sentence))
        self._grid.addWidget(self.log, 2, 2, 1, 2)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, 1)
        for stop, following in pairwise((self.parameter, *self.entries, self.log)):
            QWidget.setTabOrder(stop, following)
        self.parameter.currentIndexChanged.connect(self._aim)
        self.log.toggled.connect(self._check)

    @property
    def chosen(self) -> Parameter | None:
        return next((each for each in self._parameters if each.name == self.parameter.currentData()), None)

    @property
    def count(self) -> int:
        """How many values are asked for."""
        return int(self.entries[2].number or self._count)

    @property
    def refused(self) -> str:
        """Why what stands there is refused, if it is."""
        return next(iter(self._wrong.values()), "")

    def offer(self, parameters: Sequence[Parameter], chosen: str | None) -> None:
        """Let one of these be chosen, and keep what is if it is one of them."""
        if tuple(parameters) == self._parameters:
            return
        before, none = self.chosen, [(tr("None"), None)] if self._optional else []
        self._parameters = tuple(parameters)
        refill(self.parameter, [*none, *((called(each.quantity), each.name) for each in parameters)], chosen)
        if self.chosen is None or self.chosen != before:
            self._aim()

    def take(self, text: str) -> None:
        """Ask for what `text` says in the words of this form, if it is offered."""
        name, _, values = text.partition("=")
        low, high, count, *log = values.split(":")
        if (place := self.parameter.findData(name)) < 0:
            return
        self.parameter.setCurrentIndex(place)
        self.log.setChecked(bool(log))
        for entry, number in zip(self.entries, (low, high, count), strict=True):
            entry.take(number)

    @property
    def text(self) -> str:
        """The parameter and its values, as the command line reads them; empty without a parameter."""
        if self.chosen is None:
            return ""
        low, high = self._ends
        return f"{self.chosen.name}={exact(low)}:{exact(high)}:{self.count}{':log' * self.log.isChecked()}"

    @property
    def _ends(self) -> tuple[Number, Number]:
        low, high = (entry.number for entry in self.entries[:2])
        assert low is not None
        assert high is not None
        return low, high

    @property
    def indent(self) -> int:
        """Pixels of its widest heading on the left."""
        return max(label.sizeHint().width() for label in (self._heading, *self._labels[::2]))

    def align(self, indent: int) -> None:
        self._grid.setColumnMinimumWidth(0, indent)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._grid.setSpacing(theme.px(6))
        self._refusal.set_theme(theme)
        for entry in self.entries:
            entry.set_theme(theme)

    def _aim(self) -> None:
        """Offer the range of the slider for the parameter that is chosen."""
        parameter = self.chosen
        self._wrong, self._crossed = {}, None
        self._refusal.say("", self.height)
        for widget in (*self._labels, *self.entries, self.log):
            widget.setVisible(parameter is not None)
        if parameter is not None:
            scale = scale_of(parameter)
            low, high = (scale.low, scale.high) if scale else (0.0, 1.0)
            ends = [parameter.domain.nearest(end) for end in (low, high)]  # type: ignore[union-attr]
            with QSignalBlocker(self.log):
                self.log.setChecked(scale is not None and scale.log)
            called_ = tr("from"), tr("to"), tr("number of values")
            for entry, words, declared, number in zip(
                    self.entries, called_, (parameter, parameter, COUNTED), (*ends, self.count), strict=True):
                entry.aim(declared, number)
                said_as(entry, f"{self._title}, {words}, {declared.domain.phrase}")
        self._check()

    def _check(self, *_: object) -> None:
        """See whether the two ends and the steps go together."""
        if self._crossed is not None:
            self._crossed.forgive()
            self._crossed = None
        parameter = self.chosen
        if parameter is not None and not self._wrong:
            low, high = self._ends
            for wrong, entry, expected, given in (
                    (not low < high, self.entries[1], "above where it begins", high),
                    (self.log.isChecked() and low <= 0, self.entries[0], "above 0 for logarithmic steps", low)):
                if wrong and self._crossed is None:
                    self._crossed = entry
                    entry.refuse(refusal_in_words(InvalidParameter(parameter.name, expected, given), (parameter,)))
        self.changed.emit()

    def _refuse(self, entry: NumberEntry, sentence: str) -> None:
        entry.setAccessibleDescription(sentence)
        if sentence:
            self._wrong[entry] = sentence
        else:
            self._wrong.pop(entry, None)
        self._refusal.say(self.refused, self.height)
        self.changed.emit()
