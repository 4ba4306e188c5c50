"""The list of what goes into a report: studies with their pictures, and what was kept of each."""

from __future__ import annotations

from typing import TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from dpstudio.core.solve import read_want
from dpstudio.core.study import Study
from dpstudio.core.sweep import read_over
from dpstudio.documents.noted import Solved, SweepAsked
from dpstudio.documents.report import Appendix, figures_in, foremost, studies_in, studies_offered
from dpstudio.documents.session import Session
from dpstudio.documents.setting import title
from dpstudio.documents.state import StudyState
from dpstudio.gui.shell import foreign
from dpstudio.text.language import tr
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun, grouped, listed
from dpstudio.vocabulary import amount, named

Kept: TypeAlias = Solved | SweepAsked
CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
_KEY, _KEPT = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_PLAIN = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class Contents(QTreeWidget):
    """Studies and pictures to be ticked, those first in which somebody chose; what was kept can be removed.

    A study is there where anything of a person is; beside the pictures on which a choice rests others are there where
    the appendix has all.
    """

    changed = Signal()
    """Something else is ticked or selected, or was removed."""

    def __init__(self, session: Session, appendix: Appendix) -> None:
        super().__init__()
        self._appendix = appendix
        self.removed: list[Kept] = []
        self._listed: dict[type[Study], tuple[QTreeWidgetItem, QTreeWidgetItem]] = {}
        """The entry of each study, and the one above its pictures."""
        self.setHeaderHidden(True)
        self.setAccessibleName(tr("What is in the report"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        ticked = studies_in(session)
        for study in studies_offered(session):
            self._add_study(session.state(study), ticked=study in ticked)
        first, _ = self._listed[session.study_class]
        first.setExpanded(True)
        self.setCurrentItem(first)
        self.itemChanged.connect(lambda *_: self._follow())
        self.currentItemChanged.connect(lambda *_: self.changed.emit())
        self._follow()

    @property
    def studies(self) -> tuple[type[Study], ...]:
        """The studies that are ticked."""
        return tuple(study for study, (item, _) in self._listed.items() if _ticked(item))

    @property
    def figures(self) -> dict[str, tuple[str, ...]]:
        """The pictures that are ticked, by the keys of their studies."""
        return {study.key: tuple(each.data(0, _KEY) for each in _below(pictures) if _ticked(each))
                for study, (item, pictures) in self._listed.items() if _ticked(item)}

    def follow(self, appendix: Appendix) -> None:
        """Offer the pictures that a report with this appendix may have."""
        self._appendix = appendix
        self._follow()

    @property
    def selected(self) -> Kept | None:
        """The question or sweep that is selected."""
        item = self.currentItem()
        return item.data(0, _KEPT) if item else None

    def remove(self) -> None:
        """Let go of the question or sweep that is selected."""
        item = self.currentItem()
        if item is not None and (kept := item.data(0, _KEPT)):
            self.removed.append(kept)
            for study, _ in self._listed.values():
                study.removeChild(item)
            self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove()
        else:
            super().keyPressEvent(event)

    def _add_study(self, state: StudyState, *, ticked: bool) -> None:
        study = type(state.setting.study)
        item = QTreeWidgetItem(self, [tr(study.title)])
        item.setFlags(_PLAIN | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(0, CHECKED if ticked else UNCHECKED)
        item.setToolTip(0, foreign.tip(tr(study.question)))
        pictures = QTreeWidgetItem(item)
        pictures.setFlags(_PLAIN)
        self._listed[study] = item, pictures
        usual = figures_in(state)
        for figure in dict.fromkeys((*usual, *study.figures)):
            each = QTreeWidgetItem(pictures, [tr(figure.title)])
            each.setFlags(_PLAIN | Qt.ItemFlag.ItemIsUserCheckable)
            each.setCheckState(0, CHECKED if figure in usual else UNCHECKED)
            each.setData(0, _KEY, figure.key)
        for pin in state.pins:
            self._add(item, tr("Pinned: {pin}", pin=title(pin, state.setting)))
        for solved in state.solved:
            self._add(item, tr("Solved: {solved}", solved=asked(solved)), solved)
        for sweep in state.sweeps:
            self._add(item, tr("Sweep: {sweep}", sweep=swept(sweep)), sweep)

    @staticmethod
    def _add(item: QTreeWidgetItem, text: str, kept: Kept | None = None) -> None:
        each = QTreeWidgetItem(item, [foreign.bounded(text, foreign.PARAGRAPH)])
        each.setFlags(_PLAIN)
        each.setToolTip(0, foreign.tip(text))
        each.setData(0, _KEPT, kept)

    def _follow(self) -> None:
        """Say how many pictures there are, and let what is below a study that is left out be of no account."""
        self.blockSignals(True)
        for study, (item, above) in self._listed.items():
            pictures, first = _below(above), foremost(study)
            for each in pictures:
                each.setHidden(self._appendix != "all" and each.data(0, _KEY) not in first)
            there = [each for each in pictures if not each.isHidden()]
            above.setText(0, tr("Pictures: {n} of {whole}", n=sum(map(_ticked, there)), whole=len(there)))
            for each in (*_below(item), *pictures):
                each.setDisabled(not _ticked(item))
        self.blockSignals(False)
        self.changed.emit()


def asked(solved: Solved) -> str:
    """“Uncertain band (Laplace) at most 500: ε = 0.0158”: a question and the answer that was taken."""
    study = solved.setting.study
    kind = type(study)
    wants = [read_want(kind, text) for text in solved.wants]
    wanted = listed(f"{want.label(kind)} {want.phrase(kind)}" for want in wants)
    answer = listed(powered(named(getattr(study, name), kind.parameter(name).quantity)) for name in solved.names)
    return f"{begun(wanted)}: {answer}"


def swept(sweep: SweepAsked) -> str:
    """“uncertain band over ε from 0.01 to 10 (100)”: the facts, and over how many values of which parameters."""
    kind = type(sweep.setting.study)
    answers = kind.answers()
    facts = dict.fromkeys(tr(answers.declaration(*fact).quantity.label) for fact in sweep.facts)
    over = []
    for text in sweep.over:
        read = read_over(kind, text)
        quantity = kind.parameter(read.name).quantity
        first, last = read.values[0], read.values[-1]
        ends = "" if isinstance(first, str) or isinstance(last, str) else (
            tr(" from {first} to {last}", first=amount(first, quantity), last=amount(last, quantity)))
        over.append(f"{quantity.symbol}{ends} ({grouped(len(read.values))})")
    return tr("{facts} over {over}", facts=listed(facts), over=listed(over))


def _ticked(item: QTreeWidgetItem) -> bool:
    return item.checkState(0) is CHECKED


def _below(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    return [each for i in range(item.childCount()) if (each := item.child(i))]
