"""The column on the right: presets, parameters, and what to take away from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QScrollArea, QSizePolicy, QSplitter, QWidget

from dpstudio.core.study import Study
from dpstudio.gui.controls.panel import Fold, ParametersPanel
from dpstudio.gui.controls.style import in_column, only_scrolls, said_as, spaced, wanted_height
from dpstudio.gui.facts.sentences import Verdict
from dpstudio.gui.shell.theme import Theme
from dpstudio.vocabulary import Value

UNEVEN = 1 / 8
"""Part of the column by which the division may be off the one in proportion before it is made anew."""
LEAST = 110
"""Pixels that the parameters and the verdict each keep where both cannot be seen whole, at normal size of type."""


class SidePanel(QWidget):
    """Parameters over the verdict, each as high as it needs to be; the presets' button shows which one is in force.

    Once a hand has moved what divides the two, it stays there until it is double-clicked.
    """

    def __init__(self, study_class: type[Study], presets: QMenu, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._by_hand: list[int] = []
        self._afresh = True
        self._interacting = False
        # From the outside to the inside: what is put into another is dressed anew, with all that is in it.
        self.splitter = Rest(Qt.Orientation.Vertical, self, childrenCollapsible=False)
        self._upper, self._lower = QFrame(self.splitter), QFrame(self.splitter)
        self.presets = said_as(QPushButton("Presets", self._upper), tip="Known settings to begin from")
        self.presets.setMenu(presets)
        self.parameters = ParametersPanel(study_class, theme, self._upper)
        self.verdict = Verdict(theme)
        self.fold = Fold("Verdict", theme, opened=True)
        self._above = in_column(self.presets, (self.parameters, 1), within=self._upper)
        self._below = in_column(self.fold, (self.verdict, 1), within=self._lower, gap=0)
        for frame in (self._upper, self._lower):
            frame.setProperty("role", "card")
        self._column = in_column(self.splitter, within=self)
        self._above_all: list[Above] = []
        self._settling = QTimer(self, singleShot=True)
        self._settling.timeout.connect(self._settle)
        self.splitter.splitterMoved.connect(self._keep)
        self.splitter.handle(1).installEventFilter(self)
        self.splitter.handle(1).setToolTip("Drag to share the room out; double-click to let it follow what is there")
        self.fold.toggled.connect(self._fold)
        self.parameters.reshaped.connect(self._share)
        self.verdict.said.connect(lambda: self._settling.start(0))
        self._dress()

    def show_study(self, study: Study, explicit: Mapping[str, Value]) -> None:
        self.parameters.show_study(study, explicit)
        chosen = next((preset.title for preset in study.presets if dict(preset.values) == dict(explicit)), None)
        self.presets.setText(chosen or "Presets")
        self.presets.setVisible(bool(study.presets))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._dress()
        self.parameters.set_theme(theme)
        self.verdict.set_theme(theme)

    def _dress(self) -> None:
        """Give the column its measures; parameters and verdict are dressed as they are made."""
        theme = self._theme
        spaced(self._above, theme, 8, (12, 12, 12, 8))
        spaced(self._below, theme, edges=(0, 4, 0, 4))
        spaced(self._column, theme, 8)
        self.splitter.setHandleWidth(theme.px(8))
        self.fold.set_theme(theme, theme.text, theme.px(12))
        self._share()

    def put_above(self, widget: QWidget) -> None:
        """Let something stand over the parameters, scrolled where it is too high."""
        above = Above(widget, self)
        above.reshaped.connect(self._share)
        self._above_all.append(above)
        self._column.insertWidget(0, above)

    def parts(self) -> list[QWidget]:
        """What stands in the column from above to below."""
        above = (each.inside for each in self._above_all)
        return [*above, self.presets, *self.parameters.parts(), self.fold, self.verdict]

    def set_interacting(self, interacting: bool) -> None:
        """Share nothing anew under a hand that moves something."""
        released = self._interacting and not interacting
        self._interacting = interacting
        if released:
            self._settling.start(0)

    def state(self) -> dict[str, object]:
        """How the column stands, as plain values: the sizes only where a hand chose them."""
        return {"sizes": self._by_hand, "verdict": self.fold.isChecked()}

    def restore(self, state: Mapping[str, object]) -> None:
        """Stand as remembered; raises where that makes no sense."""
        self.fold.setChecked(bool(state["verdict"]))
        sizes = [int(size) for size in state["sizes"]]  # type: ignore[attr-defined]  # else a TypeError
        if len(sizes) == 2:
            self._by_hand = sizes
        self._share()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.MouseButtonDblClick:
            self._by_hand = []
            self._share()
            return True
        return super().eventFilter(watched, event)

    # Sharing the room out

    def needs(self) -> tuple[int, int]:
        """Pixels in which the parameters and the verdict are seen whole, with all around them; never less than Qt's."""
        upper = _around(self._upper, self.parameters.area) + self.parameters.content_height()
        least = self._lower.minimumSizeHint().height()
        if not self.fold.isChecked():
            return upper, least
        return upper, max(least, _around(self._lower, self.verdict) + self.verdict.content_height())

    def _share(self) -> None:
        """Share the room out anew, as soon as all of this event is done."""
        self._afresh = True
        self._settling.start(0)

    def _make_way(self) -> None:
        """Leave the verdict out where what stands above could not be seen whole beside it."""
        taken = sum(each.sizeHint().height() + self._column.spacing() for each in self._above_all if each.isVisible())
        least = self._upper.minimumSizeHint().height() + self.splitter.handleWidth()
        fits = self.height() - taken - least >= self._lower.minimumSizeHint().height()
        self._lower.setVisible(fits or not taken)

    def _settle(self) -> None:
        self._make_way()
        sizes = self.splitter.sizes()
        if self._interacting or not self.isVisible() or not sum(sizes) or self._lower.isHidden():
            return
        afresh, self._afresh = self._afresh, False
        if not self.fold.isChecked():
            return
        if self._by_hand:
            if afresh:
                self.splitter.setSizes(self._by_hand)
            return
        needs = self.needs()
        wanted = shared(sum(sizes), *needs, self._theme.px(LEAST))
        if afresh or not fair(sizes, needs) or uneven(sizes, wanted):
            self.splitter.setSizes(wanted)

    def _keep(self) -> None:
        if self.fold.isChecked():
            self._by_hand = self.splitter.sizes()

    def _fold(self, opened: bool) -> None:
        self.verdict.setVisible(opened)
        self._lower.setMaximumHeight(_UNLIMITED if opened else self._lower.minimumSizeHint().height())
        self._share()


