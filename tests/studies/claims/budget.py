"""What the budget study says, recomputed from the worst releases' law, outcome by outcome."""

from __future__ import annotations

import math
import re
from types import SimpleNamespace

import numpy as np
from claims.patterns import NUMBER as N
from claims.patterns import Claim, Said, near, not_below, number, of_person
from scipy.special import gammaln, log_ndtr

from dpstudio import vocabulary as v
from dpstudio.mechanisms.noise import GaussianNoise
from dpstudio.studies.budget import OPTIMAL

ODDS = rf"(?:e\^)?{N} : [\d.]+"
MANY = rf"{N}(?: or more)?"
MOST_COUNTED, RARE = 10_000, 0.05


def releases(said: Said) -> SimpleNamespace:
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


def beyond(epsilon: float, delta: float, k: int, at: float) -> float:
    """The largest P(S) with P(S) ≥ e^at Q(S): outcomes are added in order of their losses while they can be paid."""
    losses, masses = law(epsilon, delta, k)
    with np.errstate(over="ignore"):
        gains = masses * -np.expm1(np.minimum(at - losses, 700))
    gain, power = np.append(tells(delta, k), gains).cumsum(), np.append(tells(delta, k), masses).cumsum()
    if gain.max() <= 0:
        return 0.0
    last = int(np.flatnonzero(gain >= 0)[-1])
    if last + 1 == gain.size:
        return 1.0
    part = gain[last] / (gain[last] - gain[last + 1])
    return float(power[last] + part * (power[last + 1] - power[last]))


def total_delta(said: Said, k: int | None = None) -> float:
    study = releases(said)
    return -math.expm1((k or study.releases) * math.log1p(-study.delta) + math.log1p(-study.slack))


def log_odds(text: str) -> float:
    """ln of odds as they are said: “53 : 47”, “119 : 1”, “e^5 000 : 1”."""
    first, second = text.split(" : ")
    return number(first[2:]) if first.startswith("e^") else math.log(number(first) / number(second))


def tight_odds(text: str, epsilon: float) -> bool:
    """Whether odds are those that ε allows, rounded up and by no more than they show."""
    said = log_odds(text)
    slack = 1e-9 * (1 + epsilon)
    if text.startswith("e^"):
        return not_below(said, epsilon)
    first, second = (number(part) for part in text.split(" : "))
    if second == 1 and first >= 99:
        return said >= epsilon - slack and first <= max(100, math.exp(epsilon) * 1.011)
    return said >= epsilon - slack and (first - 1) / 100 <= 1 / (1 + math.exp(-epsilon)) + 1e-9


def spent(study: SimpleNamespace, k: int, at: float) -> float:
    """1 − (1 − δ)^k (1 − δ of k responses at ε′): what the worst k releases need at an ε′."""
    silent = k * math.log1p(-study.delta)
    return -math.expm1(silent) + math.exp(silent) * responses_delta(study.epsilon, at, k)


def gaussian_fits(said: Said) -> bool | None:
    """Whether k releases with the least Gaussian noise are within the budget; None where that is near."""
    study, k = releases(said), said.study.releases
    if not study.delta or study.rate < 1:
        return False
    if k * study.epsilon <= study.budget * (1 + 1e-12) and k * study.delta <= study.budget_delta * (1 + 1e-12):
        return True
    mu = math.sqrt(k) / GaussianNoise.analytic(study.epsilon, study.delta, 1.0).sigma
    needed = math.exp(log_ndtr(mu / 2 - study.budget / mu)) - math.exp(
        study.budget + log_ndtr(-mu / 2 - study.budget / mu))
    close = abs(needed - study.budget_delta) <= 1e-6 * study.budget_delta + 1e-13
    return None if close else needed < study.budget_delta


