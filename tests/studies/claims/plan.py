"""What the plan study says, recomputed: what each want costs by formulas of its own, and totals by groups."""

from __future__ import annotations

import math
import re

import numpy as np
from claims.kit import Asked, Said, claims, not_below, number
from scipy.optimize import brentq
from scipy.special import ndtri

from dpstudio import vocabulary as v

NAMES = {"Laplace and discrete Laplace noise": "pure", "Gaussian noise": "gaussian",
         "the better noise for each": "mixed"}
KEYS = {key: name for name, key in NAMES.items()}
LEAST, WORST = v.LEAST_TOTAL, v.WORST_OVER_WANT

EXAMPLES = (
    {"releases": "none"},
    {"releases": "spent epsilon=0.4 delta=1e-9"},
    {"releases": "spent epsilon=4"},
    {"releases": "count within=20", "budget_delta": 0.0},
    {"releases": "a: count within=1;b: count within=2", "budget": 0.01},
    {"releases": "a: sum within=1 moves=1e12;b: count within=2", "budget": 0.01},
    {"releases": "count within=30;count within=60", "precision": 0.5},
    {"releases": "count within=30;count within=60", "goal": "worst"},
    {"releases": "count within=30;count within=60", "goal": "variance", "budget_delta": 0.0},
    {"releases": "spent epsilon=1;count within=30", "budget": 1.09},
)


def records(text: str) -> list[tuple[str, str, dict[str, float]]]:
    """Names, kinds and numbers of a plan."""
    found = []
    for entry in text.replace("\n", ";").split(";") if text != "none" else ():
        name, _, rest = entry.rpartition(":")
        kind, *numbers = rest.split()
        found.append((name.strip(), kind, {each.split("=")[0]: float(each.split("=")[1]) for each in numbers}))
    return found


def wants(asked: Asked) -> list[tuple[str, str, dict[str, float]]]:
    return [one for one in records(asked.study.releases) if one[1] != "spent"]


def geometric(width: float, alpha: float) -> float:
    """−ln a with 2a^(t+1)/(1 + a) = α."""
    return brentq(lambda r: (width + 1) * -r + math.log(2) - math.log1p(math.exp(-r)) - math.log(alpha), 1e-13, 800,
                  xtol=1e-15, rtol=1e-14)


