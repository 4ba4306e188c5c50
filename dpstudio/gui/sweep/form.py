"""What is to be swept: one parameter or two with their values, and the facts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QWidget,
)

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.study import Study
from dpstudio.core.sweep import MOST, Plan, read_over
from dpstudio.gui.controls.entry import NumberEntry, Refusal
from dpstudio.gui.controls.scale import Number, scale_of
from dpstudio.gui.controls.style import called, in_column, labelled, no_narrower, refill, refusal_in_words, said_as
from dpstudio.gui.facts.model import Place
from dpstudio.gui.facts.table import has_words
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.sweep.running import Request
from dpstudio.text.numbers import exact

COUNT = 100
"""Values of a parameter, unless others are asked for."""
COUNTED = Parameter("count", v.SWEPT, v.SWEPT.domain)
ENTRIES = (("From", "from", (1, 0)), ("to", "to", (1, 2)), ("Values", "number of values", (2, 0)))
"""What stands before each entry, what a screen reader calls it, and where its words stand."""
TIMED = 3
"""Values of each parameter by which a sweep that is far too large is timed."""
_ASKED, _SIMULATED = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class RangeForm(QWidget):
    """A parameter with where its values begin and end, how many there are, and whether their steps are ratios."""

    changed = Signal()

    def __init__(self, title: str, theme: Theme, *, optional: bool) -> None:
        super().__init__()
        self._title, self._theme, self._optional = title, theme, optional
        self._parameters: tuple[Parameter, ...] = ()
        self._wrong: dict[NumberEntry, str] = {}
        self._crossed: NumberEntry | None = None
        """The entry that is refused for what stands in the other, or for the steps."""
        self.parameter = no_narrower(said_as(QComboBox(), title), 12)
        self.log = said_as(QCheckBox("Equal ratios"),
                           tip="Each value is the one before times the same number, rather than plus")
        self._refusal = Refusal(self)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._heading = labelled(title, self.parameter)
        self._grid.addWidget(self._heading, 0, 0)
        self._grid.addWidget(self.parameter, 0, 1, 1, 3)
        self.entries = [NumberEntry(COUNTED, theme) for _ in ENTRIES]
        self._labels = [labelled(words, entry) for entry, (words, _, _) in zip(self.entries, ENTRIES, strict=True)]
        for entry, label, (_, _, (row, column)) in zip(self.entries, self._labels, ENTRIES, strict=True):
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
        return int(self.entries[2].number or COUNT)

    @property
    def refused(self) -> str:
        """Why what stands there is refused, if it is."""
        return next(iter(self._wrong.values()), "")

    def offer(self, parameters: Sequence[Parameter], chosen: str | None) -> None:
        """Let one of these be chosen, and keep what is if it is one of them."""
        if tuple(parameters) == self._parameters:
            return
        before, none = self.chosen, [("None", None)] if self._optional else []
        self._parameters = tuple(parameters)
        refill(self.parameter, [*none, *((called(each.quantity), each.name) for each in parameters)], chosen)
        if self.chosen is None or self.chosen != before:
            self._aim()

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
            for entry, (_, words, _), declared, number in zip(
                    self.entries, ENTRIES, (parameter, parameter, COUNTED), (*ends, self.count), strict=True):
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
                    (self.log.isChecked() and low <= 0, self.entries[0], "above 0 for equal ratios", low)):
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


class FactsList(QWidget):
    """The facts of a study, to be ticked; words typed above them leave those that have them all, and what is ticked.

    The one that is ticked to begin with makes way for the first that a hand ticks among others it was typed for.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._study: type[Study] | None = None
        self._simulated = False
        self._proposed: QListWidgetItem | None = None
        """What nobody ticked by hand."""
        self.filter = said_as(QLineEdit(placeholderText="Filter", clearButtonEnabled=True), "Filter of facts")
        self.list = said_as(QListWidget(), "Facts")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        in_column(self.filter, (self.list, 1), within=self)
        self.filter.textChanged.connect(self._sift)
        self.list.itemChanged.connect(self._ticked)

    @property
    def chosen(self) -> tuple[Place, ...]:
        """What is ticked and may be asked, in the study's order."""
        return tuple(item.data(_ASKED) for item in self._items()
                     if item.checkState() is Qt.CheckState.Checked and self._offered(item))

    def offer(self, study: type[Study]) -> None:
        """List the facts of a study, the first of them ticked."""
        if study is self._study:
            return
        self._study = study
        answers = study.answers()
        series = {each.key: each.label for each in answers.series()}
        self.list.blockSignals(True)
        self._proposed = None
        self.list.clear()
        first = True
        for (key, of), declared in answers.index().items():
            whose = f" · {series.get(of, of)}" if of else ""
            drawn = ", simulated" if declared.simulated else ""
            item = QListWidgetItem(f"{declared.quantity.label}{whose}{drawn}")
            item.setData(_ASKED, (key, of))
            item.setData(_SIMULATED, declared.simulated)
            item.setToolTip(f"<qt>{escape(declared.quantity.sentence)}</qt>")
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if first and not declared.simulated else Qt.CheckState.Unchecked)
            if first and not declared.simulated:
                self._proposed, first = item, False
            self.list.addItem(item)
        self.list.blockSignals(False)
        self._sift()

    def set_simulated(self, simulated: bool) -> None:
        """Whether what is drawn may be asked, too."""
        self._simulated = simulated
        self._sift()

    def _ticked(self, item: QListWidgetItem) -> None:
        proposed, self._proposed = self._proposed, None
        if proposed is not None and not self._matches(proposed) and item.checkState() is Qt.CheckState.Checked:
            proposed.setCheckState(Qt.CheckState.Unchecked)
        self._sift()

    def _items(self) -> Iterator[QListWidgetItem]:
        return (self.list.item(i) for i in range(self.list.count()))

    def _offered(self, item: QListWidgetItem) -> bool:
        return self._simulated or not item.data(_SIMULATED)

    def _sift(self) -> None:
        for item in self._items():
            ticked = item.checkState() is Qt.CheckState.Checked
            item.setHidden(not self._offered(item) or not (ticked or self._matches(item)))
        self.changed.emit()

    def _matches(self, item: QListWidgetItem) -> bool:
        """Whether a fact has all the words that are typed."""
        return has_words(item.text(), self.filter.text())


