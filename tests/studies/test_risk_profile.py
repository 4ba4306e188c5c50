"""Caps on belief: which release keeps them, up to which ε, and what a step further does."""

from __future__ import annotations

import json
import math
import random

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from settings_kit import paired

from dpstudio import vocabulary as v
from dpstudio.cli import main
from dpstudio.core import attack
from dpstudio.core.attacker import Attacker
from dpstudio.core.caps import Cap, CapsKept, caps_of, kept_of, profile_said, summary
from dpstudio.core.declare import InvalidParameter, read_entry
from dpstudio.core.guarantee import RECORD, REPLACED, TRUTH, Guarantee
from dpstudio.core.results import Column
from dpstudio.core.risk_figures import CAPPED
from dpstudio.core.solve.solver import solve
from dpstudio.core.solve.want import Want
from dpstudio.core.sources import DR14, KAZAN24
from dpstudio.core.study import answer
from dpstudio.core.update import Update
from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.mechanisms.laws import Claim
from dpstudio.mechanisms.noise.exponential import GeometricNoise
from dpstudio.studies import all_studies
from dpstudio.studies.decision import GAUSSIAN, LAPLACE, Decision
from dpstudio.studies.noise import GAUSSIAN as GAUSSIAN_NOISE
from dpstudio.studies.noise import LAPLACE as LAPLACE_NOISE
from dpstudio.studies.noise import Noise

CAPS = "0.01:0.05,0.1:0.3"
BINDING = math.log(0.3 / 0.7 * 9)
"""What the second of them allows, less than the first."""
PROFILE = Attacker.parameter("profile")


# What is typed

@pytest.mark.parametrize(("typed", "kept"), [
    ("0.01:0.05, 0.1:0.3", CAPS), ("1%:5%;0.1:0.3", CAPS), (" .1:.3 ", "0.1:0.3"), ("", "none"), ("none", "none"),
    ("1e-6:1e-3", "1e-6:0.001")])
def test_that_caps_are_read_as_people_write_them_and_kept_in_one_way(typed, kept):
    assert read_entry(PROFILE, typed) == kept
    assert read_entry(PROFILE, kept) == kept
    assert Attacker(profile=typed).profile == kept


@pytest.mark.parametrize(("typed", "why"), [
    ("0.1:0.05", " (a cap below the prior can be kept by no release)"), ("0.1:0.1", " (a cap below the prior can be "
     "kept by no release)"), ("0.1:0.3,0.05:0.2", ""), ("0.1", ""), ("0:0.5", ""), ("0.5:1", ""), ("a:b", ""),
    ("0.1:0.2:0.3", ""), (",".join(f"0.0{i}:0.5" for i in range(1, 10)) + ",0.2:0.5", "")])
def test_that_what_are_no_caps_is_refused_with_what_holds(typed, why):
    with pytest.raises(InvalidParameter) as refused:
        read_entry(PROFILE, typed)
    assert str(refused.value).startswith("profile must be pairs PRIOR:CAP with 0 < prior < cap < 1, at most 9 and of "
                                         "rising priors, or none, got ")
    assert str(refused.value).endswith(why or "…" * (len(typed) > 60))
    assert ("(a cap" in str(refused.value)) is bool(why)


@given(st.lists(st.floats(1e-9, 1 - 1e-9), max_size=18, unique=True).map(paired))
def test_that_caps_are_the_same_numbers_after_they_were_written(pairs):
    caps = caps_of(Attacker(profile=pairs))
    assert ",".join(f"{cap.prior!r}:{cap.most!r}" for cap in caps) == (pairs if pairs != "none" else "")
    assert caps_of(Attacker(profile=Attacker(profile=pairs).profile)) == caps


def test_that_caps_are_of_the_whole_session_and_come_back_with_it():
    session = Session.of(Noise).fear({"profile": CAPS, "exception": 1e-3})
    assert session.state(Decision).setting.study.profile == CAPS
    again = session_file.from_json(session_file.as_json(session))
    assert (again.attacker.profile, again.attacker.exception) == (CAPS, 1e-3)
    assert again == session


# What is kept

def updated(prior, loss):
    """The belief that odds of so much come to."""
    return prior * math.exp(loss) / (prior * math.exp(loss) + 1 - prior)


@pytest.mark.parametrize("key", [key for key in all_studies() if "epsilon" in all_studies()[key].by_name()])
@settings(max_examples=3, phases=(Phase.generate,), deadline=None)
@given(caps=st.lists(st.floats(1e-4, 0.95), min_size=2, max_size=6, unique=True).map(paired),
       exception=st.sampled_from([0.0, 1e-3, 0.1]), attacker=st.sampled_from(["nobody", "membership", "attribute"]),
       seed=st.integers(0, 99))
