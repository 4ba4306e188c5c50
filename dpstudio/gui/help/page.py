"""The help of a study, and the theorems: pages in which today's numbers stand, under a way back and a search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QShowEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QFrame, QLineEdit, QTextBrowser, QWidget

from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.help import (
    DATA,
    MORE,
    THEOREMS,
    WORDS,
    filled,
    folded,
    is_below_fold,
    page,
    results,
    theorems,
    titles,
    usual,
)
from dpstudio.gui.controls.style import in_column, in_row, is_escape, said_as, sign_button, spaced
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Pace
from dpstudio.records import dataclass
from dpstudio.text.language import tr

_LINE = "The noise must be so wide that nobody can tell the two answers apart much"
"""What a line has room for: more than sixty letters as they come in English."""
_MARGIN = 16
READING = 250
"""Milliseconds from one setting of the page to the next."""
_LONGEST = 100
"""Characters that a search may have."""


@dataclass(frozen=True, slots=True)
class HelpPlace:
    """Where the help is opened: a page (of the study in view, if it has no key), or what was found for some words."""

    page: str = ""
    words: str = ""
    heading: int | None = None
    """The number of the heading that is looked for, among those of the page."""


class HelpPane(QTextBrowser):
    """Shows a page, and keeps its numbers up to date while somebody looks."""

    turned = Signal()
    """Another page is shown."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Help on this study"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self._theme = theme
        self._latest: tuple[Study, Update] | None = None
        self._text = ""
        self._place = HelpPlace()
        self._past: list[tuple[HelpPlace, int]] = []
        self._unfolded: set[str] = set()
        """The pages, by key, of which also that is shown which stands below their fold."""
        self._refresh = Pace(READING, self._set, self)
        self.anchorClicked.connect(self._follow)

    @property
    def place(self) -> HelpPlace:
        return self._place

    def show_update(self, update: Update, study: Study) -> None:
        self._latest = study, update
        if self.isVisible():
            self._refresh()

    def show_theorems(self, shown: bool) -> None:
        """Turn to the theorems, or back to the study."""
        self.turn(HelpPlace(THEOREMS if shown else ""))

    def turn(self, place: HelpPlace) -> None:
        """Open a place, from its beginning or from the heading that is looked for."""
        if place.page and self._latest is not None and place.page == self._latest[0].key:
            place = replace(place, page="")
        searching = bool(place.words and self._place.words)
        if place != self._place and not searching:  # of a search the last words are enough
            self._past.append((self._place, self.verticalScrollBar().value()))
        self._place = place
        if place.heading is not None and is_below_fold(self._key, place.heading):
            self._unfolded.add(self._key)
        self._set()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)
        if place.heading is not None:
            self._scroll_to(place.heading)
        self.turned.emit()

    @property
    def _key(self) -> str:
        """The key of the page in view."""
        return self._place.page or (self._latest[0].key if self._latest else "")

    def can_go_back(self) -> bool:
        return bool(self._past)

    def back(self) -> None:
        """Return to where the last page was left."""
        if self._past:
            self._place, at = self._past.pop()
            self._set()
            self.verticalScrollBar().setValue(at)
            self.turned.emit()

    def set_theme(self, theme: Theme) -> None:
        self._theme, self._text = theme, ""
        # What is narrower is tiring to read.
        self.setMinimumWidth(QFontMetrics(theme.font()).horizontalAdvance(_LINE) + 2 * theme.px(_MARGIN) + theme.px(14))
        # Its own sheet: the application's gives every text field an edge.
        self.setStyleSheet(f"QTextBrowser {{ background: {theme.surface}; border: none; padding: 0; }}")
        if self.isVisible():
            self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._set()

    def _follow(self, url: QUrl) -> None:
        page, _, heading = url.toString().partition(":")
        if page == MORE:
            self._unfolded ^= {self._key}
            self._set()
        elif page in titles():
            self.turn(HelpPlace(page, heading=int(heading) if heading else None))

    def _set(self) -> None:
        if self._latest is None:
            return
        text = self._written(*self._latest)
        if text == self._text:
            return
        self._text = text
        kept = self.verticalScrollBar().value()
        document = self.document()
        document.setDefaultFont(self._theme.font())
        document.setDocumentMargin(self._theme.px(_MARGIN))
        document.setMarkdown(text)
        for block in self._blocks():
            self._styled(block)
        self.verticalScrollBar().setValue(kept)

    def _written(self, study: Study, update: Update) -> str:
        """The page in view, under a line that names it beside the others."""
        place, here = self._place, f"[{tr(study.title)}]({study.key})"
        theorems_, words = f"[{tr('Theorems')}]({THEOREMS})", f"[{tr('Words')}]({WORDS})"
        beside = f"{theorems_} · {words}"
        if place.words:
            return f"{here} · **{tr('Found')}** · {beside}\n\n{results(place.words)}"
        if place.page == THEOREMS:
            return f"{here} · **{tr('Theorems')}** · {words}\n\n{self._folded(theorems(study))}"
        if place.page == WORDS:
            return f"{here} · {theorems_} · **{tr('Words')}**\n\n{page(WORDS)}"
        if place.page:
            text = page(DATA) if place.page == DATA else usual(place.page)
            return f"{here} · **{titles()[place.page]}** · {beside}\n\n{self._folded(text)}"
        known = update.standing()[0]
        facts = {(fact.key, fact.series.key if fact.series else None): fact for fact in known}
        text = filled(page(study.key), study, lambda *at: facts.get(at))
        return f"**{tr(study.title)}** · {beside}\n\n{self._folded(text)}"

    def _folded(self, text: str) -> str:
        return folded(text, self._key in self._unfolded)

    def _scroll_to(self, number: int) -> None:
        headings = [block for block in self._blocks() if block.blockFormat().headingLevel()]
        if number < len(headings):
            top = self.document().documentLayout().blockBoundingRect(headings[number]).top()
            self.verticalScrollBar().setValue(round(top) - self._theme.px(8))

    def _blocks(self) -> Iterator[QTextBlock]:
        block = self.document().begin()
        while block.isValid():
            yield block
            block = block.next()

    def _styled(self, block: QTextBlock) -> None:
        """Room between lines, headings in three sizes, and formulas on a ground of their own."""
        theme, space = self._theme, block.blockFormat()
        level, quote = space.headingLevel(), space.intProperty(QTextFormat.Property.BlockQuoteLevel)
        shape = QTextBlockFormat()
        shape.setLineHeight(130, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        shape.setTopMargin(theme.px({1: 0, 2: 20}.get(level, 0)))
        shape.setBottomMargin(theme.px(8))
        cursor = QTextCursor(block)
        if quote:
            shape.setBackground(QColor(theme.background))
            shape.setLeftMargin(theme.px(16))
            shape.setRightMargin(0)
        cursor.mergeBlockFormat(shape)
        if level:
            words = QTextCharFormat()
            words.setFont(theme.font("heading" if level == 1 else "title", bold=True))
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(words)  # in place of Markdown's, whose own enlargement would win


class HelpColumn(QWidget):
    """Escape goes from what was found back to the page, and from a page out of the help."""

    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pane = HelpPane(theme)
        self.back = sign_button("←", tr("Back"), tr("Back to the page before"))
        self.search = said_as(QLineEdit(placeholderText=tr("Search all help"), maxLength=_LONGEST,
                                        clearButtonEnabled=True),
                              tr("Search all help"))
        self.close_button = sign_button("✕", tr("Close the help"), tr("Close the help (Esc)"))
        self._row = in_row(self.back, (self.search, 1), self.close_button)
        in_column(self._row, (self.pane, 1), within=self, gap=0)
        self.back.clicked.connect(self.pane.back)
        self.search.textEdited.connect(self._look_for)
        self.search.returnPressed.connect(self.pane.setFocus)
        self.close_button.clicked.connect(self.closed)
        self.pane.turned.connect(self._show_place)
        for part in (self.back, self.search, self.close_button, self.pane):
            part.installEventFilter(self)
        self._show_place()
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        spaced(self._row, theme, 4, (8, 6, 8, 2))
        self.pane.set_theme(theme)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape belongs to the help while it has the keyboard, though it is a command of the window."""
        return is_escape(event, self._escape) or super().eventFilter(watched, event)

    def _escape(self) -> None:
        if self.pane.place.words:
            self.pane.back()
        else:
            self.closed.emit()

    def _look_for(self, text: str) -> None:
        words = " ".join(text.split())
        if words:
            self.pane.turn(HelpPlace(words=words))
        elif self.pane.place.words:
            self.pane.back()

    def _show_place(self) -> None:
        self.back.setEnabled(self.pane.can_go_back())
        words = self.pane.place.words
        if words != " ".join(self.search.text().split()):
            self.search.setText(words)
