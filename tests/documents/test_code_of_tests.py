"""Scripts that test a share do what the study says: drawn with the library, where it is there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import comb

from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.code import written
from dpstudio.mechanisms.noise import GaussianNoise, LaplaceNoise
from dpstudio.studies import test as f

DRAWS = 4000


def names_of(series, library="opendp", **settings):
    study, names = f.Test(**settings), {}
    exec(written(study, settings, series, library).text, names)
    return study.answer().one(series), names


def close(share, true):
    return abs(share - true) <= 5 * math.sqrt(true * (1 - true) / DRAWS) + 1e-3


@pytest.mark.parametrize("side", ["greater", "less"])
def test_that_the_most_powerful_test_rejects_as_often_as_the_study_says(side):
    pytest.importorskip("opendp")
    one, names = names_of("private", people=60, epsilon=0.8, delta=0.02, side=side, share=0.5,
                          alternative=0.3 if side == "less" else 0.7)
    for yeses in (21, 24, 36, 39):
        rows = ["who"] * (60 - yeses if side == "less" else yeses)
        found = np.mean([names["answer"](rows) for _ in range(DRAWS)])
        assert close(found, float(one.rejects(np.array([float(yeses)]))[0]))
    assert names["accounted"]() == pytest.approx((0.8, 0.02))


@pytest.mark.parametrize("settings", [{}, {"side": "two"}, {"delta": 1e-3}])
def test_that_a_noisy_count_rejects_as_often_as_the_study_says(settings):
    pytest.importorskip("opendp")
    for series in ("laplace", *(("gaussian",) if settings.get("delta") else ())):
        one, names = names_of(series, people=60, epsilon=0.8, **settings)
        for yeses in (22, 36, 39):
            rows = [True] * yeses + [False] * (60 - yeses)
            found = np.mean([names["rejects"](names["release"](rows)) for _ in range(DRAWS)])
            assert close(found, float(one.rejects(np.array([float(yeses)]))[0]))


def level_of(names, noise, n):
    """How often a script rejects a true half whose noise has this cdf, at half of a whole number where it is whole."""
    x, half = np.arange(n + 1), isinstance(names["REJECTS_FROM"], int) / 2
    found = 1 - noise(names["REJECTS_FROM"] - half - x)
    if "REJECTS_UP_TO" in names:
        found = found + noise(names["REJECTS_UP_TO"] + half - x)
    return math.fsum(comb(n, x) * 0.5**n * found)


@pytest.mark.parametrize(("people", "epsilon"), [(65, 1.0), (23, 0.5), (82, 2.0), (160, 1.0)])
@pytest.mark.parametrize("side", ["greater", "two"])
def test_that_by_the_wider_noise_of_another_library_the_level_is_kept_too(side, people, epsilon):
    pytest.importorskip("pydp")
    settings = {"people": people, "epsilon": epsilon, "delta": 1e-3, "side": side}
    _, names = names_of("laplace", "google", **settings)
    assert level_of(names, LaplaceNoise(1 / epsilon).cdf, people) <= 0.05
    one, names = names_of("gaussian", "google", **settings)
    levels = [level_of(names, GaussianNoise(one.noise.sigma * wider).cdf, people) for wider in (1, 1.0005, 1.001)]
    assert max(levels) <= 0.05 * (1 + 1e-12)
    assert min(levels) > 0.0497


def test_that_a_rounded_noisy_count_of_google_rejects_as_its_law_says():
    pytest.importorskip("pydp")
    one, names = names_of("laplace", "google", people=65, epsilon=1.0)
    assert (names["REJECTS_FROM"], one.edge(False)) == (41, 40)
    for yeses in (37, 40, 43):
        rows = [True] * yeses + [False] * (65 - yeses)
        found = np.mean([names["rejects"](names["release"](rows)) for _ in range(DRAWS)])
        assert close(found, 1 - float(LaplaceNoise(1.0).cdf(40.5 - yeses)))


def test_that_without_delta_the_nearest_keeps_the_level():
    handed = written(f.Test(), {}, "private", "opendp")
    assert handed.nearest
    assert "REJECTS_FROM = 92" in handed.text


def test_that_the_unbiased_test_is_refused_in_one_sentence():
    with pytest.raises(InvalidParameter, match="no library has the unbiased test"):
        written(f.Test(side="two"), {}, "private", "opendp")
