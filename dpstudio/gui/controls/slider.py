"""A slider along a scale. It is a view of a value: it never rounds the value that it was shown."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QWidget

from dpstudio.gui.controls.scale import Number, SliderScale, Step
from dpstudio.gui.shell.theme import Theme

_HEIGHT, _HANDLE, _GROOVE, _MARGIN = 22, 7, 4, 10
"""Lengths at scale 1: the handle's radius, and a margin that leaves room for its focus ring."""
_FINE = 1000
_WHEEL_NOTCH = 120
_WHEEL_RESTS = 300
"""Milliseconds without a turn of the wheel after which the gesture is over."""

_KEYS: dict[int, tuple[int, Step]] = {
    Qt.Key.Key_Right: (1, "least"), Qt.Key.Key_Up: (1, "least"), Qt.Key.Key_Plus: (1, "digit"),
    Qt.Key.Key_Left: (-1, "least"), Qt.Key.Key_Down: (-1, "least"), Qt.Key.Key_Minus: (-1, "digit"),
    Qt.Key.Key_PageUp: (1, "leap"), Qt.Key.Key_PageDown: (-1, "leap"),
}


class Slider(QAbstractSlider):
    """A value along its scale; the base class makes it a slider to screen readers, in thousandths of the way."""

    moved = Signal(object, bool)
    """A new value, and whether the gesture ends with it; the last of a gesture always does."""
    reset_requested = Signal()

    def __init__(self, scale: SliderScale, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._turned = theme, 0
        self._wheel_rest = QTimer(self, singleShot=True, interval=_WHEEL_RESTS)
        self._wheel_rest.timeout.connect(self._finish)
        self.setRange(0, _FINE)
        self.valueChanged.connect(lambda fine: self._move(self._scale.value(fine / _FINE, 1 / _FINE), final=True))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.aim(scale)

    def aim(self, scale: SliderScale) -> None:
        """Be a view of values along another scale from now on, at its low end."""
        self._scale, self._number = scale, scale.domain.nearest(scale.low)
        self._default: Number | None = None
        self._grip: float | None = None
        self._unfinished = False
        self._repose()

    def number(self) -> Number:
        """The value as it was shown or moved to, in full precision."""
        return self._number

    def show_number(self, number: Number, default: Number | None = None) -> None:
        if (number, default) != (self._number, self._default):
            self._number, self._default = number, default
            self._repose()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def handle(self) -> QPointF:
        """The centre of the handle."""
        return QPointF(self._x(self._scale.position(self._number)), self.height() / 2)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(200), self._theme.px(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(80), self._theme.px(_HEIGHT))

    # Gestures

    def _move(self, number: Number, *, final: bool = False) -> None:
        if number != self._number:
            self._number = number
            self._unfinished = not final
            self._repose()
            self.moved.emit(number, final)

    def _finish(self) -> None:
        """End the gesture, if one is under way."""
        self._wheel_rest.stop()
        if self._unfinished:
            self._unfinished = False
            self.moved.emit(self._number, True)

    def _repose(self) -> None:
        with QSignalBlocker(self):
            self.setValue(round(self._scale.position(self._number) * _FINE))
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            event.ignore()
            return
        offset = event.position().x() - self.handle().x()
        on_handle = abs(offset) <= self._theme.px(_HANDLE + 2)
        self._grip = offset if on_handle else 0.0
        if not on_handle:
            self._drag_to(event.position().x())
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            self._drag_to(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._grip = None
            self._finish()
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.reset_requested.emit()

    def _drag_to(self, x: float) -> None:
        left, length = self._track()
        self._move(self._scale.value((x - (self._grip or 0) - left) / length, 1 / length))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _KEYS:
            self._move(self._scale.move(self._number, *_KEYS[event.key()]))
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._move(self._scale.value(0.0 if event.key() == Qt.Key.Key_Home else 1.0, 1))
        else:
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        # A key that is held is one gesture.
        if not event.isAutoRepeat():
            self._finish()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not self.hasFocus():
            event.ignore()  # scrolling the panel must not change what passes under the pointer
            return
        self._turned += event.angleDelta().y()
        notches = int(self._turned / _WHEEL_NOTCH)
        self._turned -= notches * _WHEEL_NOTCH
        number = self._number
        for _ in range(abs(notches)):
            number = self._scale.move(number, 1 if notches > 0 else -1, "digit")
        self._move(number)
        self._wheel_rest.start()
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._finish()
        super().focusOutEvent(event)

    # Painting

    def _track(self) -> tuple[float, float]:
        margin = self._theme.px(_MARGIN)
        return margin, max(1.0, self.width() - 2 * margin)

    def _x(self, position: float) -> float:
        left, length = self._track()
        return left + position * length

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_groove(painter)
        self._paint_handle(painter)

    def _paint_groove(self, painter: QPainter) -> None:
        theme, at = self._theme, self.handle().x()
        middle, thick = self.height() / 2, theme.px(_GROOVE)
        reach = theme.px(_HANDLE)  # the groove is flush with the handle at either end
        begin, end = self._x(self._scale.start), self._x(1) + reach
        rest = theme.outline if self.isEnabled() else theme.line
        if not self._scale.zero:
            begin -= reach
        painter.setPen(Qt.PenStyle.NoPen)

        def bar(left: float, right: float, colour: str) -> None:
            painter.setBrush(QColor(colour))
            painter.drawRoundedRect(QRectF(left, middle - thick / 2, right - left, thick), thick / 2, thick / 2)

        if self._scale.zero:  # a stub of its own: 0 is no part of a logarithm
            bar(self._x(0) - reach, self._x(0) + theme.px(2), rest)
        bar(begin, end, rest)
        if at > begin:
            bar(begin, at, theme.accent if self.isEnabled() else theme.outline)
        if self._default is not None and abs((x := self._x(self._scale.position(self._default))) - at) > reach:
            painter.setBrush(QColor(theme.outline))
            painter.drawRect(QRectF(x - theme.px(1), middle + thick / 2 + theme.px(3), theme.px(2), theme.px(4)))

    def _paint_handle(self, painter: QPainter) -> None:
        theme, centre = self._theme, self.handle()
        radius = theme.px(_HANDLE)
        colour = QColor(theme.accent if self.isEnabled() else theme.outline)
        if self.hasFocus():
            painter.setBrush(QColor(theme.selection))
            painter.setPen(QPen(QColor(theme.accent), theme.px(1)))
            painter.drawEllipse(centre, radius + theme.px(2), radius + theme.px(2))
        lit = self._grip is not None or self.underMouse()
        painter.setPen(QPen(colour, theme.px(2)))
        painter.setBrush(colour if lit and self._is_shown() else QColor(theme.surface))
        painter.drawEllipse(centre, radius - theme.px(1), radius - theme.px(1))

    def _is_shown(self) -> bool:
        """Whether the value lies within the shown range; the handle of one beyond it stays hollow."""
        return self._scale.low <= self._number <= self._scale.high or (self._scale.zero and self._number == 0)
