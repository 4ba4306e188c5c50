"""A sweep as far as it is: what is not computed is said, blank and no answer, and it goes on from there."""

from __future__ import annotations

import csv
import io
import json
import os
import stat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.results import NOT_YET, not_yet
from dpstudio.core.sweep import FAILED, UNDONE, InUse, Kept, Over, Plan, Swept, sweep
from dpstudio.core.sweep.cells import BYTES, CellValues
from dpstudio.core.workers import Here
from dpstudio.documents import sweeps
from dpstudio.documents.sweeps import request_of
from dpstudio.scene.maps import beside_ramp, shaded
from dpstudio.scene.scene import resolve
from dpstudio.scene.swept import SweptSource, choices, figure_of
from dpstudio.studies import all_studies

DECISION = all_studies()["decision"]
FACTS = (("acceptance", "laplace"), ("mu", "gaussian"), ("band_width", "laplace"))
PLAN = Plan(DECISION(), (Over("epsilon", (0.1, 0.2, 0.4, 0.8)), Over("minimum", (500, 900, 1500))), FACTS)
LINE = Plan(DECISION(), (Over("epsilon", tuple(i / 10 for i in range(1, 13))),), FACTS)


class Counted(Here):
    """Pieces of one cell, of which it notes how many it did."""

    def run(self, task, jobs):
        self.did = []
        while (job := jobs.take(0.0, 1)) is not None:
            self.did.append(job.begin)
            yield job, task(job)


def part(plan: Plan, cells: int) -> Swept:
    """A sweep that was left after so many cells."""
    running = sweep(plan, Counted(), seconds=1e9)
    for progress in running:
        if progress.done == cells:
            found = progress.so_far()
            running.close()
            return found
    raise AssertionError


def whole(plan: Plan, **options) -> Swept:
    *_, last = sweep(plan, options.pop("workers", Here()), **options)
    return last.swept


@given(st.integers(0, 12), st.sampled_from([PLAN, LINE]))
def test_that_what_is_not_computed_is_said_and_a_nan_of_its_own_and_the_rows_are_those_that_are(cells, plan):
    found, every = part(plan, cells), whole(plan)
    assert (found.done, found.whole) == (cells, cells == 12)
    told = list(found.told())
    assert told == ([] if cells == 12 else [f"{cells} of 12 cells are computed so far, and the others are empty"])
    for column, values in found.table.items():
        if column in found.columns:
            assert not_yet(values).tolist() == [i >= cells for i in range(12)]
            assert values[:cells].tobytes() == every.table[column][:cells].tobytes()
    assert {len(values) for values in found.rows.values()} == {cells}
    assert found.refused == 0
    assert not found.failed


def test_that_a_fact_without_a_value_is_none_that_is_not_computed():
    assert not_yet(np.array([NOT_YET, np.nan, -np.nan, np.inf, 0.0])).tolist() == [True, False, False, False, False]
    assert np.isnan(NOT_YET)


@given(st.integers(0, 12))
def test_that_it_goes_on_from_what_was_begun_computes_nothing_twice_and_ends_as_if_it_had_not_been_left(cells):
    begun, workers = part(PLAN, cells), Counted()
    before = begun.cells.packed()
    again = whole(PLAN, workers=workers, begun=begun, seconds=1e9)
    assert workers.did == list(range(cells, 12)) if cells < 12 else "did" not in vars(workers)
    assert again.cells.packed() == whole(PLAN).cells.packed()
    assert begun.cells.packed() == before, "what is shown stays as it was"


def test_that_what_was_begun_for_another_question_is_of_no_account():
    other = part(Plan(DECISION(target=0.9), PLAN.over, FACTS), 12)
    assert whole(PLAN, begun=other).cells.packed() == whole(PLAN).cells.packed()


def test_that_a_cell_that_failed_is_tried_again():
    begun = part(PLAN, 12)
    begun.cells.put(slice(3, 5), CellValues.empty(2, 3, FAILED))
    workers = Counted()
    assert whole(PLAN, begun=begun, workers=workers).cells.packed() == whole(PLAN).cells.packed()
    assert workers.did == [3, 4]


def test_that_what_was_begun_is_kept_too(tmp_path):
    begun = part(PLAN, 7)
    with Kept(tmp_path / "part", b"k") as kept:
        running = sweep(PLAN, Counted(), kept, begun=begun, seconds=1e9)
        next(running)
        running.close()
    assert Kept(tmp_path / "part", b"k").done(PLAN.digest, 12, BYTES * 3) == 7
    before = (tmp_path / "part").read_bytes()
    with Kept(tmp_path / "part", b"k") as kept:
        running = sweep(PLAN, Counted(), kept, begun=begun, seconds=1e9)
        next(running)
        running.close()
    assert (tmp_path / "part").read_bytes() == before, "once"


def test_that_what_there_was_at_one_step_stays_as_it_was_at_the_next():
    steps = [(progress.done, progress.so_far()) for progress in sweep(PLAN, Counted(), seconds=1e9)]
    assert [found.done for _, found in steps] == [done for done, _ in steps]


def kept_file(path, stretches, key=b"k"):
    with Kept(path, key) as kept:
        assert list(kept.opened(PLAN.digest, 12, BYTES * 3)) == []
        for begin, cells in stretches:
            kept.add(begin, begin + len(cells.value), cells.packed())


