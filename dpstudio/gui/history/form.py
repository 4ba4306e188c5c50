"""The words that a person writes on a study, and with a snapshot of it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QLineEdit, QWidget

from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.session import Session
from dpstudio.documents.setting import title
from dpstudio.documents.state import LONGEST_NAME, LONGEST_NOTE, LONGEST_OF_SNAPSHOT, StudyState
from dpstudio.gui.controls.style import in_column, prose
from dpstudio.gui.controls.text_box import TextBox
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr

WIDTH, NOTE = 420, 72
"""Pixels of the form's width and of the note's height, at normal size of type."""
ON_STUDY = 440, 280
"""Pixels of the form for the words on a study, at normal size of type."""
IN_MENU = 30
"""Signs of a name that the entry of a menu says."""
REPLACES, ANOTHER = "The snapshot of this name makes way for this one.", "Another snapshot has this name."


def proposed(state: StudyState) -> str:
    """A name for a snapshot of a state: what differs from the one before, or from the study as it comes."""
    before = state.snapshots[-1].state.setting if state.snapshots else state.setting.as_it_comes
    if before.study == state.setting.study:
        return tr("Snapshot {n}", n=len(state.snapshots) + 1) if state.snapshots else tr("As it comes")
    return foreign.bounded(title(state.setting, before), LONGEST_NAME)


def in_menu(name: str) -> str:
    """What the entry of a menu says of a name."""
    return f"“{foreign.bounded(name, IN_MENU)}”"


def now() -> str:
    """The time here to the minute, as ISO 8601 writes it."""
    return datetime.now().isoformat(timespec="minutes")


class SnapshotForm(QDialog):
    """Asks for a name and a note; `take` keeps them, and what it refuses is said here."""

    def __init__(self, heading: str, name: str, note: str, words: str, others: Collection[str], replaces: bool,
                 take: Callable[[str, str], None], theme: Theme, parent: QWidget) -> None:
        """`others` are the names of other snapshots, and `replaces` says that one may make way for this one."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(heading)
        self._others, self._replaces, self._take = others, replaces, take
        self.name = QLineEdit(name, maxLength=LONGEST_NAME)
        self.note = TextBox(tr("Note"), note, LONGEST_OF_SNAPSHOT)
        self.note.setFixedHeight(theme.px(NOTE))
        self.said, self.problem = prose(words, role="muted"), prose(role="warning")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.ok = self.buttons.addButton(tr("Keep"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QFormLayout(self)
        for row in ((tr("&Name"), self.name), (tr("N&ote"), self.note), (self.said,), (self.problem,), (self.buttons,)):
            layout.addRow(*row)
        self.name.textChanged.connect(self._look)
        self.name.selectAll()
        self._look()
        self.resize(theme.px(WIDTH), self.sizeHint().height())

    def _look(self) -> None:
        """Say what a name would mean."""
        name = self.name.text().strip()
        again = name in self._others
        self.problem.setText((tr(REPLACES) if self._replaces else tr(ANOTHER)) if again else "")
        self.ok.setEnabled(bool(name) and (self._replaces or not again))

    def accept(self) -> None:
        try:
            self._take(self.name.text().strip(), self.note.words)
        except InvalidParameter as refusal:
            self.problem.setText(foreign.sentence(str(refusal)))
        else:
            super().accept()


class NoteDialog(QDialog):
    """Asks for the words on the study in view."""

    def __init__(self, document: Document, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Note"))
        self.text = TextBox(tr("Note"), document.state.note, LONGEST_NOTE)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        study_class = document.study_class  # the one in view may change meanwhile
        self.accepted.connect(lambda: document.show(
            Session.on, study_class, Session.having, note=self.text.words))
        kept = tr("On “{study}”, kept in the session:", study=tr(document.study_class.title))
        in_column(QLabel(kept), self.text, buttons, within=self, edges=None)
        self.resize(theme.px(ON_STUDY[0]), theme.px(ON_STUDY[1]))
