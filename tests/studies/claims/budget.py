"""What the budget study says, recomputed from the worst releases' law, outcome by outcome."""

from __future__ import annotations

import math
import re
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
from claims.kit import Asked, Said, claims, gaussian_delta, near, not_below, number, only_when
from scipy.special import gammaln

from dpstudio import vocabulary as v
from dpstudio.mechanisms.noise import GaussianNoise
from dpstudio.studies.budget import OPTIMAL

MOST_COUNTED = 10_000


def releases(said: Asked) -> SimpleNamespace:
    """The study, with ε and δ of a release on its sample: of (1 − q)Q + qP against Q, where P and Q have the loss ε."""
    study = said.study
    epsilon = math.log1p(study.rate * math.expm1(study.epsilon)) if study.rate < 1 else study.epsilon
    return SimpleNamespace(**study.values() | {"epsilon": epsilon, "delta": study.rate * study.delta})


def law(epsilon: float, delta: float, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Losses of k canonical releases that tell less than all, and their probabilities under P."""
    lies = np.arange(k + 1.0)
    logs = gammaln(k + 1) - gammaln(lies + 1) - gammaln(k - lies + 1)
    logs += -k * np.logaddexp(0, -epsilon) - lies * epsilon + k * math.log1p(-delta)
    return (k - 2 * lies) * epsilon, np.exp(logs)


def tells(delta: float, k: int) -> float:
    return -math.expm1(k * math.log1p(-delta))


def responses_delta(epsilon: float, at: float, k: int) -> float:
    losses, masses = law(epsilon, 0.0, k)
    return float((masses * -np.expm1(np.minimum(at - losses, 0))).sum())


def total_delta(said: Asked, k: int | None = None) -> float:
    study = releases(said)
    return -math.expm1((k or study.releases) * math.log1p(-study.delta) + math.log1p(-study.slack))


def spent(study: SimpleNamespace, k: int, at: float) -> float:
    """1 − (1 − δ)^k (1 − δ of k responses at ε′): what the worst k releases need at an ε′."""
    silent = k * math.log1p(-study.delta)
    return -math.expm1(silent) + math.exp(silent) * responses_delta(study.epsilon, at, k)


def gaussian_fits(said: Asked) -> bool | None:
    """Whether k releases with the least Gaussian noise are within the budget; None where that is near."""
    study, k = releases(said), said.study.releases
    if not study.delta or study.rate < 1:
        return False
    if k * study.epsilon <= study.budget * (1 + 1e-12) and k * study.delta <= study.budget_delta * (1 + 1e-12):
        return True
    mu = math.sqrt(k) / GaussianNoise.analytic(study.epsilon, study.delta, 1.0).sigma
    needed = gaussian_delta(study.budget, mu)
    close = abs(needed - study.budget_delta) <= 1e-6 * study.budget_delta + 1e-13
    return None if close else needed < study.budget_delta


NAMES = {"basic composition": "basic", "advanced composition": "advanced", "zCDP": "zcdp", "Rényi DP": "renyi",
         "closed-form composition": "simple", "optimal composition": "optimal",
         "Gaussian releases": "gaussian"}


def spoken(asked: Asked) -> str:
    decided = asked.update.answer.decided
    return decided.key if decided else "optimal"


def judged(said: Said) -> SimpleNamespace:
    """What every headline says: of which account and releases, on which sample, at which δ."""
    study = releases(said)
    assert (said["name"] is None) == (said.update.answer.decided is None)
    assert said["name"] is None or NAMES[said["name"]] == spoken(said)
    assert (1 if said["releases"] is None else said.number("releases")) == study.releases
    assert (said["releases"] is None) == (study.releases == 1)
    assert said.key == "too_weak" or (said["sample"] is None) == (study.rate == 1)
    assert not_below(said.number("budget_delta"), study.budget_delta)
    return study


def together(said: Asked, series: str, at: float) -> float:
    """δ of all releases at an ε by an account: of the worst such releases, or of what an account has shown of them."""
    study, k = releases(said), said.study.releases
    if series == "optimal":
        return spent(study, k, at)
    if series == "gaussian":
        mu = math.sqrt(k) / GaussianNoise.analytic(study.epsilon, study.delta, 1.0).sigma
        return gaussian_delta(at, mu)
    return min(delta + (1 - delta) * responses_delta(total, at, 1) for total, delta in totals(said, series))


def totals(said: Asked, series: str) -> list[tuple[float, float]]:
    """The ε and δ that an account shows at the slack that is set, and at the one that brings its δ to the budget’s."""
    study, k, answers = releases(said), said.study.releases, [said.update.answer]
    rest = study.budget_delta - k * study.delta if series == "advanced" else -math.expm1(
        min(math.log1p(-study.budget_delta) - k * math.log1p(-study.delta), 0.0))
    if series != "basic" and rest > 0:
        answers.append(said.study.replace(slack=rest).answer())
    return [(a.value(v.TOTAL_EPSILON, series), a.value(v.TOTAL_DELTA, series)) for a in answers]


def least_is(said: Asked, series: str, text: str) -> None:
    """The ε that is said holds at the budget’s δ by that account, and none that is much less does."""
    total, most = number(text), said.study.budget_delta
    # ε as said in decimals may lie a rounding below the double k·ε, where next to no δ is left.
    assert together(said, series, total * (1 + 1e-12)) <= most * (1 + 1e-6) + 1e-15
    digits = max(len("".join(filter(str.isdecimal, text.split("e")[0])).strip("0")), 3)
    lower = total - 1.001 * 10.0 ** (math.floor(math.log10(total)) - min(digits, 16) + 1) if total else -1.0
    assert lower <= 0 or together(said, series, lower) >= most * (1 - 1e-6) - 1e-15


@claims("may")
def _(said: Said) -> None:
    study, series = judged(said), spoken(said)
    least_is(said, series, said["least.one"])
    assert said.number("least.one") <= said.number("least.other")
    assert near(said.number("least.other"), study.budget, 3) or said.number("least.other") == study.budget
    # Within by the law of the releases themselves, or by basic composition.
    assert together(said, series, study.budget * (1 + 1e-9)) <= study.budget_delta * (1 + 1e-6) + 1e-15
    assert (said["left"] is not None) == (series in ("optimal", "gaussian") and study.releases < MOST_COUNTED)
    if said["left"]:
        many, ends = said["left"].rsplit(" ", 1)
        capped = many.endswith(" or")
        most = study.releases + (0 if many == "no" else int(number(many.removesuffix(" or"))))
        assert ends == "more"
        assert fits(said, most, 1 + 1e-9)[series]
        assert capped == (most == MOST_COUNTED)
        assert capped or not fits(said, most + 1, 1 - 1e-9)[series]


@claims("may_not", "never")
def _(said: Said) -> None:
    study, series, k = judged(said), spoken(said), said.study.releases
    assert series in ("optimal", "gaussian")
    assert together(said, series, study.budget * (1 - 1e-9)) >= study.budget_delta * (1 - 1e-6) - 1e-15
    # No account at all is within: basic, or any ε and δ of the optimal one.
    assert not (k * study.epsilon <= study.budget and k * study.delta <= study.budget_delta)
    fits = gaussian_fits(said) if said.update.answer.decided is None else False
    assert fits is None or fits == bool(said["unless"])
    if said.key == "may_not":
        least_is(said, series, said["least.one"])
        assert said.number("least.one") > said.number("least.other")
    elif series == "optimal":  # with probability 1 − (1 − δ)^k one of them tells all
        assert tells(study.delta, k) > study.budget_delta
    else:
        assert study.budget_delta == 0


@claims("too_weak")
def _(said: Said) -> None:
    study, series = judged(said), spoken(said)
    assert series not in ("optimal", "gaussian")
    assert not_below(said.number("budget"), study.budget)
    assert together(said, series, study.budget) > study.budget_delta
    if said["shows"] == "guarantees nothing here":
        assert said.value(v.TOTAL_DELTA, series) >= 1
        return
    parts = dict(part.split(" = ") for part in said["shows"].removeprefix("shows ").split(", "))
    total, delta = said.value(v.TOTAL_EPSILON, series), said.value(v.TOTAL_DELTA, series)
    assert ("ε" in parts) == (total > study.budget)
    if "ε" in parts and "δ" not in parts:  # at the budget’s δ
        assert together(said, series, number(parts["ε"])) <= study.budget_delta * (1 + 1e-6)
        assert together(said, series, number(parts["ε"]) * (1 - 1.1e-2)) > study.budget_delta * (1 - 1e-6)
        return
    assert "ε" not in parts or not_below(number(parts["ε"]), total)
    assert not_below(number(parts["δ"]), delta if total > study.budget else together(said, series, study.budget))


@claims("runner_up", when=lambda asked: bool(shown(asked)))
def _(said: Said) -> None:
    found = {}
    for part in re.split(", | and ", said["beside"]):
        name, text = part.split(" ε = ")
        series = NAMES[re.sub(" would cost$| shows$", "", name)]
        assert name.endswith(" would cost" if series == "gaussian" else " shows")
        found[series] = text
    assert list(found) == shown(said)
    for series, text in found.items():
        least_is(said, series, text)


def shown(asked: Asked) -> list[str]:
    """Which beside the account that is spoken of show an ε at the budget’s δ."""
    study, k, found = releases(asked), asked.study.releases, []
    if tells(study.delta, k) <= study.budget_delta * (1 + 1e-12):
        found.append("optimal")
    if k * study.delta <= study.budget_delta and k * study.delta < 1:
        found.append("basic")
    if study.delta > 0 and study.rate == 1 and study.budget_delta > 0:
        found.append("gaussian")
    return [each for each in found if each != spoken(asked)]


claims("risk", person=spoken)(lambda _: True)


@claims("error", "error_of_sample")
def _(said: Said) -> bool:
    # Pr[|Laplace noise of scale b| > e] = e^(−e/b)
    left = math.exp(-number(said["count_error_95"].lstrip("±")) * said.study.epsilon * said.study.rate)
    return (said.key == "error_of_sample") == (said.study.rate < 1) and 0.05 * 0.97 <= left <= 0.05 * (1 + 1e-9)


def fits(said: Asked, k: int, loose: float) -> dict[str, bool]:
    """Whether k releases stay within the budget by each account; numbers may be so much too large."""
    study = releases(said)
    epsilon, delta = study.budget * loose, study.budget_delta * loose
    basic = k * study.epsilon <= epsilon and k * study.delta <= delta
    found = {"basic": basic, "optimal": basic or spent(study, k, epsilon) <= delta + (loose - 1) * 1e-6}
    if study.delta > 0 and study.rate == 1:
        mu = math.sqrt(k) / GaussianNoise.analytic(study.epsilon, study.delta, 1.0).sigma
        found["gaussian"] = basic or gaussian_delta(epsilon, mu) <= delta + (loose - 1) * 1e-6
    return found


@claims("reach")
def _(said: Said) -> None:
    none = said["enough"].startswith("not")
    ways = dict(reversed(part.split(way)) for part in (said["others"] or "").split(", ") for way in (" by ", " with ")
                if way in part)
    allowed = {"optimal": "0" if none else said["most"], "basic": ways.get("basic composition"),
               "gaussian": ways.get("Gaussian noise")}
    for name, text in allowed.items():
        if text is None:
            continue
        most = 1 if text == "one" else int(number(text.removesuffix(" or more")))
        if most:
            assert fits(said, most, 1 + 1e-9)[name], (name, most)
        if most < MOST_COUNTED:
            assert not fits(said, most + 1, 1 - 1e-9)[name], (name, most)
        assert text.endswith("more") == (most == MOST_COUNTED)
        # What the headline allows or refuses is what is counted here.
        assert name != spoken(said) or said.says("may") == (said.study.releases <= most)
    assert (said["s"] is None) == (allowed["optimal"] in ("0", "one"))


def literal(said: Asked) -> float:
    study = releases(said)
    root = math.sqrt(-2 * study.releases * math.log(study.slack))
    return study.epsilon * root + study.releases * study.epsilon * math.expm1(study.epsilon)


def has_no_gaussian(asked: Asked) -> bool:
    return asked.study.delta == 0 or asked.study.rate < 1


def tells_of_gaussian(said: Said) -> bool:
    """Whether it is left out, and why."""
    none = said["no_gaussian"] or ""
    return ("has δ = 0" in none) == (said.study.delta == 0) and (
        "on a sample" in none) == (said.study.delta > 0 and said.study.rate < 1)


def gravest(asked: Asked) -> str | None:
    """What most of all says nothing at these settings; of what is basic composition but for rounding what is said."""
    study = releases(asked)
    if study.releases * study.delta + study.slack >= 1:
        return "advanced_is_nothing"
    if study.slack > study.budget_delta:
        return "too_much_slack"
    if study.slack == 0:
        return "no_slack"
    basic = study.releases * study.epsilon
    if math.isclose(literal(asked), basic, rel_tol=1e-9):
        return next((key for key in ("literal", "no_gaussian") if asked.says(key)), None)
    return "literal" if study.releases > 1 and literal(asked) > basic else (
        "no_gaussian" if has_no_gaussian(asked) else None)


only_when("advanced_is_nothing", lambda asked: gravest(asked) == "advanced_is_nothing")
claims("too_much_slack", when=lambda asked: gravest(asked) == "too_much_slack")(tells_of_gaussian)
claims("no_gaussian", when=lambda asked: gravest(asked) == "no_gaussian")(tells_of_gaussian)
claims("no_slack", when=lambda asked: gravest(asked) == "no_slack")(lambda said: tells_of_gaussian(said) and near(
    said.value(v.TOTAL_EPSILON, OPTIMAL), said.study.releases * releases(said).epsilon, 12))
claims("literal", when=lambda asked: gravest(asked) == "literal")(lambda said: tells_of_gaussian(said) and near(
    said.number("literal"), literal(said)))


def is_empty(asked: Asked) -> bool:
    return not (asked.study.plan_counts + asked.study.plan_answers + asked.study.plan_sums)


@claims("modern", when=lambda asked: all(
    asked.update.fact(v.OVER_EXACT, series) for series in ("zcdp", "renyi")) and max(
    asked.value(v.TOTAL_EPSILON, series) for series in ("zcdp", "renyi")) >= 1.005 * asked.value(
    v.TOTAL_EPSILON, OPTIMAL))
def _(said: Said) -> None:
    study = releases(said)
    orders = 1 + np.exp(np.linspace(-12, min(-math.log(study.slack), 30), 20_000))
    half = study.epsilon / 2
    with np.errstate(over="ignore"):
        logs = (np.logaddexp(0, -2 * half * (2 * orders - 1)) - np.logaddexp(0, -2 * half)) / (orders - 1)
    promised = np.log1p(-1 / orders) - (math.log(study.slack) + np.log(orders)) / (orders - 1)
    for name, divergence in (("zcdp", orders * study.epsilon**2 / 2), ("renyi", study.epsilon + logs)):
        epsilon = min(float((study.releases * divergence + promised).min()), study.releases * study.epsilon)
        assert said.number(f"total_epsilon:{name}") * (1 + 1e-9) >= epsilon * (1 - 1e-5)
        assert said.number(f"total_epsilon:{name}") <= epsilon * 1.011
        over, times = epsilon / said.value(v.TOTAL_EPSILON, OPTIMAL), said[f"over_exact:{name}"] or "hardly more"
        assert over < 1.012 if times.startswith("hardly") else abs(
            over / number(times.removesuffix(" times")) - 1) < 0.006
    assert not_below(said.number("total_delta:optimal"), total_delta(said))
    assert (said["least"] == "exact") == (study.rate == 1)


only_when("empty_plan", is_empty)
only_when("plan_without_slack", lambda asked: not is_empty(asked) and asked.study.slack == 0)
only_when("no_library", lambda asked: (
    not is_empty(asked) and asked.study.slack > 0 and find_spec("dp_accounting") is None))
NOT_HERE = {"no_library"}
only_when("group_of_one", lambda asked: asked.study.group_size == 1)


@claims("pure_group")
def _(said: Said) -> bool:
    study = releases(said)
    zero = study.delta == 0 if said["rest"] == "0" else study.delta < 1e-300
    return not_below(said.number("group_epsilon"), study.group_size * study.epsilon) and zero


@claims("group")
def _(said: Said) -> None:
    study, size = releases(said), said.study.group_size
    assert said.number("group_size") == size
    assert not_below(said.number("group_epsilon"), size * study.epsilon)
    reached = 0.0  # the steepest decision, from a group that is surely refused
    for _ in range(size):
        left = max(0.0, math.exp(-study.epsilon) * (1 - reached - study.delta))
        reached = min(math.exp(study.epsilon) * reached + study.delta, 1 - left, 1.0)
    assert not_below(said.number("group_delta:generalized"), reached * (1 - 1e-9))
    formula = size * study.delta / reached
    text = size * study.delta / reached * math.exp(min(size * study.epsilon, 700))
    if said["short"]:
        assert near(said.number("short"), 1 / formula) or near(said.number("short"), 1 / formula * (1 + 1e-9))
    elif "slightly" in said["printed"]:
        assert 0.995 <= formula < 1 + 1e-9
    else:
        assert formula >= 1 - 1e-9
    if said["long"] == "more than a million":
        assert text > 1e6 * (1 - 1e-9)
    elif said["long"]:
        assert near(said.number("long"), text) or near(said.number("long"), text * (1 + 1e-9))
    else:
        assert text < 1.006


EXAMPLES = (
    {"epsilon": 0.1, "delta": 0.0, "releases": 2, "slack": 1e-6, "budget": 5.0, "budget_delta": 1e-12},
    {"budget": 4.5}, {"budget": 4.3}, {"releases": 70, "budget": 2.0, "delta": 1e-6, "budget_delta": 1e-4},
    {"slack": 7e-6}, {"releases": 36}, {"releases": 127}, {"releases": 128},
    {"epsilon": 5.0, "delta": 0.001, "releases": 3, "slack": 0.1}, {"releases": 1}, {"delta": 0.001, "releases": 500},
    {"delta": 0.0, "slack": 0.0}, {"delta": 0.375, "releases": 1511}, {"budget": 4.7746},
    {"epsilon": 0.01, "delta": 0.0}, {"epsilon": 5.0, "delta": 0.0, "releases": 3, "slack": 0.1},
    {"epsilon": 10.0, "releases": 10_000}, {"slack": 0.0}, {"plan_counts": 0, "plan_answers": 0, "plan_sums": 0},
    {"delta": 0.0, "slack": 0.0, "group_size": 1, "plan_counts": 0, "plan_answers": 0, "plan_sums": 0},
    {"budget": 1.0, "epsilon": 1.0, "delta": 0.0}, {"group_size": 1}, {"group_size": 9, "epsilon": 2.0},
    {"rate": 0.01}, {"rate": 0.5, "delta": 0.0, "epsilon": 3.0}, {"rate": 0.2, "releases": 1},
    {"budget_delta": 1e-7}, {"budget": 0.01}, {"group_size": 10_000, "delta": 0.01}, {"delta": 1e-310},
    {"delta": 0.5, "releases": 10_000}, {"epsilon": 1e-6},
    {"delta": 0.25, "releases": 3, "slack": 0.25}, {"delta": 0.25, "releases": 3, "slack": 0.2499},
    {"epsilon": 1.0, "delta": 0.01, "group_size": 2},
)