class SweepForm(QWidget):
    """All of it; a plan comes out once nothing is wrong."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._study: Study | None = None
        self.ranges = (RangeForm("Over", theme, optional=False), RangeForm("and over", theme, optional=True))
        self.facts = FactsList()
        self.simulate = said_as(QCheckBox("Simulated facts, too"), tip="With their intervals, by the draws and the "
                                "seed of the settings; they take longer")
        self._column = in_column(*self.ranges, labelled("Facts", self.facts.filter), (self.facts, 1), self.simulate,
                                 within=self)
        self.simulate.toggled.connect(self.facts.set_simulated)
        for each in (*self.ranges, self.facts):
            each.changed.connect(self.changed)
        self.set_theme(theme)

    def aim(self, study: Study) -> None:
        """Sweep this study around these values."""
        self._study = study
        values = study.values()
        numbers = [each for each in study.parameters() if each.is_number and each.matters(values)]
        names = [each.name for each in numbers]
        self.ranges[0].offer(numbers, "epsilon" if "epsilon" in names else names[0])
        self.ranges[1].offer(numbers, None)
        self.facts.offer(type(study))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        for each in self.ranges:  # only now their fonts are known
            each.align(max(one.indent for one in self.ranges))

    @property
    def over(self) -> tuple[str, ...]:
        """What is swept, as the command line reads it."""
        return tuple(each.text for each in self.ranges if each.chosen is not None)

    @property
    def cells(self) -> int:
        """How many cells it would have."""
        return math.prod(each.count for each in self.ranges if each.chosen is not None)

    def wrong(self) -> str:
        """Why there is nothing to sweep, if there is not."""
        if any(each.refused for each in self.ranges):
            return "Something is to be mended above"
        chosen = [each.chosen.name for each in self.ranges if each.chosen is not None]
        if len(set(chosen)) < len(chosen):
            return "Both parameters are the same"
        return "" if self.facts.chosen else "Tick a fact at least"

    def request(self, explicit: Iterable[str]) -> Request:
        """What is asked for, where nothing is wrong."""
        assert self._study is not None
        facts = self.facts.chosen
        most = TIMED if self.cells * len(facts) > MOST else None
        over = tuple(read_over(type(self._study), text, most) for text in self.over)
        plan = Plan(self._study, over, facts, self.simulate.isChecked(), tuple(explicit))
        return Request(plan, plan.total if most is None else self.cells)

    def set_theme(self, theme: Theme) -> None:
        self._column.setSpacing(theme.px(8))
        for each in self.ranges:
            each.set_theme(theme)
        self.facts.setMinimumHeight(theme.px(140))
