"""What the noise study says, recomputed from the laws of the noises."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from claims.kit import Asked, Said, claims, gaussian_delta, near, not_below, number, only_when
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from dpstudio import vocabulary as v
from dpstudio.studies.noise import CLASSICAL, DISCRETE, PRINTED, Noise

WIDE = 1000


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
    if epsilon * x / wide > 800:  # less than any double
        return 0.0
    k = np.arange(math.ceil(45 / epsilon) + math.ceil(x / wide) + 2)
    low, high = np.maximum(k - 1 + gamma, 0) * wide, (k + gamma) * wide
    heights = np.exp(-epsilon * k)
    return float((heights * np.clip(high - np.maximum(low, x), 0, None)).sum() / (heights * (high - low)).sum() / 2)


def error_at(said: Asked, name: str, level: float) -> float:
    """The distance that the answer keeps in so many of all releases, by each law’s own quantile."""
    left, study = 1 - level, said.study
    if name == "discrete Laplace":
        rate = study.epsilon / whole(said)
        return max(0.0, math.ceil((math.log(2 / left) - math.log1p(math.exp(-rate))) / rate - 1 - 1e-9))
    if name == "staircase":
        far = (60 - math.log(left)) * l1(said) * max(1.0, 1 / study.epsilon)
        return brentq(lambda x: staircase_tail(said, x) - left / 2, 0.0, far, xtol=1e-15, rtol=1e-14)
    if name == "discrete Gaussian":
        if whole(said) / least_mu(study.epsilon, study.delta) > WIDE:
            return float(-ndtri(left / 2)) * whole(said) / least_mu(study.epsilon, study.delta)
        law = discrete_law(said)
        return float(np.argmax(law[::-1].cumsum()[::-1][1:] <= left / 2 * (1 + 1e-9)))
    if name == "Gaussian (classical)":
        return float(-ndtri(left / 2)) * formula(said, CLASSICAL)
    return -math.log(left) * l1(said) / study.epsilon if name == "Laplace" else float(-ndtri(left / 2)) * sigma(said)


def exceeded(said: Asked, name: str, x: float) -> float:
    """Pr[|X| > x]."""
    step = math.floor(x) + 1
    if name == "discrete Laplace":
        rate = said.study.epsilon / whole(said)
        return 2 * math.exp(-rate * step - math.log1p(math.exp(-rate)))
    if name == "staircase":
        return 2 * staircase_tail(said, x)
    if name == "discrete Gaussian":
        return 2 * float(discrete_law(said)[step:].sum())
    if name == "Gaussian (classical)":
        return 2 * float(ndtr(-x / formula(said, CLASSICAL)))
    return math.exp(-x * said.study.epsilon / l1(said)) if name == "Laplace" else 2 * float(ndtr(-x / sigma(said)))


def discrete_law(said: Asked) -> np.ndarray:
    """The probabilities of 0, 1, 2, … under discrete Gaussian noise."""
    sigma_ = discrete_sigma(said.study.epsilon, said.study.delta, whole(said))
    law = np.exp(-0.5 * (np.arange(math.ceil(40 * sigma_) + 2) / sigma_) ** 2)
    return law / (2 * law.sum() - 1)


def mean_of(said: Asked, name: str) -> float:
    """E|X|."""
    study = said.study
    if name == "discrete Laplace":
        return 1 / math.sinh(study.epsilon / whole(said))
    if name == "staircase":
        return l1(said) / (2 * math.sinh(study.epsilon / 2))
    if name == "Laplace":
        return l1(said) / study.epsilon
    if name == "discrete Gaussian":
        scale = whole(said) / least_mu(study.epsilon, study.delta)
        if scale > WIDE:
            return math.sqrt(2 / math.pi) * scale
        law = discrete_law(said)
        return 2 * float((np.arange(len(law)) * law).sum())
    return math.sqrt(2 / math.pi) * (formula(said, CLASSICAL) if name == "Gaussian (classical)" else sigma(said))


NAMES = {"discrete Laplace": "geometric", "discrete Gaussian": DISCRETE.key, "Laplace": "laplace",
         "Gaussian": "gaussian", "staircase": "staircase", "Gaussian (classical)": "gaussian_classical"}
ADDED = {series.label: series.key for series in Noise.answers().choosable() if series.key not in NAMES.values()}
"""What can be chosen besides: a noise that somebody added, of which no law of our own is known."""
NAMES |= ADDED


def is_exact(said: Asked, name: str) -> bool:
    """Whether the law of our own is good to all digits that are said."""
    study = said.study
    if name in ADDED:
        return False
    if name == "discrete Gaussian":
        return study.delta > 1e-300 and sigma(said) < WIDE
    return name != "staircase" or study.epsilon >= 0.01


def competing(said: Asked) -> list[str]:
    """What hides such an answer, the plainer first; noise on whole numbers where one may be what is released."""
    study, wholes = said.study, bool(whole(said)) and whole(said) * (1 + 1e-12) >= l1(said)
    found = ["discrete Laplace"] * wholes + ["Laplace"] + ["staircase"] * (study.dimension == 1)
    if study.delta > 0:
        found += ["discrete Gaussian"] * (wholes and study.dimension == 1) + ["Gaussian"]
    return [name for name in found if said.update.answer.one(NAMES[name])]


def first_of(said: Asked, names: list[str]) -> str:
    """The least error at the level that is asked for: of what is within a step or a fiftieth, pure noise, the plainer.
    """
    far = {name: said.value(v.ERROR_AT_LEVEL, NAMES[name]) for name in names}
    step = 1.0 if "discrete Laplace" in competing(said) else 0.0
    least = min(far.values())
    near_it = [name for name in names if far[name] <= max(1.02 * least, least + step)]
    spent = {name: said.update.answer.guarantee(NAMES[name]).delta for name in near_it}
    return next(name for name in near_it if spent[name] <= min(spent.values()) * (1 + 1e-6))


def spoken(said: Asked) -> str:
    """The name of what was decided for, else of the first."""
    decided = said.update.answer.decided
    if decided is None:
        return first_of(said, competing(said))
    return next(name for name, key in NAMES.items() if key == decided.key)


def key_of(asked: Asked) -> str:
    return NAMES[spoken(asked)]


def refused(asked: Asked) -> bool:
    answer = asked.update.answer
    return answer.decided is not None and not answer.allowed(answer.decided)


def spends(said: Asked, name: str, text: str) -> None:
    """A δ as it is, rounded up: of the noises that are made for it the study’s own."""
    if name in ("discrete Laplace", "Laplace", "staircase"):
        assert text == "no δ"
        return
    if name in ADDED:
        return
    told = number(text.removeprefix("δ = "))
    if name == "Gaussian (classical)":
        assert not_below(told, kept(said, CLASSICAL) * (1 - 1e-7))
    elif name == "Gaussian":
        assert not_below(told, said.study.delta * (1 - 1e-9))
    else:
        assert told <= said.study.delta * (1 + 0.0101)


def is_within(said: Asked, name: str, text: str) -> None:
    """A distance that is kept, rounded up; whole where the noise is."""
    fact = said.value(v.ERROR_AT_LEVEL, NAMES[name])
    if is_exact(said, name):
        assert math.isclose(fact, error_at(said, name, said.study.error_level), rel_tol=1e-6, abs_tol=1e-9)
        past = exceeded(said, name, said.study.error_beyond)
        assert math.isclose(said.value(v.ERROR_EXCEEDS, NAMES[name]), past, rel_tol=1e-6, abs_tol=1e-14)
    if name.startswith("discrete") and fact < 1e12:
        assert number(text) == fact
    else:
        assert not_below(number(text), fact * (1 - 1e-9))


def is_mean(said: Asked, name: str, text: str) -> None:
    fact = said.value(v.MEAN_ERROR, NAMES[name])
    assert not is_exact(said, name) or math.isclose(fact, mean_of(said, name), rel_tol=1e-6)
    assert not_below(number(text), fact * (1 - 1e-9))


@claims("no_longer_allowed", when=refused)
def _(said: Said) -> None:
    """The only noise of the study that may need more than is allowed is that of the classical σ."""
    label = said.update.answer.decided.label
    assert said["name"] == label
    if label not in ADDED:
        assert label == "Gaussian (classical)"
        assert kept(said, CLASSICAL) > said.study.delta * (1 - 1e-9)


@claims("choice")
def _(said: Said) -> None:
    study, name = said.study, said["noise"]
    assert name == spoken(said)
    assert said["use"] == ("Use" if said.update.answer.decided is None else "You chose")
    assert said.update.answer.suggested.key == NAMES[first_of(said, competing(said))]
    assert bool(said["for_whole"]) == name.startswith("discrete")
    assert said["what"] == ("answers" if study.dimension == 1 else "released numbers")
    assert math.isclose(number(said["share"]), study.error_level, rel_tol=1e-15)
    assert (said["within"] is None) == (said["near"] == "exactly right")
    is_within(said, name, said["within"] or "0")
    is_mean(said, name, said["mean"])
    spends(said, name, said["spent"])
    beside = {one: error_at(said, one, study.error_level) for one in competing(said) if is_exact(said, one)}
    if said.update.answer.decided is None and is_exact(said, name):
        step = 1.0 if "discrete Laplace" in beside else 0.0
        assert all(beside[name] <= max(1.02 * far, far + step) * (1 + 1e-6) for far in beside.values())


@claims("runner_up", when=lambda asked: [each for each in competing(asked) if each != spoken(asked)] != [])
def _(said: Said) -> None:
    """Of the others the first in the same order, with the first number that differs as it is said."""
    name, headline = said["other"], said.update.verdicts[0].places
    assert name == first_of(said, [each for each in competing(said) if each != spoken(said)])
    assert (said["role"] == "Suggested") == (name == first_of(said, competing(said)))
    assert bool(said["for_whole"]) == name.startswith("discrete")
    spends(said, name, said["cost"])
    own = replace_names(said)
    if said["beside"] == "as near":
        is_within(said, name, own[0])
        is_mean(said, name, own[1])
        return
    is_within(said, name, said["its_within"] or "0")
    is_mean(said, name, said["its_mean"])
    if "noise" in headline:
        same = said["its_within"] == own[0]
        assert same == ("the same" in said["beside"])
        assert not same or said["its_mean"] != own[1]


def replace_names(said: Said) -> tuple[str, str]:
    """What the headline says of what it speaks of: a distance and a mean error, also where it says neither."""
    places = said.update.verdicts[0].places
    return (places.get("within") or "0", places["mean"]) if "noise" in places else ("", "")


@claims("risk", person=key_of)
def _(said: Said) -> None:
    assert said.sentence == said["risk"]


@claims("bound")
def _(said: Said) -> None:
    """A larger move needs a larger δ than the noise spends; how far it hides one is said, rounded up."""
    name, study = spoken(said), said.study
    moved = {"discrete Laplace": whole(said), "Laplace": l1(said), "staircase": l1(said),
             "discrete Gaussian": math.floor(l2(said) * (1 + 1e-12))}.get(
                 name, l1(said) if name in ADDED else l2(said))
    assert not_below(said.number("moved"), moved * (1 - 1e-12))
    assert said["symbol"] == ("Δ₂" if "Gaussian" in name else "Δ₁")
    one = said.update.answer.one(NAMES[name])
    further = 2 * round(moved) if name.startswith("discrete") else 1.25 * moved
    at = float(one.noise.delta_at(study.epsilon, further))
    assert at > one.true_delta or at == 1 or study.epsilon < 1e-3


@claims("least_on_count", "least_on_number", when=lambda asked: asked.study.dimension == 1)
def _(said: Said) -> None:
    least_mean_error(said)


def least_mean_error(said: Said) -> None:
    """The mean error of the best staircase against those of the noises that are shown.

    On real numbers that is Δ/(2 sinh(ε/2)); on whole numbers each Δ of them, e^−ε times as likely as the Δ before, have
    one step, after the r-th.
    """
    epsilon, move = said.study.epsilon, whole(said)
    assert (said.key == "least_on_count") == (move == 1)
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


@claims("classical_too_small", when=lambda asked: (
    asked.study.delta > 0 and kept(asked, CLASSICAL) > asked.study.delta * (1 + 1e-6)))
def _(said: Said) -> None:
    true = kept(said, CLASSICAL)
    assert true > said.study.delta * (1 - 1e-9)
    assert not_below(said.number("deltas.one"), true * (1 - 1e-9))
    assert said.number("deltas.one") > said.number("deltas.other")
    assert near(said.number("deltas.other"), said.study.delta)


@claims("beyond", when=lambda asked: asked.study.delta > 0)
def _(said: Said) -> None:
    mu = least_mu(said.study.epsilon, said.study.delta)
    beyond = float(ndtr(mu / 2 - said.study.epsilon / mu))
    assert not_below(said.number("loss_exceeds:gaussian"), beyond * (1 - 1e-9))
    assert beyond > said.study.delta


claims("without_delta", when=lambda asked: asked.study.delta == 0)(
    lambda said: said.update.fact(v.NOISE_SD, PRINTED) is None)


@claims("needless_l2", when=lambda asked: asked.study.sensitivity_l2 > asked.study.sensitivity * (1 + 1e-9))
def _(said: Said) -> bool:
    return (near(said.number("l2.other"), said.study.sensitivity_l2) and not_below(said.number("l2.one"), l2(said))
            and said.number("l2.one") < said.number("l2.other"))


@claims("needless_l1", when=lambda asked: l1(asked) < asked.study.sensitivity * (1 - 1e-9))
def _(said: Said) -> bool:
    study = said.study
    assert near(1 if said["dimensions"] == "one coordinate" else said.number("dimensions"), study.dimension)
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
