"""In print too every straight line says what it is, and one beyond the frame says on which side."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from answers_kit import given
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D

from dpstudio import vocabulary as v
from dpstudio.core.figure import Level
from dpstudio.core.results import Fact, Series
from dpstudio.core.study import answer
from dpstudio.documents import pictures
from dpstudio.documents.print.drawing import draw
from dpstudio.documents.print.painters import room
from dpstudio.documents.print.style import NORMAL
from dpstudio.scene.palette import STYLES
from dpstudio.scene.scene import resolve
from dpstudio.studies import all_studies

ONE = Series("laplace", "Laplace")


def texts(study, update, figure, size=(160, 100)):
    with pictures.print_settings():
        canvas = draw(study, update, figure, size)
        FigureCanvasAgg(canvas).draw()
    return {text.get_text(): text for text in canvas.texts}


@pytest.mark.parametrize(("value", "words"), [(40.0, "k ≤ 40"), (-7.0, "← k ≤ −7"), (1234.5, "k ≤ 1\u202f234.5 →")])
def test_that_an_upright_level_is_named_in_its_colour_wherever_it_lies(sample, sample_update, value, words):
    figure = replace(sample.figures[0], layers=(*sample.figures[0].layers, Level(v.THRESHOLD, ONE, "x")))
    update = given(sample_update.tables, (*sample_update.facts, Fact(v.THRESHOLD, value, ONE, "bound")))
    found = texts(sample, update, figure)
    assert words in found
    assert to_hex(found[words].get_color()) == STYLES["laplace"].light
    leaders = [line.get_xdata() for line in found[words].figure.get_children() if isinstance(line, Line2D)]
    assert len(leaders) > 4
    assert all(0 <= x <= 1 for line in leaders for x in line)  # none leads off the sheet
    assert "0.3" in found  # the level line of the same series, by its value


def test_that_labels_of_levels_are_left_out_where_they_would_not_fit(sample, sample_update):
    far = tuple(Level(v.variant(v.THRESHOLD, key=f"k{i}", symbol=f"a long name, number {i}"), ONE, "x")
                for i in range(6))
    figure = replace(sample.figures[0], layers=(*sample.figures[0].layers, *far))
    update = given(sample_update.tables, (*sample_update.facts, *(Fact(one.quantity, 50.0 + i, ONE)
                                                                  for i, one in enumerate(far))))
    found = texts(sample, update, figure, (120, 80))
    named = [words for words in found if words.startswith("a long name")]
    assert 1 <= len(named) < 6
    boxes = sorted((found[words].get_window_extent().x0, found[words].get_window_extent().x1)
                   for words in (*named, "m = 50", "N = 51"))
    assert all(left[1] <= right[0] + 1.5 for left, right in pairwise(boxes))


def test_that_the_frame_of_the_cost_of_acting_says_where_the_break_even_lies():
    policy = all_studies()["policy"]()
    found = texts(policy, answer(policy, simulate=False), policy.figure("cost"))
    assert "C* = 0.2" in found


@pytest.mark.parametrize("key", all_studies())
def test_that_the_small_print_of_every_study_stays_on_the_sheet(key):
    study = all_studies()[key]()
    update = answer(study, simulate=False)
    figure = next(figure for figure in study.figures if figure.table in update.tables)
    for words, text in texts(study, update, figure, (100, 110)).items():
        assert text.get_window_extent().x1 <= text.figure.bbox.x1, words


def test_that_arrows_have_room_where_curves_are_infinite_and_only_there(sample, sample_update):
    kind = NORMAL
    scene = resolve(sample.figures[0], sample_update, sample.values(), {})
    strip = kind.row * 2
    assert room(scene, kind) == (strip + 2 * kind.arrow, 2 * kind.arrow)
    without = frozenset({"laplace"})  # the other only rises
    below = resolve(sample.figures[0], sample_update, sample.values(), {}, hidden=without)
    assert room(below, kind) == (kind.curve, 2 * kind.arrow)
    decision = all_studies()["decision"]()
    plain = resolve(decision.figure("acceptance"), answer(decision, simulate=False), decision.values(), {})
    assert room(plain, kind) == (kind.row * 6 + kind.curve, kind.curve)


@pytest.mark.parametrize(("epsilon", "words"), [(6.0, "ε′ = 6"), (12.0, "↑ ε′ = 12")])
def test_that_a_line_above_the_frame_says_so(epsilon, words):
    policy = all_studies()["policy"](decision_epsilon=epsilon)
    assert words in texts(policy, answer(policy, simulate=False), policy.figure("map"))


def test_that_lines_of_equal_value_wear_their_names_in_print_too():
    response = all_studies()["response"]()
    figure = response.figure("map")
    with pictures.print_settings():
        canvas = draw(response, answer(response, simulate=False), figure, (160, 100))
        FigureCanvasAgg(canvas).draw()
    axes = canvas.axes[0]
    curves = {line.get_label(): axes.transData.transform(line.get_xydata()) for line in axes.lines}
    named = [layer for layer in figure.layers if getattr(layer, "named", False)]
    words = {text.get_text(): text.get_window_extent() for text in axes.texts}
    assert set(words) == {layer.y.series.label for layer in named} | {"Your design", "Best design, same ε"}
    for layer in named:
        box = words[layer.y.series.label]
        x, y = curves[layer.y.key].T
        i = np.nanargmin(abs(x - (box.x0 + box.x1) / 2))
        assert box.y0 < y[i] < box.y1
