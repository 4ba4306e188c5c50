"""A sweep as a picture: what was computed stands where its parameters are, with the kind that it has."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from language_kit import german

from dpstudio import vocabulary as v
from dpstudio.core.figure import Band, Dots, Line, Map, Mark
from dpstudio.core.results import Column
from dpstudio.core.study import fact
from dpstudio.core.sweep import Plan, Swept, read_over, sweep
from dpstudio.core.workers import Here
from dpstudio.scene.scene import resolve
from dpstudio.scene.swept import FEW, SweptSource, choices, figure_of
from dpstudio.studies import all_studies
from dpstudio.studies.decision import GENERALIZED, LAPLACE, Decision
from dpstudio.text.language import in_english

BAND, ACCEPTED = ("band_width", "laplace"), ("acceptance", "laplace")


def swept(key: str, over: tuple[str, ...], facts, *, simulate: bool = False, **values) -> Swept:
    study = all_studies()[key](**values)
    plan = Plan(study, tuple(read_over(type(study), text) for text in over), facts, simulate)
    *_, last = sweep(plan, Here(), seconds=0.01)
    return last.swept


def scene(made: Swept, chosen: Column | None = None):
    study = made.plan.study
    figure = figure_of(made, chosen or choices(made)[0])
    return resolve(figure, SweptSource(made), study.values(), {each.name: each for each in study.parameters()})


@settings(max_examples=15)
@given(st.integers(0, 6), st.integers(0, 4), st.sampled_from([BAND, ACCEPTED]))
def test_that_a_cell_of_a_map_reads_what_the_fact_is_when_it_is_asked_alone(i, j, asked):
    made = swept("decision", ("epsilon=0.01:10:7:log", "minimum=10:5000:5"), (BAND, ACCEPTED))
    column = choices(made)[(BAND, ACCEPTED).index(asked)]
    found = scene(made, column)
    epsilon, minimum = (over.values[place] for over, place in zip(made.plan.over, (i, j), strict=True))
    read, = found.readings(epsilon, minimum)
    assert (read.x, read.y, read.quantity.key) == (epsilon, minimum, asked[0])
    assert read.value == fact(Decision(epsilon=epsilon, minimum=minimum), *asked).value


def test_that_a_map_spans_its_grid_on_axes_of_its_steps_with_the_present_setting_to_be_dragged():
    made = swept("decision", ("epsilon=0.01:10:7:log", "minimum=10:5000:5"), (BAND,))
    found = scene(made)
    figure = found.figure
    assert (figure.x.scale, figure.y.scale) == ("log", "linear")
    assert found.x == pytest.approx((-2, 1))
    assert found.y == (10, 5000)
    assert [(layer.parameter, layer.axis, layer.draggable) for layer in figure.layers if isinstance(layer, Mark)] == [
        ("epsilon", "x", True), ("minimum", "y", True)]
    assert [straight.words for straight in found.straights] == ["ε = 0.1", "m = 1\u202f000"]
    assert figure.title == "Unrounded uncertain band, Laplace"
    assert figure.caption.startswith("Over privacy loss ε from 0.01 to 10 and minimum m from 10 to 5\u202f000;")


def test_that_one_parameter_gives_a_curve_for_every_series_of_the_fact():
    made = swept("decision", ("epsilon=0.01:10:50:log",), (BAND, ACCEPTED, ("band_width", "generalized")))
    assert [column.quantity.key for column in choices(made)] == ["band_width", "acceptance"]
    found = scene(made)
    lines = [part.layer for part in found.shown(Line)]
    assert [line.y for line in lines] == [Column(v.BAND_WIDTH, LAPLACE), Column(v.BAND_WIDTH, GENERALIZED)]
    assert found.figure.title == "Unrounded uncertain band"
    assert found.figure.y.scale == "log"  # three decades
    assert scene(made, choices(made)[1]).figure.y.scale == "linear"
    assert not [layer for layer in found.figure.layers if isinstance(layer, Map)]


@pytest.mark.parametrize("count", [FEW, FEW + 1])
def test_that_estimates_are_seen_with_their_intervals(count):
    facts = (("accepted_fraction", "laplace"),)
    made = swept("decision", (f"epsilon=0.001:0.1:{count}:log",), facts, simulate=True, trials=1000)
    found = scene(made)
    kinds = {type(part.layer) for part in found.parts}
    assert kinds == ({Dots} if count <= FEW else {Band, Line})
    low, high = found.parts[0].arrays[-2:] if count <= FEW else found.parts[0].arrays[1:]
    assert (low < high).all()
    assert SweptSource(made).fact("accepted_fraction", "laplace").kind == "estimate"


def test_that_a_bound_is_read_as_one_and_what_was_not_swept_is_none():
    made = swept("budget", ("epsilon=0.1:1:3",), (("total_epsilon", "basic"), ("total_epsilon", "advanced")))
    source = SweptSource(made)
    kinds = {of: source.fact("total_epsilon", of).kind for of in ("basic", "advanced")}
    alone = {of: fact(made.plan.study, "total_epsilon", of).kind for of in kinds}
    assert kinds == alone
    assert "bound" in kinds.values()
    assert source.fact("total_epsilon", "simple") is None
    sides = {read.part.key: read.side for read in scene(made).readings(0.5)}
    assert sides == {of: "nearest" if kind == "exact" else "up" for of, kind in kinds.items()}


def test_that_the_least_values_are_on_their_axes():
    made = swept("decision", ("delta=1e-20:1e-16:5:log",), (("guarantee_delta", "generalized"),))
    found = scene(made)
    assert found.x == pytest.approx((-20, -16))
    assert found.y == pytest.approx((-20, -16))
    assert (np.diff(found.parts[0].arrays[0]) > 0).all()


def test_that_two_values_or_refused_cells_still_make_a_picture():
    made = swept("decision", ("epsilon=0.1:1:2", "delta=0:0.4:2"), (("acceptance", "generalized"),))
    found = scene(made)
    assert not found.blank
    assert np.isfinite(found.parts[0].arrays[2]).all()
    assert found.figure.y.scale == "linear"  # 0 has no logarithm


def test_that_the_words_of_a_swept_picture_are_all_of_the_language_that_is_spoken_when_it_is_made():
    made = swept("decision", ("epsilon=0.01:10:3:log", "minimum=10:5000:3"), (BAND,))
    english = figure_of(made, choices(made)[0])
    with german():
        spoken = figure_of(made, choices(made)[0])
        with in_english():
            assert figure_of(made, choices(made)[0]) == english
    assert spoken.caption == ("Über Privacy-Verlust ε von 0,01 bis 10 und Mindestzahl m von 10 bis 5\u202f000; "
                              "die jetzige Einstellung ist markiert.")
    assert not {spoken.title, spoken.caption, spoken.empty} & {english.title, english.caption, english.empty}
