"""The widgets of the dialog that opens a table, and where they stand."""

from __future__ import annotations

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.origin import AT_MOST
from dpstudio.gui.data.builder import ColumnBox, ConditionBuilder
from dpstudio.gui.data.preview import Preview
from dpstudio.gui.data.result import Result
from dpstudio.gui.shell.theme import Theme

NAMED = {"value": "The value", "person": "The column of persons", "at_most": "The rows of each person",
         "file": "The file"}
"""What stands under no heading of its own, by the names of what is asked for."""


class Form(QDialog):
    """File, preview, condition, person, result, and what to do with it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make(theme)
        self._arrange(theme)
        self.builder.worded = self.worded

    def worded(self, refusal: Exception) -> str:
        """A refusal by the heading that the refused entry stands under."""
        if not isinstance(refusal, InvalidParameter):
            return str(refusal)
        headings = {"where": self.asked, "symptom": self.also, "symptoms": self.also, "action": self.acted}
        names = {name: f"“{heading.text()}”" for name, heading in headings.items()} | NAMED
        return refusal.worded(lambda name: names.get(name, name))

    def _make(self, theme: Theme) -> None:
        self.file_name = _plain("No file yet", "Chosen file")
        self.file_name.setProperty("role", "title")
        self.choose = QPushButton("Choose file…")
        self.example = QPushButton("Example: RAND health insurance")
        self.example.setToolTip("People of an experiment, several rows each; public domain")
        self.missing = QLineEdit(placeholderText="NA, unknown")
        self.missing.setAccessibleName("Texts that mean a missing value, separated by commas")
        self.missing.setToolTip("A cell with one of these texts counts as missing, as an empty cell does; separate "
                                "several by commas")
        self.missing.setFixedWidth(theme.px(160))
        self.status = _plain("", "State of the file")
        self.status.setWordWrap(True)
        self.status.setProperty("role", "muted")
        self.preview = Preview()
        self.preview.set_theme(theme)
        self.builder = ConditionBuilder()
        self.person_told = _plain("The column that tells persons apart: one person may have several rows.",
                                  "What the column of persons is for")
        self.person_told.setWordWrap(True)
        self.person_told.setProperty("role", "muted")
        self.names = QStringListModel(self)
        self.person = ColumnBox(self.names, "Column that identifies a person")
        self.bounded = QCheckBox("at most")
        self.bounded.setAccessibleName("Bound the rows of each person")
        self.at_most = QSpinBox(minimum=int(AT_MOST.low), maximum=int(AT_MOST.high), value=1)
        self.at_most.setAccessibleName("Rows of each person that may count")
        self.asked = _heading("Which records qualify")
        self.action = QLineEdit(placeholderText="a condition, or a column of 0 and 1")
        self.action.setAccessibleName("Who was acted upon, as a condition or a column of 0 and 1")
        self.acted = _heading("Who was acted upon")
        self.milder = QLineEdit(placeholderText="another condition, or nothing")
        self.milder.setAccessibleName("A milder symptom, as a condition or a column of 0 and 1")
        self.also = _heading("A milder symptom, if there is one")
        self.found = Result(theme)
        self.progress = QProgressBar(maximum=0, textVisible=False)
        self.progress.setAccessibleName("Reading")
        self.progress.setFixedWidth(theme.px(120))
        self.stop = QPushButton("Stop")
        self.stop.setProperty("role", "quiet")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.help = self.buttons.addButton("How this counts", QDialogButtonBox.ButtonRole.HelpRole)
        self.use = self.buttons.addButton("Use in Decision", QDialogButtonBox.ButtonRole.AcceptRole)
        self.target = QComboBox()
        self.target.setAccessibleName("Study that uses the count")
        self.target_label = QLabel("Study")
        for button in (self.choose, self.example, self.stop, *self.buttons.buttons()):
            button.setAutoDefault(False)  # type: ignore[attr-defined]

    def _arrange(self, theme: Theme) -> None:
        top = QHBoxLayout()
        top.addWidget(self.file_name, 1)
        beside: tuple[QWidget, ...] = (QLabel("Read as missing"), self.missing, self.example, self.choose)
        for widget in beside:
            top.addWidget(widget)
        person = QHBoxLayout()
        person.setSpacing(theme.px(8))
        beside = (self.person, self.bounded, self.at_most, QLabel("rows of each"))
        for widget in beside:
            person.addWidget(widget)
        person.addStretch()
        left = QVBoxLayout()
        left.addWidget(self.asked)
        left.addWidget(self.builder)
        for widget in (self.also, self.milder, self.acted, self.action):
            left.addWidget(widget)
        left.addSpacing(theme.px(8))
        left.addWidget(_heading("Who a row belongs to"))
        left.addWidget(self.person_told)
        left.addLayout(person)
        left.addWidget(self.found.bounds)
        left.addStretch()
        right = QVBoxLayout()
        right.addWidget(_heading("What this counts"))
        right.addWidget(self.found, 1)
        line = QFrame(frameShape=QFrame.Shape.VLine)
        line.setStyleSheet(f"color: {theme.line};")
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.px(16))
        grid.addLayout(left, 0, 0)
        grid.addWidget(line, 0, 1)
        grid.addLayout(right, 0, 2)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(2, 2)
        bottom = QHBoxLayout()
        bottom.addWidget(self.progress)
        bottom.addWidget(self.stop)
        bottom.addStretch()
        bottom.addWidget(self.target_label)
        bottom.addWidget(self.target)
        bottom.addWidget(self.buttons)
        column = QVBoxLayout(self)
        edge = theme.px(20)
        column.setContentsMargins(edge, edge, edge, theme.px(16))
        column.setSpacing(theme.px(10))
        column.addLayout(top)
        column.addWidget(self.status)
        column.addWidget(self.preview, 3)
        column.addLayout(grid, 4)
        column.addLayout(bottom)
        room = self.screen().availableGeometry()
        self.resize(min(theme.px(1080), room.width() - 40), min(theme.px(680), room.height() - 60))


def _plain(text: str, name: str) -> QLabel:
    label = QLabel(text, textFormat=Qt.TextFormat.PlainText)
    label.setAccessibleName(name)
    return label


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "title")
    return label
