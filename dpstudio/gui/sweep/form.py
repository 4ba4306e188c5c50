"""What is to be swept: one parameter or two with their values, and the facts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit, QListWidget, QListWidgetItem, QWidget

from dpstudio.core.study import Study
from dpstudio.core.sweep import MOST, Plan, read_over
from dpstudio.gui.controls.style import in_column, labelled, said_as
from dpstudio.gui.facts.model import Place
from dpstudio.gui.facts.table import has_words
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.sweep.ranges import RangeForm
from dpstudio.gui.sweep.running import Request

TIMED = 3
"""Values of each parameter by which a sweep that is far too large is timed."""
_ASKED, _SIMULATED = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


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
