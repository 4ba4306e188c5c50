"""One scene for the window and print: pins with their names, ranges of what is seen, names that find their place."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from answers_kit import Asked, given
from hypothesis import example
from hypothesis import given as drawn
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.facts import once
from dpstudio.core.facts import table as tabled
from dpstudio.core.figure import Axis, Band, Dots, Figure, Level, Line, Mark, Region
from dpstudio.core.results import Column, Fact, Series, Table
from dpstudio.core.slow import hurried
from dpstudio.core.update import Update
from dpstudio.scene.frame import covered, overlap
from dpstudio.scene.legend import entries, joined, names
from dpstudio.scene.names import beside, end_box, leader, place_names, told_apart
from dpstudio.scene.scene import Pinned, resolve
from dpstudio.scene.straights import pointed, shared
from dpstudio.studies import all_studies

ONE, TWO = Series("laplace", "Laplace"), Series("cutoff", "Cutoff")
X = Column(v.RECORDS)
N = np.arange(0.0, 101.0)


def table(shift: float = 0.0, *, high: float = 1.0) -> Table:
    return Table({X: N, Column(v.ACCEPTANCE, ONE): high / (1 + np.exp((50 + shift - N) / 5)),
                  Column(v.ACCEPTANCE, TWO): N / 100, Column(v.REJECTION, TWO): 1 - N / 100})


FIGURE = Figure("f", "F", "t", Axis(v.RECORDS), Axis(v.ACCEPTANCE),
                (Line(X, Column(v.ACCEPTANCE, ONE)), Line(X, Column(v.ACCEPTANCE, TWO)), Mark("minimum")))


def scene(figure: Figure = FIGURE, update=None, **options):
    return resolve(figure, update or given({"t": table()}), {}, {}, **options)


def test_that_every_pin_has_its_lines_its_name_and_its_entry():
    pins = [Pinned(f"ε = {shift}", given({"t": table(shift)})) for shift in (10, 20)]
    found = scene(pins=pins)
    assert [(part.pin, part.key) for part in found.pinned] == [
        (0, "laplace"), (0, "cutoff"), (1, "laplace"), (1, "cutoff")]
    for part in found.pinned:
        np.testing.assert_array_equal(part.arrays[1], pins[part.pin].update.tables["t"][part.layer.y])
    said = [(name.words, name.part.pin, name.part.key) for name in names(found, {}, curves=False)]
    assert said == [("ε = 10", 0, "laplace"), ("ε = 20", 1, "laplace")]  # on the curve that differs
    assert [(one.label, one.faint, one.key) for one in entries(found, {})][-2:] == [
        ("ε = 10", True, ""), ("ε = 20", True, "")]
    assert not scene().pinned
    same = scene(pins=[Pinned("the present values", given({"t": table()}))])
    assert not names(same, {}, curves=False)  # all its curves are those that are seen
    assert entries(same, {})[-1].label == "the present values"
    sampled = Table({column: values[::2] for column, values in table(9).items()})
    (name,) = names(scene(replace(FIGURE, layers=FIGURE.layers[1::-1]), pins=[Pinned("a", given({"t": sampled}))]), {},
                    curves=False)
    assert name.part.key == "laplace"  # though the other curve comes first, and has other samples


def test_that_a_hidden_series_hides_its_pins_and_a_pin_without_numbers_draws_nothing():
    pins = [Pinned("a", given({"t": table(9)})), Pinned("b", given({"other": table()}))]
    for hidden, seen, said in (("cutoff", "laplace", ["a"]), ("laplace", "cutoff", [])):  # the latter is no other's
        found = scene(pins=pins, hidden=frozenset({hidden}))
        assert [(part.pin, part.key) for part in found.pinned if part.shown] == [(0, seen)]
        assert [name.words for name in names(found, {}, curves=False)] == said


def test_that_a_pin_of_one_series_shows_its_curves_alone_and_only_they_stretch_the_axis():
    free = replace(FIGURE, y=Axis(v.PRIVACY_LOSS))
    for only, seen, high in (("laplace", "laplace", 3), ("cutoff", "cutoff", 1), ("nobody", None, 1)):
        found = scene(free, pins=[Pinned("a", given({"t": table(9, high=3.0)}), only)])
        assert [part.key for part in found.pinned if part.shown] == ([seen] if seen else [])
        assert found.y == (0, high)
        assert [name.words for name in names(found, {}, curves=False)] == (["a"] if seen == "laplace" else [])


def test_that_the_y_axis_holds_pins_and_only_what_is_in_view():
    assert scene().y == (0, 1)
    free = replace(FIGURE, y=Axis(v.PRIVACY_LOSS))
    assert scene(free, pins=[Pinned("a", given({"t": table(high=3.0)}))]).y == (0, 3)
    assert scene(view=(0.0, 20.0)).y == pytest.approx((0, 0.2), abs=0.06)
    assert scene(view=(0.0, 20.0)).x == (0, 20)
    high = given({"t": table(high=3.0)})
    assert scene(free, high, view=(200.0, 300.0)).y == (0, 3)  # nothing is in view: all is as good
    assert scene(free, high, hidden=frozenset({"laplace"})).y == (0, 1)
    for axis, y in (("x", (0, 1)), ("y", (0, 4))):
        level = replace(free, layers=(*free.layers, Level(v.SCALE, axis=axis)))
        assert scene(level, given({"t": table()}, [Fact(v.SCALE, 4.0)])).y == y


def test_that_a_mark_stands_only_while_what_it_waits_for_is_so():
    study = all_studies()["decision"]
    parameters = {each.name: each for each in study.parameters()}
    figure = replace(FIGURE, layers=(*FIGURE.layers[:2], Mark("minimum", when=("prior", "normal"))))
    for prior, value in (("normal", 1000.0), ("uniform", math.nan)):
        values = study(minimum=1000, prior=prior).values()
        (mark,) = resolve(figure, given({"t": table()}), values, parameters).straights
        assert (mark.value, mark.words != "") == (pytest.approx(value, nan_ok=True), prior == "normal")


@pytest.mark.parametrize(("axis", "side", "words"), [
    ("x", -1, "← m"), ("x", 0, "m"), ("x", 1, "m →"), ("y", -1, "↓ m"), ("y", 0, "m"), ("y", 1, "↑ m")])
def test_that_an_arrow_says_where_a_line_out_of_view_lies(axis, side, words):
    assert pointed("m", axis, side) == words


def test_that_a_pin_is_named_where_it_differs_also_beside_a_curve_with_gaps():
    gap = np.where(N < 50, np.nan, N / 100)
    now, then = (given({"t": Table({**table(), Column(v.ACCEPTANCE, ONE): gap, Column(v.ACCEPTANCE, TWO): up})})
                 for up in (N / 100, N / 200))
    ((words, part),) = [(name.words, name.part) for name in names(scene(update=now, pins=[Pinned("a", then)]), {},
                                                                  curves=False)]
    assert (words, part.key) == ("a", "cutoff")


def test_that_a_line_with_words_of_its_own_says_nothing_of_the_others():
    rejected = Line(X, Column(v.REJECTION, TWO), role="other")
    for line, roles in ((rejected, 2), (replace(rejected, label="turned round"), 0)):
        found = entries(scene(replace(FIGURE, layers=(*FIGURE.layers[:2], line))), {})
        assert sum(not one.key for one in found) == roles


def test_that_curves_that_coincide_are_named_once_and_thin_ones_with_their_thick():
    figure = Figure("f", "F", "t", Axis(v.RECORDS), Axis(v.ACCEPTANCE), (
        *FIGURE.layers[:2], Line(X, Column(v.REJECTION, TWO), role="other"),
        Line(X, Column(v.ACCEPTANCE, TWO), role="other", label="twice")))
    found = scene(figure)
    assert [name.words for name in names(found, {}, curves=True)] == ["Laplace", "Cutoff", "twice"]
    assert [name.words for name in names(found, {"cutoff": "laplace"}, curves=True)] == ["Laplace = Cutoff = twice"]
    three = replace(FIGURE, layers=(*FIGURE.layers[:2], Line(X, Column(v.ACCEPTANCE, Series("c", "C")))))
    columns = {**table().columns, Column(v.ACCEPTANCE, Series("c", "C")): N / 100}
    chain = names(scene(three, given({"t": Table(columns)})), {"cutoff": "laplace", "c": "cutoff"}, curves=True)
    assert [name.words for name in chain] == ["Laplace = Cutoff = C"]
    assert joined(["Cutoff exponential", "Generalized"]).count("\n") == 1
    roles = [one for one in entries(found, {}) if not one.key]
    assert [(one.label, one.kind) for one in roles] == [(v.ACCEPTANCE.label, "curve"), (v.REJECTION.label, "other")]
    assert [one.label for one in entries(found, {"cutoff": "laplace"})][:3] == [
        "Laplace", "Cutoff = Laplace here", "twice"]


def test_that_what_has_no_line_has_an_entry_too_and_a_single_dot_a_name():
    third, fourth = Series("gaussian", "Gaussian"), Series("matched", "Matched")
    columns = {X: N, Column(v.FRACTION_LOW, ONE): N / 200, Column(v.FRACTION_HIGH, ONE): N / 100,
               Column(v.FRACTION, third): np.where(N == 7, 0.5, np.nan)}
    figure = Figure("f", "F", "t", Axis(v.RECORDS), Axis(v.FRACTION), (
        Band(X, Column(v.FRACTION_LOW, ONE), Column(v.FRACTION_HIGH, ONE)), Dots(X, Column(v.FRACTION, third)),
        Region(v.BAND_FROM, v.BAND_TO, fourth), Region(v.BAND_FROM, v.BAND_TO, TWO)))
    update = given({"t": Table(columns)}, (Fact(v.BAND_FROM, 10.0, fourth), Fact(v.BAND_TO, 20.0, fourth)))
    found = scene(figure, update)
    assert [(one.label, one.kind, one.worn) for one in entries(found, {})] == [
        ("Laplace", "area", False), ("Gaussian", "dots", True), ("Matched", "area", False)]
    assert [name.words for name in names(found, {}, curves=True)] == ["Gaussian"]
    hidden = scene(figure, update, hidden=frozenset({"laplace"}))
    assert [one.key for one in entries(hidden, {})] == ["gaussian", "matched"]
    assert [one.key for one in entries(hidden, {}, hidden=True)] == ["laplace", "gaussian", "matched"]


def test_that_a_picture_does_not_wait_for_what_takes_longer_where_it_is_in_a_hurry():
    class Slow(Answer):
        declared = {"the answer": (once(v.THRESHOLD, lambda _: 0.25, series=ONE, slow=lambda _: iter(())),)}
        tabled = {"t": tabled(lambda _, __: table(), (0.0, 100.0), slow=lambda _: iter(()))}

    figure = Figure("f", "F", "t", Axis(v.RECORDS), Axis(v.ACCEPTANCE), (
        FIGURE.layers[0], Level(v.THRESHOLD, ONE), Level(v.THRESHOLD, TWO)))
    with hurried():
        assert not any(part.present for part in scene(figure, Update(Slow(Asked()))).parts)
    found = scene(figure, Update(Slow(Asked())))
    assert [part.present for part in found.parts] == [True, True, False]  # no answer has the last
    assert [straight.words for straight in found.straights if straight.words] == ["0.25"]


def test_that_a_picture_is_blank_where_all_its_points_lie_below_the_edge():
    figure = replace(FIGURE, y=Axis(v.ACCEPTANCE, "log", floor=1e-3))
    assert not scene(figure).blank
    assert scene(figure, given({"t": table(high=1e-4)}), hidden=frozenset()).blank is False  # the other is seen
    alone = replace(figure, layers=figure.layers[:1])
    assert scene(alone, given({"t": table(high=1e-4)})).blank
    assert not scene(alone, hidden=frozenset({"laplace"})).blank  # hidden is not absent


def test_that_a_picture_under_way_does_not_say_that_there_is_nothing_to_draw():
    watch = all_studies()["watch"]()
    figure, update = watch.figure("alarm"), Update(watch.answer())

    def seen(shown):
        found = resolve(figure, shown, watch.values(), watch.by_name())
        return any(part.arrays[0].size for part in found.parts if isinstance(part.layer, Line)), found.blank

    with hurried():
        assert seen(update) == (False, False)
    assert seen(update) == (True, False)
    assert seen(given({figure.table: Table({X: N})})) == (False, True)


def test_that_whoever_points_at_a_picture_that_waits_for_its_curves_computes_none():
    study = all_studies()["watch"]()
    figure, update = study.figure("alarm"), Update(study.answer())
    with hurried():
        waits = resolve(figure, update, study.values(), study.by_name())
    assert waits.readings(0.05) == []
    assert update.answer.slow(figure.table)
    assert update.tables[figure.table].rows
    assert waits.readings(0.05) == []
    assert resolve(figure, update, study.values(), study.by_name()).readings(0.05)


@pytest.mark.parametrize(("view", "x"), [
    ((5.0, 5.0), (4.5, 5.5)), ((0.0, np.inf), (0.0, 1.0)), ((2.0, 3.0), (2, 3)), ((-9.0, 3.0), (0, 3)),
    ((-9.0, -3.0), (-0.5, 0.5)), ((5.0, 5.0 + 1e-13), (4.5, 5.5)), ((0.0, 1e-320), (-0.5, 0.5)),
    ((5.0, 5.0 + 1e-10), (5, 5 + 1e-10)), ((0.0, 1e-290), (0, 1e-290))])
def test_that_a_view_of_no_width_or_without_an_end_is_a_picture_all_the_same(view, x):
    assert scene(view=view).x == x


def test_that_a_view_beyond_all_values_has_a_width_that_can_be_told_apart():
    low, high = scene(view=(9e298, 9e299)).x
    assert low < v.RECORDS.domain.high < high


BOXES = st.tuples(st.floats(20, 120), st.floats(8, 20))


@drawn(st.lists(BOXES, min_size=1, max_size=5), st.floats(-1, 1), st.floats(10, 90))
@example([(120.0, 20.0)] * 5, 0.0, 50.0)
def test_that_names_are_in_the_room_and_apart_and_led_to_where_they_are_not_at_their_curve(sizes, slope, start):
    room = (0.0, 0.0, 300.0, 100.0)
    x = np.linspace(0.0, 300.0, 61)
    curves = [(x, start + slope * x / 4 + 3 * i) for i in range(len(sizes))]
    boxes = []
    for (across, down), size in zip(curves, sizes, strict=True):
        box = end_box(across, down, size, room, boxes, curves)
        if box is None:
            continue
        assert room[0] <= box[0] <= box[2] <= room[2] + 1e-9
        assert room[1] <= box[1] <= box[3] <= room[3] + 1e-9
        assert box[2] - box[0] == pytest.approx(size[0])
        if led := leader(box, (across, down), room):
            assert np.min(np.hypot(across - led[2], down - led[3])) < 1e-9
            assert box[0] <= led[0] <= box[2]
            assert box[1] <= led[1] <= box[3]
        boxes.append(box)
    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))


def test_that_a_curve_between_its_points_and_a_line_that_turns_back_are_covered():
    box = [(40.0, 40.0, 60.0, 60.0)]
    assert covered(box, [(np.array([0.0, 100.0]), np.array([0.0, 100.0]))]).tolist() == [1]
    assert covered(box, [(np.array([0.0, 100.0]), np.array([70.0, 100.0]))]).tolist() == [0]
    assert covered(box, [(np.array([0.0, 50.0, 0.0]), np.array([0.0, 50.0, 100.0]))]).tolist() == [1]
    assert covered(box, [(np.array([70.0, 90.0]), np.array([50.0, 50.0]))]).tolist() == [0]
    assert covered(box, [(np.array([0.0, 100.0]), np.array([np.nan, 50.0]))]).tolist() == [0]
    for at, found in ((50.0, 1), (70.0, 0)):
        assert covered(box, [(np.full(26, at), np.arange(0.0, 104.0, 4.0))]).tolist() == [found]


@pytest.mark.parametrize("now", [0.0, 40.0])
def test_that_the_name_of_a_pin_stands_where_its_curve_can_be_told_from_the_present_one_and_other_pins(now):
    pins = [Pinned(f"ε = {shift}", given({"t": table(shift)})) for shift in (20, 21)]
    found = scene(update=given({"t": table(now)}), pins=pins)
    room = (0.0, 0.0, 300.0, 100.0)

    def to_paper(points):
        return points[0] * 3, 100 - points[1] * 100

    placed = place_names(names(found, {}, curves=False), to_paper, lambda _: (30.0, 10.0), room, [])
    curves = {part.pin: to_paper(part.points)[1] for part in found.pinned if part.key == "laplace"}
    now_at = to_paper(found.parts[0].points)[1]
    assert [each.name.words for each in placed] == ["ε = 20", "ε = 21"]
    for (name, _, led), pin, other in zip(placed, (0, 1), (1, 0), strict=True):
        x, y = told_apart(name, to_paper, room)
        gap = np.minimum(np.abs(curves[pin] - now_at), np.abs(curves[pin] - curves[other]))
        np.testing.assert_array_equal(np.isfinite(y), gap >= gap.max() / 2)
        assert led is None or np.isfinite(y[np.abs(x - led[2]).argmin()])


def test_that_the_labels_of_a_row_are_all_said_in_brief_before_one_is_said_in_whole():
    widths = [(50.0, 20.0), (60.0, 20.0), (40.0, 20.0)]
    assert shared(widths, 160.0, 5.0) == [0, 0, 0]
    assert shared(widths, 159.0, 5.0) == [0, 0, 1]
    assert shared(widths, 100.0, 5.0) == [0, 1, 1]
    assert shared(widths, 99.0, 5.0) == [1, 1, 0]
    assert shared(widths, 70.0, 5.0) == [1, 1, 1]
    assert shared(widths, 69.0, 5.0) == [1, 1, None]


def test_that_names_keep_off_straight_lines():
    figure = replace(FIGURE, layers=(Dots(X, Column(v.ACCEPTANCE, ONE)), Mark("minimum"), Mark("target", "y")))
    one = given({"t": Table({X: np.full(3, 50.0), Column(v.ACCEPTANCE, ONE): np.full(3, 0.5)})})
    parameters = {each.name: each for each in all_studies()["decision"].parameters()}
    found = resolve(figure, one, {"minimum": 50, "target": 0.5}, parameters, view=(0.0, 100.0))
    assert [each.at for each in found.straights] == [50, 0.5]
    (name,) = names(found, {}, curves=False)

    def placed(straights):
        ((_, box, _),) = place_names([name], lambda points: (points[0], 100 - points[1] * 100), lambda _: (20.0, 10.0),
                                  (0.0, 0.0, 100.0, 100.0), [], straights=straights)
        return box

    assert placed([])[1] < 50 < placed([])[3]
    left, top, right, bottom = placed(found.straights)
    assert right < 50 or left > 50
    assert bottom < 50 or top > 50
    figure = replace(FIGURE, layers=(Line(X, Column(v.ACCEPTANCE, TWO), label="ε = 1", named=True), Mark("minimum")))
    found = resolve(figure, given({"t": table()}), {"minimum": 50}, parameters, view=(0.0, 100.0))
    (name,) = names(found, {}, curves=False)
    assert placed([])[0] < 50 < placed([])[2]
    assert not placed(found.straights)[0] < 50 < placed(found.straights)[2]


def test_that_the_name_of_a_dot_stands_beside_it():
    room = (0.0, 0.0, 100.0, 50.0)
    for x, y in ((50.0, 25.0), (99.0, 1.0), (1.0, 49.0)):
        box = beside(x, y, (30.0, 10.0), room, [])
        assert box is not None
        assert not overlap(box, (x - 3, y - 3, x + 3, y + 3))
        assert max(box[0] - x, x - box[2], box[1] - y, y - box[3]) < 10
    assert beside(50.0, 25.0, (30.0, 10.0), room, [room]) is None
    aside = [(55.0, 20.0, 100.0, 30.0), (0.0, 20.0, 45.0, 30.0)]
    for taken in (aside, [*aside, (0.0, 0.0, 100.0, 20.0)]):  # above, else below, and in the middle of it
        box = beside(50.0, 25.0, (30.0, 10.0), room, taken)
        assert (box[0] + box[2]) / 2 == 50
        assert box[3] < 25 if taken is aside else box[1] > 25


def test_that_a_name_that_is_kept_stays_until_its_curve_leaves_it():
    (name,) = names(scene(hidden=frozenset({"cutoff"})), {}, curves=True)
    kept = {name.words: (10.0, 20.0, 30.0, 30.0)}

    def placed(height: float):
        flat = (np.array([0.0, 100.0]), np.array([height, height]))
        ((_, box, _),) = place_names([name], lambda _: flat, lambda _: (20.0, 10.0), (0.0, 0.0, 100.0, 100.0), [flat],
                                       (), kept)
        return box

    assert placed(25.0) == kept[name.words]
    assert placed(90.0) != kept[name.words]


@pytest.mark.parametrize(("column", "count"), [([0.3] * 4, 1), ([0.3, 0.3, 0.3, 0.4], 4), ([math.nan] * 4, 1)])
def test_that_a_dot_that_stands_in_every_row_is_one(column, count):
    x, y = Column(v.EPSILON), Column(v.ACCEPTANCE, ONE)
    figure = replace(FIGURE, layers=(Dots(x, y),))
    (part,) = scene(figure, given({"t": Table({x: np.full(4, 0.1), y: np.array(column)})})).parts
    assert [len(each) for each in part.arrays] == [count] * 4
