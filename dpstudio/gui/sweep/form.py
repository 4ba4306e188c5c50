"""What is to be swept: one parameter or two with their values, and the facts."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit, QListWidget, QListWidgetItem, QWidget

from dpstudio.core.declare import Parameter
from dpstudio.core.facts import Declaration
from dpstudio.core.solve.problem import APART
from dpstudio.core.study import Study
from dpstudio.core.sweep import MOST, Plan, Swept, read_over
from dpstudio.gui.controls.style import in_column, labelled, said_as
from dpstudio.gui.facts.model import Place
from dpstudio.gui.facts.table import has_words
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Pace, Worker
from dpstudio.gui.solve.guess import moving
from dpstudio.gui.sweep.last import Last
from dpstudio.gui.sweep.ranges import RangeForm
from dpstudio.gui.sweep.running import Request
from dpstudio.text.language import tr
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Value

TIMED = 3
"""Values of each parameter by which a sweep that is far too large is timed."""
NAMED = 2
"""Facts that are named beside the list of all."""
LOOKED = 250
"""Milliseconds from one look at what can be swept to the next."""
_ASKED, _SIMULATED = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class FactsList(QWidget):
    """The facts of a study, to be ticked, what is seen first of it first; words typed above them leave those that have
    them all, and what is ticked.

    What is chosen stands in the order in which it was ticked. The one that is ticked to begin with makes way for the
    first that a hand ticks.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._study: type[Study] | None = None
        self._simulated = False
        self._proposed: QListWidgetItem | None = None
        """What nobody ticked by hand."""
        self._draws: frozenset[Place] = frozenset()
        """What comes of draws."""
        self._order: list[Place] = []
        """What is ticked, the first that was first."""
        self.filter = said_as(QLineEdit(placeholderText=tr("Filter"), clearButtonEnabled=True), tr("Filter of facts"))
        self.list = said_as(QListWidget(), tr("Facts"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        in_column(self.filter, (self.list, 1), within=self)
        self.filter.textChanged.connect(self._sift)
        self.list.itemChanged.connect(self._ticked)

    @property
    def told(self) -> str:
        """What is ticked, wherever the list stands: the first two, and how many more."""
        names = {item.data(_ASKED): item.text() for item in self._items()}
        chosen = [names[place] for place in self.chosen]
        more = [tr("{n} more", n=len(chosen) - NAMED)] if len(chosen) > NAMED else []
        return tr("Facts: {names}", names=listed([*chosen[:NAMED], *more])) if chosen else tr("Facts")

    @property
    def drawn(self) -> bool:
        """Whether anything that is ticked comes of draws."""
        return not self._draws.isdisjoint(self.chosen)

    @property
    def chosen(self) -> tuple[Place, ...]:
        """What is ticked and may be asked, as it was ticked."""
        return tuple(place for place in self._order if self._simulated or place not in self._draws)

    def offer(self, study: type[Study]) -> None:
        """List the facts of a study, the first of them ticked."""
        if study is self._study:
            return
        self._study = study
        answers = study.answers()
        self._draws = frozenset(place for place, each in answers.index().items() if each.simulated)
        self._order = []
        series = {each.key: tr(each.label) for each in answers.series()}
        self.list.blockSignals(True)
        self._proposed = None
        self.list.clear()
        first = True
        for (key, of), declared in _in_reading_order(study):
            whose = f" · {series.get(of, of)}" if of else ""
            drawn = tr(", simulated") if declared.simulated else ""
            item = QListWidgetItem(f"{tr(declared.quantity.label)}{whose}{drawn}")
            item.setData(_ASKED, (key, of))
            item.setData(_SIMULATED, declared.simulated)
            item.setToolTip(f"<qt>{escape(declared.quantity.sentence)}</qt>")
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if first and not declared.simulated else Qt.CheckState.Unchecked)
            if first and not declared.simulated:
                self._proposed, self._order, first = item, [(key, of)], False
            self.list.addItem(item)
        self.list.blockSignals(False)
        self._sift()

    def choose(self, places: Sequence[Place]) -> None:
        """Tick these and nothing else, in their order."""
        items = {item.data(_ASKED): item for item in self._items()}
        for place in [*self._order, *places]:
            items[place].setCheckState(Qt.CheckState.Checked if place in places else Qt.CheckState.Unchecked)

    def set_simulated(self, simulated: bool) -> None:
        """Whether what is drawn may be asked, too."""
        self._simulated = simulated
        self._sift()

    def _ticked(self, item: QListWidgetItem) -> None:
        place, ticked = item.data(_ASKED), item.checkState() is Qt.CheckState.Checked
        if ticked == (place in self._order):
            return  # something else of it has changed
        self._order = [*self._order, place] if ticked else [each for each in self._order if each != place]
        proposed, self._proposed = self._proposed, None
        if proposed is not None and ticked:
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


def _in_reading_order(study: type[Study]) -> list[tuple[Place, Declaration[Any, Any, Any]]]:
    """The facts of what is compared first, as level one has them; then all others."""
    index, first = study.answers().index(), study.level_one
    series: dict[str | None, int] = {None: 0} | {each.key: place for place, each in enumerate(first.series)}

    def rank(entry: tuple[Place, Declaration[Any, Any, Any]]) -> tuple[int, int]:
        (_, of), declared = entry
        seen = declared.quantity in first.facts and of in series
        return (first.facts.index(declared.quantity), series[of]) if seen else (len(first.facts), 0)

    return sorted(index.items(), key=rank)


class SweepForm(QWidget):
    """All of it; a plan comes out once nothing is wrong."""

    changed = Signal()

    def __init__(self, theme: Theme, recall: Callable[[type[Study]], Last | None]) -> None:
        """`recall` knows what was swept last in a study."""
        super().__init__()
        self._recall = recall
        self._study: Study | None = None
        self._explicit: Mapping[str, Value] = {}
        self._asked: tuple[Study, tuple[Place, ...]] | None = None
        """What is ticked of which values, as it was looked at last."""
        self._moving: Collection[str] | None = None
        """The parameters that change it, where that is known."""
        self._offered: list[Parameter] = []
        """What can be swept, as far as that is known."""
        self._worker = Worker("what can be swept", self)
        self._look = Pace(LOOKED, self._ask, self)
        self.ranges = (RangeForm(tr("Over"), theme, optional=False), RangeForm(tr("and over"), theme, optional=True))
        self.facts = FactsList()
        self.simulate = said_as(QCheckBox(tr("Simulated facts, too")), tip=tr(
            "With their intervals, by the draws and the seed of the settings; they take longer"))
        self._heading = labelled(tr("Facts"), self.facts.filter)
        self._heading.setWordWrap(True)
        self._column = in_column(*self.ranges, self._heading, (self.facts, 1), self.simulate,
                                 within=self)
        self.simulate.toggled.connect(self.facts.set_simulated)
        self.ranges[0].parameter.currentIndexChanged.connect(self._offer_second)
        for each in (*self.ranges, self.facts):
            each.changed.connect(self.changed)
        self.facts.changed.connect(self._look)
        self.facts.changed.connect(lambda: self._heading.setText(self.facts.told))
        self.set_theme(theme)

    def aim(self, study: Study, explicit: Mapping[str, Value]) -> None:
        """Sweep this study around these values, of which some were set."""
        last = None
        if type(study) is not type(self._study):
            self._moving = self._asked = None
            last = self._recall(type(study))
        self._study, self._explicit = study, explicit
        with QSignalBlocker(self):  # half of another study is no question
            self.facts.offer(type(study))
            if last is not None:
                self.simulate.setChecked(any(type(study).answers().index()[each].simulated for each in last.facts))
                self.facts.choose(last.facts)
            self._offer()
            if last is not None:
                for place, text in zip(self.ranges, last.over, strict=False):
                    place.take(text)
        self.changed.emit()
        self._look()

    def _offer(self) -> None:
        """What can be swept: numbers that matter at these values and change what is ticked, as far as that is known;
        those of draws only beside what is drawn."""
        assert self._study is not None
        values, first, drawn = self._study.values(), self._study.level_one.parameters, self.facts.drawn
        every = sorted((each for each in self._study.parameters() if each.is_number and each.matters(values)
                        and (drawn or each.name not in APART)),
                       key=lambda each: first.index(each.name) if each.name in first else len(first))
        found = [each for each in every if self._moving is None or each.name in self._moving]
        names = [each.name for each in found]
        self._offered = found or every
        self.ranges[0].offer(self._offered, "epsilon" if "epsilon" in names else next(iter(names), None))
        self._offer_second()

    def _offer_second(self) -> None:
        """Any other than the first is."""
        self.ranges[1].offer([each for each in self._offered if each is not self.ranges[0].chosen], None)

    def _ask(self) -> None:
        """Look which parameters change what is ticked; of what is drawn, or slow, nobody knows before."""
        if self._study is None or self._asked == (asked := (self._study, self.facts.chosen)):
            return
        self._asked, index = asked, type(self._study).answers().index()
        if not asked[1] or any(index[place].simulated or index[place].slow for place in asked[1]):
            self._worker.stop()
            self._take(None)
        else:
            work = partial(_moving, type(self._study), dict(self._explicit), list(asked[1]))
            self._worker.start(work, self._take, failed=lambda _: self._take(None))

    def _take(self, moving: Collection[str] | None) -> None:
        self._moving = moving
        with QSignalBlocker(self):
            self._offer()
        self.changed.emit()

    def close_down(self) -> None:
        """Leave nothing running."""
        self._worker.close()

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
            return tr("Something above needs correcting")
        return "" if self.facts.chosen else tr("Tick at least one fact")

    def request(self, counted: bool = False, exact_counts: bool = False, begun: Swept | None = None) -> Request:
        """What is asked for, where nothing is wrong."""
        assert self._study is not None
        facts = self.facts.chosen
        most = TIMED if self.cells * len(facts) > MOST else None
        over = tuple(read_over(type(self._study), text, most) for text in self.over)
        plan = Plan(self._study, over, facts, self.facts.drawn, tuple(self._explicit))
        return Request(plan, plan.total if most is None else self.cells, counted, exact_counts, begun)

    def set_theme(self, theme: Theme) -> None:
        self._column.setSpacing(theme.px(8))
        for each in self.ranges:
            each.set_theme(theme)
        self.facts.setMinimumHeight(theme.px(140))


def _moving(kind: type[Study], explicit: Mapping[str, Value], places: list[Place]) -> frozenset[str]:
    return frozenset(moving(kind, explicit, places))
