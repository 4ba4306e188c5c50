"""Several rows a person in the mean study: what is lost and hidden at every bound, and one row each is as before."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from study_kit import exact_of

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.core.study import fact
from dpstudio.mechanisms.noise import GeometricNoise
from dpstudio.studies import mean as f
from dpstudio.studies.mean import Mean
from dpstudio.studies.mean.rows import RAND_ROWS, spread_of

exact = exact_of(Mean)

RAND = next(preset for preset in Mean.presets if preset.key == "rows").values
OWN = {each.key for each in (v.BEST_BOUND, v.BOUND_ERROR, v.BEST_BOUND_ERROR, v.UNBOUNDED_ERROR, v.BOUND_BIAS,
                             v.RULE_BOUND)}


def test_that_with_one_row_each_nothing_is_said_of_rows_and_a_bound_changes_nothing():
    before, after = exact(), exact(at_most=7, most_rows=30, rows_exponent=0.5)
    assert not OWN & {each.key for each in before.facts}
    assert before.verdicts == after.verdicts
    assert [(each.key, each.series, each.value) for each in before.facts] == [
        (each.key, each.series, each.value) for each in after.facts]
    assert before.tables[f.BOUNDS_TABLE].rows == 0
    assert not OWN & {each.key for each in exact(rows_law="zipf", most_rows=1).facts}
    two = exact(rows_law="zipf", most_rows=2)
    assert {each.key for each in two.facts} >= OWN
    assert {(each.key, each.series) for each in two.facts} >= {(each.key, each.series) for each in before.facts}


def test_that_the_preset_says_what_the_rand_table_has():
    study = Mean(**RAND)
    assert spread_of(study) == RAND_ROWS
    assert (RAND_ROWS.total, RAND_ROWS.kept(None), int(RAND_ROWS.lost(3))) == (701, 2_387, 377)
    found = {b: math.hypot(lost, math.sqrt(2) * b / 0.005) / 5_912 for b, lost in enumerate(
        (2_387 - 701, 2_387 - 1_367, 2_387 - 2_010, 2_387 - 2_202, 0), 1)}
    best = min(found, key=found.__getitem__)
    assert best == 3
    for key, value in (("best_bound", best), ("bound_error", found[3]), ("best_bound_error", found[best]),
                       ("unbounded_error", found[5]), ("rule_bound", 3)):
        assert fact(study, key, "laplace").value == pytest.approx(value, rel=1e-12), key


def test_that_at_a_bound_of_one_the_noise_is_that_of_the_fraction_and_the_bound_may_pass_the_most():
    for law, bound in (("rand", 1), ("zipf", 1), ("rand", 900)):
        update = exact(rows_law=law, at_most=bound, most_rows=60, epsilon=0.3)
        table = update.tables[f.BOUNDS_TABLE]
        here = int(np.flatnonzero(table[f.X_BOUND] == bound)[0])
        for series in f.BOUNDED:
            own = update.fact(v.GROUP_ERROR, series).value  # of one row each
            own *= GeometricNoise(0.3, bound).sd / GeometricNoise(0.3).sd if series is f.GEOMETRIC else bound
            assert table[Column(v.BOUND_NOISE, series)][here] == pytest.approx(own, rel=1e-9)
            assert update.fact(v.BOUND_ERROR, series).value == table[Column(v.BOUND_ERROR, series)][here]
        assert update.fact(v.BOUND_BIAS).value == table[Column(v.BOUND_BIAS)][here]


@settings(max_examples=25)
@given(st.integers(1, 10**9), st.floats(0, 1), st.floats(0, 6), st.integers(1, 60), st.floats(1e-3, 20))
def test_that_persons_are_whole_and_spread_by_the_law_and_dots_stand_at_the_least_error(
        people, fraction, exponent, most, epsilon):
    study = Mean(people=people, fraction=fraction, rows_law="zipf", rows_exponent=exponent, most_rows=most,
                 epsilon=epsilon)
    spread = spread_of(study)
    assert spread.total == round(fraction * people)
    assert spread.most <= most
    weights = [r**-exponent for r in range(1, most + 1)]
    for r in range(1, most + 1):  # whole persons: those with so many rows or more are off by half a one at most
        share = math.fsum(weights[r - 1:]) / math.fsum(weights)
        assert abs(spread.between(r, most) - spread.total * share) <= 0.5 + 1e-6 * spread.total
    if most == 1:
        return
    table = study.answer().table(f.BOUNDS_TABLE, (1.0, float(most)))
    for series in f.BOUNDED:
        errors = table[Column(v.BOUND_ERROR, series)]
        assert (table[Column(v.BEST_BOUND_ERROR, series)] == errors.min()).all()
        assert (table[Column(v.BEST_BOUND, series)] == table[f.X_BOUND][np.argmin(errors)]).all()
        parts = np.hypot(table[Column(v.BOUND_NOISE, series)], table[Column(v.BOUND_BIAS)])
        np.testing.assert_allclose(errors, parts, rtol=1e-12)