def judged(said: Said) -> SimpleNamespace:
    """What both headlines say: of which releases, on which sample, at which δ; and the reasons beside them."""
    study = releases(said)
    assert (1 if said.groups["k"] is None else said.number("k")) == study.releases
    assert (said.groups["k"] is None) == (study.releases == 1)
    assert (said.groups["rate"] is None) == (study.rate == 1)
    assert study.rate == 1 or near(said.number("rate"), study.rate)
    assert not_below(said.number("delta"), study.budget_delta)
    most = study.releases * study.delta + study.slack
    gravest = ("promise nothing" if most >= 1 else
               "alone is more than the allowed δ" if study.slack > study.budget_delta else
               "save no ε" if study.slack == 0 else "The formula of advanced composition says")
    if not gravest.startswith("The formula"):
        assert said.says(gravest)
    elif abs(literal(said) / (study.releases * study.epsilon) - 1) > 1e-9:
        assert said.says(gravest) == (study.releases > 1 and literal(said) > study.releases * study.epsilon)
    return study


def least_is(said: Said, study: SimpleNamespace) -> None:
    """The ε that is said holds at the budget’s δ, and none that is much less does."""
    total, k = said.number("total"), study.releases
    # ε as said in decimals may lie a rounding below the double k·ε, where next to no δ is left.
    assert spent(study, k, total * (1 + 1e-12)) <= study.budget_delta * (1 + 1e-6) + 1e-15
    digits = max(len(re.sub(r"\D", "", said.groups["total"].split("e")[0]).strip("0")), 3)
    lower = total - 1.001 * 10.0 ** (math.floor(math.log10(total)) - min(digits, 16) + 1) if total else -1.0
    assert lower <= 0 or spent(study, k, lower) >= study.budget_delta * (1 - 1e-6) - 1e-15


def may(said: Said) -> None:
    study = judged(said)
    least_is(said, study)
    assert said.number("total") <= said.number("allowed")
    assert near(said.number("allowed"), study.budget, 3) or said.number("allowed") == study.budget
    # Within by the worst releases’ own law, or by basic composition.
    assert spent(study, study.releases, study.budget * (1 + 1e-9)) <= study.budget_delta * (1 + 1e-6) + 1e-15


def may_not(said: Said) -> None:
    study, k = judged(said), said.study.releases
    assert spent(study, k, study.budget * (1 - 1e-9)) >= study.budget_delta * (1 - 1e-6) - 1e-15
    # No account at all is within: basic, or any ε and δ of the optimal one.
    assert not (k * study.epsilon <= study.budget and k * study.delta <= study.budget_delta)
    fits = gaussian_fits(said)
    assert fits is None or fits == bool(said.groups["unless"])
    if said.groups.get("total"):
        least_is(said, study)
        assert said.number("total") > said.number("allowed")
    else:  # with probability 1 − (1 − δ)^k one of them tells all
        assert tells(study.delta, k) > study.budget_delta


def by_the_best(_: Said) -> str:
    return OPTIMAL.key


def whatever(said: Said) -> bool:
    study = releases(said)
    return study.delta == 0 and tight_odds(said.groups["odds"], study.releases * study.epsilon)


def except_rarely(said: Said) -> None:
    study, k = releases(said), said.study.releases
    at, rare = log_odds(said.groups["odds"]), said.number("rare")
    assert beyond(study.epsilon, study.delta, k, at) <= rare * (1 + 1e-6)
    total = said.value(v.TOTAL_EPSILON, OPTIMAL)
    often = beyond(study.epsilon, study.delta, k, total)
    if often <= RARE * (1 - 1e-6):
        assert tight_odds(said.groups["odds"], total)
        assert not_below(rare, often * (1 - 1e-6), 3) or near(rare, often)
    elif often > RARE * (1 + 1e-6):
        assert study.delta > 0
        assert at >= k * study.epsilon
        some = tells(study.delta, k)
        assert not_below(rare, 2 * some) or (not_below(rare, total_delta(said)) and rare >= 2 * some)
        spent = total_delta(said)
        assert tight_odds(said.groups["odds"], k * study.epsilon - math.log1p(
            -some / (spent if 2 * some <= spent <= RARE else 2 * some)))
    if said.groups.get("never"):
        assert study.delta == 0
        assert tight_odds(said.groups["never"], k * study.epsilon)


def all_told(said: Said) -> bool:
    some = tells(releases(said).delta, said.study.releases)
    return not_below(said.number("rare"), some) and 2 * some > RARE


