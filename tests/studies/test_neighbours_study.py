"""What the neighbours study says: pairs of databases, sensitivities, noisy counts, and attacks that converge."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from study_kit import exact_of, value

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.core.study import answer
from dpstudio.models.linkage import most_identified
from dpstudio.studies import neighbours as f
from dpstudio.studies.neighbours import Neighbours
from dpstudio.studies.neighbours import answer as answers

exact = exact_of(Neighbours)

NOISES = answers.NeighboursAnswer.series()
PRESETS = {preset.key: preset.values for preset in Neighbours.presets}
EMPTY = {f"cell{j}": 0 for j in range(1, 6)}


@pytest.mark.parametrize(("change", "distance", "moved"), [
    ("add", 1, [0, 1, 0, 0, 0]), ("remove", 1, [0, -1, 0, 0, 0]), ("swap", 2, [0, -1, 0, 0, 1])])
def test_that_the_neighbour_differs_by_the_record_that_was_changed(change, distance, moved):
    update = exact(change=change, kind=2, kind_by=5)
    table = update.tables[f.CELLS_TABLE]
    np.testing.assert_array_equal(table[Column(v.IN_KIND, f.Y)] - table[Column(v.IN_KIND, f.X)], moved)
    assert value(update, v.DISTANCE) == distance


@pytest.mark.parametrize("values", [
    {"change": "remove", "kind": 1, "cell1": 0}, {"change": "swap", "kind": 1, "cell1": 0},
    {"change": "swap", "kind": 3, "kind_by": 3}])
def test_that_nothing_to_take_away_leaves_x(values):
    update = exact(**values)
    assert value(update, v.DISTANCE) == 0
    assert value(update, v.MOVE_SUM, f.THIS) == 0
    assert value(update, v.RELEASE_LOSS, f.LAPLACE) == 0


def test_that_an_empty_database_has_counts_and_no_averages():
    update = exact(**EMPTY)
    assert update.fact(v.MOVE_MEAN, f.LOCAL) is None
    assert update.fact(v.MOVE_MEAN, f.THIS) is None
    assert value(update, v.MOVE_HISTOGRAM, f.LOCAL) == 1
    assert value(update, v.DISTANCE) == 1


def test_that_noise_for_an_empty_database_is_scaled_to_all_databases_where_records_are_swapped():
    update = exact(**EMPTY, change="swap")
    assert value(update, v.MOVE_MEAN, f.GLOBAL) == 4
    assert update.fact(v.MOVE_MEAN, f.GLOBAL).how.startswith("over all databases: ")
    assert exact(change="swap").fact(v.MOVE_MEAN, f.GLOBAL).how.startswith("over all databases of n = 72 records: ")


def test_that_the_formula_of_the_bias_is_that_of_the_noise_as_it_is_rounded():
    for rounded, series, formula in ((False, f.LAPLACE, "the sum of (b/2) e^(−xᵢ/b)"),
                                     (True, f.LAPLACE, "the sum of M e^(−xᵢ ε/Δ₁)"),
                                     (False, f.GEOMETRIC, "the sum of M e^(−xᵢ ε/Δ₁)")):
        assert exact(rounded=rounded).fact(v.TOTAL_BIAS, series).how == formula
        assert exact(clamped=False).fact(v.TOTAL_BIAS, series).how == "without clamping none"


def test_that_swapping_takes_twice_the_noise():
    added, swapped = exact(), exact(change="swap")
    assert value(swapped, v.NOISE_SD, f.LAPLACE) == pytest.approx(2 * value(added, v.NOISE_SD, f.LAPLACE))
    assert value(swapped, v.MOVE_HISTOGRAM, f.GLOBAL) == 2
    assert value(swapped, v.MOVE_HISTOGRAM_L2, f.GLOBAL) == math.sqrt(2)
    assert value(swapped, v.MOVE_MEAN, f.GLOBAL) == pytest.approx(4 / 72)
    assert value(added, v.MOVE_MEAN, f.GLOBAL) == 2


def test_that_sensitivities_around_x_lie_between_the_move_and_that_of_all():
    for change in ("add", "remove", "swap"):
        update = exact(change=change)
        for quantity in (v.MOVE_COUNT, v.MOVE_HISTOGRAM, v.MOVE_SUM, v.MOVE_MEAN, v.MOVE_MEDIAN, v.MOVE_MODE):
            assert (value(update, quantity, f.THIS) <= value(update, quantity, f.LOCAL)
                    <= value(update, quantity, f.GLOBAL))


def test_that_the_picture_of_sensitivities_has_trying_on_the_proof():
    for change in ("add", "swap"):
        table = exact(change=change).tables[f.SIZES_TABLE]
        for series in f.ASKED:
            np.testing.assert_allclose(table[Column(v.MOVE_TRIED, series)], table[Column(v.MOVE, series)], rtol=1e-15)


@pytest.mark.parametrize("change", ["add", "remove", "swap"])
def test_that_no_release_tells_more_than_epsilon(change):
    losses = [value(exact(change=change, seed=seed), v.RELEASE_LOSS, series) for seed in range(40)
              for series in NOISES]
    assert max(map(abs, losses)) <= 0.5
    assert max(map(abs, losses)) == pytest.approx(0.5)


def test_that_the_release_shown_is_post_processed_as_asked():
    for clamped, rounded in itertools.product((False, True), repeat=2):
        table = exact(epsilon=0.05, clamped=clamped, rounded=rounded).tables[f.CELLS_TABLE]
        for series in NOISES:
            counts = table[Column(v.IN_KIND, series)]
            assert (counts >= 0).all() or not clamped
            assert (counts == np.rint(counts)).all() or not (rounded or series == f.GEOMETRIC)
    assert (table[Column(v.IN_KIND, f.LAPLACE)] != exact(epsilon=0.05, seed=1).tables[f.CELLS_TABLE][
        Column(v.IN_KIND, f.LAPLACE)]).any()


@pytest.fixture
def releases_alone(monkeypatch):
    """Nobody is attacked: that takes ten times as long as to draw the errors of counts, and has numbers of its own."""
    monkeypatch.setattr(answers, "_attack", lambda *_: iter(()))


@pytest.mark.usefixtures("releases_alone")
@pytest.mark.parametrize("values", [{}, PRESETS["few"], {"clamped": False}, {"rounded": True, "epsilon": 2.0}], ids=str)
def test_that_simulated_errors_converge_on_the_exact_ones(values):
    update = answer(Neighbours(**values, trials=100_000))
    table = update.tables[f.CELLS_TABLE]
    for series in NOISES:
        seen, wanted = table[Column(v.COUNT_SEEN, series)], table[Column(v.MEAN_COUNT_ERROR, series)]
        half = (table[Column(v.COUNT_SEEN_HIGH, series)] - seen) / 1.96
        assert (np.abs(seen - wanted) <= 5 * half).all()
        assert (half < 0.02 * wanted).all()
        fact = update.fact(v.HISTOGRAM_SEEN, series)
        assert fact.low <= fact.value <= fact.high
        assert fact.value == pytest.approx(value(update, v.HISTOGRAM_ERROR, series), rel=0.02)


def test_that_the_table_gives_people_away_and_the_release_does_not():
    update = answer(Neighbours(trials=600))
    table = update.tables[f.LINKAGE_TABLE]
    found = table[Column(v.IDENTIFIED, f.TABLE)]
    assert found[0] < 0.01 < 0.95 < found[8]
    for fact, told, series in ((v.IDENTIFIED_TABLE, v.IDENTIFIED, f.TABLE), (v.NOTICED_TABLE, v.NOTICED, f.TABLE),
                               (v.IDENTIFIED_RELEASE, v.IDENTIFIED, f.RELEASE),
                               (v.NOTICED_RELEASE, v.NOTICED, f.RELEASE)):
        assert value(update, fact) == table[Column(told, series)][4]
    low = table[Column(v.IDENTIFIED_LOW, f.RELEASE)]
    assert (low <= most_identified(0.5)).all()
    assert value(update, v.IDENTIFIED_RELEASE) < 0.01
    assert value(update, v.NOTICED_TABLE) > 0.8
    assert update.fact(v.NOTICED_RELEASE).low < value(update, v.NOTICED_MOST)


def test_that_drawing_changes_no_sentence_and_adds_the_one_on_attacks():
    drawn, before = answer(Neighbours(trials=100)).verdicts, exact().verdicts
    assert drawn[:-1] == before


def test_that_both_simulations_are_counted_and_can_be_left_at_any_update():
    updates = list(Neighbours(trials=300).run())
    assert [update.done for update in updates] == sorted(update.done for update in updates)
    assert updates[-1].done == updates[-1].total == 300
    # 5 000 of 10 000 releases, and 20 of 4 000 attacks.
    assert next(update.done for update in Neighbours(trials=10_000).run() if update.done) == (5000 + 50) // 2
    run = Neighbours(trials=10**9).run()
    for update in itertools.islice(run, 6):
        assert update.verdicts
    run.close()


def test_that_a_longer_run_begins_with_the_shorter_one():
    def seen(trials):
        updates = (update for update in Neighbours(trials=trials).run() if update.done)
        update = next(update for update in updates if "10000 " in update.fact(v.HISTOGRAM_SEEN, f.LAPLACE).how)
        assert "of 40 attacks" in update.fact(v.IDENTIFIED_TABLE).how
        return update.tables[f.CELLS_TABLE], update.tables[f.LINKAGE_TABLE]

    for short, long in zip(seen(10_000), seen(50_000), strict=True):
        for column in short:
            np.testing.assert_array_equal(short[column], long[column])


def test_that_beliefs_and_chance_are_what_their_formulas_say():
    update = exact(epsilon=1.2)
    most = math.exp(1.2) / (1 + math.exp(1.2))
    assert value(update, v.NEIGHBOUR_BELIEF) == pytest.approx(most, rel=1e-12)
    assert value(update, v.NOTICED_MOST) == pytest.approx(most, rel=1e-12)
    assert value(update, v.GUESSED) == 1 / 2000
    assert value(update, v.IDENTIFIED_MOST) == pytest.approx(math.exp(1.2) / 2000, rel=1e-12)
    table = update.tables[f.LINKAGE_TABLE]
    np.testing.assert_allclose(table[Column(v.NOTICED, f.MOST)], most, rtol=1e-12)
    np.testing.assert_allclose(table[Column(v.IDENTIFIED, f.MOST)], math.exp(1.2) / 2000, rtol=1e-12)


@pytest.mark.usefixtures("releases_alone")
@pytest.mark.parametrize(("clamped", "rounded"), [(False, False), (True, True)])
def test_that_intervals_of_simulated_errors_hold_as_often_as_they_say(clamped, rounded):
    held = []
    for seed in range(60):
        updates = Neighbours(trials=5_000, seed=seed, epsilon=0.2, clamped=clamped, rounded=rounded).run()
        update = next(update for update in updates if update.fact(v.HISTOGRAM_SEEN, f.LAPLACE))
        for series in NOISES:
            fact = update.fact(v.HISTOGRAM_SEEN, series)
            held.append(fact.low <= value(update, v.HISTOGRAM_ERROR, series) <= fact.high)
    assert 0.88 < np.mean(held) < 1


def test_that_one_fact_alone_builds_its_own_noise_and_neither_draws_nor_tries(monkeypatch):
    for name in ("GeometricNoise", "local_sensitivity", "global_sensitivity", "enumerated_sensitivity", "listed"):
        monkeypatch.setattr(answers, name, None)
    monkeypatch.setattr(answers.LaplaceNoise, "sample", None)
    assert Neighbours(epsilon=0.5).answer().value(v.NOISE_SD, f.LAPLACE) == pytest.approx(2 * math.sqrt(2))
    assert Neighbours().answer().value(v.N) == 72
    with pytest.raises(TypeError):  # the other noise is built where it is asked for
        Neighbours().answer().fact(v.NOISE_SD, f.GEOMETRIC)


def test_that_what_was_drawn_stays_as_it_was_while_more_is_drawn():
    run = (update for update in Neighbours(trials=20_000).run() if update.done)
    first = next(run)
    before = first.seen.errors["laplace"][0].copy(), first.seen.named["table"].copy()
    for _ in range(8):
        next(run)
    np.testing.assert_array_equal(first.seen.errors["laplace"][0], before[0])
    np.testing.assert_array_equal(first.seen.named["table"], before[1])
