"""What stands above a plot: its title, the switch between pictures of one panel, and two small buttons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from dpstudio.core.figure import Figure
from dpstudio.gui.shell.theme import Theme, icon


class ElidedLabel(QLabel):
    """A label that ends in “…” where there is no room, and says the rest in its tooltip."""

    def __init__(self, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, _event) -> None:
        box = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, box.width())
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


class Header(QWidget):
    """Title on the left; switch, fit and enlarge on the right."""

    chosen = Signal(str)
    fit_requested = Signal()
    enlarge_requested = Signal()

    def __init__(self, figures: Sequence[Figure], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = ElidedLabel("title")
        self.group = QButtonGroup(self)
        self.switches: dict[str, QToolButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.title, 1)
        if len(figures) > 1:
            for figure in figures:
                button = self._button("segment", f"Show “{figure.title}”")
                button.setText(figure.switch or figure.title)
                button.setCheckable(True)
                button.clicked.connect(lambda _=False, key=figure.key: self.chosen.emit(key))
                self.group.addButton(button)
                self.switches[figure.key] = button
                row.addWidget(button)
        self.fit = self._button("icon", "Fit the view to the curves (double click on the plot)")
        self.fit.clicked.connect(self.fit_requested)
        self.enlarge = self._button("icon", "Enlarge this picture")
        self.enlarge.clicked.connect(self.enlarge_requested)
        row.addSpacing(4)
        row.addWidget(self.fit)
        row.addWidget(self.enlarge)
        self.set_theme(theme)

    def _button(self, role: str, words: str) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("role", role)
        button.setToolTip(words)
        button.setAccessibleName(words)
        return button

    def set_theme(self, theme: Theme) -> None:
        for button, name in ((self.fit, "fit"), (self.enlarge, "enlarge")):
            button.setIcon(icon(name, theme))
            button.setIconSize(QSize(theme.px(14), theme.px(14)))

    def show_figure(self, figure: Figure) -> None:
        self.title.setText(figure.title)
        self.title.setToolTip(f"{figure.title}\n{figure.caption}".strip())
        if figure.key in self.switches:
            self.switches[figure.key].setChecked(True)
