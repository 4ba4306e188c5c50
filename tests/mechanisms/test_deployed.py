"""The law of a deployment is what its (ε, δ) alone leaves open; there is none where these say nothing of anybody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpstudio.core.deployments import deployments
from dpstudio.mechanisms.deployed import law
from dpstudio.mechanisms.laws import Claim

BY_NAME = {one.name: one for one in deployments()}


@pytest.mark.parametrize(("name", "found"), [
    ("Births", Claim(9.98, 0.0)), ("City trips", Claim(0.66, 2.1e-29)), ("LinkedIn", Claim(34.9, 7e-9)),
    ("Gboard", Claim(8.9, 1e-10)), ("Facebook URLs", Claim(1.453, 1e-5)),
    ("FLEX", None), ("Safety Classifier", None), ("Census County Business Patterns", None), ("US census", None),
    ("Lookup Hints", None), ("Iconic scenes and photo sections for iOS apps", None),
])
def test_that_a_law_is_the_claim_of_what_is_stated(name, found):
    assert law(BY_NAME[name]) == found


@pytest.mark.parametrize("change", [{"unit": "unknown"}, {"unit": "several"}, {"period": "unsaid"}, {"epsilon": None},
                                    {"delta": None}, {"delta": "1/n"}, {"variant": "Renyi DP"}], ids=str)
def test_that_there_is_none_of_what_says_nothing_of_anybody(change):
    assert law(BY_NAME["Births"]) is not None
    assert law(replace(BY_NAME["Births"], **change)) is None


def test_that_a_law_is_of_the_unit_that_is_stated_whichever_that_is():
    assert law(replace(BY_NAME["Births"], unit="person", period="day")) == Claim(9.98, 0.0)
    assert law(BY_NAME["Births"]).delta_at(9.98) == 0
    assert law(BY_NAME["City trips"]).delta_at(1.0) == pytest.approx(2.1e-29)