def test_that_damaged_and_forged_lines_are_said_once_and_computed_again(tmp_path):
    path, every = tmp_path / "part", whole(PLAN).cells
    cells = [CellValues(*(array[i:i + 2] for array in every.arrays)) for i in range(0, 12, 2)]
    kept_file(path, [(2 * i, each) for i, each in enumerate(cells)])
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2][:40] + b"?" + lines[2][41:]
    lines.insert(4, b"0123456789abcdef 6 8 AAAA\n")
    impossible = cells[5].copy()
    impossible.kind[:] = UNDONE
    path.write_bytes(b"".join(lines))
    with Kept(path, b"k") as kept:
        assert kept.done(PLAN.digest, 12, BYTES * 3) == 10
        workers = Counted()
        found = whole(PLAN, kept=kept, workers=workers, seconds=1e9)
        assert workers.did == [2, 3]
        assert kept.told == "2 kept lines are damaged, or of another program; their cells are computed again"
    assert found.cells.packed() == every.packed()
    with Kept(path, b"k") as kept:
        assert whole(PLAN, kept=kept).cells.packed() == every.packed()
        assert kept.told == "", "it was said"
    path.unlink()
    kept_file(path, [(0, impossible)])
    with Kept(path, b"k") as kept:
        assert whole(PLAN, kept=kept).cells.packed() == every.packed()
        assert kept.told == "1 kept line is damaged, or of another program; their cells are computed again"


def test_that_what_is_kept_can_be_counted_without_being_taken_or_made(tmp_path):
    path = tmp_path / "part"
    asked = PLAN.digest, 12, BYTES * 3
    assert Kept(path, b"k").done(*asked) == 0
    assert not path.exists()
    kept_file(path, [(0, part(PLAN, 12).cells)])
    with Kept(path, b"k") as kept:
        list(kept.opened(*asked))
        assert Kept(path, b"k").done(*asked) == 12
    assert Kept(path, b"other").done(*asked) == 0
    assert Kept(path, b"k").done("another", 12, BYTES * 3) == 0


@pytest.mark.skipif(os.name != "posix", reason="modes are those of Unix")
def test_that_a_file_is_its_owners_alone_where_that_is_asked_and_one_in_use_is_told_from_others(tmp_path):
    path = tmp_path / "part"
    with Kept(path, b"k", 0o600) as kept:
        list(kept.opened(PLAN.digest, 12, 75))
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with pytest.raises(InUse), Kept(path, b"k") as other:
            list(other.opened(PLAN.digest, 12, 75))


# As a picture and as a file

def test_that_a_map_is_blank_where_it_is_not_computed_and_hatched_where_it_has_no_value():
    cells = [np.arange(4.0), np.arange(3.0), np.full((3, 4), 2.0)]
    cells[2][0, 0], cells[2][0, 2] = NOT_YET, np.nan
    cells[2][2, 3] = 1.0
    picture = shaded(cells, v.BAND_WIDTH, np.linspace(0, 3, 90), np.linspace(2, 0, 60), dark=False)
    assert not picture[50:, :10, 3].any(), "blank"
    assert picture[50:, 50:70, 3].any(), "hatched"
    assert beside_ramp(cells[2], v.BAND_WIDTH) == {"undefined": "no value"}
    cells[2][0, 2] = 2.0
    assert beside_ramp(cells[2], v.BAND_WIDTH) == {}


@given(st.integers(1, 11))
def test_that_no_curve_and_no_shade_stands_where_nothing_was_computed(cells):
    found = part(LINE, cells)
    source, values = SweptSource(found), {"epsilon": 0.1}
    scene = resolve(figure_of(found, choices(found)[0]), source, values,
                    {"epsilon": DECISION.parameter("epsilon")})
    curve, = scene.parts
    assert np.isfinite(curve.arrays[1]).tolist() == [i < cells for i in range(12)]
    crossed = part(PLAN, cells)
    scene = resolve(figure_of(crossed, choices(crossed)[0]), SweptSource(crossed), {"epsilon": 0.1, "minimum": 900},
                    {name: DECISION.parameter(name) for name in ("epsilon", "minimum")})
    shown = scene.parts[0].arrays[2].T.ravel()
    assert not_yet(shown).tolist() == [i >= cells for i in range(12)]


@pytest.mark.parametrize("form", ["csv", "json"])
def test_that_a_file_of_a_part_has_its_rows_alone_says_so_and_is_no_answer_to_the_request(form, tmp_path):
    found, target = part(PLAN, 5), tmp_path / f"a.{form}"
    with target.open("wb") as file:
        sweeps.write(file, found, form)
    assert request_of(target) is None, "the command line would take it for all of it"
    text = target.read_text("utf-8")
    if form == "csv":
        assert "so far: 5 of 12 cells, which alone stand here" in text
        rows = list(csv.DictReader(io.StringIO("".join(line for line in text.splitlines(True) if line[0] != "#"))))
        values = [float(row["acceptance_laplace"]) for row in rows]
        assert [(row["epsilon"], row["minimum"]) for row in rows[:4]] == [
            ("0.1", "500"), ("0.1", "900"), ("0.1", "1500"), ("0.2", "500")]
    else:
        made = json.loads(text)
        assert (made["so_far"], "request" in made) == (5, False)
        values = made["table"]["acceptance_laplace"]
        assert len(made["table"]["minimum"]) == 5
    assert values == found.cells.value[:5, 0].tolist()
    found.cells.kind[1, 0] = 2
    with target.open("wb") as file:
        sweeps.write(file, found, form)
    text = target.read_text("utf-8")
    kinds = json.loads(text)["table"]["acceptance_laplace_kind"] if form == "json" else [
        row["acceptance_laplace_kind"] for row in csv.DictReader(
            io.StringIO("".join(line for line in text.splitlines(True) if line[0] != "#")))]
    assert kinds == ["exact", "bound", "exact", "exact", "exact"]
