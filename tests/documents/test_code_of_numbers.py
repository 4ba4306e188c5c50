"""Scripts that release a sum, a mean or a quantile do what the study says: drawn with the library, if it is there."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.code import written
from dpstudio.studies import number as f

DRAWS = 12_000
NEAR = 0.05
"""By so large a part of it the sd of draws is never off that of their law, and that of noise 10 % wider always."""
VALUES = [-7.5, 0.0, 2.0, 2.0, 3.5, 8.0, 11.0, 40.0]
SETTINGS = ({}, {"statistic": "mean"}, {"change": "replace", "lower": -2.0}, {"rows": 3, "lower": -5.0},
            {"statistic": "mean", "rows": 2, "change": "replace"})


def names_of(series, library, **settings):
    pytest.importorskip({"opendp": "opendp", "google": "pydp"}[library])
    settings = {"upper": 10.0, "epsilon": 0.7, "delta": 1e-3, "amounts": ", ".join(map(str, VALUES)), **settings}
    study, names = f.Number(**settings), {}
    names["text"] = written(study, settings, series, library).text
    exec(names["text"], names)
    return study.answer().one(series), names


def farthest(found, law):
    """By how many standard deviations of a share a share of draws is off the law, at most, at five places."""
    at = np.array([float(law.quantile(p)) for p in (0.05, 0.25, 0.5, 0.75, 0.95)])
    true = np.asarray(law.cdf(at))
    return float(np.max(np.abs((found[:, None] <= at).mean(axis=0) - true) / np.sqrt(true * (1 - true) / len(found))))


@pytest.mark.parametrize(("series", "library", "settings"), [
    *((series, "google", settings) for series in ("laplace", "gaussian") for settings in SETTINGS),
    *(("laplace", "opendp", settings) for settings in SETTINGS[1:3]), ("gaussian", "opendp", {})], ids=str)
def test_that_a_released_number_has_the_law_of_the_study_and_not_that_of_noise_10_percent_wider(
    series, library, settings
):
    one, names = names_of(series, library, **settings)
    found = np.array([names["release"](VALUES) for _ in range(DRAWS)])
    assert farthest(found, one.law) < 5
    assert abs(found.std() / one.sd - 1) < NEAR
    assert abs(1.1 * found.std() / one.sd - 1) > NEAR


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("series", ["laplace", "gaussian"])
def test_that_the_library_accounts_for_no_less_than_the_study_states(series, settings):
    one, names = names_of(series, "opendp", **settings)
    promised, (epsilon, delta) = one.guarantee, names["accounted"]()
    assert epsilon >= promised.epsilon * (1 - 1e-9)
    assert delta == pytest.approx(promised.delta)
    if series == "laplace":
        assert epsilon == pytest.approx(promised.epsilon, rel=1e-9)


@pytest.mark.parametrize(("statistic", "quantile"), [("median", 0.5), ("quantile", 0.8)])
@pytest.mark.parametrize("change", ["add_or_remove", "replace"])
def test_that_a_quantile_is_drawn_among_candidates_no_farther_off_than_the_exponential_mechanism(
    statistic, quantile, change
):
    one, names = names_of("exponential", "opendp", statistic=statistic, quantile=quantile, change=change)
    candidates, words = np.array(names["candidates"]), " ".join(names["text"].replace("\n# ", " ").split())
    clipped = np.clip(VALUES, 0.0, 10.0)
    below = (clipped < candidates[:, None]).sum(axis=1)
    upto = (clipped <= candidates[:, None]).sum(axis=1)
    rank = quantile * len(VALUES)
    off = np.maximum(np.maximum(below - rank, rank - upto), 0)
    found = np.searchsorted(candidates, [names["release"](VALUES) for _ in range(DRAWS)])
    score, epsilon = np.abs((1 - quantile) * below - quantile * (len(VALUES) - upto)), one.study.epsilon
    # To the library a replaced row is one removed and one added.
    moved = max(quantile, 1 - quantile) * (2 if change == "replace" else 1)
    assert (f"{moved:.4g} times what is needed" in words) == (change == "replace" and moved > 1)
    chance = np.exp(-epsilon * score / (2 * moved))
    chance /= chance.sum()
    of_draws, of_law = off[found].mean(), float(chance @ off)
    assert of_draws <= of_law + 5 * math.sqrt(float(chance @ off**2) / DRAWS)
    assert of_draws < 0.9 * off.mean(), "nearer than without looking"
    assert names["accounted"]() == (pytest.approx(epsilon), 0.0)


@pytest.mark.parametrize("library", ["opendp", "google"])
def test_that_a_mean_over_a_noisy_number_of_values_is_refused_in_one_sentence(library):
    study = f.Number(statistic="mean", count="private")
    with pytest.raises(InvalidParameter, match="count must be public"):
        written(study, {}, "laplace", library)
