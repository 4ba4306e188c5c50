"""The help of a study, and the theorems: pages of text in which today's numbers stand."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QTextBlock, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from dpstudio.core.numerals import amount, stated
from dpstudio.core.resources import resource
from dpstudio.core.results import Update
from dpstudio.core.study import Study
from dpstudio.gui.pace import Pace
from dpstudio.gui.theme import Theme
from dpstudio.models.theorems import counterexamples

NONE = "–"
"""Stands for a number that there is not today, such as a Gaussian μ without δ."""
THEOREMS = "theorems"
USUAL = (1.0, 1e-6)
"""ε and δ for the theorems where a study has none."""
_PLACE = re.compile(r"(?<!\{)\{([a-z_0-9:]+)\}")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|&~])")
READING = 250
"""Milliseconds from one setting of the page to the next."""


def page(key: str) -> str:
    """The text of a study's help or of the theorems, with its places still open."""
    return resource(f"help/{key}.md").read_text("utf-8")


def theorems(study: Study) -> str:
    """The theorems at the study's ε and δ, or at usual ones where it has none."""
    values = study.values()
    epsilon, delta = values.get("epsilon", USUAL[0]), values.get("delta") or USUAL[1]
    return filled(page(THEOREMS), study, Update({}, counterexamples(float(epsilon), float(delta))))


def filled(text: str, study: Study, update: Update) -> str:
    """The text with `{parameter}`, `{fact:quantity}` and `{fact:quantity:series}` replaced by their present values.

    Doubled braces are braces. A place that names no parameter of the study raises a KeyError; a fact that is missing
    today reads “–”.
    """
    facts = {(fact.key, fact.series.key if fact.series else None): fact for fact in update.facts}

    def value(match: re.Match[str]) -> str:
        kind, _, rest = match[1].partition(":")
        if kind != "fact":
            declared = study.parameter(kind)
            number = getattr(study, kind)
            return escaped(amount(number, declared.quantity) if declared.is_number else str(number).replace("_", " "))
        quantity, _, series = rest.partition(":")
        fact = facts.get((quantity, series or None))
        return escaped(stated(fact)) if fact else NONE

    return _PLACE.sub(value, text).replace("{{", "\\{").replace("}}", "\\}")


def escaped(text: str) -> str:
    """Text that Markdown shows as it stands."""
    return _SPECIAL.sub(r"\\\1", text)


class HelpPane(QTextBrowser):
    """Shows the page, and keeps its numbers up to date while somebody looks."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("About this study")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setMinimumWidth(240)
        self._theme = theme
        self._latest: tuple[Study, Update] | None = None
        self._text = ""
        self._theorems = False
        self._refresh = Pace(READING, self._set, self)
        self.anchorClicked.connect(lambda url: self.show_theorems(url == QUrl(THEOREMS)))

    def show_update(self, update: Update, study: Study) -> None:
        self._latest = study, update
        if self.isVisible():
            self._refresh()

    def show_theorems(self, shown: bool) -> None:
        """Turn to the theorems, or back to the study."""
        self._theorems = shown
        self._set()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def set_theme(self, theme: Theme) -> None:
        self._theme, self._text = theme, ""
        # Its own sheet: the application's gives every text field an edge.
        self.setStyleSheet(f"QTextBrowser {{ background: {theme.surface}; border: none; padding: 0; }}")
        if self.isVisible():
            self._refresh()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._set()

    def _set(self) -> None:
        if self._latest is None:
            return
        study, update = self._latest
        turns = f"[{study.title}]({study.key}) · **Theorems**", f"**{study.title}** · [Theorems]({THEOREMS})"
        text = theorems(study) if self._theorems else filled(page(study.key), study, update)
        text = f"{turns[not self._theorems]}\n\n{text}"
        if text == self._text:
            return
        self._text = text
        kept = self.verticalScrollBar().value()
        document = self.document()
        document.setDefaultFont(self._theme.font())
        document.setDocumentMargin(self._theme.px(16))
        document.setMarkdown(text)
        self._each_block(self._styled)
        self.verticalScrollBar().setValue(kept)

    def _each_block(self, styled: Callable[[QTextBlock], None]) -> None:
        block = self.document().begin()
        while block.isValid():
            styled(block)
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

