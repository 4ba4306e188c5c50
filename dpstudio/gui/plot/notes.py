"""Words on the plot: the names that lines, dots and pins wear, and what a person wrote, which a hand or keys move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pyqtgraph.GraphicsScene.mouseEvents import HoverEvent, MouseClickEvent
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from dpstudio.core.figure import Figure, Line
from dpstudio.gui.plot.items import Handles, PlotItem
from dpstudio.gui.plot.labels import values_at
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.frame import Box, Frame, Points
from dpstudio.scene.legend import CurveName, names
from dpstudio.scene.names import PlacedName, place_names
from dpstudio.scene.notes import Note, NoteText, PlacedNote, place_notes
from dpstudio.scene.scene import Scene
from dpstudio.scene.straights import Straight

DOT, GRIP = 3.0, 9.0
"""Pixels from a point to the edge of its dot, and within which it can be taken."""
WIDEST, PAD = 210.0, 5.0
"""Pixels of a line and around the words, at normal size of type."""
STEP = 5.0
"""Pixels of one press of an arrow key."""


class NamesItem(PlotItem):
    """Names in the colours of what wears them, each on a ground that interrupts the line."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, z=20)
        self._names: list[CurveName] = []
        self._curves: list[Points] = []
        self._straights: Sequence[Straight] = ()
        self._taken: list[Box] = []
        self._shown: tuple[object, ...] = ()
        self._placed: list[PlacedName] | None = None
        self._kept: dict[str, Box] = {}

    def show_scene(self, scene: Scene, coincident: Mapping[str, str], frame: Frame, taken: list[Box], *,
                   curves: bool, steady: bool = False) -> None:
        """Name what the scene wants named, clear of other labels; the curves too where no legend does.

        `steady` keeps names where they are as long as they are their lines'.
        """
        shown = scene, coincident, frame, taken, curves
        if self._shown and self._shown[0] is scene and self._shown[1:] == shown[1:]:
            return
        self._kept = {name.words: box for name, box, _ in self._placed or ()} if steady else {}
        self._shown, self._placed = shown, None
        self._names = names(scene, coincident, curves=curves)
        self._curves = [part.points for part in scene.shown(Line)] if self._names else []
        self._straights, self._taken = scene.straights if self._names else (), taken
        self.setVisible(bool(self._names))
        self.set_frame(frame)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._placed = None
        super().set_theme(theme)

    def placed(self) -> list[PlacedName]:
        """Which names have a place, and where, in pixels."""
        if self._placed is None:
            metrics = QFontMetricsF(self.theme.font("small"))

            def size(words: str) -> tuple[float, float]:
                lines = words.split("\n")
                return max(map(metrics.horizontalAdvance, lines)) + 4, metrics.height() * len(lines)

            curves = [self.frame.places(each) for each in self._curves]
            self._placed = place_names(self._names, self.frame.places, size, self.frame.room, curves, self._taken,
                                       self._kept, self._straights)
        return self._placed

    def paint(self, painter: QPainter, *_: object) -> None:
        painter.setFont(self.theme.font("small"))
        ground = QColor(self.theme.surface)
        ground.setAlphaF(0.9)
        for name, (left, top, right, bottom), led in self.placed():
            ink = self.theme.muted if name.part.refused else name.part.style.ink(dark=self.theme.dark)
            painter.setPen(QColor(ink))
            if led:
                painter.drawLine(QLineF(*led))
            box = QRectF(left, top, right - left, bottom - top)
            painter.fillRect(box, ground)
            painter.setPen(QColor(ink))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name.words)