def count_error(said: Said) -> bool:
    # Pr[|Laplace noise of scale b| > e] = e^(−e/b)
    left = math.exp(-said.number("error") * said.study.epsilon * said.study.rate)
    assert bool(said.groups.get("sample")) == (said.study.rate < 1)
    return near(said.number("epsilon"), said.study.epsilon) and 0.05 * 0.97 <= left <= 0.05 * (1 + 1e-9)


def fits(said: Said, k: int, loose: float) -> dict[str, bool]:
    """Whether k releases stay within the allowed total by each account; numbers may be so much too large."""
    study = releases(said)
    epsilon, delta = study.budget * loose, study.budget_delta * loose
    basic = k * study.epsilon <= epsilon and k * study.delta <= delta
    found = {"basic": basic, "optimal": basic or spent(study, k, epsilon) <= delta + (loose - 1) * 1e-6}
    if study.delta > 0 and study.rate == 1:
        mu = math.sqrt(k) / GaussianNoise.analytic(study.epsilon, study.delta, 1.0).sigma
        logs = log_ndtr(mu / 2 - epsilon / mu), epsilon + log_ndtr(-mu / 2 - epsilon / mu)
        found["gaussian"] = basic or math.exp(logs[0]) - math.exp(logs[1]) <= delta + (loose - 1) * 1e-6
    return found


def reach(said: Said) -> None:
    study = releases(said)
    assert near(said.number("allowed"), study.budget)
    assert near(said.number("allowed_delta"), study.budget_delta)
    for name in ("optimal", "basic", "gaussian"):
        text = said.groups.get(name)
        if not text:
            continue
        most = 1 if text == "one" else int(number(text.removesuffix(" or more")))
        if said.groups.get("none") and name == "optimal":
            most = 0
        if most:
            assert fits(said, most, 1 + 1e-9)[name], (name, most)
        if most < MOST_COUNTED:
            assert not fits(said, most + 1, 1 - 1e-9)[name], (name, most)
        assert text.endswith("more") == (most == MOST_COUNTED)
    # What the headline allows or refuses is what is counted here.
    most = 0 if said.groups["none"] else 1 if said.groups["optimal"] == "one" else number(
        said.groups["optimal"].removesuffix(" or more"))
    assert said.update.verdicts[0].startswith("You may") == (study.releases <= most)


def literal(said: Said) -> float:
    study = releases(said)
    root = math.sqrt(-2 * study.releases * math.log(study.slack))
    return study.epsilon * root + study.releases * study.epsilon * math.expm1(study.epsilon)


def no_gaussian(said: Said) -> bool:
    none = said.groups.get("none") or ""
    return ("has δ = 0" in none) == (said.study.delta == 0) and (
        "on a sample" in none) == (said.study.delta > 0 and said.study.rate < 1)


def modern(said: Said) -> None:
    study = releases(said)
    orders = 1 + np.exp(np.linspace(-12, min(-math.log(study.slack), 30), 20_000))
    half = study.epsilon / 2
    with np.errstate(over="ignore"):
        logs = (np.logaddexp(0, -2 * half * (2 * orders - 1)) - np.logaddexp(0, -2 * half)) / (orders - 1)
    promised = np.log1p(-1 / orders) - (math.log(study.slack) + np.log(orders)) / (orders - 1)
    for name, divergence in (("zcdp", orders * study.epsilon**2 / 2), ("renyi", study.epsilon + logs)):
        epsilon = min(float((study.releases * divergence + promised).min()), study.releases * study.epsilon)
        assert said.number(name) * (1 + 1e-9) >= epsilon * (1 - 1e-5)
        assert said.number(name) <= epsilon * 1.011
        assert abs(epsilon / said.value(v.TOTAL_EPSILON, OPTIMAL) / said.number(f"over_{name}") - 1) < 0.006
    assert not_below(said.number("delta"), total_delta(said))
    assert ("the exact total" in said.sentence) == (study.rate == 1)


