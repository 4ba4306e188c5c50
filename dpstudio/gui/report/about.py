"""The form about the release: a part of the report's dialog, with an entry for each declared field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QLineEdit, QScrollArea, QStyle, QWidget

from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.about import FIELDS, GROUPS, About, AboutField, Day, FewLines
from dpstudio.documents.report.stated import Stated
from dpstudio.gui.controls.style import Combo, in_column, mark_refused, no_narrower, only_scrolls, prose, said_as
from dpstudio.gui.controls.text_box import TextBox
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.later import later
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.given import cut
from dpstudio.text.language import tr
from dpstudio.vocabulary import Choice

EMPTY = "Not stated"
LINES = 2
"""Of a text that are in sight."""
IN_SIGHT = 44
"""Signs of what stands in the place of an answer."""
Entry = QComboBox | QLineEdit | TextBox


class AboutForm(QWidget):
    """Entries below the heading of their group, in an area that scrolls to whichever has the keyboard."""

    changed = Signal()
    """Something else is said."""

    def __init__(self, about: About, theme: Theme, at: str = "") -> None:
        """`about` is what was said, `at` the key of the field that comes first."""
        super().__init__()
        self._computed: dict[str, str] = {}
        self._gap = theme.px(8)
        self._at = at if at in FIELDS else next(iter(FIELDS))
        self.entries: dict[str, Entry] = {key: self._entry(field, about.get(key, "")) for key, field in FIELDS.items()}
        self.told = prose(name=tr("How much is stated"), role="muted")
        page = QWidget()
        form = QFormLayout(page, labelAlignment=Qt.AlignmentFlag.AlignRight, horizontalSpacing=theme.px(16),
                           verticalSpacing=self._gap, rowWrapPolicy=QFormLayout.RowWrapPolicy.DontWrapRows,
                           fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setContentsMargins(0, theme.px(4), self._gap, 0)
        lines = LINES * QFontMetrics(theme.font()).lineSpacing() + theme.px(8)
        for group, fields in GROUPS.items():
            form.addRow(said_as(QLabel(tr(group)), role="title"))
            for field in fields:
                entry = self.entries[field.key]
                if isinstance(entry, TextBox):
                    entry.setStyleSheet(f"min-height: {lines}px; max-height: {lines}px")
                label = said_as(QLabel(tr(field.label)), tip=entry.toolTip())
                label.setBuddy(entry)
                form.addRow(label, entry)
        self._scrolled = only_scrolls(QScrollArea(widgetResizable=True), page)
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        self._scrolled.setMinimumWidth(page.minimumSizeHint().width() + bar + self._gap)
        in_column(self.told, (self._scrolled, 1), within=self, gap=self._gap, edges=(0, self._gap, 0, 0))
        self.setFocusProxy(self.entries[self._at])
        self.changed.connect(self._tell)

    @property
    def about(self) -> About:
        """What is said, as far as it can be kept: a day that is none is not."""
        return {key: text for key, text in self._said().items() if not self._refused(key, text)}

    @property
    def at(self) -> str:
        """The key of the field that last had the keyboard."""
        return self._at

    @property
    def wrong(self) -> str:
        """Why something that is said cannot be kept, in one sentence; empty where all can."""
        return next((f"{tr(FIELDS[key].label)} {refusal}." for key, text in self._said().items()
                     if (refusal := self._refused(key, text))), "")

    def follow(self, told: Sequence[Stated]) -> None:
        """Show what is stated without a word here: what is computed, or stands on page one."""
        for each in told:
            key, entry = each.field.key, self.entries[each.field.key]
            self._computed[key] = found = each.computed or each.said
            empty = (tr("Computed: {found}", found=found) if each.computed else
                     tr("On page one: {found}", found=found)) if found else tr(EMPTY)
            if isinstance(entry, QComboBox):
                entry.setItemText(0, empty)
            else:
                entry.setPlaceholderText(cut(" ".join(empty.split()), IN_SIGHT))
        self._tell()

    def bring(self) -> None:
        """Let the field that has the keyboard, or that had it last, be in view."""
        room = self.entries[self._at].geometry()  # all of it, where Qt alone would show the line of the cursor
        self._scrolled.ensureVisible(0, room.center().y(), 0, room.height() // 2 + self._gap)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the keyboard, and leave the wheel over a choice to what scrolls."""
        if event.type() is QEvent.Type.FocusIn:
            self._at = next(key for key, entry in self.entries.items() if entry is watched)
            later(self, self.bring)
        if event.type() is QEvent.Type.Wheel and isinstance(watched, QComboBox) and not watched.hasFocus():
            event.ignore()
            return True
        return False

    def _entry(self, field: AboutField, text: str) -> Entry:
        entry: Entry
        if isinstance(field.kind, Choice):
            entry = Combo()
            entry.addItem(tr(EMPTY), "")
            for option in field.kind.options:
                entry.addItem(tr(option), option)
            entry.setCurrentIndex(max(0, entry.findData(text)))
            no_narrower(entry, len(tr(EMPTY)))
            entry.currentIndexChanged.connect(self.changed)
        elif isinstance(field.kind, FewLines):
            entry = TextBox(tr(field.label), text, field.kind.longest, tr(EMPTY))
            entry.textChanged.connect(self.changed)
        else:
            entry = QLineEdit(text, maxLength=field.kind.longest, placeholderText=tr(EMPTY))
            entry.textChanged.connect(self.changed)
        said_as(entry, tr(field.label), foreign.tip(field.help))
        entry.setAccessibleDescription(field.help)
        entry.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel scrolls, and chooses nothing by the way
        entry.installEventFilter(self)
        return entry

    def _said(self) -> Mapping[str, str]:
        return {key: text for key, entry in self.entries.items() if (text := _text(entry))}

    @staticmethod
    def _refused(key: str, text: str) -> str:
        try:
            FIELDS[key].accepted(text)
        except InvalidParameter as refusal:
            return str(refusal).removeprefix(f"{key} ")
        return ""

    def _tell(self) -> None:
        """How much is stated; a day that is none is red."""
        about = self.about
        computed = sum(bool(each) and key not in about for key, each in self._computed.items())
        further = tr(", {n} more computed or on page one", n=computed) if computed else ""
        self.told.setText(self.wrong or tr("{n} of {whole} stated{further}; none must be.", n=len(about),
                                           whole=len(FIELDS), further=further))
        for key, field in FIELDS.items():
            if isinstance(field.kind, Day):
                mark_refused(self.entries[key], bool(_text(self.entries[key])) and key not in about)


def _text(entry: Entry) -> str:
    if isinstance(entry, QComboBox):
        return str(entry.currentData())
    return entry.words if isinstance(entry, TextBox) else entry.text().strip()