def test_that_at_the_greatest_epsilon_all_caps_are_kept_and_a_step_further_the_one_that_binds_is_broken(
        key, caps, exception, attacker, seed):
    study = all_studies()[key]
    if caps == "none":
        return
    feared = {"profile": caps, "exception": exception, "attacker": attacker}
    if "people" in study.by_name() and key == "policy":
        feared["symptoms"] = 1
    having = [of for quantity, of in study.answers().index() if quantity == "profile_room"]
    series = random.Random(seed).choice(having)
    solution = solve(study, feared, [Want("profile_room", ">=", 0.0, series)], ["epsilon"])
    if not solution.met:
        return
    there = study(**{**feared, **solution.values})
    kept = kept_of(there.answer(), series)
    law = kept.promised if attacker != "attribute" or kept.promised.relation.swap else attack.Grouped(kept.promised, 2)
    # Of what is known by a bound the profile and the trade-off say each their own.
    exactly = key != "decision" and kept.promised.kind == "exact" and not (
        isinstance(law, attack.Grouped) and law.closed is None)
    for cap in caps_of(there):
        allowed = math.log(cap.most / (1 - cap.most)) - math.log(cap.prior / (1 - cap.prior))
        if exception:
            assert not exactly or float(attack.exceeds(law, allowed + 1e-9)) <= exception * (1 + 1e-6)
        else:
            assert attack.greatest_posterior(law, cap.prior) <= cap.most * (1 + 1e-9)
    if not solution.says.startswith("The greatest ε"):
        return
    further = kept_of(there.replace(epsilon=there.epsilon * (1 + 1e-6)).answer(), series)
    assert further is None or further.room.value < 0
    if further is not None and exception and exactly:
        assert float(attack.exceeds(further._law[0], further.binding.allowed)) >= exception * (1 - 1e-6)
        assert further.missed >= exception * (1 - 1e-6)


def test_that_odds_of_every_answer_stay_below_the_cap_up_to_the_greatest_epsilon_and_one_beyond_does_not():
    """Randomized response: two answers, whose odds are counted by hand."""
    for prior, cap in ((0.01, 0.05), (0.4, 0.45), (0.9, 0.97)):
        kept = CapsKept(Attacker(attacker="membership", profile=f"{prior}:{cap}"),
                    Guarantee(TRUTH, 1.0, 0.0, Claim(1.0, 0.0), DR14))
        for factor, holds in ((1.0, True), (1 + 1e-6, False)):
            epsilon = kept.epsilon.value * factor
            yes = math.exp(epsilon) / (1 + math.exp(epsilon))
            beliefs = [prior * yes / (prior * yes + (1 - prior) * (1 - yes)),
                       prior * (1 - yes) / (prior * (1 - yes) + (1 - prior) * yes)]
            assert (max(beliefs) <= cap * (1 + 1e-9)) is holds


@pytest.mark.parametrize("eta", [1e-3, 0.02, 0.3])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_that_but_for_the_exception_no_event_of_a_finite_release_leads_further(epsilon, eta):
    """Discrete Laplace noise, answer by answer: of all events as likely as η the most telling moves odds by that loss.

    The same of a release that tells all with probability δ, in a table of its four answers.
    """
    noise = GeometricNoise(epsilon)
    values = np.arange(-200, 201)
    with_, without = (math.tanh(epsilon / 2) * np.exp(-epsilon * np.abs(values - at)) for at in (1, 0))
    kept = CapsKept(Attacker(attacker="membership", profile="0.1:0.3", exception=eta),
                Guarantee(RECORD, epsilon, 0.0, noise, DR14))
    assert kept.loss == pytest.approx(most_telling(with_, without, eta), rel=1e-9)
    delta = eta / 3
    yes, no = (1 - delta) * np.array([1, math.exp(-epsilon)]) / (1 + math.exp(-epsilon))
    kept = CapsKept(Attacker(attacker="membership", profile="0.1:0.3", exception=eta),
                Guarantee(RECORD, epsilon, delta, Claim(epsilon, delta), DR14))
    found = most_telling(np.array([delta, yes, no, 0.0]), np.array([0.0, no, yes, delta]), eta)
    assert kept.loss == pytest.approx(found, rel=1e-9)
    assert kept.loss == pytest.approx(epsilon - math.log1p(-delta / eta), rel=1e-9)