def group(said: Said) -> None:
    study, size = releases(said), said.study.group_size
    assert said.number("size") == size
    assert not_below(said.number("epsilon"), size * study.epsilon)
    reached = 0.0  # the steepest decision, from a group that is surely refused
    for _ in range(size):
        left = max(0.0, math.exp(-study.epsilon) * (1 - reached - study.delta))
        reached = min(math.exp(study.epsilon) * reached + study.delta, 1 - left, 1.0)
    assert not_below(said.number("delta"), reached * (1 - 1e-9))
    formula = size * study.delta / reached
    text = size * study.delta / reached * math.exp(min(size * study.epsilon, 700))
    if said.groups["short"]:
        assert near(said.number("short"), 1 / formula) or near(said.number("short"), 1 / formula * (1 + 1e-9))
    elif said.groups["just"]:
        assert 0.995 <= formula < 1 + 1e-9
    else:
        assert formula >= 1 - 1e-9
    if said.groups["far"]:
        assert text > 1e6 * (1 - 1e-9)
    elif said.groups["long"]:
        assert near(said.number("long"), text) or near(said.number("long"), text * (1 + 1e-9))
    else:
        assert text < 1.006


def group_of_pure(said: Said) -> bool:
    study = releases(said)
    zero = study.delta == 0 if said.groups["delta"] == "0" else study.delta < 1e-300
    return not_below(said.number("epsilon"), study.group_size * study.epsilon) and zero


THESE = rf"(?:this release|these (?P<k>{N}) releases)(?:, (?:each )?on a sample of q = (?P<rate>{N}))?: "
COSTS = rf"ε = (?P<total>{N}) at δ = (?P<delta>{N}); the budget is ε = (?P<allowed>{N})"
UNLESS = "(?P<unless>, unless all of them use Gaussian noise)?"
NO_GAUSSIAN = (r"Gaussian noise is left out: (?:no release with it has δ = 0|on a sample it does not add up to "
               r"Gaussian noise)\.")

