"""Screen and print give a series the same look, in whatever width its curves are drawn."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QGraphicsRectItem

from dpstudio.core.figure import Band, Bars, Dots, Line
from dpstudio.documents.print.painters import look_of
from dpstudio.documents.print.style import COMPACT, NORMAL
from dpstudio.gui.plot.items import CurveItem
from dpstudio.gui.plot.layers import Layers
from dpstudio.gui.shell.theme import DARK, LIGHT, resolve
from dpstudio.scene.palette import NEUTRAL, STYLES
from dpstudio.scene.scene import EMPTY, Part, series_of
from dpstudio.studies import all_studies

FIGURES = [figure for study in all_studies().values() for figure in study.figures]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: f"{figure.table}-{figure.key}")
def test_that_a_series_has_one_colour_and_one_rhythm_of_dashes_on_screen_and_in_print(qapp, figure):
    plot = QGraphicsRectItem()
    for layer, item in Layers(figure, LIGHT, plot).items:
        series = series_of(layer)
        look = STYLES[series.look] if series else NEUTRAL
        assert item.style == look
        part = Part(layer, look, (EMPTY, EMPTY), present=True, shown=True)
        if isinstance(layer, (Band, Dots)):
            assert item.colour().name() == part.style.light
        if not isinstance(layer, Line) or isinstance(layer, Bars):
            continue
        assert isinstance(item, CurveItem)
        for kind in (NORMAL, COMPACT):
            colour, dash, width = look_of(part, kind)
            assert item.colour().name() == colour == look.light
            assert [length * width / kind.curve for length in dash] == pytest.approx(look.dash)
            assert width == (kind.curve if layer.role == "curve" else kind.other)
        for scale in (LIGHT, DARK, resolve("light", presentation=True)):
            item.set_theme(scale)
            pen = item.pen(item.width)
            assert pen.color().name() == look.colour(dark=scale.dark)
            on_paper = [length * pen.widthF() for length in (pen.dashPattern() if look.dash else ())]
            assert on_paper == pytest.approx([length * look.width * scale.scale for length in look.dash])
            assert (item.width < look.width) is (layer.role == "other")
