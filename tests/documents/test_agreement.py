"""Scripts for other libraries release what the studies compute, and keep what they say."""

from __future__ import annotations

import importlib.util
import math
import re
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import bdtr

from dpstudio.documents.code import RELEASING, offered, opendp, written
from dpstudio.mechanisms.decision import GeneralizedDecision
from dpstudio.studies import all_studies

PROJECT = Path(__file__).parents[2]
STUDIES = all_studies()
pytest.importorskip("opendp")
pytest.importorskip("pydp")


def _agreement():
    """The script that writes the page, as a module."""
    spec = importlib.util.spec_from_file_location("agreement", PROJECT / "packaging" / "agreement.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["agreement"] = module
    spec.loader.exec_module(module)
    return module


agreement = _agreement()


def of(case):
    return case.study, case.series, case.library


def over(cases):
    return pytest.mark.parametrize("case", cases, ids=lambda case: "-".join(of(case)))


every_case = over(agreement.CASES)
NEAR = {("decision", "cutoff", "google"), ("decision", "matched", "google"),
        ("decision", "selection_geometric", "google")}
"""What is offered, and only near what the study computes, at every setting of interest."""
BY_THEMSELVES = {"number", "table", "test", "plan"}
"""Studies whose scripts release more than a yes or no: they are run and compared with the law in tests of their own."""


WIDER = 1.1
MISSED = 1e-3
"""Probability with which a right script misses its interval: three times in a row it never does."""


@cache
def telling(case):
    """The case at the event, near the one of the page, that tells its noise from noise 10 % wider in fewest draws."""
    if case.study == "response" or case.series == "response":
        return case
    places = range(int(case.at) - 6, int(case.at) + 7) if case.study == "decision" else (case.at, 2 * case.at)
    others = [replace(case, at=at) for at in places]
    return min((each for each in others if each.probability() != each.probability(WIDER)), key=draws)


def draws(case):
    """Releases of a case that tell its noise from noise 10 % wider, but once in 1000 times."""
    return agreement.enough(case.probability(), case.probability(WIDER), MISSED)


def tells(case, text, again):
    """Whether releases of a script are likely to be of what the study computes, and of noise 10 % wider."""
    found = agreement.hits(case, text, draws(case), again)
    return [agreement.is_likely(found, case.probability(scale), draws(case), MISSED) for scale in (1.0, WIDER)]


@every_case
def test_that_releases_agree_with_the_exact_probability_and_would_not_with_noise_10_percent_wider(case):
    text, one = case.handed.text, telling(case)
    assert [True, False] in (tells(one, text, again) for again in range(3))


def test_that_no_more_releases_are_drawn_than_tell_noise_10_percent_wider_apart():
    for exact, wider in {(case.probability(), case.probability(WIDER)) for case in map(telling, agreement.CASES)}:
        number = agreement.enough(exact, wider, MISSED)
        middle, reach = round(number * exact), round(5 * math.sqrt(number * exact * (1 - exact)))
        likely = [found for found in range(middle - reach, middle + reach)
                  if agreement.is_likely(found, exact, number, MISSED)]
        missed = bdtr(likely[-1], number, wider) - bdtr(likely[0] - 1, number, wider)
        assert MISSED / 2 < missed < 2 * MISSED


def test_that_every_script_that_is_offered_is_among_them():
    offers = {(key, series.key, library) for key, kind in STUDIES.items()
              for library, there in offered(kind).items() if library in RELEASING for series in there}
    assert {of(case) for case in agreement.CASES} == {each for each in offers - NEAR if each[0] not in BY_THEMSELVES}


@over([case for case in agreement.CASES if case.library == "google"])
def test_that_a_script_whose_scale_was_changed_by_10_percent_is_found_out(case):
    text = re.sub(r"(?m)^(EPSILON) = (\S+)", lambda found: f"EPSILON = {float(found[2]) / 1.1!r}", case.handed.text)
    text = re.sub(r"(?m)^(SIGMA) = (\S+)", lambda found: f"SIGMA = {float(found[2]) * 1.1!r}", text)
    assert text != case.handed.text
    assert not agreement.is_likely(agreement.hits(case, text), case.probability())


@over([case for case in agreement.CASES if case.series != "response" and case.study in ("mean", "posterior", "decision")
       and "selection" not in case.handed.text])
def test_that_what_is_done_with_the_noise_is_what_the_study_does(case):
    names = agreement.loaded(case.handed.text)
    names["noise"] = lambda number: number
    if case.study == "decision":
        first = math.ceil(names["THRESHOLD"] if "THRESHOLD" in names else names["MINIMUM"] - names["SHIFT"])
        assert [names["answer"](["x"] * n) for n in (first - 1, first)] == [False, True]
    elif case.study == "mean":
        assert names["release"]([True] * 3 + [False] * 5) == 3 / 8
    else:
        assert names["release"]([1, 0, 1, 1]) == 3
        if "posterior" in names:
            study = case.made
            low = 0 if case.series == "clamped" else -7
            assert names["posterior"](-7, 10) == (study.prior_a + low, study.prior_b + 10 - low)


def test_that_a_survey_is_read_without_bias():
    names = agreement.loaded(written(STUDIES["mean"](epsilon=1.0), {}, "response", "opendp").text)
    names["flip"] = lambda truth: truth  # as if all told the truth
    told = names["TRUTHFUL"]
    assert names["release"]([True, False]) == pytest.approx(0.5)
    assert names["release"]([True]) == pytest.approx(told / (2 * told - 1))


# Accounts

@every_case
def test_that_the_account_of_the_library_is_ours_or_differs_as_it_is_said(case):
    handed = case.handed
    names = agreement.loaded(handed.text)
    ours = names["EPSILON"], names["DELTA"]
    if "accounted" not in names:
        assert any("does not account" in sentence for sentence in handed.says)
        return
    theirs = names["accounted"]()
    if "zCDP" in handed.text:
        assert theirs[1] == ours[1]
        assert ours[0] < theirs[0] or case.series in ("gaussian_classical", "printed")
        rho = (names["MOVES"] / names["SCALE"]) ** 2 / 2
        assert theirs[0] <= rho + 2 * math.sqrt(rho * math.log(1 / ours[1])) * (1 + 1e-9)
        assert any("concentrated" in sentence for sentence in handed.says)
    else:
        assert theirs[1] == pytest.approx(ours[1], rel=1e-15)
        lack = 1 - names["TRUTHFUL"] if "TRUTHFUL" in names else 1.0
        assert theirs[0] == pytest.approx(ours[0], rel=1e-14, abs=4e-16 / lack)
    if "finds σ itself" in handed.text:
        least = float(re.search(r"least one, ([\d.e-]+),", " ".join(handed.says))[1])
        assert least <= names["mechanism"].std <= 1.001 * least


@given(epsilon=st.floats(1e-3, 8), delta=st.floats(1e-9, 0.4), target=st.floats(1e-3, 0.999),
       minimum=st.integers(1, 10**6), series=st.sampled_from(["generalized", "matched", "cutoff"]))
def test_that_the_steepest_decision_is_shifted_and_begun_where_its_probability_is_as_asked(
        epsilon, delta, target, minimum, series):
    study = STUDIES["decision"](epsilon=epsilon, delta=delta, target=target, minimum=minimum)
    decision = study.answer().one("matched" if series == "cutoff" else series).decision
    wanted = float(decision.accept_probability(minimum))
    shifted = written(study, {}, series, "opendp").text
    if found := re.search(r"(?m)^SHIFT = (\S+)", shifted):
        assert canonical(float(found[1]), epsilon, decision.claimed_delta) == pytest.approx(wanted, abs=1e-9)
    handed = written(study, {}, series, "google")
    if "selection" in handed.text:
        begun = int(re.search(r"(?m)^PRE_THRESHOLD = (\d+)", handed.text)[1])
        added = int((re.search(r"len\(rows\) \+ (\d+)", handed.text) or [0, 0])[1])
        steps = GeneralizedDecision(epsilon, decision.claimed_delta, 0, 0.0)
        place = max(minimum + added - begun + 1, 0)
        least, most = (float(steps.accept_probability(place + step)) for step in (0, 1))
        assert begun >= 1
        assert least <= wanted + 1e-9 or place == 1
        assert wanted < most or wanted == 1 == least
        assert handed.nearest == (series == "cutoff" or "does not pass" in handed.text)


@given(epsilon=st.floats(1e-3, 8), delta=st.floats(1e-8, 0.4), share=st.floats(0, 1), minimum=st.integers(1, 100))
def test_that_a_probability_that_partition_selection_passes_through_is_no_nearest_one(epsilon, delta, share, minimum):
    steps = GeneralizedDecision(epsilon, delta, 0, 0.0)
    step = 1 + round(share * (min(int(steps.smallest_n(1 - 1e-9)) - 1, 60) - 1))
    study = STUDIES["decision"](epsilon=epsilon, delta=delta, target=float(steps.accept_probability(step)),
                                minimum=minimum)
    handed = written(study, {}, "generalized", "google")
    assert not handed.nearest
    added = max(0, step - minimum)
    assert f"PRE_THRESHOLD = {minimum + added - step + 1} " in handed.text
    assert (f"len(rows) + {added})" in handed.text) == bool(added)


@given(epsilon=st.floats(1e-3, 8), delta=st.floats(1e-9, 0.4))
def test_that_the_steps_from_a_half_to_one_are_counted_as_they_are(epsilon, delta):
    decision = GeneralizedDecision(epsilon, delta, 10, 0.5)
    assert 0 <= float(decision.smallest_n(1.0)) - 10 - opendp.half_width(decision) <= 1.5


def test_that_what_is_assumed_of_no_records_is_in_our_account():
    study = STUDIES["decision"](zero_refused=True, delta=0.01, epsilon=1.0, minimum=3)
    for library in RELEASING:
        for series in ("laplace", "generalized", "gaussian", "matched"):
            names = agreement.loaded(written(study, {}, series, library).text)
            kept = study.answer().fact("guarantee_delta", series).value
            assert names["DELTA"] == kept
            if series != "laplace":
                assert names["accounted"]()[1] == names["CLAIMED"]
                assert (names["CLAIMED"] == kept) == (series == "matched")  # f(1) = 0 there


def test_that_a_delta_that_the_doubles_of_a_library_lose_is_not_handed_to_it():
    handed = written(STUDIES["decision"](delta=1e-300), {}, "generalized", "google")
    assert "create_partition_strategy" not in handed.text
    assert handed.nearest


def canonical(x, epsilon, delta):
    """F of canonical noise, by its definition: a straight line over [−½, ½], and steps of the decision from there."""
    centre = (1 - delta) / (1 + math.exp(epsilon))
    steps = math.floor(x + 0.5)
    value = centre + (x - steps + 0.5) * (1 - 2 * centre)
    for _ in range(abs(steps)):
        rest = value if steps < 0 else 1 - value
        rest = max(0.0, (rest - delta) * math.exp(-epsilon))
        value = rest if steps < 0 else 1 - rest
    return value


def test_that_canonical_noise_is_never_asked_for_what_ends_the_process():
    decision = STUDIES["decision"]
    for values in ({"delta": 0.0}, {"delta": 0.0, "target": 0.9}, {"epsilon": 1e-6}, {"epsilon": 1e-3, "delta": 1e-9}):
        handed = written(decision(**values), values, "generalized", "opendp")
        assert "make_canonical_noise(" not in handed.text
        assert handed.nearest == (values.get("target") == 0.9 or "epsilon" in values)
    assert "make_canonical_noise(" in written(decision(epsilon=1e-3, delta=1e-3, minimum=100_000), {}, "generalized",
                                              "opendp").text


def test_that_the_page_states_what_the_scripts_state_now():
    page = agreement.PAGE.read_text("utf-8").split(agreement.BEGIN)[1].split(agreement.END)[0].strip().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page]
    assert rows[0] == list(agreement.HEADER)
    measured = agreement.HEADER.index("measured")
    expected = [list(row) for row in agreement.rows(measure=False)]
    for row in rows[2:]:
        case = agreement.CASES[rows.index(row) - 2]
        told = [agreement.is_likely(round(float(row[measured]) * agreement.DRAWS), case.probability(scale))
                for scale in (1.0, WIDER)]
        assert told == [True, False]
        row[measured] = ""
    assert rows[2:] == expected
