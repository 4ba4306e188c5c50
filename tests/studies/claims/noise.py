"""What the noise study says, recomputed from the laws of the noises."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from claims.kit import Asked, Said, claims, gaussian_delta, log_odds, near, not_below, number, only_when, tight_odds
from scipy.optimize import brentq
from scipy.special import ndtr

from dpstudio import vocabulary as v
from dpstudio.studies.noise import CLASSICAL, DISCRETE, PRINTED

WIDE = 1000
SAID = {"Laplace", "geometric", "Gaussian"}
Z95 = 1.959963984540054


def l2(said: Asked) -> float:
    return min(said.study.sensitivity, said.study.sensitivity_l2)


def l1(said: Asked) -> float:
    return min(said.study.sensitivity, math.sqrt(said.study.dimension) * l2(said))


def whole(said: Asked) -> int:
    """How far a change by whole numbers is at most in ℓ₁: v² ≥ |v| for each of them."""
    rounding = 1 + 1e-12  # √3 as a double, squared, is a little less than 3
    return math.floor(min(l1(said), l2(said) ** 2) * rounding) if l2(said) * rounding >= 1 else 0


@cache
def least_mu(epsilon: float, delta: float) -> float:
    return math.exp(brentq(lambda log: gaussian_delta(epsilon, math.exp(log)) - delta, -35, 8, xtol=1e-13))


def sigma(said: Asked) -> float:
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


def staircase_tail(said: Asked, x: float) -> float:
    """Pr[X ≥ x] of the staircase of least mean error, step by step."""
    epsilon, wide = said.study.epsilon, l1(said)
    gamma = 1 / (1 + math.exp(epsilon / 2))
    k = np.arange(math.ceil(45 / epsilon) + math.ceil(x / wide) + 2)
    low, high = np.maximum(k - 1 + gamma, 0) * wide, (k + gamma) * wide
    heights = np.exp(-epsilon * k)
    return float((heights * np.clip(high - np.maximum(low, x), 0, None)).sum() / (heights * (high - low)).sum() / 2)


def share(said: Asked, name: str, end: float) -> float:
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


def sd(said: Asked, name: str) -> float:
    if name == "Laplace":
        return math.sqrt(2) * l1(said) / said.study.epsilon
    return 1 / (math.sqrt(2) * math.sinh(said.study.epsilon / whole(said) / 2)) if name == "geometric" else sigma(said)


def error_95(said: Asked, name: str) -> float:
    if name == "geometric":
        rate = said.study.epsilon / whole(said)
        return max(0.0, math.ceil((math.log(40) - math.log1p(math.exp(-rate))) / rate - 1 - 1e-9))
    if name == "staircase":
        far = 60 * l1(said) * max(1.0, 1 / said.study.epsilon)
        return brentq(lambda x: staircase_tail(said, x) - 0.025, 0.0, far, xtol=1e-15, rtol=1e-14)
    return math.log(20) * l1(said) / said.study.epsilon if name == "Laplace" else Z95 * sigma(said)


def compared(said: Asked) -> set[str]:
    """What is always named."""
    return {"Laplace"} | ({"geometric"} if whole(said) else set()) | ({"Gaussian"} if said.study.delta > 0 else set())


def candidates(said: Said) -> set[str]:
    """What may be the least: also the newer kinds, where there is one number and their sums are not too long."""
    study = said.study
    if study.dimension > 1 or study.epsilon < 0.01:
        return compared(said) | ({said["noise"]} & SAID)
    discrete = study.delta > 1e-300 and 0 < whole(said) < WIDE and sigma(said) < WIDE
    return compared(said) | {"staircase"} | ({"discrete Gaussian"} if discrete else set())


def rest(said: Said) -> dict[str, str]:
    """The others of a comparison, with what is said of them."""
    own, best, plainest = said["best"], said["noise"], ["geometric", "Laplace", "Gaussian"]
    found = dict(each.split(" ", 1) for each in said["rest"].split(", ")) if said["rest"] else {}
    assert own not in found.values()  # two equal numbers are not set against each other
    if "the same" in found.values() and best in plainest:
        assert min(plainest.index(name) for name, text in found.items() if text == "the same") > plainest.index(best)
    return {name: own if text == "the same" else text for name, text in found.items()}


@claims("choice")
def _(said: Said) -> None:
    study, spends = said.study, said["noise"].endswith("Gaussian")
    assert (said["delta"] is not None) == spends
    assert (said["spends"] == " and no δ") == (study.delta > 0 and not spends)
    assert {said["noise"], *rest(said)} == compared(said) | {said["noise"]}
    of_many(said) if study.dimension > 1 else of_whole_numbers(said) if whole(said) else of_others(said)


def of_whole_numbers(said: Said) -> None:
    best, end = said["noise"], 0.0 if said["within"] == "right" else said.number("end")
    assert said["for_whole"]
    wide = {"discrete Gaussian"} if said.update.answer.one(DISCRETE) else set()
    shares = {name: share(said, name, end) for name in candidates(said) | {best} | wide}
    rounding = 1e-6 if end >= 1e6 or (wide and end >= WIDE) else 1e-9
    most, text = max(shares.values()), said["best"]  # the best, or said in the same digits
    assert shares[best] >= most - rounding or (
        most >= 0.9995 - 1e-9 if text.startswith("more") else near(number(text), most))
    assert most >= 0.95 - rounding
    if 0 < end < 1e6:  # no smaller number holds 95 %
        assert max(share(said, name, end - 1) for name in candidates(said)) < 0.95 + 1e-9
    for name, told in {best: text, **rest(said)}.items():
        assert shares[name] >= 0.9995 - 1e-9 if told.startswith("more") else near(number(told), shares[name]) or abs(
            number(told) - shares[name]) < (1e-9 if end < 1e12 else 0.005)


def of_others(said: Said) -> None:
    assert not said["for_whole"]
    errors = {name: error_95(said, name) for name in candidates(said) | {said["noise"]}}
    least = min(errors.values())
    assert errors[said["noise"]] <= least * (1 + 1e-9) or not_below(
        number(said["best"].lstrip("±")), least * (1 - 1e-9))
    for name, text in {said["noise"]: said["best"], **rest(said)}.items():
        assert not_below(number(text.lstrip("±")), errors[name] * (1 - 1e-9))


def of_many(said: Said) -> None:
    d = said.study.dimension
    far = {name: math.sqrt(d) * sd(said, name) for name in compared(said)}
    least = min(far.values())
    assert far[said["noise"]] <= least * (1 + 1e-9) or not_below(said.number("best"), least * (1 - 1e-9))
    assert bool(said["for_whole"]) == (said["noise"] == "geometric")
    for name, text in {said["noise"]: said["best"], **rest(said)}.items():
        assert not_below(number(text), far[name])


def recommended(asked: Asked) -> str:
    """What the headline names, if not in the same words."""
    (headline, *_) = asked.update.verdicts
    return headline.places["noise"].lower().replace(" ", "_")


@claims("risk", "risk_of_gaussian", person=recommended)
def _(said: Said) -> None:
    """How far the odds that were set are moved at most, and how often further by Gaussian noise."""
    study, often = said.study, "loss_exceeds:gaussian"
    before = math.log(study.belief) - math.log1p(-study.belief)
    assert abs(log_odds(said["before"]) - before) <= 0.006
    assert tight_odds(said["after"], before + study.epsilon)
    spends = said.update.answer.guarantee(recommended(said)).delta > 0
    assert (said.key == "risk_of_gaussian") == spends
    assert (said[often] is not None) == (study.delta > 0)
    if study.delta == 0:
        return
    mu = least_mu(study.epsilon, study.delta)
    beyond = float(ndtr(mu / 2 - study.epsilon / mu))
    assert not_below(said.number(often), beyond * (1 - 1e-9))
    assert beyond > study.delta


@claims("errors", "errors_of_count", "errors_of_number")
def _(said: Said) -> None:
    many = said.study.dimension > 1
    assert (said.key == "errors") == many
    if not many:
        least_mean_error(said)
    listed = {name: number(text) for text, name in (
        each.split(" with ") for each in said["errors"].replace(" and ", ", ").split(", "))}
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
    assert (said.key == "errors_of_count") == (move == 1)
    if move != 1:
        assert not_below(said.number("mean_error:staircase"), l1(said) / (2 * math.sinh(epsilon / 2)) * (1 - 1e-9))
        assert not_below(said.number("mean_error:laplace"), l1(said) / epsilon * (1 - 1e-9))
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


def formula(said: Asked, series: object) -> float:
    logs = math.log(1.25) - math.log(said.study.delta)
    return l2(said) / said.study.epsilon * (2 * logs if series == PRINTED else math.sqrt(2 * logs))


def kept(said: Asked, series: object) -> float:
    return gaussian_delta(said.study.epsilon, l2(said) / formula(said, series))


def is_kept(asked: Asked, series: object) -> bool:
    """Whether a printed σ keeps the study’s δ; what does but for rounding may be said either way."""
    true = kept(asked, series)
    return asked.says("classical_safe") if math.isclose(true, asked.study.delta, rel_tol=1e-6) else (
        true <= asked.study.delta)


@claims("printed_too_small")
@claims("classical_too_small", when=lambda asked: asked.study.delta > 0 and not is_kept(asked, CLASSICAL))
def _(said: Said) -> None:
    series = PRINTED if said.key.startswith("printed") else CLASSICAL
    assert series == CLASSICAL or near(said.number("noise_scale:printed"), formula(said, series))
    true = kept(said, series)
    assert true > said.study.delta * (1 - 1e-9)
    assert not_below(said.number("deltas.one"), true * (1 - 1e-9))
    assert said.number("deltas.one") > said.number("deltas.other")
    assert near(said.number("deltas.other"), said.study.delta)


@claims("printed_safe")
@claims("classical_safe", when=lambda asked: (
    asked.study.delta > 0 and asked.study.epsilon >= 1 and is_kept(asked, CLASSICAL)))
def _(said: Said) -> None:
    series, place = (PRINTED, "too_much:printed") if said.key.startswith("printed") else (
        CLASSICAL, "too_much:gaussian_classical")
    assert series == CLASSICAL or near(said.number("noise_scale:printed"), formula(said, series))
    assert kept(said, series) <= said.study.delta * (1 + 1e-6)
    times = formula(said, series) / sigma(said)
    if said[place] == "hardly more than":
        assert 1 - 1e-6 <= times < 1.0051
    else:
        assert near(said.number(place), times) or near(said.number(place), times * (1 + 1e-9))


claims("without_delta", when=lambda asked: asked.study.delta == 0)(
    lambda said: said.update.fact(v.NOISE_SD, PRINTED) is None)


@claims("needless_l2", when=lambda asked: asked.study.sensitivity_l2 > asked.study.sensitivity * (1 + 1e-9))
def _(said: Said) -> bool:
    return (near(said.number("l2.other"), said.study.sensitivity_l2) and not_below(said.number("l2.one"), l2(said))
            and said.number("l2.one") < said.number("l2.other"))


@claims("needless_l1", when=lambda asked: l1(asked) < asked.study.sensitivity * (1 - 1e-9))
def _(said: Said) -> bool:
    study = said.study
    assert near(1 if said["dimensions"] == "one dimension" else said.number("dimensions"), study.dimension)
    assert said["root"] == ("Δ₂" if study.dimension == 1 else "√d·Δ₂")
    return (near(said.number("l1.other"), study.sensitivity) and not_below(said.number("l1.one"), l1(said) * (1 - 1e-9))
            and said.number("l1.one") < said.number("l1.other"))


claims("no_geometric", when=lambda asked: not whole(asked))(
    lambda said: l2(said) < 1 and near(said.number("l2"), l2(said)))
claims("geometric", when=lambda asked: 0 < whole(asked) < l1(asked) * (1 - 1e-9))(
    lambda said: said.number("whole") == whole(said))


only_when("l2_below_l1", lambda asked: l2(asked) < l1(asked) * (1 - 1e-9))


@claims("low_bits", when=lambda asked: asked.update.seen is not None and asked.update.seen.proofs.there > 0)
def _(said: Said) -> None:
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


EXAMPLES = (
    {"delta": 0.0}, {"sensitivity": 3.0, "sensitivity_l2": 3.0}, {"epsilon": 20.0, "delta": 0.5},
    {"sensitivity": 0.5, "sensitivity_l2": 0.7}, {"sensitivity": 2.5},
    {"epsilon": 0.01, "delta": 0.4, "sensitivity": 3.0, "sensitivity_l2": 1.0}, {"belief": 1 - 1e-9, "epsilon": 20.0},
    {"belief": 1e-9}, {"dimension": 4, "sensitivity": 3.0, "sensitivity_l2": 1.0, "epsilon": 3.0},
    {"dimension": 100}, {"sensitivity": 1e6, "epsilon": 1e-6}, {"epsilon": 8.42, "delta": 1e-5}, {"sensitivity": 0.5},
    {"dimension": 10**9, "sensitivity": 1e6},
    {"epsilon": 8.5, "delta": 1e-5}, {"sensitivity": 3.0, "sensitivity_l2": 3**0.5, "dimension": 3},
    {"sensitivity": 2.0001, "sensitivity_l2": 1.0, "dimension": 4},
)
