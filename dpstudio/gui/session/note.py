"""Where words on a study are written, which its session keeps."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from dpstudio.documents.session import Session
from dpstudio.documents.state import LONGEST_NOTE
from dpstudio.gui.controls.text_box import TextBox
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.theme import Theme

SIZE = (440, 280)
"""Pixels at normal size of type."""


class NoteDialog(QDialog):
    """Asks for the words on the study in view."""

    def __init__(self, document: Document, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Note")
        self.text = TextBox("Note", document.state.note, LONGEST_NOTE)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        study_class = document.study_class  # the one in view may change meanwhile
        self.accepted.connect(lambda: document.show(
            Session.on, study_class, Session.having, note=self.text.words))
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel(f"On “{document.study_class.title}”, kept in the session:"))
        layout.addWidget(self.text)
        layout.addWidget(buttons)
        self.resize(theme.px(SIZE[0]), theme.px(SIZE[1]))
