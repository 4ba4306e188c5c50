"""The pane that lists the snapshots of a study, the newest first, and leads back to them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from dpstudio.core.declare import Parameter
from dpstudio.documents import words
from dpstudio.documents.session import Session
from dpstudio.documents.setting import title
from dpstudio.documents.state import Snapshot, StudyState
from dpstudio.gui.controls.style import in_column, in_row, prose, push, said_as
from dpstudio.gui.history.form import SnapshotForm, in_menu
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.pane import Pane
from dpstudio.gui.shell.worker import Pace
from dpstudio.text.language import tr
from dpstudio.vocabulary import Value

READING = 100
"""Milliseconds from one look at the document to the next."""
EMPTY = ("There is no snapshot of this study yet. A snapshot keeps its values, its pins and how it is looked at under "
         "a name, so that you can try something else and come back. Snapshots are saved with the session.")
NOTHING = "nothing"
LEFT_OUT = "{symbol}, a count that was left out"
NAME, WHEN, DIFFERS = range(3)


class HistoryPane(Pane):
    """Follows the document; what is done to a snapshot is a step that can be undone."""

    key, size_wanted = "history", (720, 420)

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(desk, parent)
        self._listed: tuple[Snapshot, ...] = ()
        """The newest first."""
        self.list = said_as(QTreeWidget(), tr("Snapshots, the newest first"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setHeaderLabels([tr("Snapshot"), tr("Taken"), tr("Differs from now in")])
        self.list.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        heads = self.list.header()
        heads.setStretchLastSection(True)
        heads.setSectionResizeMode(WHEN, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setColumnWidth(NAME, self._theme.px(240))
        self.note = prose(role="muted")
        self.empty = QLabel(tr(EMPTY), wordWrap=True)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.list)
        self.pages.addWidget(self.empty)
        self.back, self.pinned = push(tr("Go back to it"), self.go_back), push(tr("Pin it"), self.pin)
        self.compared, self.edited = push(tr("Compare"), self.compare), push(tr("Edit…"), self.edit)
        self.removed, self.taken = push(tr("Remove"), self.remove), push(
            tr("Keep snapshot…"), self.take, role="primary")
        row = in_row(self.back, self.pinned, self.compared, self.edited, self.removed, (None, 1), self.taken)
        in_column((self.pages, 1), self.note, row, within=self.inside, edges=None)
        self.list.itemActivated.connect(self.go_back)
        self.list.currentItemChanged.connect(self._show_chosen)
        self.refresh = Pace(READING, self._refresh, self)
        desk.document.changed.connect(self._follow)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def _follow(self) -> None:
        if self.isVisible():
            self.refresh()

    @property
    def row(self) -> int:
        """Which is chosen; −1 where none is."""
        return self.list.currentIndex().row()

    @property
    def chosen(self) -> Snapshot | None:
        """The snapshot that is meant."""
        return self._listed[self.row] if 0 <= self.row < len(self._listed) else None

    def _refresh(self) -> None:
        """List what the document has, and stay at what was chosen."""
        state, study = self._document.state, self._document.study_class
        self.setWindowTitle(tr("Snapshots – {study}", study=tr(study.title)))
        rows = [(each, differing(each, state)) for each in reversed(state.snapshots)]
        before, row = self.chosen, self.row
        self._listed = tuple(each for each, _ in rows)
        self.list.clear()
        for each, differs in rows:
            item = QTreeWidgetItem([foreign.bounded(each.name, foreign.LINE),
                                    foreign.bounded(each.when.replace("T", " "), foreign.LINE),
                                    foreign.bounded(differs, foreign.PARAGRAPH)])
            item.setToolTip(NAME, foreign.tip(each.note or each.name))
            item.setToolTip(DIFFERS, foreign.tip(differs))
            self.list.addTopLevelItem(item)
        if rows:
            row = self._listed.index(before) if before in self._listed else min(max(row, 0), len(rows) - 1)
            self.list.setCurrentIndex(self.list.model().index(row, NAME))
        self.pages.setCurrentWidget(self.list if rows else self.empty)
        self.setFocusProxy(self.list if rows else self.taken)
        self._show_chosen()

    def _show_chosen(self, *_: object) -> None:
        chosen = self.chosen
        self.note.setText(foreign.sentence(chosen.note) if chosen else "")
        self.note.setVisible(bool(chosen and chosen.note))
        for button in (self.back, self.pinned, self.compared, self.edited, self.removed):
            button.setEnabled(chosen is not None)

    # What a hand does

    def _meant(self) -> Snapshot | None:
        """What is chosen, as the document has it now."""
        self._refresh()
        return self.chosen

    def go_back(self, *_: object) -> None:
        """Values, pins and how they were seen, as they were."""
        if chosen := self._meant():
            self._document.do(tr("Go back to {name}", name=in_menu(chosen.name)), Session.come_back, chosen)
            self._desk.answers.begin_anew()
            self._desk.status.say(tr("Back at “{name}”", name=foreign.bounded(chosen.name, foreign.LINE)))

    def pin(self) -> bool:
        """Let its curves stand as a faint reference; says whether they do."""
        if (chosen := self._meant()) is None:
            return False
        return self._desk.tried(tr("Pin"), Session.pin, replace(chosen.state.setting, only=None))

    def compare(self) -> None:
        """Set it and the present values beside each other."""
        if self.pin():
            self._desk.tools.open("compare").show_settings()

    def edit(self) -> None:
        """Ask for another name and note."""
        if chosen := self._meant():
            others = {each.name for each in self._listed if each is not chosen}

            def take(name: str, note: str) -> None:
                self._swap(tr("Edit snapshot {name}", name=in_menu(chosen.name)), chosen,
                           replace(chosen, name=name, note=note))

            SnapshotForm(tr("Edit snapshot"), chosen.name, chosen.note, "", others, False, take,
                         self._theme, self).open()

    def remove(self) -> None:
        if chosen := self._meant():
            self._swap(tr("Remove snapshot {name}", name=in_menu(chosen.name)), chosen, None)

    def _swap(self, label: str, chosen: Snapshot, after: Snapshot | None) -> None:
        self._document.do(label, Session.swap, "snapshots", chosen, after)

    def take(self) -> None:
        self._desk.take_snapshot(self)


def differing(snapshot: Snapshot, state: StudyState) -> str:
    """What a snapshot differs in from a state; of a count that was left out of it, that nobody can tell."""
    kept, awaited = snapshot.state.setting, snapshot.state.awaited
    lost = frozenset(awaited.counts) if awaited else frozenset()

    def write(parameter: Parameter, value: Value) -> str:
        left_out = parameter.name in lost
        return tr(LEFT_OUT, symbol=parameter.quantity.symbol) if left_out else words.parameter(parameter, value)

    told = NOTHING if kept.study == state.setting.study else title(kept, state.setting, write=write)
    unsaid = [tr(LEFT_OUT, symbol=each.quantity.symbol) for each in kept.study.parameters() if each.name in lost]
    unsaid = [each for each in unsaid if each not in told]
    return ", ".join([told] * (told != NOTHING or not unsaid) + unsaid)
