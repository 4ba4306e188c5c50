"""What stands above a plot: its title, which is the list of pictures where there are several, and small signs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from dpstudio.core.figure import Figure
from dpstudio.gui.controls.style import Push, Tool, in_row, said_as
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.theme import Theme, icon
from dpstudio.text.language import tr

GAP, APART = 2, 4
"""Pixels between buttons, and before them."""
AGAIN_DELAY, AGAIN_EVERY = 400, 150
"""Milliseconds after which a sign that is held down draws again, and from one draw to the next."""


def broken(text: str, font: QFont, width: float, most: int) -> list[str]:
    """The lines of a text as Qt breaks it, one more than `most` at most: between words, and inside one longer than a
    line."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    lines: list[str] = []
    layout.beginLayout()
    while len(lines) <= most and (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        line.setPosition(QPointF(0, 0))
        lines.append(text[line.textStart():line.textStart() + line.textLength()])
    layout.endLayout()
    return lines


class ElidedLabel(QLabel):
    """A label that ends in “…” where there is no room, and says the rest in its tooltip."""

    def __init__(self, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most, self._least = 1, 1
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def set_most(self, lines: int, least: int = 1) -> None:
        """Take as many lines as the text needs, but no more than these, and room for no fewer than the least."""
        if (lines, least) != (self._most, self._least):
            self._most, self._least = lines, least
            self.updateGeometry()

    def wanted(self, most: int) -> int:
        """Lines that the whole text takes at this width, as far as there are so many."""
        return min(len(broken(self.text(), self.font(), self.contentsRect().width(), most)), most)

    def lines(self) -> list[str]:
        """What is written, line by line: the last has all that is left, as far as it fits."""
        width = self.contentsRect().width()
        first = broken(self.text(), self.font(), width, self._most)[:self._most - 1]
        rest = self.text()[sum(map(len, first)):]
        return [*(line.rstrip() for line in first),
                *([self.fontMetrics().elidedText(rest, Qt.TextElideMode.ElideRight, width)] if rest else [])]

    def minimumSizeHint(self) -> QSize:
        lines = max(len(self.lines()), self._least) if self._most > 1 else 1
        self.ensurePolished()
        edges, metrics = self.contentsMargins(), self.fontMetrics()
        # Whatever is said: a sign of another typeface would make Qt's own label a pixel higher.
        return QSize(0, lines * metrics.lineSpacing() + edges.top() + edges.bottom() + 1)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._most > 1 and event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        box, lines = self.contentsRect(), self.lines()
        spacing = self.fontMetrics().lineSpacing()
        left = box.height() - len(lines) * spacing
        top = box.top() + (left // 2 if self._least == 1 else 0)  # more lines may come
        for i, line in enumerate(lines):
            painter.drawText(QRect(box.left(), top + i * spacing, box.width(), spacing),
                             Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, line)


class Titles(Push):
    """The title of a picture, which drops down as the list of all: those that are seen first, a line, the others."""

    chosen = Signal(str)

    def __init__(self, figures: Sequence[Figure], first: Collection[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "list")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        known = {figure.key: figure for figure in figures}
        self.order = [*(known[key] for key in first if key in known),
                      *(figure for figure in figures if figure.key not in first)]
        self._words, self._key = "", ""
        self.setMenu(menu := QMenu(self))
        for i, figure in enumerate(self.order):
            if 0 < i == sum(key in known for key in first):
                menu.addSeparator()
            action = menu.addAction(tr(figure.title), partial(self.chosen.emit, figure.key))
            action.setCheckable(True)
            action.setData(figure.key)

    def show_figure(self, figure: Figure) -> None:
        self._words, self._key = tr(figure.title), figure.key
        for action in self.menu().actions():
            action.setChecked(action.data() == figure.key)
        self.setAccessibleName(tr("Picture: {title}", title=tr(figure.title)))
        self.setToolTip(f"{tr(figure.title)}\n{tr(figure.caption)}".strip())
        self._fit()

    def step(self) -> None:
        """The next of the list."""
        keys = [figure.key for figure in self.order]
        self.chosen.emit(keys[(keys.index(self._key) + 1) % len(keys)])

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        wide = self.fontMetrics().horizontalAdvance(self._words) + 3 * self.fontMetrics().height()
        return QSize(wide, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - 2 * self.fontMetrics().height()
        self.setText(self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, max(room, 0)))


class Header(QWidget):
    """What leads a picture: its title, the list of pictures where there are several, or what stands in their place;
    on the right signs for notes, fit and enlarge."""

    chosen = Signal(str)
    fit_requested = Signal()
    enlarge_requested = Signal()
    notes_requested = Signal()
    again_requested = Signal()
    """Another draw is wanted: once, and as long as the sign is held down."""
    again_ended = Signal()

    def __init__(self, figures: Sequence[Figure], theme: Theme, parent: QWidget | None = None, *,
                 first: Collection[str] = (), lead: QWidget | None = None, swaps: bool = False) -> None:
        """`first` are the pictures that head the list, by key; with `swaps` the last sign exchanges two pictures."""
        super().__init__(parent)
        self.titles = Titles(figures, first, self) if len(figures) > 1 else None
        self.title = ElidedLabel("title", self)
        self.lead = lead
        self.notes = self._button("icon", "")
        self.notes.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.notes.hide()
        self.notes.clicked.connect(self.notes_requested)
        self.again = self._button("icon", tr("Draw again: press, or hold"))
        self.again.setAutoRepeat(True)
        self.again.setAutoRepeatDelay(AGAIN_DELAY)
        self.again.setAutoRepeatInterval(AGAIN_EVERY)
        self.again.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.again.pressed.connect(self.again_requested)  # a click would come after the end
        self.again.released.connect(lambda: None if self.again.isDown() else self.again_ended.emit())
        self.again.hide()
        self.fit = self._button("icon", tr("Fit the view to the curves (double click on the plot)"))
        self.fit.clicked.connect(self.fit_requested)
        self.enlarge = self._button("icon", tr("Swap with the large picture") if swaps else tr("Enlarge this picture"))
        self.enlarge.clicked.connect(self.enlarge_requested)
        if self.titles is not None:
            self.titles.chosen.connect(self.chosen)
        if self.titles is not None or lead is not None:
            self.title.hide()  # and never shown before it stands somewhere: it would be a window for a moment
        in_row(*([(lead, 1)] if lead is not None else []), *([self.titles] if self.titles is not None else []),
               *([] if lead is not None else [(self.title, 1 if self.titles is None else 0), None]), APART, self.notes,
               self.again, self.fit, self.enlarge, within=self, gap=GAP)
        if lead is not None and self.titles is not None:
            self.titles.hide()
        self.set_theme(theme)

    def _button(self, role: str, words: str) -> QToolButton:
        return said_as(Tool(self), words, words, role)

    def list_pictures(self, shown: bool) -> None:
        """Bring the list along where something else leads."""
        if self.titles is not None and self.lead is not None:
            self.titles.setVisible(shown)

    def set_theme(self, theme: Theme) -> None:
        for button, name in ((self.notes, "note"), (self.again, "again"), (self.fit, "fit"), (self.enlarge, "enlarge")):
            button.setIcon(icon(name, theme))
            button.setIconSize(QSize(theme.px(14), theme.px(14)))

    def show_notes(self, under: Sequence[str], away: str) -> None:
        """A sign for what is noted on the picture and stands nowhere on it: what has no point, and how many lie beyond
        the view."""
        self.notes.setVisible(bool(under or away))
        self.notes.setText(str(len(under)) if under else "")
        said = [tr("Noted under this picture: {text}", text=text) for text in under] + [away] * bool(away)
        self.notes.setToolTip(foreign.tip(" · ".join(said)))
        self.notes.setAccessibleName(foreign.sentence("; ".join(said)))

    def say(self, words: str) -> None:
        """What a picture shows stands on its name, too, where there is no room for a caption."""
        for each in filter(None, (self.title, self.titles)):
            each.setToolTip(f"{self.title.text()}\n{words}".strip())

    def show_figure(self, figure: Figure) -> None:
        self.title.setText(tr(figure.title))
        self.fit.setVisible(figure.has_axes)
        self.again.setVisible(bool(figure.drawn_by))
        self.say(tr(figure.caption))
        if self.titles is not None:
            self.titles.show_figure(figure)