CLAIMS = (
    Claim(rf"You may make {THESE}(?:together they cost|it costs) at most {COSTS}\.", may),
    Claim(rf"Do not make {THESE}(?:together they|it) may cost {COSTS}{UNLESS}\.", may_not),
    Claim(rf"Do not make {THESE}at δ = (?P<delta>{N}) no ε holds for (?:them|it); use a smaller δ per "
          rf"release{UNLESS}\.", may_not),
    of_person(by_the_best, rf" Even odds become at most (?P<odds>{ODDS}), whatever the releases say\.", whatever),
    of_person(by_the_best, rf" Even odds become at most (?P<odds>{ODDS}), except with probability (?P<rare>{N}) at most"
              rf"(?:; never more than (?P<never>{ODDS}))?\.", except_rarely),
    of_person(by_the_best, rf" With a probability of up to (?P<rare>{N}) a release tells all about the record\.",
              all_told),
    Claim(rf"For the analyst: a count with Laplace noise at ε = (?P<epsilon>{N}) is off by at most (?P<error>{N}) in "
          r"95 % of releases\.", count_error),
    Claim(rf"For the analyst: noise for ε = (?P<epsilon>{N}) in a count of the (?P<sample>sample) puts a count of "
          rf"everybody off by at most (?P<error>{N}) in 95 % of releases, and who was drawn puts it off further\.",
          count_error),
    Claim(rf"The budget of ε = (?P<allowed>{N}) and δ = (?P<allowed_delta>{N}) is "
          rf"(?P<none>not )?enough for (?P<optimal>one|{MANY}) such releases?(?: \((?:(?P<basic>{MANY}) by basic "
          rf"composition)?(?:, )?(?:(?P<gaussian>{MANY}) with Gaussian noise)?\))?\.", reach),
    Claim(r"kδ \+ δ′, the δ of advanced composition and of the Gaussian account, is 1 or more: they promise nothing, "
          r"and so many releases need a smaller δ\.", lambda said: (
              said.study.releases * releases(said).delta + said.study.slack >= 1)),
    Claim(rf"Slack δ′ = (?P<slack>{N}) alone is more than the allowed δ: of the curves only basic composition "
          rf"does without it\.(?P<none> {NO_GAUSSIAN})?", lambda said: no_gaussian(said) and near(
              said.number("slack"), said.study.slack) and (
              said.study.slack > said.study.budget_delta)),
    Claim(r"Without slack δ′ the curves save no ε: the optimal one is kε, as in basic composition, and the formula of "
          rf"advanced composition needs δ′ > 0\.(?P<none> {NO_GAUSSIAN})?", lambda said: no_gaussian(said) and near(
              said.value(v.TOTAL_EPSILON, OPTIMAL), said.study.releases * releases(said).epsilon, 12)),
    Claim(rf"The formula of advanced composition says ε = (?P<formula>{N}) for these (?P<k>{N}) releases, no less than "
          rf"basic composition, which is shown instead\.(?P<none> {NO_GAUSSIAN})?",
          lambda said: no_gaussian(said) and near(
              said.number("formula"), literal(said)) and (
              literal(said) >= said.study.releases * releases(said).epsilon * (1 - 1e-9))),
    Claim(rf"(?P<none>{NO_GAUSSIAN})", no_gaussian),
    Claim(rf"At δ = (?P<delta>{N}) the account by zCDP says ε = (?P<zcdp>{N}), (?P<over_zcdp>{N}) times the "
          rf"(?:exact|optimal) total, and Rényi’s ε = (?P<renyi>{N}), (?P<over_renyi>{N}) times\.", modern),
    Claim("The plan is empty: it spends nothing\\.", lambda said: not (
        said.study.plan_counts + said.study.plan_answers + said.study.plan_sums)),
    Claim("Without δ′ the plan is added up by basic composition; Gaussian releases then have no finite ε\\.",
          lambda said: said.study.slack == 0),
    Claim(rf"A person with (?P<size>{N}) records is promised only ε = (?P<epsilon>{N}) and δ = (?P<delta>{N}) by one "
          rf"release; the printed gδ (?:is (?:(?P<short>{N}) times too small|(?P<just>too small, if only just))|holds "
          rf"here, if not elsewhere)(?:, g e\^\(gε\) δ (?:(?P<far>more than a million)|(?P<long>{N})) times too "
          r"large)?\.", group),
    Claim(rf"A person with (?P<size>{N}) records is promised only ε = (?P<epsilon>{N}) by one release, and δ stays "
          r"(?P<delta>0|below 1e−300)\.", group_of_pure),
    Claim("A group of one record is the definition itself; one person with several records is a group of those\\.",
          lambda said: said.study.group_size == 1),
)

EXAMPLES = (
    {"epsilon": 0.1, "delta": 0.0, "releases": 2, "slack": 1e-6, "budget": 5.0, "budget_delta": 1e-12},
    {"budget": 4.5}, {"budget": 4.3}, {"releases": 70, "budget": 2.0, "delta": 1e-6, "budget_delta": 1e-4},
    {"slack": 7e-6}, {"releases": 36},
    {"epsilon": 5.0, "delta": 0.001, "releases": 3, "slack": 0.1}, {"releases": 1}, {"delta": 0.001, "releases": 500},
    {"delta": 0.0, "slack": 0.0}, {"delta": 0.375, "releases": 1511}, {"budget": 4.7746},
    {"epsilon": 0.01, "delta": 0.0}, {"epsilon": 5.0, "delta": 0.0, "releases": 3, "slack": 0.1},
    {"epsilon": 10.0, "releases": 10_000}, {"slack": 0.0}, {"plan_counts": 0, "plan_answers": 0, "plan_sums": 0},
    {"delta": 0.0, "slack": 0.0, "group_size": 1, "plan_counts": 0, "plan_answers": 0, "plan_sums": 0},
    {"budget": 1.0, "epsilon": 1.0, "delta": 0.0}, {"group_size": 1}, {"group_size": 9, "epsilon": 2.0},
    {"rate": 0.01}, {"rate": 0.5, "delta": 0.0, "epsilon": 3.0}, {"rate": 0.2, "releases": 1},
    {"budget_delta": 1e-7}, {"budget": 0.01}, {"group_size": 10_000, "delta": 0.01}, {"delta": 1e-310},
)
