"""The help of a study, and the theorems: pages of text in which today's numbers stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QColor, QFontMetrics, QTextBlock, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from dpstudio.core.answer import Update
from dpstudio.core.resources import resource
from dpstudio.core.results import Fact, stated
from dpstudio.core.study import Study, answer
from dpstudio.gui.help.search import found
from dpstudio.gui.shell.pace import Pace
from dpstudio.gui.shell.theme import Theme
from dpstudio.models.theorems import counterexamples
from dpstudio.studies import all_studies
from dpstudio.vocabulary import amount

NONE = "–"
"""Stands for a number that there is not today, such as a Gaussian μ without δ."""
THEOREMS, DATA = "theorems", "data"
USUAL = (1.0, 1e-6)
"""ε and δ for the theorems where a study has none."""
_PLACE = re.compile(r"(?<!\{)\{([a-z_0-9:]+)\}")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|&~])")
_LINE = "The noise must be so wide that nobody can tell the two answers apart much"
"""What a line has room for: more than sixty letters as they come in English."""
_MARGIN = 16
READING = 250
"""Milliseconds from one setting of the page to the next."""


def page(key: str) -> str:
    """The text of a study's help or of the theorems, with its places still open."""
    return resource(f"help/{key}.md").read_text("utf-8")


def theorems(study: Study) -> str:
    """The theorems at the study's ε and δ, or at usual ones where it has none."""
    values = study.values()
    epsilon, delta = values.get("epsilon", USUAL[0]), values.get("delta") or USUAL[1]
    return filled(page(THEOREMS), study, counterexamples(float(epsilon), float(delta)))


def filled(text: str, study: Study, facts: Iterable[Fact]) -> str:
    """The text with `{parameter}`, `{fact:quantity}` and `{fact:quantity:series}` replaced by their present values.

    Doubled braces are braces. A place that names no parameter of the study raises a KeyError; a fact that is missing
    today reads “–”.
    """
    known = {(fact.key, fact.series.key if fact.series else None): fact for fact in facts}

    def value(match: re.Match[str]) -> str:
        kind, _, rest = match[1].partition(":")
        if kind != "fact":
            declared = study.parameter(kind)
            number = getattr(study, kind)
            return escaped(amount(number, declared.quantity) if declared.is_number else str(number).replace("_", " "))
        quantity, _, series = rest.partition(":")
        fact = known.get((quantity, series or None))
        return escaped(stated(fact)) if fact else NONE

    return _PLACE.sub(value, text).replace("{{", "\\{").replace("}}", "\\}")


def escaped(text: str) -> str:
    """Text that Markdown shows as it stands."""
    return _SPECIAL.sub(r"\\\1", text)


def titles() -> dict[str, str]:
    """The pages of the help by key, with their names."""
    return {key: study.title for key, study in all_studies().items()} | {THEOREMS: "Theorems", DATA: "Your own data"}


@cache
def usual(key: str) -> str:
    """The page of a study that is not in view: its numbers are those of the defaults."""
    study = all_studies()[key]()
    facts = answer(study, simulate=False).facts
    return f"*The numbers are those of the defaults.*\n\n{filled(page(key), study, facts)}"


def results(words: str) -> str:
    """What was found for some words, as links to the sections that have them."""
    names = titles()
    lines = [f"[{escaped(names[section.page])} – {escaped(section.title)}]({section.page}:{section.number}): "
             f"{escaped(excerpt)}" for section, excerpt in found(words, names)]
    head = f"# {len(lines)} {'section' if len(lines) == 1 else 'sections'} with “{escaped(words)}”\n\n"
    return head + ("\n\n".join(lines) or "Other words, or fewer of them, may find something.")


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
        self.setAccessibleName("About this study")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self._theme = theme
        self._latest: tuple[Study, Update] | None = None
        self._text = ""
        self._place = HelpPlace()
        self._past: list[tuple[HelpPlace, int]] = []
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
        self._set()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)
        if place.heading is not None:
            self._scroll_to(place.heading)
        self.turned.emit()

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

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._set()

    def _follow(self, url: QUrl) -> None:
        page, _, heading = url.toString().partition(":")
        if page in (THEOREMS, DATA) or page in all_studies():
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
        place, here = self._place, f"[{study.title}]({study.key})"
        if place.words:
            return f"{here} · **Found** · [Theorems]({THEOREMS})\n\n{results(place.words)}"
        if place.page == THEOREMS:
            return f"{here} · **Theorems**\n\n{theorems(study)}"
        if place.page:
            text = page(DATA) if place.page == DATA else usual(place.page)
            return f"{here} · **{titles()[place.page]}** · [Theorems]({THEOREMS})\n\n{text}"
        facts = update.known_facts() if hasattr(update, "answer") else update.facts
        return f"**{study.title}** · [Theorems]({THEOREMS})\n\n{filled(page(study.key), study, facts)}"

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

