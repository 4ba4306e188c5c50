"""A number typed as people write it.

Why it was refused is said over what stands below a control, so that nothing moves from under a hand.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QScrollArea, QSizePolicy, QStyle, QStyleOptionFrame, QWidget

from dpstudio.core.declare import Parameter
from dpstudio.gui.controls.scale import Number, Step, scale_of
from dpstudio.gui.controls.typed import TypedEntry
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.entry import shortened, write_number
from dpstudio.text.language import tr
from dpstudio.vocabulary import Value

_WIDEST = "1 000 000 000"
_QT_MARGIN = 2
"""Pixels that Qt leaves between the contents of a line and its text."""
_KEYS: dict[int, tuple[int, Step]] = {
    Qt.Key.Key_Up: (1, "least"), Qt.Key.Key_Down: (-1, "least"),
    Qt.Key.Key_PageUp: (1, "leap"), Qt.Key.Key_PageDown: (-1, "leap"),
}


class NumberEntry(TypedEntry):
    """A line of text that is a number of a parameter's domain."""

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parameter, parent)
        self._theme, self._scale = theme, scale_of(parameter)
        self._number: Number | None = None
        self._unfinished = False
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def aim(self, parameter: Parameter, number: Number | None = None) -> None:
        """Take numbers of another parameter from now on, whatever stands there, and tell nobody."""
        self._parameter, self._scale, self._number, self._unfinished = parameter, scale_of(parameter), number, False
        with QSignalBlocker(self):
            self._restore()
        self.setAccessibleDescription("")

    @property
    def number(self) -> Number | None:
        """The last that was taken."""
        return self._number

    def take(self, text: str) -> None:
        """Take a text as if it was typed."""
        self.setText(text)
        self.setModified(True)
        self._accept_text()

    def show_number(self, number: Number) -> None:
        """Show a value, unless it is the present one: what is being typed stays."""
        if number != self._number or not self.typing:
            self._number = number
            self._restore()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(_WIDEST) + self._theme.px(20), super().sizeHint().height())

    minimumSizeHint = sizeHint

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _KEYS:
            self._step(*_KEYS[event.key()])
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not event.isAutoRepeat():
            self._finish()
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._finish()
        super().focusOutEvent(event)
        if not self.is_refused():
            self.setCursorPosition(0)  # of a long number the leading digits are seen

    def shown(self) -> str:
        """What stands in the entry: all of the text while it has the keyboard, else as much of a number as fits."""
        if self.hasFocus() or self.typing or self._number is None:
            return self.text()
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        box = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        room = box.width() - 2 * _QT_MARGIN
        return shortened(self._number, lambda text: self.fontMetrics().horizontalAdvance(text) <= room)

    def paintEvent(self, event: QPaintEvent) -> None:
        text = self.shown()
        if text == self.text():
            super().paintEvent(event)
            return
        painter, option = QPainter(self), QStyleOptionFrame()
        self.initStyleOption(option)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        box = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        painter.setPen(option.palette.color(QPalette.ColorRole.Text))
        painter.drawText(box.adjusted(_QT_MARGIN, 0, -_QT_MARGIN, 0), self.alignment(), text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_whole()

    def _tell_whole(self) -> None:
        """What does not fit can still be read: in the tooltip."""
        whole = self.fontMetrics().horizontalAdvance(self.text()) <= self.width() - self._theme.px(20)
        if (tip := "" if whole else self.text()) != self.toolTip():  # Qt sends an event in any case
            self.setToolTip(tip)

    def _step(self, direction: int, step: Step) -> None:
        if self._scale is None or self._number is None or not self._accept_text():
            return
        number = self._scale.step(self._number, direction, step)
        if number != self._number:
            self._unfinished = True
            self._take(number, final=False)

    def _finish(self) -> None:
        """End the gesture of a key that was held."""
        if self._unfinished and self._number is not None:
            self._unfinished = False
            self.edited.emit(self._parameter.name, self._number, True)

    def _written(self) -> str:
        return "" if self._number is None else write_number(self._number)

    def _keep(self, value: Value) -> None:
        assert not isinstance(value, str)
        self._number = value

    def _restore(self) -> None:
        super()._restore()
        self._tell_whole()


class Refusal(QLabel):
    """A sentence in a frame of its own that lies over the column of controls and lets the mouse through."""

    def __init__(self, control: QWidget) -> None:
        super().__init__(control, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._control = control
        self._theme: Theme | None = None
        """What it is to be dressed in before it next says something: most never do."""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleDescription(tr("Refused"))
        self._below: Callable[[], int] = control.height
        control.installEventFilter(self)
        control.destroyed.connect(self.deleteLater)  # what it lies over may outlive the control
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay with the control where it or what it stands in is moved, and come and go with it."""
        own, kind = watched is self._control, event.type()
        if own and kind is QEvent.Type.Hide:
            self.hide()
        elif own and kind in (QEvent.Type.Show, QEvent.Type.Move, QEvent.Type.Resize):
            self._lay()
        elif kind in (QEvent.Type.Move, QEvent.Type.Resize) and self.isVisible():
            self._place()
        return False

    def say(self, sentence: str, below: Callable[[], int]) -> None:
        """Say a sentence so far below the control's upper edge, or above it where there is no room; none hides it."""
        self.setText(sentence)
        self._below = below
        self._lay()

    def _lay(self) -> None:
        if self.text() and self._control.isVisible():
            self._dress()
            self.setParent(self._holder())
            self._place()
            self.show()
            self.raise_()
        else:
            self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if not self.isHidden():
            self._dress()

    def _dress(self) -> None:
        theme, self._theme = self._theme, None
        if theme is None:
            return
        self.setFont(theme.font("small"))
        self.setStyleSheet(f"background: {theme.raised}; color: {theme.danger}; border: 1px solid {theme.danger}; "
                           f"border-radius: {theme.px(4)}px; padding: {theme.px(1)}px {theme.px(6)}px; "
                           f"font-size: {theme.font_size('small')}px;")

    def _holder(self) -> QWidget:
        """The column that is scrolled, or else the window."""
        holder: QWidget = self._control
        while (above := holder.parentWidget()) is not None:
            holder.installEventFilter(self)  # once is enough, however often it is asked for
            if isinstance(above.parentWidget(), QScrollArea):
                return holder
            holder = above
        return holder

    def _place(self) -> None:
        holder, below, width = self._holder(), self._below(), self._control.width()
        height = self.heightForWidth(width)
        corner = self._control.mapTo(holder, QPoint(0, 0))
        seen = holder.visibleRegion().boundingRect()
        fits = corner.y() + below + height <= seen.bottom() + 1
        self.setGeometry(corner.x(), corner.y() + (below if fits else -height), width, height)
