"""One place for a panel, with quiet tabs to choose which."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTabBar, QWidget

from dpstudio.gui.controls.style import in_column, said_as
from dpstudio.gui.shell.theme import Theme

_PADDING, _TIGHT = 6, 2
"""Pixels on either side of a tab's words, and where they would not all fit."""


class Slot(QWidget):
    """Tabs over the one panel that stands here; panels belong to whoever put them."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place: str | None = None
        self._theme, self._padding = theme, _PADDING
        self.tabs = panel_tabs("Which panel is shown here")
        self.tabs.currentChanged.connect(lambda i: self.chosen.emit(self.tabs.tabData(i)) if i >= 0 else None)
        self._widget: QWidget | None = None
        self._column = in_column(self.tabs, within=self, gap=0)
        self.setMinimumWidth(200)
        self.set_theme(theme)

    def set_choices(self, titles: Mapping[str, str]) -> None:
        choose_tabs(self.tabs, titles)
        self._fit()

    def keep(self, place: str) -> None:
        """Be the place of a panel, which is put here once it is seen."""
        self.take()
        self.place = place
        mark_tab(self.tabs, place)

    def put(self, widget: QWidget) -> None:
        """Show the panel of this place."""
        if widget is not self._widget:
            self._widget = widget
            self._column.addWidget(widget, 1)
            widget.show()

    def take(self) -> None:
        """Give the panel back, hidden."""
        if self._widget is not None:
            self._widget.hide()
            self._column.removeWidget(self._widget)
            self._widget.setParent(self.parentWidget())
        self._widget = self.place = None

    def set_theme(self, theme: Theme) -> None:
        self._theme, self._padding = theme, _PADDING
        dress_tabs(self.tabs, theme)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Bring the tabs together where they would not all fit, and only then scroll: no words are cut."""
        room = self.tabs.fontMetrics().horizontalAdvance
        words = sum(room(self.tabs.tabText(i)) + 1 for i in range(self.tabs.count()))

        def wanted(padding: int) -> int:
            return words + 2 * self._theme.px(padding) * self.tabs.count()

        padding = _PADDING if wanted(_PADDING) <= self.width() else _TIGHT
        if padding != self._padding:
            self._padding = padding
            dress_tabs(self.tabs, self._theme, padding)
        self.tabs.setUsesScrollButtons(wanted(padding) > self.width())


def titled(place: str) -> str:
    """What a tab calls a panel."""
    return place.replace("_", " ").capitalize()


def panel_tabs(name: str) -> QTabBar:
    """Quiet tabs to choose a panel."""
    return said_as(QTabBar(drawBase=False, expanding=False, usesScrollButtons=False,
                           elideMode=Qt.TextElideMode.ElideNone), name)


def choose_tabs(tabs: QTabBar, titles: Mapping[str, str]) -> None:
    """Offer these panels, and tell nobody."""
    with QSignalBlocker(tabs):
        while tabs.count():
            tabs.removeTab(0)
        for place, title in titles.items():
            tabs.setTabData(tabs.addTab(title), place)


def mark_tab(tabs: QTabBar, place: str) -> None:
    """Show which panel is chosen, and tell nobody."""
    with QSignalBlocker(tabs):
        tabs.setCurrentIndex(next(i for i in range(tabs.count()) if tabs.tabData(i) == place))


def dress_tabs(tabs: QTabBar, theme: Theme, padding: int = _PADDING) -> None:
    tabs.setFont(theme.font("label"))
    tabs.setStyleSheet(f"QTabBar::tab {{ padding: {theme.px(4)}px {theme.px(padding)}px; "
                       f"font-size: {theme.font_size('label')}px; }}")
