"""Maps: every cell in the shade of its value, lines of equal value where they say, and readings of cells."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from answers_kit import given
from hypothesis import given as drawn
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Figure, Map
from dpstudio.core.results import Column, Series, Table
from dpstudio.documents.tables import columns_of
from dpstudio.scene.legend import entries, names
from dpstudio.scene.maps import MOST, edges, grid, isolines, sample, shaded, shading
from dpstudio.scene.palette import RAMP, ramp
from dpstudio.scene.scene import resolve
from dpstudio.text.numbers import THIN, said

LAPLACE = Series("laplace", "Laplace")
X, Y, WIDTH = Column(v.EPSILON), Column(v.MINIMUM), Column(v.BAND_WIDTH, LAPLACE)
FIGURE = Figure("map", "Map", "t", Axis(v.EPSILON, "log"), Axis(v.MINIMUM, "log", low=10, high=1000),
                (Map(X, Y, WIDTH),), empty="Nothing")
EPSILONS, MINIMA = np.array([0.1, 0.2, 0.5, 1.0]), np.array([10.0, 100.0, 1000.0])


def table(values, x=EPSILONS, y=MINIMA, column=WIDTH) -> Table:
    """A long table: all of y for the first of x, then for the next."""
    return Table({X: np.repeat(x, len(y)), Y: np.tile(y, len(x)), column: np.asarray(values, dtype=float).ravel()})


def scene(values, figure=FIGURE, **options):
    return resolve(figure, given({"t": table(values, column=figure.layers[0].value)}), {}, {}, **options)


def luminance(colour) -> float:
    """Relative luminance of red, green and blue from 0 to 255, as grey shows them [WCAG]."""
    channels = np.asarray(colour) / 255
    straight = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return straight @ [0.2126, 0.7152, 0.0722]


def oklab(colours):
    """Colours, a row each, where equal distances look alike [Ottosson 2020]."""
    channels = np.asarray(colours) / 255
    straight = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    cones = np.cbrt(straight @ np.array([[0.4122214708, 0.2119034982, 0.0883024619],
                                         [0.5363325363, 0.6806995451, 0.2817188376],
                                         [0.0514459929, 0.1073969566, 0.6299787005]]))
    return cones @ np.array([[0.2104542553, 1.9779984951, 0.0259040371], [0.7936177850, -2.4285922050, 0.7827717662],
                             [-0.0040720468, 0.4505937099, -0.8086757660]])


@pytest.mark.parametrize("dark", [False, True])
def test_that_steps_along_the_ramp_look_even_in_colour_and_tell_themselves_apart_in_grey(dark):
    colours = ramp(np.linspace(0, 1, 65), dark=dark)
    steps = np.linalg.norm(np.diff(oklab(colours)[::4], axis=0), axis=1)
    assert steps.max() < 1.3 * steps.min()
    grey = np.array([luminance(colour) for colour in colours])
    assert (np.diff(grey) < 0).all() or (np.diff(grey) > 0).all()
    assert bool(grey[0] < grey[-1]) is dark  # the greatest value stands out from the ground
    lightness = oklab(colours)[:, 0]
    assert abs(lightness[0] - lightness[-1]) > 0.6


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_that_who_sees_no_red_no_green_or_no_blue_can_order_the_ramp(lost):
    """Dichromats see what is left of three kinds of cones: the order must not hang on one of them."""
    straight = (ramp(np.linspace(0, 1, 33), dark=False) / 255.0) ** 2.2
    cones = straight @ np.array([[0.31399022, 0.15537241, 0.01775239], [0.63951294, 0.75789446, 0.10944209],
                                 [0.04649755, 0.08670142, 0.87256922]])
    rest = np.delete(cones, lost, axis=1) if lost < 2 else cones[:, :2]
    seen = rest[:, 0]
    assert (np.diff(seen) < 0).all()


@drawn(st.integers(1, 6), st.integers(1, 6), st.randoms())
def test_that_a_long_table_is_its_grid(width, height, random):
    x, y = (np.array(sorted(random.sample(range(100), n)), dtype=float) for n in (width, height))
    across, up = grid(np.repeat(x, height), np.tile(y, width))
    assert across.tolist() == x.tolist()
    assert up.tolist() == y.tolist()
    assert grid(np.empty(0), np.empty(0))[0].size == 0


@drawn(st.lists(st.floats(0.02, 15, exclude_min=True), min_size=12, max_size=12, unique=True), st.data())
def test_that_a_cell_reads_its_value_has_its_shade_and_is_found_in_any_order(values, data):
    order = data.draw(st.permutations(range(4)))
    made = resolve(FIGURE, given({"t": table(np.reshape(values, (4, 3)), EPSILONS[order])}), {}, {})
    x, y, cells = made.parts[0].arrays
    assert (np.diff(x) > 0).all()
    assert (np.diff(y) > 0).all()
    i, j = data.draw(st.integers(0, 3)), data.draw(st.integers(0, 2))
    value = np.reshape(values, (4, 3))[order.index(i), j]
    assert cells[j, i] == value
    nudge = data.draw(st.floats(0.85, 1.15))
    read, = made.readings(EPSILONS[i] * nudge, MINIMA[j] * nudge)
    assert (read.x, read.y, read.value) == (EPSILONS[i], MINIMA[j], value)
    assert not made.readings(EPSILONS[i])
    known = shading(cells, v.BAND_WIDTH)
    assert (known.low, known.high) == (min(values), max(values))
    for dark in (False, True):
        painted = shaded((x, y, cells), v.BAND_WIDTH, x, y, dark=dark)
        assert painted.shape == (3, 4, 4)
        assert (painted[j, i, :3] == ramp(known.parts(np.array([value])), dark=dark)[0]).all()
        assert (painted[..., 3] == 255).all()


def test_that_a_cell_reaches_half_way_to_its_neighbours_and_the_outermost_to_their_centres():
    assert edges(np.array([0.0, 2.0, 3.0])).tolist() == [0, 1, 2.5, 3]
    assert edges(np.array([4.0])).tolist() == [3.5, 4.5]
    x, y = np.array([0.0, 2.0]), np.array([0.0])
    painted = shaded((x, y, np.array([[1.0, 5.0]])), v.BAND_WIDTH, np.array([0.0, 0.99, 1.01, 2.0]), y, dark=False)
    assert [tuple(pixel[:3]) == tuple(ramp(np.array([part]), dark=False)[0]) for pixel, part in
            zip(painted[0], (0, 0, 1, 1), strict=True)] == [True] * 4


@drawn(st.floats(-3, 3), st.floats(-3, 3), st.sampled_from(["linear", "log"]))
def test_that_lines_run_where_the_value_is_what_they_say(slope, rise, scale):
    x, y = np.linspace(0, 2, 9), np.linspace(-1, 1, 7)
    plane = slope * x[None, :] + rise * y[:, None]
    quantity = v.EPSILON if scale == "log" else v.PRIVACY_LOSS
    cells = 10**plane if scale == "log" else plane
    found = list(isolines((x, y, cells), quantity))
    assert len(found) <= 3 * MOST
    if cells.max() - cells.min() < 1e-6:
        return
    if shading(cells, quantity).high > 1.0001 * abs(shading(cells, quantity).low):
        assert found or np.ptp(plane) < 0.2
    for words, across, up in found:
        value = float(said(words))
        assert cells.min() < value < cells.max()
        good = ~np.isnan(across)
        assert (~good).sum() == 0  # a plane has one line for a value
        height = slope * across + rise * up
        assert height == pytest.approx(math.log10(value) if scale == "log" else value, abs=1e-6 * np.ptp(plane) + 1e-12)


def test_that_logarithms_shade_what_says_so_or_is_far_apart_and_never_what_is_below_zero():
    def scale(values, quantity):
        return shading(np.array(values), quantity).scale

    assert scale([0.1, 0.2], v.EPSILON) == "log"
    assert scale([1.0, 90.0], v.BAND_WIDTH) == "linear"
    assert scale([1.0, 110.0], v.BAND_WIDTH) == "log"
    assert scale([0.0, 1100.0], v.BAND_WIDTH) == "linear"
    assert scale([1e-9, 1.0], v.ACCEPTANCE) == "linear"
    assert scale([-0.1, 0.2], v.DELTA) == "linear"
    assert scale([0.0, 0.0], v.DELTA) == "linear"
    zeros = shading(np.array([0.0, 1e-6, 1e-3, math.inf, math.nan]), v.DELTA)
    assert (zeros.low, zeros.high, zeros.scale) == (1e-6, 1e-3, "log")
    np.testing.assert_array_equal(zeros.parts(np.array([0.0, 1e-6, 1e-3, math.inf, math.nan])),
                                  [-math.inf, 0, 1, math.inf, math.nan])
    huge = shading(np.array([-1.7e308, 1.7e308]), v.PRIVACY_LOSS)
    assert huge.parts(np.array([-1.7e308, 0, 1.7e308])).tolist() == [0, 0.5, 1]


def test_that_what_is_not_on_the_ramp_is_hatched_and_said():
    values = np.reshape([math.inf, math.nan, 0.0, *np.geomspace(1e-6, 1e-3, 9)], (4, 3))
    figure = replace(FIGURE, layers=(Map(X, Y, Column(v.DELTA)),))
    made = scene(values, figure)
    told = entries(made, {})
    assert [(one.shade, one.key) for one in told] == [("ramp", ""), ("above", ""), ("below", ""), ("undefined", "")]
    assert [one.label for one in told] == [f"{v.DELTA.label}: 1e-6 to 0.001", "∞", "0", "no value"]
    x, y, cells = made.parts[0].arrays
    across, up = np.linspace(x[0], x[1] - 1e-3, 200), np.linspace(y[0], y[-1], 300)
    painted = shaded((x, y, cells), v.DELTA, across, up, dark=False)
    kinds = {"above": painted[:75, :90], "undefined": painted[80:220, :90], "below": painted[230:, :90]}
    for shade, pixels in kinds.items():
        colours = np.unique(pixels.reshape(-1, 4), axis=0)
        assert len(colours) == 2, shade  # the ground and its hatch
        assert len(np.unique(sample(shade, 30, 12, dark=False).reshape(-1, 4), axis=0)) == 2
    assert (kinds["undefined"][..., 3] == 0).mean() > 0.7
    assert [int(each) for each in kinds["above"][0, 3, :3]] == [int(RAMP[-1][i:i + 2], 16) for i in (1, 3, 5)]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("shade", ["above", "below", "undefined"])
def test_that_a_hatch_is_seen_on_its_ground(shade, dark):
    pixels = sample(shade, 40, 20, dark=dark).reshape(-1, 4)
    ground, hatch = sorted(np.unique(pixels, axis=0), key=lambda colour: -(pixels == colour).all(axis=1).sum())
    if shade == "undefined":
        assert (ground[3], hatch[3]) == (0, 128)
        return
    assert ground[3] == hatch[3] == 255
    light = sorted(luminance(each[:3]) + 0.05 for each in (ground, hatch))
    assert light[1] / light[0] > 1.8


def test_that_a_map_without_differences_has_the_middle_shade():
    flat = shading(np.array([3.0, 3.0]), v.BAND_WIDTH)
    np.testing.assert_array_equal(flat.parts(np.array([3.0, math.nan, math.inf])), [0.5, math.nan, math.inf])


def test_that_a_plateau_at_an_end_has_no_line_around_it():
    values = np.repeat([0.0, 4.0, 10.0, 10.0], 3)
    assert {name.words for name in names(scene(values), {}, curves=False)} == {"2", "4", "6", "8"}


def test_that_the_nearest_cell_is_the_nearest_as_the_axis_shows_it():
    made = scene(np.arange(12.0))
    assert [made.readings(x, 10)[0].x for x in (0.139, 0.144, 0.149)] == [0.1, 0.2, 0.2]  # √(0.1 × 0.2) = 0.141


def test_that_a_map_says_what_it_shows_between_which_values_and_whose():
    told = entries(scene(np.arange(1.0, 13.0)), {})
    assert [one.label for one in told] == [f"{v.BAND_WIDTH.label}, Laplace: 1 to 12 records"]
    assert entries(scene(np.full(12, 3.0)), {})[0].label == f"{v.BAND_WIDTH.label}, Laplace: 3 records everywhere"
    assert not entries(scene(np.arange(12.0), hidden=frozenset({"laplace"})), {})
    nothing = scene(np.full(12, np.nan))
    assert nothing.blank
    assert [one.label for one in entries(nothing, {})] == ["no value"]
    assert not scene(np.full(12, np.inf)).blank
    assert columns_of(FIGURE, table(np.arange(12))) == [X, Y, WIDTH]


def test_that_lines_wear_their_values_and_serve_on_for_the_same_answer():
    update = given({"t": table(np.arange(1.0, 13.0))})
    first = resolve(FIGURE, update, {}, {})
    assert [name.words for name in names(first, {}, curves=False)] == ["2", "4", "6", "8", "10"]
    again = resolve(FIGURE, update, {}, {}, before=first)
    assert all(one is other for one, other in zip(first.isolines, again.isolines, strict=True))
    hidden = resolve(FIGURE, update, {}, {}, before=again, hidden=frozenset({"laplace"}))
    assert not hidden.isolines
    other = resolve(FIGURE, given({"t": table(np.arange(1.0, 13.0) * 1000)}), {}, {}, before=again)
    assert other.isolines[0].layer.label == f"2{THIN}000"
    for flat in (np.full(12, 7.0), 1 + 1e-12 * np.arange(12), 5e-324 * np.arange(12), [-1.7e308, *[1.7e308] * 11]):
        assert not scene(flat).isolines
    assert not resolve(FIGURE, given({"t": table(np.arange(3.0), EPSILONS[:1])}), {}, {}).isolines


def test_that_the_picture_is_the_grid_and_no_more():
    made = scene(np.arange(12.0))
    assert made.y == (1.0, 3.0)
    assert made.x == pytest.approx((-1.0, 0.0))
