"""Promises of all studies, recomputed: at random settings no event of any neighbours shows more than the words say.

`python tests/studies/test_promises.py SETTINGS [SEED [STUDY …]]` looks at so many settings of each study.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

from claims.kit import accepted, number
from promises.pairs import SLACK, Pairs
from promises.worlds import WORLDS, first_of_tree, number_of
from scipy.special import ndtr, ndtri

from dpstudio.core.attacker import MEMBERSHIP, NOBODY, Attacker, before, prior_of
from dpstudio.core.guarantee import RECORD
from dpstudio.core.risk import said_of
from dpstudio.core.study import guarantees
from dpstudio.mechanisms.laws import Claim
from dpstudio.studies import SHIPPED, all_studies
from dpstudio.vocabulary import Written

FEW = {"decision": 8, "watch": 4, "updating": 8, "budget": 8, "noise": 8, "policy": 8, "mean": 10, "test": 12,
       "number": 12, "plan": 12}
"""Settings of the suite, where they take longer."""
IN_TURN = {"audit": "mechanism", "watch": "presence", "updating": "who", "decision": "others", "test": "side",
           "number": "statistic"}
"""Choices of which none is left to chance."""
BLOCK = 25
ALPHAS = np.concatenate([np.geomspace(1e-9, 0.5, 14), 1 - np.geomspace(0.4, 1e-9, 10)])


def draw(kind, rng):
    """A study at random settings, small enough for brute force, some at the ends of their domains."""
    given = {}
    for declared in kind.parameters():
        if rng.random() < 0.25 or declared.name in ("trials", "seed"):
            continue
        domain = declared.domain
        options = TEXTS.get((kind.key, declared.name)) or getattr(domain, "options", None)
        if options:
            given[declared.name] = options[rng.integers(len(options))]
        elif isinstance(domain, Written) and declared.name not in Attacker.by_name():
            given[declared.name] = domain.examples[rng.integers(len(domain.examples))]
        elif not hasattr(domain, "low"):
            given[declared.name] = bool(rng.integers(2))
        else:
            low, high = SMALL.get((kind.key, declared.name), FEARED.get(
                declared.name, declared.range or (domain.low, domain.high)))
            if rng.random() < 0.06:
                low, high = domain.low, domain.high
            value = rng.uniform(low, high)
            if low > 0 and rng.random() < 0.7:
                value = math.exp(rng.uniform(math.log(low), math.log(high)))
            if rng.random() < 0.08:
                value = (low, high)[rng.integers(2)]
            given[declared.name] = domain.nearest(round(value) if domain.integer else value)
    return accepted(kind, given)


SMALL = {
    ("decision", "minimum"): (1, 60), ("decision", "epsilon"): (0.05, 10), ("decision", "partitions"): (1, 8),
    ("noise", "sensitivity"): (0.1, 8), ("noise", "sensitivity_l2"): (0.1, 8), ("noise", "dimension"): (1, 6),
    ("noise", "epsilon"): (0.01, 10), ("mean", "people"): (1, 10), ("mean", "epsilon"): (0.01, 10),
    ("updating", "batches"): (1, 7), ("watch", "times"): (1, 5), ("watch", "minimum"): (1, 30),
    ("watch", "epsilon"): (0.05, 10), ("watch", "per_time"): (0.1, 10), ("budget", "releases"): (1, 12),
    ("budget", "delta"): (1e-9, 0.1), ("budget", "slack"): (1e-9, 0.1), ("budget", "epsilon"): (1e-2, 5),
    ("number", "epsilon"): (0.05, 8), ("number", "rows"): (1, 3), ("number", "quantile"): (0.05, 0.95),
    ("number", "bound_share"): (0.1, 0.9), ("number", "count_share"): (0.1, 0.9),
    ("audit", "records"): (0, 9), ("audit", "epsilon"): (0.02, 10), ("posterior", "people"): (1, 100),
    ("table", "groups"): (1, 6), ("table", "people"): (1, 40), ("table", "per_person"): (1, 4),
    ("table", "rows"): (1, 3), ("table", "merged"): (1, 2), ("table", "epsilon"): (0.05, 6), ("table",
     "delta"): (1e-9, 0.1),
    ("test", "people"): (1, 200), ("test", "epsilon"): (0.05, 10),
    ("plan", "years"): (1, 2), ("plan", "budget"): (0.05, 5), ("plan", "precision"): (0.5, 2),
    ("plan", "confidence"): (0.6, 0.99), ("plan", "budget_delta"): (1e-9, 0.1),
}


TEXTS = {
    ("plan", "releases"): (
        "count within=30", "count within=3", "count within=2;count within=4", "sum within=4 moves=2;count within=3",
        "table within=20 groups=5 most=3", "a: count within=4 group=1;b: count within=6 group=2;count within=9",
        "a: sum within=9 moves=2 group=1;b: table within=20 groups=3 group=2;c: count within=5 group=3",
        "decision within=3;count within=8", "selection gap=5 candidates=3;count within=20",
        "response within=3 people=2000;mean within=1 upper=10 people=50", "spent epsilon=0.3 delta=1e-8;count within=9",
        "spent epsilon=1", "count within=40 times=12;sum within=80 moves=1 times=12"),
}
"""What of a text that is written by a person is few enough."""
FEARED = {"releases_feared": (1, 3), "records_of_one": (1, 3)}
"""Of every study: few enough for brute force."""


def said(promise):
    """ε, δ, μ and ρ as a promise states them, each None where it is not."""
    found = re.search(r"above e\^(.+?) times its former value(?: plus (.+?))?\.(?: That |$)", promise)
    assert found, promise
    mu, rho = re.search(r"μ = (.+?) moves", promise), re.search(r"ρ = (.+?) of", promise)
    return (number(found[1]), number(found[2]) if found[2] else 0.0, mu and number(mu[1]), rho and number(rho[1]))


def held(study, of, promised, count):
    """Hold one promise to all pairs of neighbours; what is false is an assertion that says it."""
    answer = study.answer()
    world = WORLDS[study.key](study, of, None if of is None or study.key == "audit" else answer.one(of), promised)
    if world is None:
        return False
    name = f"{of} of {study}"
    least, off = 1 - SLACK, world.off
    assert promised.relation.key in world.units, (name, promised.relation)
    of_table = study.key == "table" and (study.per_person if study.per_person > 1 else study.each_rows)
    groups, rows = of_table or getattr(study, "partitions", 1), getattr(study, "rows", 2)
    assert number_of(promised.relation) == {"groups": groups, "groups_replaced": groups, "rows": rows,
                                            "rows_replaced": rows}.get(promised.relation.key, 1), name

    def delta(epsilon):
        return max(pairs.delta(epsilon + SLACK * (1 + epsilon)) for pairs in world.pairs) * least - world.tiny

    # The words
    if promised.epsilon == math.inf or promised.delta >= 1:
        assert promised.promise == "Nothing is promised.", name
        return True
    epsilon, extra, mu, rho = said(promised.promise)
    assert delta(epsilon) <= extra, f"{name}: {promised.promise} but δ is {delta(epsilon)}"
    risk = re.search(r"Of (.+?) guesses at even odds .* at most (.+) with it, ", said_of(promised))
    many, right = map(number, risk.groups())
    guess = max(pairs.guess(0.5) for pairs in world.pairs)
    assert right / many >= guess - SLACK, f"{name}: {said_of(promised)} but {guess}"

    # The numbers
    places = {0.0, promised.epsilon, *(promised.epsilon * np.array([0.01, 0.2, 0.5, 0.9, 0.99, 1.01, 1.5, 3]))}
    for at in sorted(min(place, 600.0) for place in places):
        stated = float(promised.delta_at(at))
        assert delta(at) <= stated, f"{name}: δ({at}) is said to be {stated}, and is {delta(at)}"
        if promised.kind == "exact" and world.complete:
            true = max(pairs.delta(at * least) for pairs in world.pairs)
            assert stated <= true * (1 + 20 * off) + off, f"{name}: δ({at}) is said to be {stated}, and is {true}"
    for allowed in (promised.delta, 1e-9, 1e-4, 0.05, 0.4):
        least_epsilon = promised.epsilon_at(min(allowed, 1.0))
        if least_epsilon < 600:
            assert delta(least_epsilon) <= allowed * (1 + 1e-9), (
                f"{name}: ε at δ = {allowed} is said to be {least_epsilon}, where δ is {delta(least_epsilon)}")
    alphas = np.append(ALPHAS, np.exp(-promised.epsilon) * 0.5)
    true = np.max([pairs.power(alphas) for pairs in world.pairs], axis=0)
    for stated, how in ((1 - np.asarray(promised.trade_off(alphas)), "trade-off"),
                        (np.asarray(promised.success(alphas)), "success")):
        low = true * least - max(world.tiny, 1e-13 if how == "success" else 1e-12)
        assert (low <= stated).all(), f"{name}: {how} is {stated[low > stated]}, and {true[low > stated]}"
        if promised.kind == "exact" and world.complete:
            assert (stated <= true + 20 * off * np.minimum(true, 1) + off).all(), f"{name}: {how}, {stated}, {true}"
    for prior in (0.5, 0.3, 0.01, 0.9):
        best = max(pairs.guess(prior) for pairs in world.pairs)
        assert promised.guess(prior) >= best * least - world.tiny, f"{name}: {prior} is guessed {best}"
    for shift, how in ((promised.mu, "μ"), (mu, "μ in words")):
        if shift is not None:
            most = ndtr(ndtri(alphas) + shift)
            assert (true * least - 1e-12 <= most).all(), f"{name}: {how} = {shift}, power {true - most}"
    if rho is not None:
        assert rho * (1 + SLACK) >= promised.rho, name
    risk_held(study, answer.faced(of), world, name, count)
    count[study.key, of, promised.kind, world.complete] += 1
    return True


def risk_held(study, risk, world, name, count):
    """What is said of whom one fears: no test of any neighbours does better, and where it is exact one does as well."""
    assert (risk is None) == (study.attacker == NOBODY)
    if risk is None:
        return
    least, off, prior, swap = 1 - SLACK, world.off, prior_of(study), risk.promised.relation.swap
    success, found, after = risk.success, risk.found, risk.after
    assert before(study) <= success.value <= 1, name
    best = max(pairs.guess(prior) for pairs in world.pairs)
    neighbours = study.attacker == MEMBERSHIP or (study.attacker == "attribute" and swap == "two")
    if study.attacker in (MEMBERSHIP, "attribute"):
        assert success.value >= best * least - world.tiny, f"{name}: {study.attacker} of {prior} is right with {best}"
    if neighbours and success.kind == "exact" and world.complete:
        assert success.value <= best * (1 + 20 * off) + off, f"{name}: {success} but {best}"
    power = max(float(pairs.power(study.false_alarms)) for pairs in world.pairs)
    assert found.value >= power * least - world.tiny, f"{name}: {found} but {power} are found"
    if found.kind == "exact" and world.complete:
        assert found.value <= power * (1 + 20 * off) + off, f"{name}: {found} but {power}"
    assert risk.advantage.value >= (2 * max(pairs.guess(0.5) for pairs in world.pairs) - 1) * least - world.tiny, name
    for pairs in world.pairs:
        seen = pairs.loss[pairs.p > max(world.tiny * 1e3, 1e-10)]
        highest = 1 / (1 + (1 - prior) / prior * math.exp(-min(float(seen.max()), 700.0)))
        assert risk.belief.value >= highest - 1e-7, f"{name}: a belief of {highest} where {risk.belief} is said"
        limit = math.log(risk.usual.value / (1 - risk.usual.value) * (1 - prior) / prior) if (
            risk.usual.value < 1) else math.inf
        beyond = (pairs.p * (pairs.loss > limit + 1e-7)).sum(axis=1).max()
        assert beyond <= 0.05 + 1e-7 + world.tiny, f"{name}: {beyond} of the answers carry it beyond {risk.usual}"
    few = [pairs for pairs in world.pairs if pairs.p.shape[1] ** study.releases_feared <= 1e5]
    for pairs in few[:2]:
        p, q = np.ones(1), np.ones(1)
        for _ in range(study.releases_feared):
            p, q = np.outer(p, pairs.p[0]).ravel(), np.outer(q, pairs.q[0]).ravel()
        right = Pairs(p, q).guess(prior)
        if neighbours:
            assert after.value >= right * least - world.tiny, f"{name}: {after} but {right} after the releases"
            count["after"] += 1
    assert risk.of_records.value >= success.value * least, name
    assert after.value >= success.value * least, name
    words = said_of(risk.promised, study)
    told = re.search(r"Of (.+?) guesses .* on average (.+?) are right without this release and at most (.+?) with it, "
                     r"even if all else is known\.", words)
    many, without, right = map(number, told.groups())
    assert right / many >= success.value * least > (right - 1 - 1e-6) / many - 1e-9, f"{name}: {words}"
    assert without / many <= before(study) * (1 + SLACK), f"{name}: {words}"
    accused = re.search(r"wrongly accuses (.+?) of (.+?) of whom it is not true rightly accuses at most (.+?) of",
                        words)
    assert bool(accused) == (study.attacker in (MEMBERSHIP, "attribute")), f"{name}: {words}"
    if accused:
        wrongly, people, at_most = map(number, accused.groups())
        assert at_most / people >= found.value * least, f"{name}: {words}"
        assert wrongly / people <= study.false_alarms * (1 + SLACK), f"{name}: {words}"
    belief = re.search(r"No answer makes .* likely more than (.+?)\u202f% likely", words)
    usual = re.search(r"Of 100 answers 95 leave .* likely at most (.+?)\u202f% likely", words)
    assert bool(belief or usual) == (bool(accused) and prior != 0.5), f"{name}: {words}"
    if belief or usual:
        most = number((belief or usual)[1]) / 100
        assert most >= (risk.belief if belief else risk.usual).value * least, f"{name}: {words}"
    count[study.attacker] += 1


def held_all(key, settings, seed, count, report=None):
    """Hold every promise of a study at so many random settings; returns how many promises that were."""
    rng = np.random.default_rng([seed, *key.encode()])
    done = 0
    for turn in range(settings):
        study = draw(all_studies()[key], rng)
        if key in IN_TURN:
            options = study.parameter(IN_TURN[key]).domain.options
            study = study.replace(**{IN_TURN[key]: options[turn % len(options)]})
        found = guarantees(study)
        if study.key == "audit":
            assert bool(found) == (not study.mechanism.startswith("wrong")), study
        for of, promised in found.items():
            try:
                done += held(study, of, promised, count)
            except AssertionError as false:
                if report is None:
                    raise
                report(f"{false}")
            except Exception as broken:
                if report is None:
                    raise
                report(f"BROKEN {of} of {study}: {broken!r}")
    return done


def test_the_neighbours_of_every_study_that_comes_with_the_program_are_counted():
    assert WORLDS.keys() == set(SHIPPED)


@pytest.mark.parametrize("key", WORLDS)
def test_no_event_of_any_neighbours_shows_more_than_a_promise_says(key):
    count = Counter()
    assert held_all(key, FEW.get(key, 25), 1, count) > 5
    assert sum(count.values()) > 5


def test_the_first_yes_of_a_tree_shows_less_than_its_counts_and_is_said_to_be_at_most_that():
    study = all_studies()["watch"](times=2, delta=0.01, epsilon=0.5, minimum=20)
    promised, one = guarantees(study)["tree"], study.answer().one("tree")
    assert "only the first “yes” is seen" in promised.relation.sentence
    true = first_of_tree(one, one.tree.gaussian).delta(study.epsilon)
    assert 0.005 < true < 0.7 * promised.delta
    assert promised.kind == "bound"


class Half:
    """A law that says less than another: a part of its δ, and its other numbers as they are."""

    def __init__(self, of, part):
        self.of, self.part = of, part

    def delta_at(self, epsilon):
        return self.part * np.asarray(self.of.delta_at(epsilon))

    def trade_off(self, alpha):
        return self.of.trade_off(alpha)


def one_release(promised):
    """As if what was spent last were all: the largest ε instead of the sum."""
    return replace(promised, epsilon=promised.epsilon / 2, law=Claim(promised.epsilon / 2, 0.0))


FALSE = {
    "a δ that is too small by a factor": (
        "decision", {"minimum": 20, "epsilon": 1.0, "delta": 1e-3}, "gaussian",
        lambda one: replace(one, delta=one.delta / 1.05, law=Half(one.law, 1 / 1.05)), "but δ is"),
    "a δ of one part in a million too small": (
        "decision", {"minimum": 20, "epsilon": 1.0, "delta": 1e-3}, "generalized",
        lambda one: replace(one, law=Half(one.law, 1 - 1e-6)), "is said to be"),
    "the larger ε of two releases instead of their sum": (
        "policy", {"symptoms": 2, "epsilon": 0.5}, "laplace", one_release, "e^0.5 times its former"),
    "the law of one group for a person in four": (
        "decision", {"others": "selection", "partitions": 4, "epsilon": 1.0, "delta": 1e-3}, "selection_optimal",
        lambda one: replace(one, epsilon=0.25, delta=2.6e-4, law=Claim(0.25, 2.6e-4)), "e^0.25 times its former"),
    "the relation of one record for a person in four groups": (
        "decision", {"others": "selection", "partitions": 4, "epsilon": 1.0, "delta": 1e-3}, "selection_optimal",
        lambda one: replace(one, relation=RECORD), "key='record'"),
    "a record that stays for one that comes and goes": (
        "watch", {"times": 3, "presence": "comes and goes", "minimum": 20}, "above",
        lambda one: replace(one, epsilon=0.5, law=Claim(0.5, 0.0)), "e^0.5 times its former"),
    "a μ of one level of a tree": (
        "watch", {"times": 3, "delta": 1e-2, "epsilon": 0.5}, "tree",
        lambda one: replace(one, mu=one.mu / math.sqrt(2)), "μ = "),
    "an advantage of an attacker that is too small": (
        "response", {"design": "coins", "theta1": 0.5, "theta2": 0.1}, "response",
        lambda one: replace(one, law=Half(one.law, 0.99)), "guesses"),
    "a ρ of half of the releases": (
        "budget", {"releases": 4, "delta": 0.0, "slack": 1e-3, "epsilon": 0.5}, "zcdp",
        lambda one: replace(one, rho=one.rho / 2), "but its divergence"),
}


@pytest.mark.parametrize("what", FALSE)
def test_a_promise_that_is_false_is_seen(what):
    key, given, of, planted, words = FALSE[what]
    study = all_studies()[key](**given)
    promised = guarantees(study)[of]
    assert held(study, of, promised, Counter())
    with pytest.raises(AssertionError, match=re.escape(words)):
        held(study, of, planted(promised), Counter())


def main(settings, seed, *keys):
    """Print each promise that is false, and how many held of each series and kind; “=” where the exact one is equal."""
    for key in keys or all_studies():
        seen, wrong = Counter(), []

        def tell(false, wrong=wrong):
            wrong.append(false)
            print(f"FALSE {false}", flush=True)

        for block in range(-(-settings // BLOCK)):
            held_all(key, min(BLOCK, settings - block * BLOCK), seed + block, seen, tell)
            found = {f"{of} {kind}{' =' * bool(same)}": n for (_, of, kind, same), n in sorted(seen.items(), key=str)}
            print(key, block + 1, sum(seen.values()), "held,", len(wrong), "not:", found, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int((*sys.argv[2:], 0)[0]), *sys.argv[3:])
