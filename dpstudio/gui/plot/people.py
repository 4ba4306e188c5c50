"""Guesses as small people on screen: one strip of a hundred for each state, of which every row shows what it needs."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPixmap

from dpstudio.gui.plot.items import DataLayer
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.frame import Frame
from dpstudio.scene.palette import Style
from dpstudio.scene.people import BODY, HEAD, ROW, STATES, Panel, State, panels
from dpstudio.scene.scene import Scene

DRAWN_OUT, SOLID = 6, 2
"""Pixels from which on one of them has head and body, and up to which all are one area."""


class PeopleItem(DataLayer):
    """The people of one release, with the words beside them."""

    def __init__(self, theme: Theme, style: Style) -> None:
        super().__init__(theme, style, z=10, arrays=1)
        self.people: Panel | None = None
        self._strips: dict[State, QPixmap] = {}
        self._made_for: tuple[int, Theme] | None = None

    def place(self, people: Panel | None) -> None:
        """Stand here, or nowhere; what stands where it stood costs no repainting."""
        before, self.people = self.people, people
        if before != people:
            self.update()

    def strip(self, state: State, panel: Panel, ratio: float) -> QPixmap:
        """A row of them, in pixels."""
        pixels = max(round(panel.cell * ratio), 1)
        if self._made_for != (pixels, self.theme):
            self._made_for, self._strips = (pixels, self.theme), {}
        if state not in self._strips:
            one = QPixmap(pixels, pixels)
            one.fill(Qt.GlobalColor.transparent)
            painter = QPainter(one)
            draw_person(painter, QRectF(0, 0, pixels, pixels), self._colour(state), pixels)
            painter.end()
            row = self._strips[state] = QPixmap(round(panel.side * ratio), pixels)
            row.fill(Qt.GlobalColor.transparent)
            painter = QPainter(row)
            for place in range(ROW):
                painter.drawPixmap(round(panel.at(place) * ratio), 0, one)
            painter.end()
        return self._strips[state]

    def _colour(self, state: State) -> QColor:
        return QColor(STATES[state][0].colour(dark=self.theme.dark))

    def paint(self, painter: QPainter, *_: object) -> None:
        if (panel := self.people) is None:
            return
        ratio = painter.device().devicePixelRatio()
        pixels, moved = max(round(panel.cell * ratio), 1), painter.worldTransform()
        corner = moved.map(QPointF(panel.left, panel.top))  # whole pixels, or a row would be paler than the next
        left, top = (round(at * ratio) / ratio - by for at, by in (
            (corner.x(), moved.dx()), (corner.y(), moved.dy())))
        for state, row, begin, end in panel.crowd.runs():
            across, wide = panel.at(begin), panel.at(end - 1) + panel.cell - panel.at(begin)
            painter.drawPixmap(QRectF(left + across, top + panel.side - panel.at(row) - panel.cell, wide, panel.cell),
                               self.strip(state, panel, ratio), QRectF(across * ratio, 0, wide * ratio, pixels))
        for words in panel.words:
            painter.setFont(font_of(self.theme, words.size, bold=words.bold))
            painter.setPen(QColor(self.theme.muted if words.quiet else self.theme.text))
            painter.drawText(QPointF(words.x, words.base), words.words)
            if words.state is not None:
                draw_person(painter, QRectF(QPointF(*words.person[:2]), QPointF(*words.person[2:])),
                            self._colour(words.state))


def draw_person(painter: QPainter, box: QRectF, colour: QColor, pixels: int = DRAWN_OUT) -> None:
    """One of them: head and body or, where it has few pixels, a dot."""
    if pixels < DRAWN_OUT:
        dot = pixels if pixels <= SOLID else pixels - 1
        painter.fillRect(QRectF(box.topLeft(), box.topLeft() + QPointF(dot, dot)), colour)
        return
    side, middle = box.width(), box.center().x()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    head, body, high = HEAD[1] * side / 2, (BODY[1] + BODY[2]) * side / 2, BODY[1] * side / 2
    painter.drawEllipse(QPointF(middle, box.top() + HEAD[0] * side), head, head)
    painter.drawRoundedRect(QRectF(middle - body, box.top() + BODY[0] * side - high, 2 * body, 2 * high), high, high)


def font_of(theme: Theme, size: float, *, bold: bool = False) -> QFont:
    """The application's type in a size of pixels."""
    font = theme.font("small", bold=bold)
    font.setPixelSize(max(round(size), 1))
    return font


def place_people(items: Iterable[tuple[object, PeopleItem]], scene: Scene, frame: Frame, theme: Theme, ratio: float
                 ) -> None:
    """Let each item stand where its layer has room; `ratio` is how many pixels are one of the window's."""
    metrics: dict[float, QFontMetricsF] = {}

    def measure(words: str, size: float) -> float:
        if size not in metrics:
            metrics[size] = QFontMetricsF(font_of(theme, size, bold=True))
        return metrics[size].horizontalAdvance(words)

    found = {panel.part.layer: panel for panel in
             panels(scene, frame.width, frame.height, float(theme.font_size("small")), measure, 1 / ratio)}
    for layer, item in items:
        item.place(found.get(layer))  # type: ignore[call-overload]