class NotesItem(Handles[NoteText]):
    """All notes of one picture that have a point in view."""

    moved = Signal(object, float, float)
    """A text of the session, and the values of x and y that its point was brought to."""
    wanted = Signal(object)
    """A text that somebody wants to edit."""

    def __init__(self, theme: Theme, figure: Figure) -> None:
        super().__init__(theme, z=35)
        self.figure = figure
        self._scene: Scene | None = None
        self._notes: tuple[Note, ...] = ()
        self._taken: Sequence[Box] = ()
        self._steady = False
        self._placed: list[PlacedNote] | None = []
        self._kept: dict[NoteText, Box] = {}
        self._by = QPointF()
        """How far a hand has brought the held one, or the keyboard the active one."""
        self.setVisible(False)

    def show_scene(self, scene: Scene, taken: Sequence[Box], *, steady: bool) -> None:
        """Stand where the scene says, clear of what is taken; `steady` keeps boxes where they are."""
        if not scene.notes and not self._notes:
            return
        if len(scene.notes) == len(self._notes):  # of one that was moved or edited, what took its place
            follows = {old.text: new.text for old, new in zip(self._notes, scene.notes, strict=True)}
            self.active = None if self.active is None else follows.get(self.active)
        elif self.active not in [note.text for note in scene.notes]:
            self.active = None
        if scene.notes != self._notes and self._held is None:
            self._by = QPointF()
        self._scene, self._notes, self._taken, self._steady = scene, scene.notes, taken, steady
        self._replace()
        self.setVisible(bool(scene.notes))
        self.prepareGeometryChange()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._placed = None
        super().set_theme(theme)

    def remake(self) -> None:
        self._replace()
        super().remake()

    def _replace(self) -> None:
        """Find places anew, when they are asked for."""
        if self._placed is not None:
            self._kept = {each.note.text: each.box for each in self._placed}
        self._placed = None

    @property
    def notes(self) -> tuple[Note, ...]:
        return self._notes

    @property
    def seen(self) -> list[Note]:
        """Those whose point is in view."""
        return [note for note in self._notes if note.seen(self.frame.x, self.frame.y)]

    @property
    def placed(self) -> list[PlacedNote]:
        """Where they stand, in pixels; one that is being moved as far as it has come."""
        if self._placed is None:
            metrics, scale = self.metrics, self.theme.scale
            curves = [self.frame.places(part.points) for part in self._scene.shown(Line)] if self._scene else []
            self._placed = place_notes(
                self.seen, self.frame.places, metrics.horizontalAdvance, metrics.height(), PAD * scale, WIDEST * scale,
                (2.0, self.frame.top, self.frame.width - 2, self.frame.floor), curves, self._taken,
                self._kept if self._steady else {}) if self._scene else []
        by = self._by
        return self._placed if by.isNull() else [
            PlacedNote(each.note, each.lines, (each.box[0] + by.x(), each.box[1] + by.y(), each.box[2] + by.x(),
                                           each.box[3] + by.y()), (each.point[0] + by.x(), each.point[1] + by.y()))
            if each.note.text is (self._held or self.active) else each for each in self._placed]

    def under(self, point: QPointF) -> NoteText | None:
        """The text at a point: by its dot or its box, the last that was drawn first."""
        return next((each.note.text for each in reversed(self.placed)
                     if _dot(each, GRIP).contains(point) or _rect(each).contains(point)), None)

    def by_dot(self, point: QPointF) -> str:
        """The words of the note whose dot is at a point."""
        return next((each.note.words for each in self.placed if _dot(each, GRIP).contains(point)), "")

    def stops(self) -> list[NoteText]:
        return [note.text for note in self.seen]

    def take(self, point: QPointF) -> None:
        self.drop()
        super().take(point)

    def activate(self, text: NoteText | None) -> None:
        """Let the keyboard move this one, and show that it does; what was moved before stays there."""
        if text is not self.active:
            self.drop()
        super().activate(text)

    def step(self, across: int, up: int) -> None:
        self.bring(self._by + QPointF(across * STEP, -up * STEP))

    def bring(self, by: QPointF) -> None:
        """Bring what is moved so far from where it stood, and no further than the picture."""
        self._by = QPointF()
        for each in self.placed:
            if each.note.text is (self._held or self.active):
                at = QPointF(*each.point)
                self._by = self.inside(at + by) - at
        self.prepareGeometryChange()
        self.update()

    def drop(self) -> None:
        """Let what was moved stay where it is."""
        text, held = self._held or self.active, list(self.placed)
        moved, self._held = not self._by.isNull(), None
        point = next((each.point for each in held if each.note.text is text), None)
        self._by = QPointF()
        if moved and text is not None and point is not None:
            self.moved.emit(text, *values_at(self.frame, self.figure, QPointF(*point)))

    def grips(self) -> Iterator[QRectF]:
        for each in self.placed:
            yield from (_rect(each), _dot(each, GRIP))

    def hoverEvent(self, event: HoverEvent) -> None:
        text = None if event.isExit() else self.under(event.pos())
        cut = next((each.note.words for each in self.placed if each.note.text is text and each.lines
                    and each.lines[-1].endswith("…")), "")
        self.setToolTip(foreign.tip(cut))
        if text is None or not event.acceptDrags(Qt.MouseButton.LeftButton):
            self.unsetCursor()
        else:
            self.setCursor(Qt.CursorShape.OpenHandCursor)

    def mouseClickEvent(self, event: MouseClickEvent) -> None:
        """A double click edits."""
        text = self.under(event.pos())
        if text is None or event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        event.accept()
        if event.double():
            self.wanted.emit(text)

    def paint(self, painter: QPainter, *_: object) -> None:
        theme = self.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("small"))
        metrics = self.metrics
        painter.setClipRect(self.boundingRect())
        for each in self.placed:
            active = each.note.text is self.active
            ink = QColor(theme.accent if active else theme.text)
            painter.setPen(QPen(ink, theme.scale))
            painter.drawLine(QLineF(*each.leader))
            painter.setPen(QPen(QColor(theme.surface), 1.5))
            painter.setBrush(ink)
            painter.drawEllipse(_dot(each, DOT * theme.scale))
            painter.setPen(QPen(QColor(theme.accent if active else theme.outline), 2 if active else 1))
            painter.setBrush(QColor(theme.raised))
            box = _rect(each)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
            painter.setPen(QColor(theme.text))
            top = box.top() + PAD * theme.scale + metrics.ascent()
            for i, line in enumerate(each.lines):
                painter.drawText(QPointF(box.left() + PAD * theme.scale, top + i * metrics.height()), line)


def _rect(each: PlacedNote) -> QRectF:
    return QRectF(QPointF(*each.box[:2]), QPointF(*each.box[2:]))


def _dot(each: PlacedNote, radius: float) -> QRectF:
    return QRectF(each.point[0] - radius, each.point[1] - radius, 2 * radius, 2 * radius)
