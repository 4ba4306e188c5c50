"""A scene's parts as items: made once for a figure, then fed with every scene."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QGraphicsItem

from dpstudio.core.figure import Band, Bars, Dots, Figure, Level, Line, Map, Region
from dpstudio.gui.plot.bars import BarsItem
from dpstudio.gui.plot.items import BandItem, CurveItem, DataLayer, DotsItem, LevelItem, RegionItem
from dpstudio.gui.plot.maps import MapItem
from dpstudio.gui.shell.theme import Theme
from dpstudio.scene.axes import place
from dpstudio.scene.frame import Frame
from dpstudio.scene.palette import style
from dpstudio.scene.scene import EMPTY, Drawn, Scene, key_of, series_of


class Layers:
    """The items of one figure, in its order, and those of every pin."""

    def __init__(self, figure: Figure, theme: Theme, parent: QGraphicsItem) -> None:
        self.figure = figure
        self._theme, self._parent, self._frame = theme, parent, Frame()
        drawn = [layer for layer in figure.layers if isinstance(layer, Drawn)]
        self._lines = [layer for layer in drawn if isinstance(layer, Line)]
        self._turns = list(dict.fromkeys(key_of(line) for line in self._lines))
        self.items: list[tuple[Drawn, DataLayer]] = [(layer, self._made(layer)) for layer in drawn]
        self.pins: list[tuple[Line, DataLayer]] = []

    def _made(self, layer: Drawn, *, faint: bool = False) -> DataLayer:
        look, item = style(series_of(layer), self.figure.compared), None
        match layer:
            case Bars():
                item = BarsItem(self._theme, look, place(0.0, self.figure.y), faint=faint)
            case Line():
                item = CurveItem(self._theme, look, thin=layer.role == "other", faint=faint,
                                 turn=self._turns.index(key_of(layer)))
            case Band():
                item = BandItem(self._theme, look)
            case Dots():
                item = DotsItem(self._theme, look)
            case Map():
                item = MapItem(self._theme, layer.value.quantity)
            case Level():
                item = LevelItem(self._theme, look, layer.axis)
            case Region():
                item = RegionItem(self._theme, look)
        item.setParentItem(self._parent)
        item.set_frame(self._frame)
        return item

    def __iter__(self) -> Iterator[DataLayer]:
        yield from (item for _, item in (*self.items, *self.pins))

    @property
    def regions(self) -> list[tuple[Region, RegionItem]]:
        """The stretches that there are, in the order of their rows."""
        return [(layer, item) for layer, item in self.items
                if isinstance(layer, Region) and isinstance(item, RegionItem) and len(item.arrays[0])]

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for item in self:
            item.set_theme(theme)

    def set_frame(self, frame: Frame) -> None:
        self._frame = frame
        for item in self:
            item.set_frame(frame)

    def show(self, scene: Scene) -> None:
        """Give every item its arrays; what this scene does not have is not shown."""
        for (_, item), part in zip(self.items, scene.parts, strict=True):
            item.set_arrays(*part.arrays)
            if isinstance(item, MapItem):
                item.set_lines([line.points for line in scene.isolines if line.key == part.key])
            item.setVisible(part.shown)
        for row, (_, region) in enumerate(self.regions):
            region.row = row
        while len(self.pins) < len(scene.pinned):
            self.pins += [(line, self._made(line, faint=True)) for line in self._lines]
        for i, (_, item) in enumerate(self.pins):
            if i < len(scene.pinned):
                item.set_arrays(*scene.pinned[i].arrays)
            else:
                item.set_arrays(*[EMPTY] * len(item.arrays))
            item.setVisible(i < len(scene.pinned) and scene.pinned[i].shown)