class Rest(QSplitter):
    """Takes the room that is left, once others have what they need."""

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()


class Above(QScrollArea):
    """Shows something as high as it is, or as there is room for; where that is hidden, so is this."""

    reshaped = Signal()
    """It is there, or gone, or of another height."""

    def __init__(self, widget: QWidget, parent: QWidget) -> None:
        super().__init__(parent, widgetResizable=True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        shown, self.inside = not widget.isHidden(), widget
        only_scrolls(self, widget)
        widget.setVisible(shown)  # Qt shows what is put in
        self.setVisible(shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.inside:
            if event.type() is QEvent.Type.LayoutRequest:
                self.updateGeometry()
                self.reshaped.emit()
            elif event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
                self.setVisible(not self.inside.isHidden())
                self.reshaped.emit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A bar takes of the width, which makes lines more and the rest higher: it stays only where it must.
        fits = self.height() >= self.sizeHint().height()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits
                                        else Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        inside = self.inside.layout()
        assert inside is not None
        width = self.width() if self.isVisible() else inside.totalSizeHint().width()
        return QSize(inside.totalSizeHint().width(), wanted_height(inside, width))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.inside.minimumSizeHint().width(), min(LEAST, self.sizeHint().height()))


_UNLIMITED = 2**24 - 1
"""Qt's own word for no limit."""


def shared(room: int, upper: int, lower: int, least: int) -> list[int]:
    """Heights of two panels: the upper one's need and the rest, or in proportion to both needs where they exceed it.

    Neither gets less than `least`, as far as there is room.
    """
    if upper + lower <= room:
        return [upper, room - upper]
    part = round(room * upper / (upper + lower))
    part = min(max(part, min(least, upper)), room - min(least, lower))
    return [part, room - part]


def fair(sizes: Sequence[int], needs: Sequence[int]) -> bool:
    """Whether no panel is scrolled while the other has room to spare."""
    spare = [size - need for size, need in zip(sizes, needs, strict=True)]
    return min(spare) >= 0 or max(spare) <= 0


def uneven(sizes: Sequence[int], wanted: Sequence[int]) -> bool:
    """Whether sentences that came or went leave one panel with much less than its part."""
    return abs(sizes[0] - wanted[0]) > UNEVEN * sum(sizes)


def _around(frame: QWidget, scroll: QScrollArea) -> int:
    """Pixels of a frame that its scrolled contents do not get."""
    return frame.height() - scroll.viewport().height()


def card(inside: QWidget) -> QFrame:
    """A frame with rounded corners around a widget."""
    frame = said_as(QFrame(), role="card")
    in_column(inside, within=frame, edges=(1, 4, 1, 4))
    return frame