def most_telling(with_, without, share):
    """ln of how many times as likely as without the record the event of that probability is that is likeliest with it:
    the answers of the largest ratio, of the last a part."""
    ratio = np.where(without > 0, with_ / np.where(without > 0, without, 1), np.inf)
    order = np.argsort(-ratio, kind="stable")
    left, other = share, 0.0
    for i in order:
        part = min(1.0, left / with_[i]) if with_[i] > 0 else 1.0
        other += part * without[i]
        left -= part * with_[i]
        if left <= 1e-15:
            break
    return math.log(share / other)


@pytest.mark.parametrize(("delta", "eta", "relation", "attacker"), [
    (0.0, 0.0, RECORD, "membership"), (0.0, 0.1, RECORD, "membership"), (1e-3, 0.1, RECORD, "membership"),
    (0.0, 0.0, RECORD, "attribute"), (1e-3, 0.1, RECORD, "attribute"), (1e-3, 0.1, REPLACED, "attribute"),
    (0.0, 0.0, REPLACED, "name")])
def test_that_what_the_guarantee_alone_would_keep_is_kept_by_it_and_no_more(delta, eta, relation, attacker):
    feared = Attacker(attacker=attacker, profile=CAPS, exception=eta)

    def room(epsilon):
        return CapsKept(feared, Guarantee(relation, epsilon, delta, Claim(epsilon, delta), DR14)).room.value

    most = CapsKept(feared, Guarantee(relation, 1.0, delta, Claim(1.0, delta), DR14)).epsilon.value
    steps = 1 if relation.swap or attacker == "membership" else 2
    if not delta:
        assert most == pytest.approx(BINDING / steps, rel=1e-12)
    assert room(most * (1 - 1e-6)) > 0 > room(most * (1 + 1e-6))


@pytest.mark.parametrize(("delta", "eta"), [(1e-6, 0.0), (0.1, 0.1), (0.2, 0.1)])
def test_that_what_spends_more_delta_than_the_exception_lets_keeps_caps_at_no_epsilon(delta, eta):
    kept = CapsKept(Attacker(attacker="membership", profile=CAPS, exception=eta),
                Guarantee(RECORD, 0.1, delta, Claim(0.1, delta), DR14))
    assert kept.epsilon is None
    assert kept.room.value == -math.inf


def test_that_a_loss_that_nothing_limits_is_none_however_small_delta_becomes():
    for study, series in ((Noise, GAUSSIAN_NOISE), (Decision, GAUSSIAN), (Noise, "discrete_gaussian")):
        for epsilon in (0.05, 1.0, 15.0):
            kept = kept_of(study(profile=CAPS, epsilon=epsilon).answer(), series)
            assert kept.loss == math.inf, (study, series, epsilon)
            assert kept.room.value == -math.inf


def test_that_the_cap_that_binds_is_the_one_that_allows_the_least_loss():
    kept = kept_of(Noise(profile=CAPS).answer(), LAPLACE_NOISE)
    assert kept.binding == Cap(0.1, 0.3)
    assert kept.room.value == pytest.approx(BINDING - 1, rel=1e-12)
    assert kept.room.how == "logit 0.3 − logit 0.1 less the largest loss"
    assert kept.room.source == KAZAN24
    fact = Noise(profile=CAPS).answer().fact(v.PROFILE_ROOM, LAPLACE_NOISE)
    assert (fact.kind, fact.group) == ("exact", "risk")
    few = Noise(profile=CAPS, exception=0.01).answer().fact(v.PROFILE_ROOM, LAPLACE_NOISE)
    assert (few.kind, few.at_least) == ("bound", True)


def test_that_there_are_no_facts_words_or_curves_of_caps_where_none_are_set():
    found = Noise(attacker="membership").answer()
    assert found.fact(v.PROFILE_ROOM, LAPLACE_NOISE) is None
    assert found.fact(v.PROFILE_EPSILON, LAPLACE_NOISE) is None
    assert profile_said(found) == {}
    assert summary(found) == ""
    assert CAPPED[0] not in Update(found).tables["risk_profile"]


# In words and as a picture

def test_what_is_said_of_each_series():
    said = {series.key: words for series, words in profile_said(Decision(profile=CAPS, epsilon=2).answer()).items()}
    capped = "who held it 10 % likely may hold it at most 30 % likely"
    assert said["laplace"].startswith(
        f"Laplace breaks the profile: {capped}, and after some answers holds it up to 45.1 % likely; with ε ≤ 1.34 it "
        "would be kept. Where it is true, an answer exceeds the cap with probability at most ")
    assert said["gaussian"].startswith(f"Gaussian breaks the profile: {capped}, and no answer’s loss is limited. ")
    kept = profile_said(Noise(profile=CAPS, exception=1e-3).answer())[LAPLACE_NOISE]
    assert kept == (f"Laplace keeps the profile: {capped}, and after any answer holds it at most 23.2 % likely, but "
                    "for a probability of at most 0.001.")
    (alone,) = profile_said(all_studies()["posterior"](profile=CAPS).answer()).values()
    assert alone.startswith(f"The release keeps the profile: {capped}")


