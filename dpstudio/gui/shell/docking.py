"""The place of the pictures and of the panes beside them, which may be torn off as windows of their own.

Where there is no room for both a pane has the place of the pictures, and a row of tabs leads from one to the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QEvent, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QTabWidget, QToolButton, QWidget

from dpstudio.gui.controls.style import Tool, in_row, is_escape, said_as, spaced
from dpstudio.gui.plot.header import ElidedLabel
from dpstudio.gui.shell.appearance import Appearance
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr

PICTURES = "Pictures"
BESIDE = 1080
"""Pixels, at normal size of type, from which on pictures and panes stand beside each other."""
ACROSS, LOW = 560, 320
"""Pixels of most panes beside the pictures and of all below them, at normal size of type, until a hand divides them
otherwise."""
EDGES = 40, 80
"""Pixels of a screen that a pane which is torn off leaves free."""
SEEN = 100
"""Pixels of a pane that must lie on a screen for it to come back where it was."""
SIDES = {"left": Qt.DockWidgetArea.LeftDockWidgetArea, "right": Qt.DockWidgetArea.RightDockWidgetArea,
         "bottom": Qt.DockWidgetArea.BottomDockWidgetArea}
TEAR, TORN = "Tear off", "As a window of its own, which remembers where it stood"
PUT, BACK = "Put back", "Into the main window"


def _whole(kept: Any, many: int) -> bool:
    """Whether what is remembered is so many whole numbers."""
    return isinstance(kept, list) and len(kept) == many and all(isinstance(each, int) for each in kept)


def _act(words: str, tip: str, act: Callable[[], object]) -> QToolButton:
    button = said_as(Tool(), tip=tip, role="segment")
    button.setText(words)
    button.clicked.connect(act)
    return button


class Dock(QDockWidget):
    """What stands there: under its name, with what tears it off and what closes it."""

    gone = Signal()
    """It was closed for good: another is made when it is wanted again, however soon."""
    key = ""
    """What it is opened by, and its place remembered under."""
    size_wanted = 980, 640
    """Pixels at normal size of type, torn off."""
    across = ACROSS
    """Those of its width beside the pictures, of which it takes half of the room at most."""

    def __init__(self, host: PaneHost, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._host = host
        self.setObjectName(self.key)
        self.setAllowedAreas(SIDES["left"] | SIDES["right"] | SIDES["bottom"])
        self.inside = QWidget()
        """What is laid out in it; never a reason for a larger window."""
        self.inside.setMinimumSize(1, 1)
        self.setWidget(self.inside)
        self._bar, self._no_bar, self._name = QWidget(self), QWidget(self), ElidedLabel("title")
        self.tear = _act(tr(TEAR), tr(TORN), self._turn)
        self._row = in_row((self._name, 1), self.tear, _act(tr("Close"), "Esc", self.close), within=self._bar)
        self.setTitleBarWidget(self._bar)
        self._no_bar.hide()
        self.windowTitleChanged.connect(self._show_title)
        self.topLevelChanged.connect(self._turned)
        self.dress(theme)

    def begin(self) -> None:
        """Come to the front, where it stood before."""
        self._host.open(self)

    def show_bar(self, shown: bool) -> None:
        """Its name over it, with what closes it; or neither, where tabs have both."""
        bar, other = (self._bar, self._no_bar) if shown else (self._no_bar, self._bar)
        if self.titleBarWidget() is not bar:
            self.setTitleBarWidget(bar)
            other.hide()
            bar.show()

    def dress(self, theme: Theme) -> None:
        """Take on a theme."""
        spaced(self._row, theme, 4, (8, 2, 2, 2))
        self._bar.setFixedHeight(theme.px(28))

    def leave(self) -> None:
        """What Escape does."""
        self.close()

    def event(self, event: QEvent) -> bool:
        return is_escape(event, self.leave) or super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """With an edge, torn off: not every desktop frames it."""
        super().paintEvent(event)
        if self.isFloating():
            painter = QPainter(self)
            painter.setPen(self.palette().color(QPalette.ColorRole.Dark))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            painter.end()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._host.left(self)
        super().closeEvent(event)
        if self.testAttribute(Qt.WidgetAttribute.WA_DeleteOnClose):
            self.gone.emit()

    def _turn(self) -> None:
        self._host.turn(self)

    def _show_title(self, title: str) -> None:
        self._name.setText(title)
        self._host.name_tabs()

    def _turned(self, torn: bool) -> None:
        self.tear.setText(tr(PUT) if torn else tr(TEAR))
        self.tear.setToolTip(tr(BACK) if torn else tr(TORN))
        self._host.turned(self)


class PaneHost(QMainWindow):
    """The place of the pictures, with the panes that are open beside them, or in their place where that is narrow."""

    wanted = Signal()
    """A pane was opened, and is to be seen."""
    left_empty = Signal()
    """The pane that had the keyboard was closed."""
    others_open = Signal()
    """A pane was opened or closed."""

    def __init__(self, appearance: Appearance, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._settings = appearance.theme, settings
        self._open: list[Dock] = []
        """As they were opened."""
        self._chosen: Dock | None = None
        """What is seen where only one has room; the pictures if it is None."""
        self._narrow = False
        self.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks)
        for side in SIDES.values():
            self.setTabPosition(side, QTabWidget.TabPosition.North)
        self.setDocumentMode(True)
        self.strip = QWidget()
        self.tabs = said_as(QTabBar(documentMode=True, expanding=False, drawBase=False), tr("Pictures and panes"))
        self.tear = _act(tr(TEAR), tr(TORN), self._turn_chosen)
        self._close = _act(tr("Close"), "Esc", self._close_chosen)
        self._row = in_row(self.tabs, (None, 1), self.tear, self._close, within=self.strip)
        self.setMenuWidget(self.strip)
        self.strip.hide()
        self.tabs.currentChanged.connect(self._show_tab)
        appearance.changed.connect(self.set_theme)
        self.set_theme(appearance.theme)

    @property
    def stops(self) -> list[QWidget]:
        """Where F6 stops: at the tabs, whose arrows lead to what is behind them, and at the panes."""
        return [self.tabs, *self._open]

    @property
    def opened(self) -> list[str]:
        """The keys of the panes that are open, as they were opened."""
        return [each.key for each in self._open]

    @property
    def shared(self) -> bool:
        """Whether pictures and panes have one place, by turns."""
        return self._narrow

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        spaced(self._row, theme, 4, (0, 0, 2, 0))
        self._arrange()

    def fill(self, pictures: QWidget) -> None:
        """Put these in the place of the pictures before."""
        if self.centralWidget() is not None:
            self.takeCentralWidget()
        self.setCentralWidget(pictures)
        self._arrange()

    def open(self, pane: Dock) -> None:
        """Bring a pane to the front, with the keyboard; one that comes anew stands where it stood."""
        if pane not in self._open:
            self._open.append(pane)
            self._place(pane)
            self.others_open.emit()
        self.wanted.emit()
        self._show(pane)

    def show_pictures(self) -> None:
        """Let a pane that has their place stand back; it stays open."""
        self._chosen = None
        self._arrange()

    def turn(self, pane: Dock) -> None:
        """Tear a pane off, or put it back."""
        self._remember(pane)
        torn = not pane.isFloating()
        pane.show_bar(True)
        pane.setFloating(torn)
        if torn:
            pane.setGeometry(self._torn_at(pane))
        self._show(pane)
        self._remember(pane)

    def turned(self, pane: Dock) -> None:
        """A pane was torn off or put back, by its button or by a hand that drags it."""
        if pane in self._open:
            self._chosen = None if pane.isFloating() else pane
            self._arrange()

    def left(self, pane: Dock) -> None:
        """A pane is being closed."""
        if pane not in self._open:
            return
        self._remember(pane)
        had_keyboard = pane.isAncestorOf(self.window().focusWidget() or self)
        self._open.remove(pane)
        if self._chosen is pane:
            self._chosen = self._docked[-1] if self._docked else None
        self.removeDockWidget(pane)
        self._arrange()
        self.others_open.emit()
        if had_keyboard:
            self.left_empty.emit()

    def _show(self, pane: Dock) -> None:
        if not pane.isFloating():
            self._chosen = pane
        self._arrange()
        pane.show()
        pane.raise_()
        if pane.isFloating():
            pane.activateWindow()
        pane.setFocus(Qt.FocusReason.OtherFocusReason)

    # Where they stand

    def _memory(self) -> dict[str, dict[str, Any]]:
        with suppress(ValueError, AttributeError):
            kept = json.loads(self._settings.text("panes", "{}"))
            return {key: each for key, each in kept.items() if isinstance(each, dict)}
        return {}

    def _remember(self, pane: Dock) -> None:
        """Keep where a pane stands for the next time."""
        kept = self._memory()
        place = kept.setdefault(pane.key, {})
        place["torn"] = pane.isFloating()
        if pane.isFloating():
            at = pane.geometry()
            place["at"] = [at.x(), at.y(), at.width(), at.height()]
        else:
            side = self.dockWidgetArea(pane)
            place["side"] = next((name for name, each in SIDES.items() if each == side), "right")
            if not self._narrow and pane.isVisible():
                place["size"] = [pane.width(), pane.height()]
        self._settings.set_text("panes", json.dumps(kept))

    def _place(self, pane: Dock) -> None:
        """Put a pane where it stood, or on the right."""
        place = self._memory().get(pane.key, {})
        side = SIDES.get(str(place.get("side")), SIDES["right"])
        beside = next((each for each in self._open if each is not pane and not each.isFloating()
                       and self.dockWidgetArea(each) == side), None)
        self.addDockWidget(side, pane)
        if beside is not None:
            self.tabifyDockWidget(beside, pane)
        else:
            self._resize(pane)
        if place.get("torn") is True:
            pane.setFloating(True)
            pane.setGeometry(self._torn_at(pane))

    def _resize(self, pane: Dock) -> None:
        """Give a pane the room that it had beside the pictures, or what it wants."""
        kept: Any = self._memory().get(pane.key, {}).get("size")
        low = self.dockWidgetArea(pane) is SIDES["bottom"]
        room = kept[low] if _whole(kept, 2) and kept[low] > 0 else self._theme.px(LOW) if low else min(
            self._theme.px(pane.across), self.width() // 2)
        if room > 0:  # else nothing has a size yet
            self.resizeDocks([pane], [room], Qt.Orientation.Vertical if low else Qt.Orientation.Horizontal)

    def _torn_at(self, pane: Dock) -> QRect:
        """Where it was as a window of its own, if there is still a screen; else in the middle of this one."""
        kept: Any = self._memory().get(pane.key, {}).get("at")
        if _whole(kept, 4):
            rect = QRect(kept[0], kept[1], kept[2], kept[3])
            if any(min((seen := screen.availableGeometry().intersected(rect)).width(), seen.height()) >= SEEN
                   for screen in QGuiApplication.screens()):
                return rect
        room = self.screen().availableGeometry()
        width, height = (min(self._theme.px(length), most - edge) for length, most, edge in zip(
            pane.size_wanted, (room.width(), room.height()), EDGES, strict=True))
        return QRect(room.center().x() - width // 2, room.center().y() - height // 2, width, height)

    # Beside the pictures, or in their place

    @property
    def _docked(self) -> list[Dock]:
        return [pane for pane in self._open if not pane.isFloating()]

    def _arrange(self) -> None:
        docked, chosen, was_narrow = self._docked, self._chosen, self._narrow
        self._narrow = bool(docked) and self.width() < self._theme.px(BESIDE)
        for pane in docked:
            pane.show_bar(not self._narrow)
            pane.setVisible(not self._narrow or pane is chosen)
        if (inside := self.centralWidget()) is not None:
            inside.setVisible(not self._narrow or chosen is None)
        self.strip.setVisible(self._narrow)
        if self._narrow:
            self._show_tabs()
        elif was_narrow:
            for pane in docked:
                self._resize(pane)

    def _show_tabs(self) -> None:
        keys = [PICTURES, *(pane.key for pane in self._docked)]
        with QSignalBlocker(self.tabs):
            while self.tabs.count() > len(keys):
                self.tabs.removeTab(self.tabs.count() - 1)
            while self.tabs.count() < len(keys):
                self.tabs.addTab("")
            for place, key in enumerate(keys):
                self.tabs.setTabData(place, key)
            self.tabs.setCurrentIndex(keys.index(self._chosen.key if self._chosen else PICTURES))
        self.name_tabs()
        for button in (self.tear, self._close):
            button.setVisible(self._chosen is not None)

    def _turn_chosen(self) -> None:
        if self._chosen is not None:
            self.turn(self._chosen)

    def _close_chosen(self) -> None:
        if self._chosen is not None:
            self._chosen.close()

    def name_tabs(self) -> None:
        """What is open, by what it says of itself."""
        titles = {pane.key: pane.windowTitle() for pane in self._open}
        for place in range(self.tabs.count()):
            self.tabs.setTabText(place, titles.get(self.tabs.tabData(place), tr(PICTURES)))

    def _show_tab(self, place: int) -> None:
        key = self.tabs.tabData(place)
        self._chosen = next((pane for pane in self._open if pane.key == key), None)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """That of the pictures: no pane makes the window larger."""
        inside = self.centralWidget()
        return inside.minimumSizeHint() if inside is not None else super().minimumSizeHint()
