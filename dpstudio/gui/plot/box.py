"""The area of the plot that a hand zooms and pans, along x only."""

from __future__ import annotations

import math

import pyqtgraph as pg
from pyqtgraph.GraphicsScene.mouseEvents import MouseClickEvent, MouseDragEvent
from PySide6.QtCore import QPointF, Qt, Signal

from dpstudio.core.figure import Axis
from dpstudio.scene.axes import place
from dpstudio.vocabulary import Interval


class Box(pg.ViewBox):
    """A view box for one x axis: the wheel zooms, the left button pans, a double click fits."""

    reset = Signal()
    clicked = Signal(QPointF)

    def __init__(self, axis: Axis) -> None:
        super().__init__(enableMenu=False, defaultPadding=0)
        self.setMouseEnabled(x=True, y=False)
        self.disableAutoRange()
        domain = axis.quantity.domain
        if isinstance(domain, Interval):  # nobody needs to see where there are no values
            low = place(domain.low, axis) if math.isfinite(domain.low) else None
            high = place(domain.high, axis) if math.isfinite(domain.high) else None
            nearest = 2.0 if domain.integer and axis.scale == "linear" else None
            self.setLimits(xMin=low, xMax=high, minXRange=nearest)

    def mouseDragEvent(self, event: MouseDragEvent, axis: int | None = None) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            super().mouseDragEvent(event, axis)
        else:
            event.ignore()

    def mouseClickEvent(self, event: MouseClickEvent) -> None:
        if event.double() and event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self.reset.emit()
        elif event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self.clicked.emit(QPointF(event.pos()))
        else:
            event.ignore()
