"""What the noise study says, recomputed from the laws of the noises."""

from __future__ import annotations

import math
import re
from functools import cache

import numpy as np
from claims.kit import NUMBER as N
from claims.kit import Claim, Said, near, not_below, number, of_person
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr

from dpstudio import vocabulary as v
from dpstudio.studies.noise import CLASSICAL, DISCRETE, PRINTED

ODDS = rf"(?:e\^)?{N} : (?:e\^)?{N}"
NAMES = "Laplace|geometric|discrete Gaussian|Gaussian|staircase"
WIDE = 1000
SAID = {"Laplace", "geometric", "Gaussian"}
Z95 = 1.959963984540054
MOST_SENTENCES = 6


def l2(said: Said) -> float:
    return min(said.study.sensitivity, said.study.sensitivity_l2)


def l1(said: Said) -> float:
    return min(said.study.sensitivity, math.sqrt(said.study.dimension) * l2(said))


def whole(said: Said) -> int:
    """How far a change by whole numbers is at most in ℓ₁: v² ≥ |v| for each of them."""
    rounding = 1 + 1e-12  # √3 as a double, squared, is a little less than 3
    return math.floor(min(l1(said), l2(said) ** 2) * rounding) if l2(said) * rounding >= 1 else 0


def mu_delta(epsilon: float, mu: float) -> float:
    first, second = log_ndtr(mu / 2 - epsilon / mu), epsilon + log_ndtr(-mu / 2 - epsilon / mu)
    return math.exp(first) - math.exp(second)


@cache
def least_mu(epsilon: float, delta: float) -> float:
    return math.exp(brentq(lambda log: mu_delta(epsilon, math.exp(log)) - delta, -35, 8, xtol=1e-13))


def sigma(said: Said) -> float:
    return l2(said) / least_mu(said.study.epsilon, said.study.delta)


def discrete_delta(epsilon: float, sigma: float, move: int) -> float:
    """δ(ε) of discrete Gaussian noise, term by term."""
    k = np.arange(-math.ceil(40 * sigma) - 2 * move, math.ceil(40 * sigma) + 2 * move + 1)
    law = np.exp(-0.5 * (k / sigma) ** 2)
    loss = move * (2 * k - move) / (2 * sigma**2)
    moved = np.exp(-0.5 * ((k - move) / sigma) ** 2)
    return float((moved * -np.expm1(np.minimum(epsilon - loss, 0.0))).sum() / law.sum())


@cache
def discrete_sigma(epsilon: float, delta: float, move: int) -> float:
    """A σ from which on it is at most δ: the last of a fine grid around that of the continuous law, made exact."""
    scale = move / least_mu(epsilon, delta)
    if scale > 4:
        return brentq(lambda at: discrete_delta(epsilon, at, move) - delta, 0.9 * scale, 1.1 * scale, xtol=1e-12)
    grid = scale * np.linspace(1.4, 0.4, 301)
    fails = next((at for at in grid if discrete_delta(epsilon, at, move) > delta), grid[-1])
    return brentq(lambda at: discrete_delta(epsilon, at, move) - delta, fails, fails + scale / 300, xtol=1e-14)


def staircase_tail(said: Said, x: float) -> float:
    """Pr[X ≥ x] of the staircase of least mean error, step by step."""
    epsilon, wide = said.study.epsilon, l1(said)
    gamma = 1 / (1 + math.exp(epsilon / 2))
    k = np.arange(math.ceil(45 / epsilon) + math.ceil(x / wide) + 2)
    low, high = np.maximum(k - 1 + gamma, 0) * wide, (k + gamma) * wide
    heights = np.exp(-epsilon * k)
    return float((heights * np.clip(high - np.maximum(low, x), 0, None)).sum() / (heights * (high - low)).sum() / 2)


def share(said: Said, name: str, end: float) -> float:
    """Of answers rounded to whole numbers, those that are off by at most so much."""
    if name == "staircase":
        return 1 - 2 * staircase_tail(said, end + 0.5)
    if name == "discrete Gaussian":
        wide = whole(said) / least_mu(said.study.epsilon, said.study.delta)
        if wide > WIDE:  # what is added up and the integral are one to 1/σ²
            return 1 - 2 * float(ndtr(-(end + 0.5) / wide))
        sigma_ = discrete_sigma(said.study.epsilon, said.study.delta, whole(said))
        k = np.arange(math.ceil(40 * sigma_) + 2)
        law = np.exp(-0.5 * (k / sigma_) ** 2)
        return 1 - 2 * float(law[int(end) + 1:].sum() / (2 * law.sum() - 1))
    if name == "Laplace":
        return -math.expm1(-(end + 0.5) * said.study.epsilon / l1(said))
    if name == "geometric":
        rate = said.study.epsilon / whole(said)
        return 1 - 2 * math.exp(-rate * (end + 1) - math.log1p(math.exp(-rate)))
    return 1 - 2 * float(ndtr(-(end + 0.5) / sigma(said)))


