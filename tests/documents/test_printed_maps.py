"""A map in print: the same cells and lines as on screen, light files, and text that is text."""

from __future__ import annotations

import re

import numpy as np
import pytest
from answers_kit import given
from matplotlib.backends.backend_agg import FigureCanvasAgg

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Figure, Map, Mark
from dpstudio.core.results import Column, Table
from dpstudio.documents import pictures
from dpstudio.documents.print.drawing import draw
from dpstudio.documents.session import Session
from dpstudio.scene.palette import ramp
from dpstudio.studies import all_studies

SESSION = Session.of(all_studies()["decision"], {"minimum": 50})
X, Y, BAND = Column(v.EPSILON), Column(v.MINIMUM), Column(v.BAND_WIDTH)
FIGURE = Figure("map", "Map", "t", Axis(v.EPSILON, "log"), Axis(v.MINIMUM, low=0, high=99),
                (Map(X, Y, BAND), Mark("epsilon"), Mark("minimum", "y")))


@pytest.fixture(scope="module")
def update():
    x, y = np.geomspace(0.01, 1, 100), np.arange(100.0)
    values = np.add.outer(np.arange(100.0), y)
    values[:10, :10] = np.nan
    return given({"t": Table({X: np.repeat(x, 100), Y: np.tile(y, 100), BAND: values.ravel()})})


@pytest.mark.parametrize("kind", pictures.FORMATS)
def test_that_ten_thousand_cells_make_a_light_file_of_the_same_bytes(update, kind):
    first = pictures.picture(kind, SESSION, update, FIGURE, dpi=100)
    assert len(first) < 200_000
    assert pictures.picture(kind, SESSION, update, FIGURE, dpi=100) == first


def test_that_the_values_on_lines_are_text_in_a_drawing(update):
    drawn = pictures.picture("svg", SESSION, update, FIGURE).decode()
    words = re.findall(r"<text [^>]*>([^<]*)</text>", drawn)
    assert {"50", "100", "150"} <= set(words)
    assert "no value" in words
    assert any("10 to 198 records" in each for each in words)


def test_that_print_has_the_shades_of_the_cells_where_they_lie(update):
    with pictures.print_settings():
        canvas = draw(SESSION.study, update, FIGURE, (160, 100))
        agg = FigureCanvasAgg(canvas)
        agg.draw()
        pixels = np.asarray(agg.buffer_rgba())
        axes = canvas.axes[0]

        for i, j in ((98, 97), (20, 70), (60, 30), (15, 2)):
            across, up = axes.transData.transform((-2 + i / 49.5, j))
            seen = pixels[round(len(pixels) - up), round(across), :3].astype(int)
            assert abs(seen - ramp(np.array((i + j - 10) / 188), dark=False)).max() <= 6, (i, j)
    marks = {round(float(np.ravel(line.get_xdata())[0]), 6) for line in axes.lines if line.get_linestyle() == "--"}
    assert marks >= {-1.0}
