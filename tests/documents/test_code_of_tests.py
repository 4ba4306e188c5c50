"""Scripts that test a share do what the study says: drawn with the library, where it is there."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.code import written
from dpstudio.studies import test as f

DRAWS = 4000


def names_of(series, **settings):
    study, names = f.Test(**settings), {}
    exec(written(study, settings, series, "opendp").text, names)
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


def test_that_without_delta_the_nearest_keeps_the_level():
    handed = written(f.Test(), {}, "private", "opendp")
    assert handed.nearest
    assert "REJECTS_FROM = 92" in handed.text


def test_that_the_unbiased_test_is_refused_in_one_sentence():
    with pytest.raises(InvalidParameter, match="no library has the unbiased test"):
        written(f.Test(side="two"), {}, "private", "opendp")
