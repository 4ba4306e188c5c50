"""Why a value was refused, said over what stands below a control, so that nothing moves from under a hand."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget

from dpstudio.gui.shell.theme import Theme


class Refusal(QLabel):
    """A sentence in a frame of its own that lies over the column of controls and lets the mouse through."""

    def __init__(self, control: QWidget) -> None:
        super().__init__(control, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._control = control
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Refused")
        self._below = 0
        self.hide()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Stay with the control where what it stands in is moved."""
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize) and self.isVisible():
            self._place(self._holder(), self._below)
        return False

    def say(self, sentence: str, below: int) -> None:
        """Say a sentence so far below the control's upper edge, or above it where there is no room; none hides it."""
        self.setText(sentence)
        if sentence and self._control.isVisible():
            holder = self._holder()
            self.setParent(holder)
            self._below = below
            self._place(holder, below)
            self.show()
            self.raise_()
        else:
            self.hide()

    def set_theme(self, theme: Theme) -> None:
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

    def _place(self, holder: QWidget, below: int) -> None:
        width = self._control.width()
        height = self.heightForWidth(width)
        corner = self._control.mapTo(holder, QPoint(0, 0))
        seen = holder.visibleRegion().boundingRect()
        fits = corner.y() + below + height <= seen.bottom() + 1
        self.setGeometry(corner.x(), corner.y() + (below if fits else -height), width, height)