def wrong(z: float, k: int) -> float:
    """How likely permute-and-flip names one that is z behind: 1 less the right one's chance over its place."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    t = (nodes + 1) / 2
    return float(1 - ((1 - math.exp(-z) * t) ** (k - 1)) @ weights / 2)


def pure_cost(kind: str, given: dict[str, float], confidence: float, moving: bool) -> float:
    """ε of one time as it is wanted, of Laplace noise or, where that is less, discrete Laplace noise."""
    alpha, t = 1 - confidence, given.get("within", 0.0)
    match kind:
        case "count":
            return min(math.log(1 / alpha) / t, geometric(math.floor(t), alpha))
        case "sum":
            return given["moves"] * math.log(1 / alpha) / t
        case "mean":
            return given["upper"] / given["people"] * math.log(1 / alpha) / t
        case "table":
            cells = given["groups"]
            moved = min(cells, given.get("most", 1) * (2 if moving else 1))
            one = -math.expm1(math.log(confidence) / cells)
            return moved * min(math.log(1 / one) / t, geometric(math.floor(t), one))
        case "decision":
            whole = brentq(lambda r: -r * math.floor(t) - math.log1p(math.exp(-r)) - math.log(alpha), 1e-13, 800,
                           xtol=1e-15, rtol=1e-14) if t >= 1 else math.inf
            return min(math.log(1 / (2 * alpha)) / t, whole)
        case "selection":
            k = int(given.get("candidates", 2))
            allowed = 1 - given.get("right", 0.95)
            if allowed >= 1 - 1 / k:
                return 0.0
            return brentq(lambda z: wrong(z, k) - allowed, 0, 100, xtol=1e-14) * (2 if moving else 1) / given["gap"]
    assert kind == "response"
    scale = float(ndtri((1 + confidence) / 2)) / (2 * math.sqrt(given["people"]))
    return 2 * math.asinh(scale / (t / 100))


def pure_total(asked: Asked) -> float:
    """Σε of all times of what is wanted, of groups the dearest or the two dearest, and of what was before."""
    study, sums = asked.study, {0.0: 0.0}
    moving = study.change == "move"
    for _, kind, given in wants(asked):
        cost = pure_cost(kind, given, study.confidence, moving) * given.get("times", 1) * study.years
        group = given.get("group", 0.0)
        sums[group] = sums.get(group, 0.0) + cost
    everybody = sums.pop(0.0)
    top = sorted(sums.values())[-(2 if moving else 1):]
    return everybody + sum(top) + sum(given["epsilon"] for _, kind, given in records(study.releases) if kind == "spent")


def series_there(asked: Asked) -> list[str]:
    return [series.key for series in asked.update.answer.ones]


def value(asked: Asked, key: str, quantity: v.Quantity) -> float:
    found = asked.update.fact(quantity, key)
    return math.inf if found is None else found.value


def allowed(asked: Asked) -> list[str]:
    """What keeps the budget."""
    study, answer = asked.study, asked.update.answer
    return [key for key in series_there(asked) if (promised := answer.guarantee(key)) and float(
        promised.delta_at(study.budget)) <= study.budget_delta * (1 + 1e-9)]


def spoken(asked: Asked) -> str | None:
    """What the sentences speak of: what was decided for, the best that is allowed, or the least of all."""
    if asked.update.answer.decided is not None:
        return asked.update.answer.decided.key
    found = asked.update.answer.suggested
    there = series_there(asked)
    return found.key if found else min(there, key=lambda key: value(asked, key, LEAST), default=None)


def is_best(asked: Asked, key: str) -> None:
    """Nothing that is allowed is better by more than two parts of a hundred; a bound may be left out."""
    quantity = LEAST if asked.study.goal == "wants" else WORST
    exact = [value(asked, each, quantity) for each in allowed(asked)
             if (found := asked.update.fact(quantity, each)) and found.kind == "exact"]
    assert key in allowed(asked)
    assert value(asked, key, quantity) <= min(exact, default=math.inf) * 1.0201


def refused(asked: Asked) -> bool:
    decided = asked.update.answer.decided
    return decided is not None and decided.key not in allowed(asked) and bool(series_there(asked))


def is_near(said: float, true: float) -> bool:
    return abs(said - true) <= 0.006 * true


claims("risk", person=spoken, when=lambda asked: bool(series_there(asked)))(lambda _: True)


@claims("empty", when=lambda asked: not records(asked.study.releases))
def _(said: Said) -> None:
    assert not series_there(said)


@claims("no_longer_allowed", when=refused)
def _(said: Said) -> None:
    assert said["name"] == said.update.answer.decided.label


def costs(said: Said) -> str:
    """The series that is named, whose ε is the one that is said, at the budget that is said."""
    key = spoken(said)
    assert key is not None
    assert said["name"] in (None, KEYS[key])
    study = said.study
    assert not_below(said.number("budget_delta"), study.budget_delta) or study.budget_delta == 0
    if study.goal == "wants" and study.precision == 1 and key == "pure" and not said["worst"]:
        total = said.value(v.TOTAL_EPSILON, "pure")
        assert math.isclose(total, pure_total(said), rel_tol=1e-9)
        assert value(said, "pure", LEAST) <= total * (1 + 1e-9)
    return key


def epsilon_is(said: Said, text: str, key: str, least: float = -math.inf) -> None:
    true = value(said, key, LEAST)
    assert true * (1 - 1e-9) <= number(text), text
    assert number(text) <= true * 1.0101 or is_near(number(text), said.study.budget)
    assert number(text) >= least


@claims("spent", when=lambda asked: bool(records(asked.study.releases)) and not wants(asked) and not refused(asked))
def _(said: Said) -> None:
    assert said["name"] is None
    if "least.one" in said.sentence.places:
        epsilon_is(said, said["least.one"], "pure")
    assert is_near(said.number("least.other"), said.study.budget)


@claims("too_much", when=lambda asked: bool(wants(asked)) and asked.update.answer.decided is None and (
    not allowed(asked)))
def _(said: Said) -> None:
    key = costs(said)
    assert is_near(said.number("budget"), said.study.budget)
    if said["least"] is None:
        assert value(said, key, LEAST) == math.inf
    else:
        epsilon_is(said, said["least"], key)
        assert said.number("least") >= said.number("budget")


def is_headline(asked: Asked, *goals: str) -> bool:
    return bool(wants(asked)) and bool(allowed(asked)) and not refused(asked) and asked.study.goal in goals


@claims("wants", when=lambda asked: is_headline(asked, "wants"))
def _(said: Said) -> None:
    key = costs(said)
    if said["use"] == "Use":
        is_best(said, key)
    assert said.number("least.one") <= said.number("least.other")
    epsilon_is(said, said["least.one"], key)
    assert is_near(said.number("least.other"), said.study.budget)
    assert (said["many"] is None) == (len(wants(said)) == 1)
    assert said["many"] is None or said.number("many") == len(wants(said))
    assert said["have"] == ("has" if len(wants(said)) == 1 else "have")
    worst = value(said, key, WORST)
    assert (said["worst"] is None) == (said.study.precision == 1)
    if said["worst"] is None:
        assert worst <= 1 + 1e-9
    else:
        assert not_below(said.number("worst"), worst)
        # What is asked of them, but for whole numbers.
        assert worst <= 1 / said.study.precision * (1 + 1e-9) or key != "gaussian"


@claims("split", when=lambda asked: is_headline(asked, "worst", "variance", "absolute"))
def _(said: Said) -> None:
    key = spoken(said)
    assert said["name"] == KEYS[key]
    if said["use"] == "Use":
        is_best(said, key)
    assert is_near(said.number("least.other"), said.study.budget)
    assert not_below(said.number("worst"), value(said, key, WORST))


@claims("runner_up", when=lambda asked: bool(wants(asked)) and len(series_there(asked)) > 1)
def _(said: Said) -> None:
    other = NAMES[said["other"]]
    assert other in series_there(said)
    assert other != spoken(said)
    suggested = said.update.answer.suggested
    assert said["role"] == ("Suggested" if suggested and suggested.key == other else "Runner-up")
    if said.study.goal != "wants":
        assert not_below(said.number("its_worst"), value(said, other, WORST))
    elif said["its_least"] is None:
        assert value(said, other, LEAST) == math.inf
    else:
        assert not_below(said.number("its_least"), value(said, other, LEAST))


def missed(asked: Asked) -> float | None:
    key = spoken(asked)
    found = asked.update.fact(v.EVEN_OVER_WANT, key) if key else None
    return found.value if found and found.value > 1 + 1e-9 else None


@claims("even", when=lambda asked: bool(wants(asked)) and asked.study.goal in ("wants", "worst") and (
    missed(asked) is not None))
def _(said: Said) -> None:
    assert is_near(said.number("far"), missed(said))
    assert said["total"] == ("μ" if spoken(said) == "gaussian" else "ε")
    names = [name for name, _, _ in records(said.study.releases)]
    place = re.fullmatch(r"release (\d+) \(an? ([a-z]+)\)", said["missed"])
    kinds = [kind for _, kind, _ in records(said.study.releases)]
    assert kinds[int(place[1]) - 1] == place[2] if place else said["missed"].strip("“”") in names


def is_left(asked: Asked) -> bool:
    key = spoken(asked)
    return key is not None and asked.update.fact(v.LEFT_WITHIN, key) is not None


@claims("one_more", when=lambda asked: bool(wants(asked)) and is_left(asked))
def _(said: Said) -> None:
    assert not_below(said.number("left_within"), value(said, spoken(said), v.LEFT_WITHIN))


@claims("nothing_left", when=lambda asked: bool(wants(asked)) and asked.study.goal == "wants" and not is_left(asked))
def _(said: Said) -> None:
    assert said.value(v.LEFT, spoken(said)) <= 1e-6 * said.study.budget if said.update.fact(
        v.LEFT, spoken(said)) else True