def sd(said: Said, name: str) -> float:
    if name == "Laplace":
        return math.sqrt(2) * l1(said) / said.study.epsilon
    return 1 / (math.sqrt(2) * math.sinh(said.study.epsilon / whole(said) / 2)) if name == "geometric" else sigma(said)


def error_95(said: Said, name: str) -> float:
    if name == "geometric":
        rate = said.study.epsilon / whole(said)
        return max(0.0, math.ceil((math.log(40) - math.log1p(math.exp(-rate))) / rate - 1 - 1e-9))
    if name == "staircase":
        far = 60 * l1(said) * max(1.0, 1 / said.study.epsilon)
        return brentq(lambda x: staircase_tail(said, x) - 0.025, 0.0, far, xtol=1e-15, rtol=1e-14)
    return math.log(20) * l1(said) / said.study.epsilon if name == "Laplace" else Z95 * sigma(said)


def compared(said: Said) -> set[str]:
    """What is always named."""
    return {"Laplace"} | ({"geometric"} if whole(said) else set()) | ({"Gaussian"} if said.study.delta > 0 else set())


def candidates(said: Said) -> set[str]:
    """What may be the least: also the newer kinds, where there is one number and their sums are not too long."""
    study = said.study
    if study.dimension > 1 or study.epsilon < 0.01:
        return compared(said) | ({said.groups["best"]} & SAID)
    discrete = study.delta > 1e-300 and 0 < whole(said) < WIDE and sigma(said) < WIDE
    return compared(said) | {"staircase"} | ({"discrete Gaussian"} if discrete else set())


def rest(said: Said) -> dict[str, str]:
    """The others of a comparison, with what is said of them."""
    own = said.groups.get("share") or said.groups.get("error") or said.groups["far"]
    found = dict(re.findall(rf"({NAMES}) (the same|more than 99\.9\u202f%|±?{N}\u202f?%?)", said.groups["rest"] or ""))
    assert own not in found.values()  # two equal numbers are not set against each other
    plainest = ["geometric", "Laplace", "Gaussian"]
    best = said.groups["best"]
    if any(text == "the same" for text in found.values()) and best in plainest:
        assert min(plainest.index(name) for name, text in found.items() if text == "the same") > plainest.index(best)
    return {name: own if text == "the same" else text for name, text in found.items()}


def opening(said: Said) -> None:
    if len(said.update.verdicts) < MOST_SENTENCES and abs(said.study.epsilon - 1) > 1e-9 and said.study.delta > 0:
        holds = kept(said, CLASSICAL) <= said.study.delta
        assert said.says("The classical σ") == (said.study.epsilon >= 1 or not holds)
    assert near(said.number("epsilon"), said.study.epsilon)
    spends = said.groups["best"].endswith("Gaussian")
    assert near(said.number("delta"), said.study.delta) if said.groups["delta"] else not spends
    assert bool(said.groups["delta"]) == spends
    assert bool(said.groups["none"]) == (said.study.delta > 0 and not spends)
    assert {said.groups["best"], *rest(said)} == compared(said) | {said.groups["best"]}


def of_whole_numbers(said: Said) -> None:
    opening(said)
    best, end = said.groups["best"], 0.0 if said.groups["right"] else said.number("end")
    assert said.study.dimension == 1
    assert whole(said)
    wide = {"discrete Gaussian"} if said.update.answer.one(DISCRETE) else set()
    shares = {name: share(said, name, end) for name in candidates(said) | {best} | wide}
    rounding = 1e-6 if end >= 1e6 or (wide and end >= WIDE) else 1e-9
    most, text = max(shares.values()), said.groups["share"]  # the best, or said in the same digits
    assert shares[best] >= most - rounding or (
        most >= 0.9995 - 1e-9 if text.startswith("more") else near(number(text), most))
    assert most >= 0.95 - rounding
    if 0 < end < 1e6:  # no smaller number holds 95 %
        assert max(share(said, name, end - 1) for name in candidates(said)) < 0.95 + 1e-9
    for name, text in {best: said.groups["share"], **rest(said)}.items():
        assert shares[name] >= 0.9995 - 1e-9 if text.startswith("more") else near(number(text), shares[name]) or abs(
            number(text) - shares[name]) < (1e-9 if end < 1e12 else 0.005)


