"""Sweeps: grids as people mean them, every cell as the study alone answers it, in whatever pieces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import answer, fact
from dpstudio.core.sweep import (
    ABSENT,
    FAILED,
    KINDS,
    MOST,
    REFUSED,
    Over,
    Plan,
    Swept,
    cells,
    check_size,
    read_over,
    sweep,
)
from dpstudio.core.sweep.cells import CellValues
from dpstudio.core.sweep.run import _Pieces
from dpstudio.core.workers import Here, Pool
from dpstudio.studies import all_studies

STUDIES = all_studies()
DECISION, MEAN, RESPONSE, NOISE = (STUDIES[key] for key in ("decision", "mean", "response", "noise"))


def swept(plan, workers=None):
    *_, last = sweep(plan, workers or Here())
    assert (last.done, last.total) == (plan.total, plan.total)
    return last.swept


def planned(study, *overs, facts, **options):
    return Plan(study, tuple(read_over(type(study), text) for text in overs), facts, **options)


@pytest.mark.parametrize(("text", "values"), [
    ("epsilon=0.1:1:10", (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)), ("epsilon=1e-3:10:5:log", (
        0.001, 0.01, 0.1, 1.0, 10.0)), ("epsilon=0.1,20%, 3e-1", (0.1, 0.2, 0.3)), ("epsilon=2:2:1", (2.0,)),
    ("minimum=1:10:4", (1, 4, 7, 10)), ("minimum=1:3:9", (1, 2, 3)), ("minimum=1:100:5:log", (1, 3, 10, 32, 100)),
    ("prior=normal,uniform", ("normal", "uniform")), ("zero_refused=no,yes", (False, True)),
    ("target=conservative,liberal", (0.01, 0.99)), ("target=conservative:liberal:3", (0.01, 0.5, 0.99)),
    ("seed=0:9223372036854775807:2", (0, 2**63 - 1)), ("delta=0,0,0.1", (0.0, 0.1))])
def test_that_a_grid_has_the_values_that_people_mean(text, values):
    found = read_over(DECISION, text)
    assert found == Over(text.partition("=")[0], values)
    assert list(map(type, found.values)) == list(map(type, values))


def test_that_values_that_stand_there_already_are_left_out_and_counted():
    assert read_over(DECISION, "minimum=1:3:9").repeated == 6
    assert read_over(DECISION, "delta=0,0,0.1").repeated == 1
    assert read_over(DECISION, "epsilon=1:2:9").repeated == 0
    assert any("6 of its values" in said for said in swept(planned(
        DECISION(), "minimum=1:3:9", facts=(("band_width", "laplace"),))).told())


@given(st.floats(1e-6, 20), st.floats(1e-6, 20), st.integers(2, 300), st.booleans())
def test_that_a_grid_goes_from_its_low_to_its_high_in_equal_steps_or_ratios(one, other, count, log):
    low, high = sorted((one, other))
    found = np.array(read_over(DECISION, f"epsilon={low!r}:{high!r}:{count}{':log' * log}").values)
    assert (found[0], found[-1]) == (low, high)
    assert (np.diff(found) > 0).all()
    if len(found) == count:
        even = np.geomspace(low, high, count) if log else np.linspace(low, high, count)
        np.testing.assert_allclose(found, even, rtol=1e-12)
    else:
        assert high - low < 1e-10


@pytest.mark.parametrize(("text", "words"), [
    ("epsilon", "must be NAME=LOW:HIGH:COUNT"), ("epsilon=", "must be NAME"), ("=1", "must be NAME"),
    ("epsilon=1:2", "must be NAME"), ("epsilon=1:2:3:linear", "must be NAME"), ("epsilon=1:2:3:log:4", "must be NAME"),
    ("epsilon=1:2:x", "whole number"), ("epsilon=1:2:2.5", "whole number"), ("epsilon=1:2:0", "whole number"),
    ("epsilon=1:2:-3", "whole number"), ("epsilon=1:2:1", "2 at least"), ("epsilon=2:1:5", "LOW is at most its HIGH"),
    ("delta=0:0.1:5:log", "LOW is above 0"), ("epsilon=0:1:5", "epsilon must be in [1e-6, 20], got 0"),
    ("epsilon=1:x:5", "epsilon must be in [1e-6, 20], got 'x'"), ("epsilon=1,,2", "epsilon must be"),
    ("minimum=1.5:3:3", "minimum must be an integer"), ("epsilon=nan:1:3", "epsilon must be"),
    ("prior=a:b:3", "listed as prior=V1,V2"), ("prior=flat", "prior must be one of"),
    ("epsilno=1:2:3", "one of minimum")])
def test_that_a_bad_grid_is_refused(text, words):
    with pytest.raises(InvalidParameter) as refusal:
        read_over(DECISION, text)
    assert words in str(refusal.value)


BAND = (("band_width", "laplace"),)


@pytest.mark.parametrize(("overs", "facts", "words"), [
    ((), BAND, "one parameter or two"), ((Over("epsilon", (1.0,)),) * 2, BAND, "two different"),
    ((Over("epsilon", ()),), BAND, "with values"), ((Over("epsilon", (1.0, 30.0)),), BAND, "epsilon must be in"),
    ((Over("epsilon", (1.0, 1.0)),), BAND, "twice"), ((Over("epsilno", (1.0,)),), BAND, "parameter must be one of"),
    ((Over("epsilon", (1.0,)),), (), "one at least"), ((Over("epsilon", (1.0,)),), BAND * 2, "none of them twice"),
    ((Over("epsilon", (1.0,)),), (("width", None),), "fact must be one of"),
    ((Over("epsilon", (1.0,)),), (("band_width", "laplac"),), "series must be one of"),
    ((Over("epsilon", (1.0,)),), (("accepted_fraction", "laplace"),), "unless they are to be simulated"),
    ((Over("records", tuple(range(4000))), Over("minimum", tuple(range(1, 4000)))), BAND, "cells must be an integer")])
def test_that_what_cannot_be_swept_is_refused_before_it_begins(overs, facts, words):
    with pytest.raises(InvalidParameter) as refusal:
        next(sweep(Plan(DECISION(), overs, facts), Here()))
    assert words in str(refusal.value)


def test_that_the_largest_sweep_is_as_large_as_is_said():
    check_size(MOST // 2, 2)
    with pytest.raises(InvalidParameter, match=r"cells must be an integer in \[1, 5e6\], got 5000001 \(too long\)"):
        check_size(MOST // 2 + 1, 2, "too long")


def test_that_every_cell_is_what_the_study_alone_answers():
    plan = planned(DECISION(target=0.7), "epsilon=0.05:2:5:log", "minimum=10:1e5:4:log",
                   facts=(("band_width", "laplace"), ("acceptance", "generalized"), ("half_met", "cutoff")))
    found = swept(plan)
    for i in range(plan.total):
        study = DECISION(target=0.7, **plan.cell(i))
        for key, of in plan.facts:
            column = next(each for each in found.table if each.key == f"{key}_{of}")
            assert found.table[column][i] == fact(study, key, of).value
            assert KINDS[found.kinds[column][i] - 1] == fact(study, key, of).kind
    cell = plan.cell(7)
    assert [found.table[column][7] for column in list(found.table)[:2]] == list(cell.values())
    assert plan.cell(0) | {"minimum": plan.over[1].values[1]} == plan.cell(1)


def test_that_a_parameter_that_follows_another_does_so_in_every_cell_unless_it_was_set():
    facts = (("overall_error", "laplace"),)
    following = swept(planned(DECISION(), "minimum=500,2000", facts=facts)).cells.value[:, 0]
    held = swept(planned(DECISION(), "minimum=500,2000", facts=facts, explicit=("prior_centre",))).cells.value[:, 0]
    for i, minimum in enumerate((500, 2000)):
        assert following[i] == fact(DECISION(minimum=minimum), *facts[0]).value
        assert held[i] == fact(DECISION(minimum=minimum, prior_centre=1000.0), *facts[0]).value


def test_that_a_cell_that_is_refused_or_fails_and_a_fact_that_does_not_apply_are_nan_and_counted(monkeypatch):
    fill = cells._fill

    def filled(found, row, part, simulate, values):
        if values["epsilon"] == 3:
            raise ZeroDivisionError
        if values["epsilon"] == 4:
            raise InvalidParameter("epsilon", "another", 4.0)
        fill(found, row, part, simulate, values)

    monkeypatch.setattr(cells, "_fill", filled)
    plan = Plan(DECISION(), (Over("epsilon", (1.0, 3.0, 4.0, 5.0)),), (("band_width", "laplace"), ("mu", "gaussian")))
    found = swept(plan)
    assert np.isnan(found.cells.value[1:3]).all()
    assert np.isfinite(found.cells.value[[0, 3]]).all()
    assert found.cells.kind[:, 0].tolist() == [1, FAILED, REFUSED, 1]
    assert (found.refused, found.failed) == (1, (1,))
    assert list(found.told()) == ["1 of 4 cells are refused by decision, and are nan",
                                  "1 of 4 cells failed, and are nan; the first has epsilon = 3"]


def test_that_a_fact_that_does_not_apply_in_a_cell_is_nan_there_alone():
    asked = tuple(place for place, each in NOISE.answers().index().items() if not each.simulated)
    found = swept(planned(NOISE(), "epsilon=0.5,2", facts=asked)).cells
    for row, epsilon in enumerate((0.5, 2.0)):
        alone = [NOISE(epsilon=epsilon).answer().fact(*place) for place in asked]
        assert None in alone
        assert found.kind[row].tolist() == [ABSENT if each is None else 1 + KINDS.index(each.kind) for each in alone]
        np.testing.assert_array_equal(found.value[row], [np.nan if each is None else each.value for each in alone])


def test_that_draws_are_those_of_the_study_alone_with_their_intervals():
    plan = planned(DECISION(trials=30_000), "seed=0:3:4", facts=(("accepted_fraction", "laplace"),), simulate=True)
    table = swept(plan).table
    assert [column.key for column in table] == ["seed", "accepted_fraction_laplace", "accepted_fraction_low_laplace",
                                                "accepted_fraction_high_laplace"]
    for seed in range(4):
        alone = next(each for each in answer(DECISION(trials=30_000, seed=seed)).facts
                     if (each.key, each.series and each.series.key) == plan.facts[0])
        assert [values[seed] for values in table.values()] == [seed, alone.value, alone.low, alone.high]


def test_that_words_and_switches_stand_in_the_table_as_places_and_as_ones():
    plan = planned(RESPONSE(), "design=warner,symmetric", "people=10,20", facts=(("estimator_sd", "response"),))
    assert [values.tolist() for values in list(swept(plan).table.values())[:2]] == [[0, 0, 1, 1], [10, 20, 10, 20]]
    plan = planned(DECISION(), "zero_refused=yes,no", facts=BAND)
    assert next(iter(swept(plan).table.values())).tolist() == [1, 0]


@given(st.data())
def test_that_any_piece_has_the_cells_of_the_plan(data):
    names = data.draw(st.permutations(["epsilon", "minimum", "records"]))[:data.draw(st.integers(1, 2))]
    overs = tuple(Over(name, tuple(range(1, 1 + data.draw(st.integers(1, 7))))) for name in names)
    plan = Plan(DECISION(), overs, BAND)
    begin = data.draw(st.integers(0, plan.total - 1))
    end = data.draw(st.integers(begin + 1, plan.total))
    part = plan.part(begin, end)
    assert (part.begin, part.end, part.base) == (begin, end, plan.base)
    assert [dict(zip(part.names, values, strict=True)) for values in part.values] == [
        plan.cell(i) for i in range(begin, end)]


def test_that_a_request_has_a_digest_of_its_own():
    base = {"study": DECISION(), "over": (Over("epsilon", (0.1, 0.2)),), "facts": BAND}
    others = [{}, {"study": DECISION(minimum=7)}, {"over": (Over("epsilon", (0.1, 0.3)),)}, {"simulate": True},
              {"over": (Over("delta", (0.1, 0.2)),)}, {"facts": (("band_width", "cutoff"),)}, {"study": MEAN()},
              {"over": (Over("epsilon", (0.1,)), Over("delta", (0.2,)))}, {"explicit": ("prior_centre",)}]
    plans = [Plan(**(base | other)) for other in others]
    assert len({plan.digest for plan in plans}) == len(plans)
    assert Plan(**base).digest == plans[0].digest
    assert Plan(**base | {"study": DECISION(epsilon=3)}).digest == plans[0].digest  # which the grid replaces


def test_that_facts_of_every_study_can_be_swept():
    for study_class in STUDIES.values():
        number = next(each for each in study_class.parameters() if each.is_number and each.range)
        over = Over(number.name, (number.accept(study_class().values()[number.name]),))
        exact = {place: each for place, each in study_class.answers().index().items() if not each.simulated}
        slow = [place for place, each in exact.items() if each.slow]
        plan = Plan(study_class(), (over,), (*slow[:2], *[place for place in exact if place not in slow][:3]))
        found, alone = swept(plan).cells, study_class().answer()
        for place, asked in enumerate(plan.facts):
            fact_alone = alone.fact(*asked)
            assert (found.kind[0, place] == ABSENT) == (fact_alone is None)
            np.testing.assert_equal(found.value[0, place], np.nan if fact_alone is None else fact_alone.value)


def sizes(pieces, seconds, workers):
    found = []
    while (part := pieces.take(seconds, workers)) is not None:
        found.append(part.size)
    return found


def test_that_pieces_take_the_time_that_is_asked_for_and_shrink_towards_the_end():
    plan = Plan(DECISION(), (Over("records", tuple(range(1000))),), BAND)
    nothing = np.zeros(1000, dtype=np.bool_)
    assert sizes(_Pieces(plan, nothing, 0.01), 0.1, 1) == [10] * 100
    assert sizes(_Pieces(plan, nothing, 5.0), 0.1, 1) == [1] * 1000  # a cell is never cut
    shrinking = sizes(_Pieces(plan, nothing, 0.01), 1.0, 2)
    assert shrinking[:6] == [100] * 6  # while four more are left for each
    assert shrinking == sorted(shrinking, reverse=True)
    assert (shrinking[-1], sum(shrinking)) == (1, 1000)
    left = 1000 - np.cumsum([0, *shrinking[:-1]])
    assert all(size <= max(each / 4, 1) for size, each in zip(shrinking, left, strict=True))


def test_that_pieces_follow_the_time_that_cells_really_take_and_leave_out_what_is_done():
    plan = Plan(DECISION(), (Over("records", tuple(range(100))),), BAND)
    done = np.zeros(100, dtype=np.bool_)
    done[10:30] = done[99] = True
    pieces = _Pieces(plan, done, 0.01)
    first = pieces.take(0.05, 1)
    assert (first.begin, first.end) == (0, 5)
    for _ in range(30):
        pieces.took(first, 5 * 0.02)
    assert [(part.begin, part.end) for part in iter(lambda: pieces.take(0.05, 1), None)][:4] == [
        (5, 7), (7, 9), (9, 10), (30, 32)]
    assert [(part.begin, part.end) for part in pieces.halves(plan.part(3, 8))] == [(3, 5), (5, 8)]
    assert pieces.halves(plan.part(3, 4)) == ()


def test_that_the_time_left_is_that_of_what_was_done(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr("dpstudio.core.sweep.run.time.monotonic", lambda: float(next(clock)))

    class Ten(Here):
        def run(self, task, jobs):
            while (job := jobs.take(10.0, 1)) is not None:
                yield job, task(job)

    plan = Plan(DECISION(), (Over("records", tuple(range(40))),), BAND)
    told = [(each.done, each.left_seconds) for each in sweep(plan, Ten(), seconds=1.0)]
    assert told[:3] == [(0, None), (10, 3.0), (20, 2.0)]
    assert told[-1] == (40, 0.0)


def test_that_a_sweep_shorter_than_a_process_takes_to_start_is_done_here():
    class Nobody(Pool):
        def run(self, task, jobs):
            raise AssertionError

    plan = Plan(DECISION(), (Over("records", (1, 2)),), BAND)
    assert list(sweep(plan, Nobody(2), seconds=0.2))[-1].swept is not None
    for workers, seconds in ((Nobody(2), 0.3), (Nobody(2, here=False), 0.2)):
        with pytest.raises(AssertionError):
            list(sweep(plan, workers, seconds=seconds))


def test_that_the_ends_of_intervals_have_columns_where_any_cell_has_one():
    facts = (("accepted_fraction", "laplace"), ("band_width", "laplace"))
    plan = Plan(DECISION(), (Over("seed", (0, 1)),), facts, simulate=True)
    made = CellValues.empty(2, 2)
    made.value[:], made.low[1, 0], made.high[1, 0] = 0.5, 0.25, 0.75
    table = Swept(plan, made).table
    assert [column.key for column in table] == ["seed", "accepted_fraction_laplace", "accepted_fraction_low_laplace",
                                                "accepted_fraction_high_laplace", "band_width_laplace"]
    np.testing.assert_array_equal(list(table.values())[2], [np.nan, 0.25])
    np.testing.assert_array_equal(list(table.values())[3], [np.nan, 0.75])
