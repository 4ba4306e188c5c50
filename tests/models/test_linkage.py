"""Linking made-up people: what a few known ratings find, what noise leaves, and the limit that no attack exceeds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpstudio.core.sampling import binomial_interval, chunks
from dpstudio.models import linkage
from dpstudio.models.linkage import MOST_KNOWN, PEOPLE, KnownRatings, Ratings


def attacked(attack, people=600, seed=1):
    """Shares identified and noticed for every k, over so many people drawn by chance."""
    went = [attack(rng.integers(0, PEOPLE, size), rng) for rng, size in chunks(seed, people, 20)]
    return (np.concatenate([one.identified for one in went]).mean(axis=0),
            np.concatenate([one.noticed for one in went]).mean(axis=0))


def on_table(date_error=14, wrong=0.1, **options):
    table, aux = linkage.ratings(0), linkage.known(0, date_error, wrong)
    return attacked(lambda people, rng: linkage.attack_table(table, aux, people, rng), **options)


def on_release(epsilon, most=8, date_error=14, wrong=0.1, **options):
    table, aux = linkage.ratings(0), linkage.known(0, date_error, wrong)
    return attacked(lambda people, rng: linkage.attack_release(table, aux, people, epsilon, most, rng), **options)


def test_that_everybody_has_eight_ratings_and_popularity_falls_off():
    table = linkage.ratings(0)
    each, support = np.count_nonzero(table.stars, axis=0), np.count_nonzero(table.stars, axis=1)
    assert each.min() >= MOST_KNOWN
    assert 15 < np.median(each) < 30
    assert support[0] > 10 * np.median(support) > 20 * support[-40:].min() / 2
    assert set(np.unique(table.stars)) == {0, 1, 2, 3, 4, 5}
    assert ((table.days >= 0) & (table.days < linkage.DAYS)).all()


def test_that_a_seed_makes_the_same_people_and_another_one_others():
    linkage.ratings.cache_clear()
    first = linkage.ratings(3)
    linkage.ratings.cache_clear()
    np.testing.assert_array_equal(first.stars, linkage.ratings(3).stars)
    assert (first.stars != linkage.ratings(4).stars).any()


def test_that_what_is_known_is_true_but_for_the_errors_that_were_asked_for():
    table, aux = linkage.ratings(0), linkage.known(0, 0, 0.0)
    people = np.arange(PEOPLE)[:, None]
    np.testing.assert_array_equal(aux.days, table.days[aux.films, people])
    off = np.abs(aux.stars - table.stars[aux.films, people])
    assert off.max() == 1
    assert off.mean() == pytest.approx(0.25 * (1 - (aux.stars == 1).mean() / 2), abs=0.04)
    assert (np.sort(aux.films, axis=1)[:, 1:] != np.sort(aux.films, axis=1)[:, :-1]).all()
    late = linkage.known(0, 30, 0.0).days - table.days[aux.films, people]
    assert 25 <= np.abs(late).max() <= 30
    false = linkage.known(0, 0, 1.0)
    assert (table.stars[false.films, people] > 0).mean() < 0.2


def test_that_more_known_ratings_find_more_people_and_none_find_as_many_as_chance():
    found, right = on_table()
    assert found[0] < 5 / PEOPLE
    assert (np.diff(found) >= -0.01).all()
    assert found[1] < 0.5 < found[2] < 0.95 < found[4]
    assert right[0] == pytest.approx(0.5, abs=0.1)
    assert right[8] > 0.9


def test_that_vaguer_knowledge_finds_fewer_people():
    sharp, vague, false = on_table(0, 0.0)[0], on_table(180, 0.1)[0], on_table(0, 1.0)[0]
    assert (sharp[1:6] > vague[1:6] + 0.02).all()
    assert false.max() < 0.02


@pytest.mark.parametrize(("epsilon", "most"), [(0.5, 8), (3.0, 8), (8.0, 1), (20.0, 8)])
def test_that_no_attack_on_the_release_exceeds_its_limit(epsilon, most):
    people = 400
    found, right = on_release(epsilon, most, people=people)
    for share, limit in ((found, linkage.most_identified(epsilon)), (right, 1 / (1 + math.exp(-epsilon)))):
        low, _ = binomial_interval(np.rint(share * people), people, 0.9999)
        assert (low <= limit).all()


def test_that_a_release_at_a_small_epsilon_leaves_the_attacker_guessing():
    found, right = on_release(0.5, people=1_000)
    assert found.max() <= 0.005
    assert np.abs(right - 0.5).max() < 0.08


def test_that_a_release_with_hardly_any_noise_is_seen_through():
    # Everything counted, no noise to speak of: the residual counts are the person's own ratings.
    found, right = on_release(1e9, 400, wrong=0.0)
    assert found[4] > 0.5
    assert right[1:].min() > 0.8


def test_that_the_noise_has_the_scale_that_the_guarantee_asks_for():
    # All 400 films counted at ε = 400: scale 1. Of one known rating, if it is true, the noisy count is above ½ with
    # probability 1 − e^−½/2 where the person is there, and below with the same where not; if false, with ½ overall.
    table, aux = linkage.ratings(0), linkage.known(0, 0, 0.0)
    true = (table.stars[aux.films[:, 0], np.arange(PEOPLE)] == aux.stars[:, 0]).mean()
    _, right = on_release(400.0, 400, 0, 0.0, people=6_000)

    def wanted(scale):
        return true * (1 - math.exp(-0.5 / scale) / 2) + (1 - true) / 2

    assert abs(right[1] - wanted(1.0)) < 4 * 0.5 / math.sqrt(6_000) < abs(right[1] - wanted(1.5))


def test_that_as_many_ratings_as_allowed_are_counted_and_only_true_ones():
    table, people = linkage.ratings(0), np.array([5, 9, 5])
    rows, cells = linkage.contributions(table, people, 8, np.random.default_rng(0))
    assert np.bincount(rows).tolist() == [8, 8, 8]
    films, stars = np.divmod(cells, linkage.STARS)
    np.testing.assert_array_equal(table.stars[films, people[rows]], stars + 1)
    rows, _ = linkage.contributions(table, people, 400, np.random.default_rng(0))
    assert np.bincount(rows).tolist() == np.count_nonzero(table.stars, axis=0)[people].tolist()


def test_that_the_right_record_wins_by_its_score():
    # Three people, two films: the second person's ratings are known exactly.
    stars, days = np.zeros((linkage.FILMS, PEOPLE), np.int8), np.zeros((linkage.FILMS, PEOPLE), np.int16)
    stars[0, :3], days[0, :3] = [4, 4, 1], [10, 300, 300]
    stars[1, :2], days[1, :2] = [2, 5], [10, 20]
    films = np.zeros((PEOPLE, MOST_KNOWN), np.int64)
    films[:, 1] = 1
    aux = KnownRatings(films, np.full_like(films, 4), np.full_like(films, 300))
    aux.stars[:, 1], aux.days[:, 1] = 5, 20
    went = linkage.attack_table(Ratings(stars, days), aux, np.array([1] * 50), np.random.default_rng(0))
    assert went.identified[:, 1:3].all()
    assert went.identified[:, 0].mean() < 0.1


@pytest.mark.parametrize(("epsilon", "share"), [
    (1e-6, 1 / 2000), (1.0, math.e / 2000), (5.0, math.exp(5) / 2000), (7.7, 1 - math.exp(-7.7) * 0.9995),
    (20.0, 1 - math.exp(-20) * 0.9995), (1e9, 1.0)])
def test_that_the_limit_is_e_to_the_epsilon_times_chance_or_what_is_left_by_the_missed(epsilon, share):
    assert linkage.most_identified(epsilon) == pytest.approx(share, rel=2e-6)
    assert linkage.least_missed(epsilon) == pytest.approx(1 - share, rel=1e-6, abs=1e-15)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0, 7.5, 7.7, 12.0])
def test_that_no_way_to_share_out_the_chances_of_nobody_there_names_more_than_the_limit(epsilon):
    # By the definition: u is named e^ε q_u times at most where u is there, and not named e^−ε (1 − q_u) at least.
    rng, best = np.random.default_rng(0), 0.0
    shares = [rng.dirichlet(np.full(PEOPLE, sharpness)) for sharpness in (1e-3, 0.1, 1.0, 10.0)]
    for share in (*shares, np.full(PEOPLE, 1 / PEOPLE)):
        for q in (0.3 * share, share):
            named = np.minimum(math.exp(epsilon) * q, 1 - math.exp(-epsilon) * (1 - q))
            best = max(best, float(named.mean()))
    assert best <= linkage.most_identified(epsilon) * (1 + 1e-12)
    assert best == pytest.approx(linkage.most_identified(epsilon), rel=1e-9)