def of_others(said: Said) -> None:
    opening(said)
    assert said.study.dimension == 1
    assert not whole(said)
    errors = {name: error_95(said, name) for name in candidates(said) | {said.groups["best"]}}
    least = min(errors.values())
    assert errors[said.groups["best"]] <= least * (1 + 1e-9) or not_below(
        number(said.groups["error"].lstrip("±")), least * (1 - 1e-9))
    for name, text in {said.groups["best"]: said.groups["error"], **rest(said)}.items():
        assert not_below(number(text.lstrip("±")), errors[name] * (1 - 1e-9))


def of_many(said: Said) -> None:
    opening(said)
    d = said.study.dimension
    assert near(said.number("d"), d)
    far = {name: math.sqrt(d) * sd(said, name) for name in compared(said)}
    least = min(far.values())
    assert far[said.groups["best"]] <= least * (1 + 1e-9) or not_below(said.number("far"), least * (1 - 1e-9))
    assert bool(said.groups["whole"]) == (said.groups["best"] == "geometric")
    for name, text in {said.groups["best"]: said.groups["far"], **rest(said)}.items():
        assert not_below(number(text), far[name])


def log_odds(text: str) -> float:
    first, second = (float(part[2:].replace("\u202f", "")) if part.startswith("e^") else math.log(number(part))
                     for part in text.split(" : "))
    return first - second


def tight(text: str, log: float) -> bool:
    """Whether odds are not less than those of that logarithm, and no more than what they show."""
    said = log_odds(text)
    if said < log - 1e-8 * (1 + abs(log)):
        return False
    first, second = text.split(" : ")
    if "e^" in text:
        return said <= log + 0.011 * abs(log)
    if number(first) + number(second) == 100:
        return (number(first) - 1) / 100 <= 1 / (1 + math.exp(-log)) + 1e-8
    return said <= log + 0.011


def recommended(said: Said) -> str:
    name = re.match(rf"Choose ({NAMES}) noise", said.update.verdicts[0])[1]
    return name.lower().replace(" ", "_")


def risk(said: Said) -> None:
    """How far the odds that were set are moved at most, and how often further by Gaussian noise."""
    study = said.study
    before = math.log(study.belief) - math.log1p(-study.belief)
    assert abs(log_odds(said.groups["before"] or said.groups["prior"]) - before) <= 0.006
    if said.groups["after"]:
        assert tight(said.groups["after"], before + study.epsilon)
        assert said.update.answer.guarantee(recommended(said)).delta == 0
    else:
        assert tight(said.groups["past"], before + study.epsilon)
        assert said.update.answer.guarantee(recommended(said)).delta > 0
    assert bool(said.groups["share"]) == (study.delta > 0)
    if study.delta == 0:
        return
    mu = least_mu(study.epsilon, study.delta)
    beyond = float(ndtr(mu / 2 - study.epsilon / mu))
    assert not_below(said.number("share"), beyond * (1 - 1e-9))
    assert beyond > study.delta


def errors(said: Said) -> None:
    assert bool(said.groups["one"]) == (said.study.dimension > 1)
    assert bool(said.groups["stair"]) == (said.study.dimension == 1)
    if said.groups["stair"]:
        least_mean_error(said)
    listed = {name: number(text) for text, name in re.findall(rf"({N}) with ({NAMES})", said.groups["list"])}
    assert set(listed) == compared(said)
    for name, error in listed.items():
        true = error_95(said, name)
        assert error == true or not_below(error, true * (1 - 1e-9), 4)


