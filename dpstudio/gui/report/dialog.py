"""Asks what a report is to have: its contents, the words of its first page, and where it is written to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from itertools import count
from pathlib import Path
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QShowEvent, QTextCursor
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QStyle,
    QTabWidget,
    QWidget,
)

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.resources import whether
from dpstudio.documents.noted import LONGEST_ON_COVER, Cover, Solved
from dpstudio.documents.report import APPENDICES, NAME, USUAL_APPENDIX, Appendix, ReportChoice, entry_of, pdf
from dpstudio.documents.report.promised import promised
from dpstudio.documents.report.stated import about
from dpstudio.documents.session import Session
from dpstudio.documents.state import StudyState
from dpstudio.gui.controls.style import Combo, in_column, in_row, labelled, push, said_as
from dpstudio.gui.controls.text_box import TextBox
from dpstudio.gui.pictures.export_dialog import ExportForm
from dpstudio.gui.report.about import AboutForm
from dpstudio.gui.report.contents import Contents
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.theme import Theme
from dpstudio.records import dataclass
from dpstudio.text.language import tr

SIZE = (980, 620)
LINES = 3
"""Of each text of the first page that are in sight."""
ABOUT = "About the release"
NO_DAY = "An entry needs the day of publication: state it under About the release."
BY_HAND = "Left blank, to be written by hand"
NOTHING_TO_CHOOSE = "This study compares nothing to choose from"


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """What to write where."""

    path: Path
    chosen: ReportChoice
    exact_counts: bool = False
    """Whether exact counts of data go along."""


class ReportDialog(ExportForm):
    """One form; the words and what was removed stay with the session, whether a report is written or not."""

    asked_again = Signal(object)
    """A question that was kept is to be solved anew."""

    def __init__(self, document: Document, settings: Settings, theme: Theme,
                 parent: QWidget | None = None, *, exact_counts: bool | None = None) -> None:
        formats = {"pdf": tr("PDF, pages to print and sign"), "html": tr("HTML, one page for a browser"),
                   "yaml": tr("YAML, an entry for the registry of deployments")}
        without = tr("Without them a default stands in their place, and the report says so")
        super().__init__(formats, settings.text("report", "pdf"), settings, parent, exact_counts, without=without,
                         leave=tr("&Close"), browse=tr("&Browse…"), export=tr("&Export"))
        self.setWindowTitle(tr("Report"))
        self._document = document
        session = document.session
        study, cover = session.study_class, session.state().cover
        self._opened, self._answer = session.state(), session.study.answer()
        self.appendix = said_as(Combo(), tr("Appendix"))
        for appendix, words in APPENDICES.items():
            self.appendix.addItem(tr(words), appendix)
        before: str = settings.text("appendix", USUAL_APPENDIX)
        self.appendix.setCurrentIndex(self.appendix.findData(before if before in APPENDICES else USUAL_APPENDIX))
        self.contents = Contents(session, self._appendix)
        self.remove = push(tr("&Remove"), self._remove, tip=tr("Remove the selected question or sweep (Delete)"))
        self.again = push(tr("&Solve again…"), self._ask_again,
                          tip=tr("Put the selected question under “I want”, at the present values"))
        self.parts = {name: QCheckBox(words) for name, words in (
            ("pins", tr("Pinned curves")), ("solved", tr("Questions solved for")), ("sweeps", tr("Sweeps")),
            ("values", tr("Values behind pictures (HTML)")))}
        self.question = TextBox(tr("Question"), cover.question, LONGEST_ON_COVER, tr(study.question))
        self.chosen = said_as(Combo(), tr("What was chosen"))
        for key, label in _choices(session.state()):
            self.chosen.addItem(label, key)
        self.chosen.setCurrentIndex(max(0, self.chosen.findData(session.state().chosen)))
        self.chosen.setEnabled(self.chosen.count() > 1)
        self.choice = TextBox(tr("What was chosen, in words"), cover.choice, LONGEST_ON_COVER, tr("May be left out"))
        self.reason = TextBox(tr("Reason"), cover.reason, LONGEST_ON_COVER, tr(BY_HAND))
        self.who, self.when = _line(tr("Prepared by"), cover.who), _line(tr("Date"), cover.when)
        self._today = date.today().isoformat()
        if not cover.when:
            self.when.setText(self._today)
        self.about = AboutForm(session.state().about, theme, settings.text("about_at", ""))
        self.today = push(tr("&Today"), lambda: self.when.setText(self._today), tip=tr("Put today’s date there"))
        self.close_button.setToolTip(tr("Write nothing; the words stay with the session"))
        self.close_button.setAutoDefault(False)
        for part in self.parts.values():
            part.setChecked(True)
        self._lay_out(theme)
        self._without_pdf = _lacking()
        if self._without_pdf:
            self.format.removeItem(self.format.findData("pdf"))
        self._suggest()
        self._state_again()
        self.contents.changed.connect(self._follow)
        self.appendix.currentIndexChanged.connect(lambda: self.contents.follow(self._appendix))
        self.format.currentIndexChanged.connect(self._suggest)
        self.path.textChanged.connect(self._follow)
        self.about.changed.connect(self._follow)
        for changed in (self.chosen.currentIndexChanged, self.reason.textChanged, self.who.textChanged):
            changed.connect(self._state_again)
        self.accepted.connect(lambda: self._keep(self.when.text().strip()))
        self.reason.moveCursor(QTextCursor.MoveOperation.End)
        undecided = self.chosen.isEnabled() and self.chosen.currentData() is None
        if settings.text("report_page", "") == ABOUT:
            self.pages.setCurrentWidget(self.about)
            self.about.setFocus()
        else:
            (self.chosen if undecided else self.reason).setFocus()

    def request(self) -> ReportRequest:
        """What was asked for."""
        chosen = ReportChoice(studies=self.contents.studies, figures=self.contents.figures, appendix=self._appendix,
                              **{name: part.isChecked() for name, part in self.parts.items()})
        return ReportRequest(self.file, chosen, self.exact_counts.isChecked())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if (part := self.focusWidget()) is not None and self._scrolled.isAncestorOf(part):
            self._scrolled.ensureWidgetVisible(part)
        self.about.bring()

    def done(self, result: int) -> None:
        """Close, and remember which page was in view, and at which question of it."""
        self._settings.set_text("report_page", ABOUT if self.pages.currentWidget() is self.about else "")
        self._settings.set_text("about_at", self.about.at)
        super().done(result)

    def remembered(self) -> Mapping[str, str]:
        return {"report": self._format, "appendix": self._appendix}

    def reject(self) -> None:
        """Write nothing, and keep what was typed; a date that was only proposed was not."""
        proposed = not self._document.state.cover.when and self.when.text() == self._today
        self._keep("" if proposed else self.when.text().strip())
        super().reject()

    def _keep(self, when: str) -> None:
        """What was typed, and what was chosen if it is still there to choose: nothing here may keep a window open."""
        state = self._document.state
        chosen = self.chosen.currentData()
        there = chosen in dict(_choices(state))
        self._document.do(tr("Prepare report"), Session.prepare, Cover(
            self.question.words, self.choice.words, self.reason.words, self.who.text().strip(), when),
            chosen if there else state.chosen, self.contents.removed, self.about.about)

    def _lay_out(self, theme: Theme) -> None:
        edge, gap = theme.px(16), theme.px(8)
        page = QWidget()
        form, foot = (QFormLayout(
            parent, labelAlignment=Qt.AlignmentFlag.AlignRight, horizontalSpacing=edge, verticalSpacing=gap,
            fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow,
            rowWrapPolicy=QFormLayout.RowWrapPolicy.DontWrapRows) for parent in (page, None))
        left = in_column(said_as(QLabel(tr("Contents")), role="title"), (self.contents, 1),
                         in_row(labelled(tr("&Appendix"), self.appendix), (self.appendix, 1), gap=gap),
                         in_row(self.remove, self.again, None, gap=gap),
                         *(in_row(*(self.parts[name] for name in pair), None, gap=gap)
                           for pair in (("pins", "solved"), ("sweeps", "values"))), gap=gap)
        form.setContentsMargins(0, gap, gap, 0)
        for words, entry, lines in ((tr("&Question"), self.question, LINES - 1), (tr("C&hoice"), self.chosen, 0),
                                    (tr("&In words"), self.choice, LINES - 1), (tr("Reaso&n"), self.reason, LINES)):
            if lines:  # said as a rule, for that of the application says less
                entry.setStyleSheet(f"min-height: {lines * QFontMetrics(theme.font()).lineSpacing() + theme.px(8)}px")
            form.addRow(words, entry)
        form.addRow(tr("&Prepared by"), self.who)
        form.addRow(labelled(tr("&Date"), self.when), in_row((self.when, 1), self.today, gap=gap))
        scrolled = QScrollArea(widgetResizable=True)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scrolled.setWidget(page)
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        scrolled.setMinimumWidth(page.minimumSizeHint().width() + bar + gap)
        self._scrolled = scrolled
        self.pages = said_as(QTabWidget(), tr("First page and about the release"))
        self.pages.addTab(scrolled, tr("First page"))
        self.pages.addTab(self.about, tr(ABOUT))
        foot.addRow(tr("For&mat"), self.format)
        foot.addRow(labelled(tr("&File"), self.path), in_row((self.path, 1), self.browse, gap=gap))
        if not self.exact_counts.isHidden():
            foot.addRow("", self.exact_counts)
        in_column((in_row((left, 4), (self.pages, 5), gap=gap), 1), foot, self.note, self.buttons, within=self, gap=gap,
                  edges=(edge,) * 4)
        room = (self.parentWidget() or self).screen().availableGeometry()
        self.resize(min(theme.px(SIZE[0]), room.width() - edge), min(theme.px(SIZE[1]), room.height() - 3 * edge))

    @property
    def _appendix(self) -> Appendix:
        return cast(Appendix, self.appendix.currentData())

    @property
    def _format(self) -> str:
        return str(self.format.currentData())

    def _suggest(self) -> None:
        """A name that says what it is, beside the last export, and that no file has, so that Enter takes it.

        A name that was typed keeps all but its ending.
        """
        ending = f".{self._format}"
        if (typed := self.path.text().strip()) and Path(typed).name:
            path = Path(typed).with_suffix(ending)
            self.path.setText(str(path.with_name(self._taken(path.name))))
            return
        folder, name = self._settings.folder("export"), f"{self._document.study_class.key}-report"
        free = (folder / self._taken(f"{name}{f'-{i}' if i > 1 else ''}{ending}") for i in count(1))
        self.path.setText(str(next(each for each in free if not whether(each.exists))))

    def _taken(self, name: str) -> str:
        """The name of a file, of an entry as the registry takes it."""
        stem = re.sub(r"[^a-z0-9_]+", "_", Path(name).stem.lower())
        return f"{stem}{Path(name).suffix}" if self._format == "yaml" else name

    def _typed(self) -> StudyState:
        """The study as it was when this was opened, with what was chosen and typed since."""
        return replace(self._opened, chosen=self.chosen.currentData(), about=self.about.about,
                       cover=replace(self._opened.cover, reason=self.reason.words, who=self.who.text().strip()))

    def _state_again(self) -> None:
        """What is stated without an answer of the form follows what is chosen and said on page one."""
        state = replace(self._typed(), about={})
        self.about.follow(about(state, promised(state, self._answer)))
        self._follow()

    def _follow(self) -> None:
        """What can be pressed, and what is to be said of what would be written."""
        kept = self.contents.selected
        self.remove.setEnabled(kept is not None)
        self.again.setEnabled(isinstance(kept, Solved))
        self.parts["values"].setEnabled(self._format == "html")
        self.parts["sweeps"].setEnabled(self._appendix != "none")
        ending = Path(self.path.text().strip()).suffix.lower()
        wrong, carried = self.about.wrong, tr(
            "The report carries its session: drop it on the window to come back here.")
        if self._format == "yaml" and not wrong:
            try:
                carried = entry_of(self._typed(), self._answer).says
            except InvalidParameter:
                wrong = tr(NO_DAY)
        if not self.contents.studies:
            wrong = tr("Tick at least one study.")
        elif not self.path.text().strip():
            wrong = tr("Say which file.")
        elif ending != f".{self._format}":
            wrong = tr("The file’s name must end in .{ending}.", ending=self._format)
        elif self._format == "yaml" and not NAME.fullmatch(Path(self.path.text().strip()).name):
            wrong = wrong or tr("The registry takes names of lowercase letters, digits and underscores.")
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
        if path := self._ask_file(tr("Export report"), self._format):
            self.path.setText(path if Path(path).suffix else f"{path}.{self._format}")


def _lacking() -> str:
    """Why there can be no PDF, if there can be none."""
    try:
        pdf.check()
    except InvalidParameter:
        return tr("PDF needs typst, which is not installed (pip install typst); HTML needs nothing.")
    return ""


def _choices(state: StudyState) -> Iterator[tuple[str | None, str]]:
    """What can be chosen, by key, beginning with nothing; what was chosen at other settings stays among it."""
    study = state.setting.study
    there = study.answer().choices
    yield None, tr("Nothing is chosen yet") if there else tr(NOTHING_TO_CHOOSE)
    for each in study.answers().choosable():
        if each in there:
            yield each.key, tr(each.label)
        elif each.key == state.chosen:
            yield each.key, tr("{label}: not at these settings", label=tr(each.label))


def _line(name: str, text: str) -> QLineEdit:
    return said_as(QLineEdit(text, maxLength=LONGEST_ON_COVER, placeholderText=tr(BY_HAND)), name)
