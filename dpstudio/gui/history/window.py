"""The window that lists the snapshots of a study, the newest first, and leads back to them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.documents import words
from dpstudio.documents.session import Session
from dpstudio.documents.setting import title
from dpstudio.documents.state import Snapshot, StudyState
from dpstudio.gui.history.form import SnapshotForm, proposed
from dpstudio.gui.session.answers import Answers
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.appearance import Appearance
from dpstudio.gui.shell.status import Status
from dpstudio.gui.shell.worker import Pace
from dpstudio.vocabulary import Value

IN_MENU = 30
"""Signs of a name that the entry of a menu says."""
SIZE, READING = (720, 420), 100
"""Pixels at normal size of type; milliseconds from one look at the document to the next."""
EMPTY = ("There is no snapshot of this study yet. A snapshot keeps its values, its pins and how it is looked at under "
         "a name, so that you can try something else and come back. Snapshots are saved with the session.")
NOTHING = "nothing"
LEFT_OUT = "{}, a count that was left out"
NAME, WHEN, DIFFERS = range(3)


class Bench(Protocol):
    """The window that the list belongs to."""

    document: Document
    answers: Answers
    status: Status
    appearance: Appearance

    def show_comparison(self) -> None: ...


class History(QDialog):
    """Follows the document; what is done to a snapshot is a step that can be undone."""

    def __init__(self, bench: Bench, parent: QWidget) -> None:
        super().__init__(parent)
        self._bench, theme = bench, bench.appearance.theme
        self._listed: tuple[Snapshot, ...] = ()
        """The newest first."""
        self.list = QTreeWidget()
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setHeaderLabels(["Snapshot", "Taken", "Differs from now in"])
        self.list.setAccessibleName("Snapshots, the newest first")
        self.list.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        heads = self.list.header()
        heads.setStretchLastSection(True)
        heads.setSectionResizeMode(WHEN, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setColumnWidth(NAME, theme.px(240))
        self.note = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.note.setProperty("role", "muted")
        self.empty = QLabel(EMPTY, wordWrap=True)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.list)
        self.pages.addWidget(self.empty)
        self.back, self.pinned, self.compared, self.edited, self.removed = (
            QPushButton(words, autoDefault=False)
            for words in ("&Go back to it", "&Pin it", "&Compare", "&Edit…", "&Remove"))
        self.taken = QPushButton("&Take snapshot…", autoDefault=False)
        row = QHBoxLayout()
        for button, act in ((self.back, self.go_back), (self.pinned, self.pin), (self.compared, self.compare),
                            (self.edited, self.edit), (self.removed, self.remove)):
            button.clicked.connect(act)
            row.addWidget(button)
        row.addStretch(1)
        self.taken.clicked.connect(self.take)
        row.addWidget(self.taken)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.close)
        close.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)  # Return in the list goes back
        layout = QVBoxLayout(self)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self.note)
        layout.addLayout(row)
        layout.addWidget(close)
        room = self.screen().availableGeometry()
        self.resize(min(theme.px(SIZE[0]), room.width() - 40), min(theme.px(SIZE[1]), room.height() - 80))
        self.list.itemActivated.connect(self.go_back)
        self.list.currentItemChanged.connect(self._show_chosen)
        self.refresh = Pace(READING, self._refresh, self)
        bench.document.changed.connect(self._follow)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._refresh()
        self.list.setFocus()

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
        state, study = self._bench.document.state, self._bench.document.study_class
        self.setWindowTitle(f"Snapshots – {study.title}")
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
            self._bench.document.do(f"Go back to {_in_menu(chosen.name)}", Session.come_back, chosen)
            self._bench.answers.begin_anew()
            self._bench.status.say(f"Back at “{foreign.bounded(chosen.name, foreign.LINE)}”")

    def pin(self) -> bool:
        """Let its curves stand as a faint reference; says whether they do."""
        if (chosen := self._meant()) is None:
            return False
        try:
            self._bench.document.do("Pin", Session.pin, replace(chosen.state.setting, only=None))
        except InvalidParameter as refusal:
            self._bench.status.say(str(refusal))
            return False
        return True

    def compare(self) -> None:
        """Set it and the present values beside each other."""
        if self.pin():
            self._bench.show_comparison()

    def edit(self) -> None:
        """Ask for another name and note."""
        if chosen := self._meant():
            others = {each.name for each in self._listed if each is not chosen}

            def take(name: str, note: str) -> None:
                self._swap("Edit", chosen, replace(chosen, name=name, note=note))

            SnapshotForm("Edit snapshot", chosen.name, chosen.note, "", others, False, take,
                         self._bench.appearance.theme, self).open()

    def remove(self) -> None:
        if chosen := self._meant():
            self._swap("Remove", chosen, None)

    def _swap(self, does: str, chosen: Snapshot, after: Snapshot | None) -> None:
        self._bench.document.do(f"{does} snapshot {_in_menu(chosen.name)}", Session.swap, "snapshots", chosen, after)

    def take(self) -> None:
        take_snapshot(self._bench, self)


def differing(snapshot: Snapshot, state: StudyState) -> str:
    """What a snapshot differs in from a state; of a count that was left out of it, that nobody can tell."""
    kept, awaited = snapshot.state.setting, snapshot.state.awaited
    lost = frozenset(awaited.counts) if awaited else frozenset()

    def write(parameter: Parameter, value: Value) -> str:
        left_out = parameter.name in lost
        return LEFT_OUT.format(parameter.quantity.symbol) if left_out else words.parameter(parameter, value)

    told = NOTHING if kept.study == state.setting.study else title(kept, state.setting, write=write)
    unsaid = [LEFT_OUT.format(each.quantity.symbol) for each in kept.study.parameters() if each.name in lost]
    unsaid = [each for each in unsaid if each not in told]
    return ", ".join([told] * (told != NOTHING or not unsaid) + unsaid)


def now() -> str:
    """The time here to the minute, as ISO 8601 writes it."""
    return datetime.now().isoformat(timespec="minutes")


def _in_menu(name: str) -> str:
    return f"“{foreign.bounded(name, IN_MENU)}”"


def take_snapshot(bench: Bench, parent: QWidget) -> None:
    """Ask for the name and the note of a snapshot of the study in view."""
    document = bench.document
    state, study_class = document.state, document.study_class

    def take(name: str, note: str) -> None:
        document.do(f"Take snapshot {_in_menu(name)}", Session.on, study_class, Session.keep, name, note,
                    now())
        bench.status.say(f"Snapshot “{foreign.bounded(name, foreign.LINE)}” taken")

    about = "It keeps the values, the pins and how the study is looked at."
    SnapshotForm(f"Snapshot of {document.study_class.title}", proposed(state), "", about,
                 {each.name for each in state.snapshots}, True, take, bench.appearance.theme, parent).open()