def least_mean_error(said: Said) -> None:
    """The mean error of the best staircase against those of the noises that are shown.

    On real numbers that is Δ/(2 sinh(ε/2)); on whole numbers each Δ of them, e^−ε times as likely as the Δ before, have
    one step, after the r-th.
    """
    epsilon, move = said.study.epsilon, whole(said)
    assert bool(said.groups["count"]) == (move == 1)
    if move != 1:
        assert not_below(said.number("mean"), l1(said) / (2 * math.sinh(epsilon / 2)) * (1 - 1e-9))
        assert not_below(said.number("other"), l1(said) / epsilon * (1 - 1e-9))
    if not move:
        assert l1(said) / (2 * math.sinh(epsilon / 2)) < l1(said) / epsilon
    elif move <= 50 and 0.05 < epsilon < 20:
        k = np.arange(min(move * math.ceil(40 / epsilon), 40_000))
        means = []
        for r in range(1, move + 1):
            masses = np.exp(-epsilon * (k // move + (k % move >= r)))
            means.append(2 * (k * masses).sum() / (2 * masses.sum() - 1))
        geometric = 1 / math.sinh(epsilon / move)
        assert math.isclose(min(means), geometric, rel_tol=1e-9) if move == 1 else min(means) < geometric
        assert geometric < move / epsilon


def formula(said: Said, series: object) -> float:
    logs = math.log(1.25) - math.log(said.study.delta)
    return l2(said) / said.study.epsilon * (2 * logs if series == PRINTED else math.sqrt(2 * logs))


def kept(said: Said, series: object) -> float:
    return mu_delta(said.study.epsilon, l2(said) / formula(said, series))


def too_small(said: Said, series: object) -> None:
    if said.groups.get("sigma"):
        assert near(said.number("sigma"), formula(said, series))
    true = kept(said, series)
    assert true > said.study.delta * (1 - 1e-9)
    assert said.number("kept") >= true * (1 - 1e-9)
    assert not_below(said.number("kept"), true * (1 - 1e-9))
    assert said.number("kept") > said.number("delta")
    assert near(said.number("delta"), said.study.delta)


def safe(said: Said, series: object) -> None:
    if said.groups.get("sigma"):
        assert near(said.number("sigma"), formula(said, series))
    assert kept(said, series) <= said.study.delta * (1 + 1e-6)
    times = formula(said, series) / sigma(said)
    assert near(said.number("times"), times) or near(said.number("times"), times * (1 + 1e-9)) if (
        said.groups["times"]) else 1 - 1e-6 <= times < 1.0051
    if series == CLASSICAL:
        assert said.study.epsilon >= 1


def l2_unused(said: Said) -> bool:
    study = said.study
    return (study.sensitivity_l2 > study.sensitivity and near(said.number("given"), study.sensitivity_l2)
            and not_below(said.number("used"), l2(said)) and said.number("used") < said.number("given"))


def l1_unused(said: Said) -> bool:
    study = said.study
    dimension = 1 if said.groups["d"] == "one dimension" else number(said.groups["d"].split(" dim")[0])
    return (l1(said) < study.sensitivity and near(said.number("given"), study.sensitivity)
            and not_below(said.number("used"), l1(said) * (1 - 1e-9)) and said.number("used") < said.number("given")
            and near(dimension, study.dimension) and (said.groups["root"] == "Δ₂") == (study.dimension == 1))


def low_bits(said: Said) -> None:
    """The share, over draws of our own whose every u near enough is tried."""
    study, b, size = said.study, l1(said) / said.study.epsilon, 1500
    done, there = said.number("done"), said.number("there")
    fewer, more = study.true_answer, study.true_answer + l2(said)
    rng = np.random.default_rng(8)
    y = more + rng.choice([-1.0, 1.0], size) * (b * np.log(rng.integers(1, 2**53, size) * 2.0**-53))
    x = (y - fewer)[:, None]
    tried = np.clip(np.rint(2.0**53 * np.exp(-np.abs(x) / b)) + np.arange(-60, 61), 1, 2.0**53 - 1)
    hit = (fewer + np.where(x < 0, 1.0, -1.0) * (b * np.log(tried * 2.0**-53)) == y[:, None]).any(axis=1)
    only = 1 - hit.mean()
    assert abs(there / done - only) < 5 * math.sqrt(only * (1 - only) * (1 / done + 1 / size)) + 0.01


START = rf"Choose (?P<best>{NAMES}) noise"
AT = rf" at ε = (?P<epsilon>{N})(?: and δ = (?P<delta>{N})|(?P<none> and no δ))?: "
REST = r"(?: \((?P<rest>.+)\))?\."
PERCENT = rf"more than 99\.9\u202f%|{N}\u202f%"

CLAIMS = (
    Claim(START + r" for whole-number answers" + AT + rf"rounded, (?P<share>{PERCENT}) are (?:(?P<right>right)|within "
          rf"±(?P<end>{N}))" + REST, of_whole_numbers),
    Claim(START + AT + rf"95 % of the answers are within (?P<error>±{N})" + REST, of_others),
    Claim(START + r"(?P<whole> for whole-number answers)?" + AT + rf"over (?P<d>{N}) coordinates the answer is "
          rf"typically off by (?P<far>{N})" + REST, of_many),
    of_person(recommended, rf" (?:No answer moves odds of (?P<before>{ODDS}) beyond (?P<after>{ODDS})(?:; Gaussian "
              rf"noise does)?|An answer with Gaussian noise moves odds of (?P<prior>{ODDS}) beyond (?P<past>{ODDS}))"
              rf"(?: with probability (?P<share>{N}), more than δ)?\.", risk),
    Claim(r"For the analyst: 95 % of the answers are off (?P<one>in one coordinate )?by at most (?P<list>.+) noise"
          r"(?P<stair>; of all noise (?:(?P<count>at pure ε geometric has the least mean error on a count, and well "
          r"used serves every prior and growing loss as any mechanism can)"
          rf"|that may be added at pure ε to any number, staircase has the least mean error, (?P<mean>{N}) where "
          rf"Laplace has (?P<other>{N})))?\.", errors),
    Claim(r"Gaussian noise needs δ > 0: with δ = 0 no σ is large enough, for its tails always tell a little more\.",
          lambda said: said.study.delta == 0 and said.update.fact(v.NOISE_SD, PRINTED) is None),
    Claim(rf"The thesis chapter’s σ = (?P<sigma>{N}) lacks a square root and is too small here: it keeps δ = "
          rf"(?P<kept>{N}), not (?P<delta>{N})\.", lambda said: too_small(said, PRINTED)),
    Claim(rf"The thesis chapter’s σ = (?P<sigma>{N}) lacks a square root: it is safe here, but (?:(?P<times>{N}) "
          r"times|hardly more than) the noise that is needed\.", lambda said: safe(said, PRINTED)),
    Claim(rf"The classical σ is no guarantee at ε = (?P<epsilon>{N}): it keeps δ = (?P<kept>{N}), not (?P<delta>{N})\.",
          lambda said: too_small(said, CLASSICAL)),
    Claim(rf"The classical σ is proved for ε < 1 only; here it happens to hold, with (?:(?P<times>{N}) times|hardly "
          r"more than) the noise that is needed\.", lambda said: safe(said, CLASSICAL)),
    Claim(rf"No change is longer in ℓ₂ than in ℓ₁: Δ₂ = (?P<given>{N}) is needlessly large, and Δ₁ = (?P<used>{N}) is "
          r"used for it\.", l2_unused),
    Claim(rf"In (?P<d>one dimension|{N} dimensions) a change is in ℓ₁ at most (?P<root>(?:√d·)?Δ₂): Δ₁ = "
          rf"(?P<given>{N}) is needlessly large, and (?P<used>{N}) is used for it\.", l1_unused),
    Claim(rf"Whole-number answers move by whole numbers: below Δ = 1 \(here (?P<used>{N})\) they cannot move at all, "
          r"so geometric noise is left out\.", lambda said: l2(said) < 1 and near(said.number("used"), l2(said))),
    Claim(rf"Geometric noise is for whole-number answers, which here move by at most (?P<whole>{N}) in ℓ₁; the others "
          r"serve any answer\.", lambda said: said.number("whole") == whole(said) < l1(said)),
    Claim(r"ℓ₂ is smaller than ℓ₁: Gaussian noise is measured against ℓ₂ alone, and what is said of an attack on "
          r"Laplace noise is a bound\.", lambda said: l2(said) < l1(said)),
    Claim(rf"On a computer: of (?P<done>{N}) answers with textbook Laplace noise in double precision, (?P<there>{N}) "
          r"cannot come from the data without the record, so that their last bits prove that it is there, whatever ε "
          r"is; noise drawn in whole numbers and snapped answers have no such bits\.", low_bits),
)

EXAMPLES = (
    {"delta": 0.0}, {"sensitivity": 3.0, "sensitivity_l2": 3.0}, {"epsilon": 20.0, "delta": 0.5},
    {"sensitivity": 0.5, "sensitivity_l2": 0.7}, {"sensitivity": 2.5},
    {"epsilon": 0.01, "delta": 0.4, "sensitivity": 3.0, "sensitivity_l2": 1.0}, {"belief": 1 - 1e-9, "epsilon": 20.0},
    {"belief": 1e-9}, {"dimension": 4, "sensitivity": 3.0, "sensitivity_l2": 1.0, "epsilon": 3.0},
    {"dimension": 100}, {"sensitivity": 1e6, "epsilon": 1e-6}, {"epsilon": 8.42, "delta": 1e-5}, {"sensitivity": 0.5},
)
