"""What the answer says in words: the headline above the pictures, and the verdict, what to take away besides it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import islice

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QScrollArea, QSizePolicy, QToolTip, QWidget

from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.gui.controls.style import in_column, only_scrolls, said_as, spaced, wanted_height
from dpstudio.gui.plot.header import ElidedLabel, broken
from dpstudio.gui.shell.foreign import breakable, tip, together
from dpstudio.gui.shell.theme import FontRole, Theme
from dpstudio.gui.shell.worker import Pace
from dpstudio.text.language import tr
from dpstudio.text.numbers import powered
from dpstudio.vocabulary.glossary import terms_in

READING = 100
"""Milliseconds from one text to the next: nobody reads faster, and breaking lines takes time from the pictures. Under a
hand settings that are told are further apart, so that each text comes in the frame that is meant for it."""
MOST_EXPLAINED = 4
"""Words of a sentence that its tooltip explains."""
_SIZES: tuple[FontRole, ...] = ("heading", "title", "body", "label")
"""The largest type in which a sentence takes no more than so many lines."""


class Explained(QLabel):
    """Words of which those that the glossary has are explained where somebody points at them."""

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and (words := explained(self.text())):
            QToolTip.showText(event.globalPos(), words + self.toolTip(), self)
            return True
        return super().event(event)


class Paragraph(Explained):
    """Words that can be selected, measured as they would be painted.

    Qt's own label lays such words out three times to say how high they are, and is asked for other sizes too: while a
    hand moves, that takes longer than to paint the curves.
    """

    def heightForWidth(self, width: int) -> int:
        if width <= 0:
            return 0
        return high_in(self.fontMetrics(), width, self.text())

    def sizeHint(self) -> QSize:
        return QSize(0, 0)

    minimumSizeHint = sizeHint


class Verdict(QScrollArea):
    """One paragraph a sentence; the text can be selected and copied."""

    said = Signal()
    """Other sentences stand here: their height may be another."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, widgetResizable=True)
        said_as(only_scrolls(self), tr("What to take away"))
        self._theme = theme
        self._labels: list[Paragraph] = []
        self.show_sentences = Pace(READING, self._set, self)
        inner = QWidget()
        self._column = in_column(None, within=inner)
        self.setWidget(inner)
        self.set_theme(theme)

    def _set(self, sentences: tuple[str, ...]) -> None:
        while len(self._labels) < len(sentences):
            label = Paragraph(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setFont(self._theme.font("label"))
            self._column.insertWidget(len(self._labels), label)
            self._labels.append(label)
        for i, label in enumerate(self._labels):
            label.setVisible(i < len(sentences))
            if i < len(sentences) and label.text() != (text := written(sentences[i])):
                label.setText(text)
        self.setAccessibleDescription(" ".join(map(powered, sentences)))
        self._offer_bar()
        self.said.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._offer_bar()

    def _offer_bar(self) -> None:
        """Scroll where something is out of view: Qt keeps a bar that was once there, for beside it lines are more."""
        needed = self.content_height() > self.height()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded if needed
                                        else Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def content_height(self) -> int:
        """Pixels that all sentences take at the present width."""
        return wanted_height(self._column, self.width())

    def fitting(self, sentences: Sequence[str], width: int, height: int) -> int:
        """How many of these, from the first on, are read whole in so many pixels."""
        edges, metrics = self._column.contentsMargins(), QFontMetrics(self._theme.font("label"))
        room, left = width - edges.left() - edges.right(), height - edges.top() - edges.bottom()
        for number, each in enumerate(sentences):
            left -= high_in(metrics, room, written(each)) + (self._column.spacing() if number else 0)
            if left < 0:
                return number
        return len(sentences)

    def first_height(self) -> int:
        """The same of the first alone."""
        edges = self._column.contentsMargins()
        width = self.width() - edges.left() - edges.right()
        first = next((label for label in self._labels if not label.isHidden()), None)
        return edges.top() + edges.bottom() + (first.heightForWidth(width) if first else 0)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        spaced(self._column, theme, 4, (12, 2, 12, 1))
        for label in self._labels:
            label.setFont(theme.font("label"))


class Headline(Explained):
    """A sentence in large type, in a place whose height never changes: the pictures below stay where they are.

    It takes one line, or as many as it is given.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        said_as(self, tr("Headline"))
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse
                                     | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # F6 reaches it; on the way to the parameters it is no stop
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)  # next to the question above it
        self._theme, self._lines = theme, 1
        self.sentence = ""
        self.show_sentence = Pace(READING, self._set, self)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setContentsMargins(theme.px(4), 0, theme.px(4), 0)
        self.updateGeometry()
        self._fit()

    def set_lines(self, lines: int) -> None:
        """Have room for so many lines."""
        if lines != self._lines:
            self._lines = lines
            self.updateGeometry()
            self._fit()

    def sizeHint(self) -> QSize:
        self.ensurePolished()
        return QSize(0, self._lines * QFontMetrics(self._font("heading")).lineSpacing() + 2)

    minimumSizeHint = sizeHint

    def hasHeightForWidth(self) -> bool:
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _set(self, sentence: str) -> None:
        if sentence != self.sentence:
            self.sentence = sentence
            self._fit()

    def _fit(self) -> None:
        """The sentence as large as it fits; one too long for the smallest type ends in “…”, and its tooltip is all."""
        room, last, whole = self.contentsRect().width() - 2, _SIZES[-1], together(powered(self.sentence))
        fits = (role for role in _SIZES if len(broken(whole, self._font(role), room, self._lines)) <= self._lines)
        role = next(fits, last)
        text = shortened(whole, self._font(role), room, self._lines)
        look = f"color: {self._theme.text}; font-weight: 600; font-size: {self._theme.font_size(role)}px;"
        if look != self.styleSheet():
            self.setStyleSheet(look)
        if text != self.text():
            self.setText(text)
        self.setToolTip(tip(self.sentence) if text != whole else "")
        self.setAccessibleName(self.sentence)

    def _font(self, role: FontRole) -> QFont:
        font = self._theme.font(role)
        font.setWeight(QFont.Weight.DemiBold)
        return font


class RunnerUp(ElidedLabel):
    """The sentence of what comes next, small under the headline; absent where a study says none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("muted")
        said_as(self, tr("Runner-up"))
        self._wanted = True
        self.set_theme(theme)
        self.hide()

    def show_sentence(self, sentence: str) -> None:
        """Say this; what was said once has its place kept: nothing jumps while a hand moves."""
        if sentence:
            self.setVisible(self._wanted)
        if (sentence := powered(sentence)) != self.text():
            self.setText(sentence)
            self.setToolTip(sentence)

    def want(self, wanted: bool) -> None:
        """Be seen where there is something to say, or not at all."""
        self._wanted = wanted
        self.setVisible(wanted and bool(self.text()))

    def clear(self) -> None:
        self.setText("")
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self.setContentsMargins(theme.px(4), 0, theme.px(4), 0)


def written(sentence: str) -> str:
    """A sentence as it stands in a paragraph."""
    return breakable(together(powered(sentence)))


def high_in(metrics: QFontMetrics, width: int, text: str) -> int:
    """Pixels of height of a text that is broken at a width."""
    return metrics.boundingRect(QRect(0, 0, width, 0), Qt.TextFlag.TextWordWrap, text).height()


def explained(text: str) -> str:
    """What the first terms of a text mean, as a tooltip has it; empty where it has none."""
    plain = text.replace("\u00a0", " ").replace("\u200b", "")
    return "".join(f"<p><b>{escape(term.word)}</b>: {escape(term.says)}</p>"
                   for term in islice(terms_in(plain), MOST_EXPLAINED))


def shortened(text: str, font: QFont, width: float, lines: int) -> str:
    """The text, or as many whole words of it with “…” as take no more than so many lines."""
    if len(broken(text, font, width, lines)) <= lines:
        return text
    words = "".join(broken(text, font, width, lines)[:lines]).split(" ")
    while len(words) > 1:
        words.pop()
        cut = " ".join(words).rstrip(" ,;:") + "…"
        if len(broken(cut, font, width, lines)) <= lines:
            return cut
    return QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, int(width))


def of_counts(origin: Origin | None, study: Study) -> tuple[str, ...]:
    """What is said of exact counts, if there are any."""
    if origin is None:
        return ()
    from dpstudio.data.meaning import origin_sentences  # whoever has no data does not wait for it

    return (origin_sentences(origin, study),)