def test_the_picture_has_the_caps_as_dots_and_what_answers_make_of_every_prior():
    update = answer(Decision(profile=CAPS, epsilon=1.0), simulate=False)
    figure = Decision.figure("risk_profile")
    table = update.tables["risk_profile"]
    priors, beliefs = table[Column(v.RISK_PRIOR)], table[Column(v.RISK_BELIEF, LAPLACE)]
    assert beliefs == pytest.approx([updated(prior, 1.0) for prior in priors], rel=1e-12)
    assert set(table[Column(v.RISK_BELIEF, GAUSSIAN)]) == {1.0}
    (dots,) = (layer for layer in figure.layers if type(layer).__name__ == "Dots")
    assert {*zip(table[dots.x], table[dots.y], strict=True)} == {(0.01, 0.05), (0.1, 0.3)}
    assert Decision.level_one.level_of_figure("risk_profile") == 2
    assert figure.told(update.answer) == (
        "Who held it 10 % likely may hold it at most 30 % likely. The profile is kept with Laplace (at most 23.2 %). "
        "Broken with Cutoff exponential (no limit), Generalized (no limit), Gaussian (no limit) and Generalized at "
        "cutoff’s δ (no limit).")


# On the command line

@pytest.fixture
def run(capsys):
    def runner(*arguments):
        status = main(list(arguments))
        return status, *capsys.readouterr()

    return runner


def test_that_the_greatest_epsilon_of_each_series_is_solved_for_and_of_no_limit_none(run):
    status, out, _ = run("solve", "decision", "--profile", CAPS, "--want", "profile_room >= 0", "--for", "epsilon",
                         "--format", "json")
    made = json.loads(out)
    assert status == 0
    assert made["order"] == "what may spend most first"
    found = {offer["mechanism"]: offer["solved"] for offer in made["offers"]}
    assert found["laplace"]["epsilon"] == pytest.approx(BINDING, rel=1e-9)
    assert found["gaussian"] == {}


def test_that_the_command_says_who_keeps_the_caps_up_to_where_and_what_a_step_further_does(run):
    status, out, _ = run("profile", "noise", "--profile", CAPS, "--format", "json")
    made = {each["mechanism"]: each for each in json.loads(out)}
    laplace, gaussian = made["laplace"], made["gaussian"]
    assert status == 0
    assert laplace["solved"]["epsilon"] == pytest.approx(BINDING, rel=1e-9)
    assert (laplace["prior"], laplace["cap"]) == (0.1, 0.3)
    assert laplace["belief"] == pytest.approx(0.3, rel=1e-9)
    assert laplace["further"]["belief"] == pytest.approx(updated(0.1, BINDING * 1.01), rel=1e-9)
    assert laplace["says"].endswith("At ε = 1.37 it would be at most 30.3 %.")
    assert (gaussian["solved"], gaussian["room"]) == ({}, "-inf")
    assert "further" not in gaussian
    assert gaussian["says"].startswith("Gaussian (analytic) breaks the profile: ")


def test_that_nothing_that_keeps_the_caps_and_no_caps_at_all_are_told_apart(run):
    status, out, _ = run("profile", "budget", "--profile", "0.01:0.0100001", "--for", "epsilon", "--format", "text")
    assert status == 3
    assert "breaks the profile: who held it 1 % likely may hold it at most 1.00001 % likely" in out
    status, _, err = run("profile", "noise")
    assert status == 2
    assert err.startswith("dpstudio: --profile is missing")


def test_that_a_batch_takes_caps_as_the_flags_do(run, tmp_path):
    file = tmp_path / "batch.jsonl"
    good = {"study": "noise", "profile": "1%:5%", "exception": 0.01, "facts": ["profile_room@laplace"]}
    file.write_text("\n".join(map(json.dumps, (good, {"study": "noise", "profile": "0.1:0.05"}))) + "\n")
    status, out, _ = run("compute", "--batch", str(file))
    first, second = map(json.loads, out.splitlines())
    assert status == 0
    assert first["facts"][0]["value"] == pytest.approx(math.log(0.05 / 0.95 * 99) - 1, rel=1e-9)
    assert second["error"].endswith("(a cap below the prior can be kept by no release)")
