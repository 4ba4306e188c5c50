"""Asks what a report is to have: its contents, the words of its first page, and where it is written to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.noted import LONGEST_ON_COVER, Cover, Solved
from dpstudio.documents.report import ReportChoice, pdf, studies_in
from dpstudio.documents.session import Session
from dpstudio.documents.state import StudyState
from dpstudio.gui.controls.style import in_row, laid, said_as
from dpstudio.gui.controls.text_box import TextBox
from dpstudio.gui.report.contents import Contents
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.questions import may_replace
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.theme import Theme

FORMATS = {"pdf": "PDF, pages to print and sign", "html": "HTML, one page for a browser"}
SIZE = (980, 620)
LINES = 3
"""Of each text of the first page that are in sight."""
BY_HAND = "Left blank, to be written by hand"
NOTHING_TO_CHOOSE = "This study compares nothing to choose from"


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """What to write where."""

    path: Path
    chosen: ReportChoice
    exact_counts: bool = False
    """Whether exact counts of data go along."""


class ReportDialog(QDialog):
    """One form; the words and what was removed stay with the session, whether a report is written or not."""

    asked_again = Signal(object)
    """A question that was kept is to be solved anew."""

    def __init__(self, document: Document, settings: Settings, theme: Theme,
                 parent: QWidget | None = None, *, exact_counts: bool | None = None) -> None:
        """`exact_counts` is whether exact counts of data go along, None where there are none."""
        super().__init__(parent)
        self.setWindowTitle("Report")
        self._document, self._settings = document, settings
        session = document.session
        study, cover = session.study_class, session.state().cover
        self.contents = Contents(session, studies_in(session))
        self.remove, self.again = QPushButton("&Remove"), QPushButton("&Solve again…")
        self.remove.setToolTip("Let go of the question or sweep that is selected (Delete)")
        self.again.setToolTip("Put the question that is selected into the solver, at the present values")
        self.parts = {name: QCheckBox(words) for name, words in (
            ("pins", "Pinned curves"), ("solved", "Questions solved for"), ("sweeps", "Sweeps"),
            ("values", "Values behind pictures (HTML)"))}
        self.question = TextBox("Question", cover.question, LONGEST_ON_COVER, study.question)
        self.chosen = said_as(QComboBox(), "What was chosen")
        for key, label in _choices(session.state()):
            self.chosen.addItem(label, key)
        self.chosen.setCurrentIndex(max(0, self.chosen.findData(session.state().chosen)))
        self.chosen.setEnabled(self.chosen.count() > 1)
        self.choice = TextBox("What was chosen, in words", cover.choice, LONGEST_ON_COVER, "May be left out")
        self.reason = TextBox("Why", cover.reason, LONGEST_ON_COVER, BY_HAND)
        self.who, self.when = _line("Prepared by", cover.who), _line("Date", cover.when)
        self._today = date.today().isoformat()
        if not cover.when:
            self.when.setText(self._today)
        self.today = said_as(QPushButton("&Today"), tip="Put today’s date there")
        self.exact_counts = QCheckBox("Include exact counts of your data, which are sensitive")
        self.exact_counts.setToolTip("Without them a default stands in their place, and the report says so")
        self.exact_counts.setChecked(bool(exact_counts))
        self.exact_counts.setVisible(exact_counts is not None)
        self.format = said_as(QComboBox(), "Format")
        for key, words in FORMATS.items():
            self.format.addItem(words, key)
        self.path = said_as(QLineEdit(), "File")
        self.browse = QPushButton("&Browse…")
        self.note = said_as(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), role="muted")
        self.buttons = QDialogButtonBox()
        self.close_button = self.buttons.addButton("&Close", QDialogButtonBox.ButtonRole.RejectRole)
        self.close_button.setToolTip("Write nothing; the words stay with the session")
        self.export_button = self.buttons.addButton("&Export", QDialogButtonBox.ButtonRole.AcceptRole)
        self.export_button.setDefault(True)
        for button in (self.remove, self.again, self.today, self.browse, self.close_button):
            button.setAutoDefault(False)
        self._lay_out(theme)
        for part in self.parts.values():
            part.setChecked(True)
        self.format.setCurrentIndex(max(0, self.format.findData(settings.text("report", "pdf"))))
        self._without_pdf = _lacking()
        if self._without_pdf:
            self.format.removeItem(self.format.findData("pdf"))
        self._suggest()
        self._follow()
        self._connect()
        self.contents.setFocus()

    def request(self) -> ReportRequest:
        """What was asked for."""
        chosen = ReportChoice(studies=self.contents.studies, figures=self.contents.figures,
                              **{name: part.isChecked() for name, part in self.parts.items()})
        return ReportRequest(Path(self.path.text().strip()).expanduser(), chosen, self.exact_counts.isChecked())

    def accept(self) -> None:
        """Go ahead, unless a file is in the way that is to stay."""
        if not may_replace(self, [self.request().path]):
            return
        self._settings.set_text("report", self._format)
        self._keep(self.when.text().strip())
        super().accept()

    def reject(self) -> None:
        """Write nothing, and keep what was typed; a date that was only proposed was not."""
        proposed = not self._document.state.cover.when and self.when.text() == self._today
        self._keep("" if proposed else self.when.text().strip())
        super().reject()

    def _keep(self, when: str) -> None:
        self._document.do("Prepare report", Session.prepare, Cover(
            self.question.words, self.choice.words, self.reason.words, self.who.text().strip(), when),
            self.chosen.currentData(), self.contents.removed)

    def _lay_out(self, theme: Theme) -> None:
        edge, gap = theme.px(16), theme.px(8)
        left, form, foot, columns, column = (QVBoxLayout(), QFormLayout(), QFormLayout(), QHBoxLayout(),
                                             QVBoxLayout(self))
        for layout in (left, columns, column):
            layout.setSpacing(gap)
        for each in (form, foot):
            each.setLabelAlignment(Qt.AlignmentFlag.AlignRight)
            each.setHorizontalSpacing(edge)
            each.setVerticalSpacing(gap)
            each.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
            each.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
        left.addWidget(_heading("Contents"))
        left.addWidget(self.contents, 1)
        left.addLayout(in_row(self.remove, self.again, None, gap=gap))
        for pair in (("pins", "solved"), ("sweeps", "values")):
            left.addLayout(in_row(*(self.parts[name] for name in pair), None, gap=gap))
        page = QWidget()
        page.setLayout(form)
        form.setContentsMargins(0, 0, gap, 0)
        for words, entry, lines in (("&Question", self.question, LINES), ("C&hoice", self.chosen, 0),
                                    ("&In words", self.choice, LINES - 1), ("&Why", self.reason, LINES)):
            if lines:  # said as a rule, for that of the application says less
                entry.setStyleSheet(f"min-height: {lines * QFontMetrics(theme.font()).lineSpacing() + theme.px(8)}px")
            form.addRow(words, entry)
        form.addRow("&Prepared by", self.who)
        _add(form, "&Date", in_row((self.when, 1), self.today, gap=gap), self.when)
        scrolled = QScrollArea(widgetResizable=True)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scrolled.setWidget(page)
        scrolled.setMinimumWidth(page.minimumSizeHint().width())
        right = laid(QVBoxLayout(), _heading("First page"), (scrolled, 1))
        right.setSpacing(gap)
        laid(columns, (left, 4), (right, 5))
        foot.addRow("For&mat", self.format)
        _add(foot, "&File", in_row((self.path, 1), self.browse, gap=gap), self.path)
        if not self.exact_counts.isHidden():
            foot.addRow("", self.exact_counts)
        column.setContentsMargins(edge, edge, edge, edge)
        laid(column, (columns, 1), foot, self.note, self.buttons)
        room = (self.parentWidget() or self).screen().availableGeometry()
        self.resize(min(theme.px(SIZE[0]), room.width() - edge), min(theme.px(SIZE[1]), room.height() - 3 * edge))

    def _connect(self) -> None:
        self.contents.changed.connect(self._follow)
        self.remove.clicked.connect(self._remove)
        self.again.clicked.connect(self._ask_again)
        self.today.clicked.connect(lambda: self.when.setText(self._today))
        self.browse.clicked.connect(self._browse)
        self.format.currentIndexChanged.connect(self._suggest)
        self.path.textChanged.connect(self._follow)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    @property
    def _format(self) -> str:
        return str(self.format.currentData())

    def _suggest(self) -> None:
        """A name that says what it is, beside the last export; a name that was typed keeps all but its ending."""
        typed = self.path.text().strip()
        folder = self._settings.folder("export")
        name = folder / f"{self._document.study_class.key}-report" if not typed else Path(typed)
        self.path.setText(str(name.with_suffix(f".{self._format}")))

    def _follow(self) -> None:
        """What can be pressed, and what is to be said of what would be written."""
        kept = self.contents.selected
        self.remove.setEnabled(kept is not None)
        self.again.setEnabled(isinstance(kept, Solved))
        self.parts["values"].setEnabled(self._format == "html")
        ending = Path(self.path.text().strip()).suffix.lower()
        wrong = ""
        if not self.contents.studies:
            wrong = "Tick a study at least."
        elif not self.path.text().strip():
            wrong = "Say which file."
        elif ending != f".{self._format}":
            wrong = f"The file’s name is to end in .{self._format}."
        carried = "The report carries its session: drop it on the window to come back here."
        self.note.setText(" ".join(filter(None, (wrong or carried, self._without_pdf))))
        self.export_button.setEnabled(not wrong)

    def _remove(self) -> None:
        self.contents.remove()
        self.contents.setFocus()

    def _ask_again(self) -> None:
        kept = self.contents.selected
        self.reject()
        self.asked_again.emit(kept)

    def _browse(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, "Export report", self.path.text(),
                                              f"{self._format.upper()} (*.{self._format})",
                                              options=QFileDialog.Option.DontConfirmOverwrite)
        if path:
            self.path.setText(path if Path(path).suffix else f"{path}.{self._format}")


def _lacking() -> str:
    """Why there can be no PDF, if there can be none."""
    try:
        pdf.check()
    except InvalidParameter:
        return "PDF needs typst, which is not installed (pip install typst); HTML needs nothing."
    return ""


def _choices(state: StudyState) -> Iterator[tuple[str | None, str]]:
    """What can be chosen, by key, beginning with nothing; what was chosen at other settings stays among it."""
    study = state.setting.study
    there = study.answer().choices
    yield None, "Nothing is chosen yet" if there else NOTHING_TO_CHOOSE
    for each in study.answers().choosable():
        if each in there:
            yield each.key, each.label
        elif each.key == state.chosen:
            yield each.key, f"{each.label}: not at these settings"


def _line(name: str, text: str) -> QLineEdit:
    return said_as(QLineEdit(text, maxLength=LONGEST_ON_COVER, placeholderText=BY_HAND), name)


def _add(form: QFormLayout, words: str, row: QHBoxLayout, entry: QWidget) -> None:
    """A row of several parts, whose label leads to one of them."""
    label = QLabel(words)
    label.setBuddy(entry)
    form.addRow(label, row)


def _heading(words: str) -> QLabel:
    return said_as(QLabel(words), role="title")
