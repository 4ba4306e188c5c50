"""What the test study says, recomputed: powers and levels by sums over all counts, with the laws of noise alone."""

from __future__ import annotations

import math

import numpy as np
from claims.kit import Asked, Said, claims, near, not_above, not_below, number, only_when
from scipy import special

from dpstudio import vocabulary as v
from dpstudio.core.study import answer
from dpstudio.studies import test as f

EXAMPLES = ({"epsilon": 0.1, "people": 100}, {"side": "two"}, {"side": "less", "alternative": 0.4},
            {"released": -80.0}, {"released": 400.0}, {"side": "two", "delta": 1e-3},
            {"alternative": 0.4}, {"side": "less"}, {"side": "two", "alternative": 0.5},
            {"epsilon": 1e-6, "alternative": 0.501}, {"epsilon": 1e-3, "side": "two", "alternative": 0.501},
            {"share": 0.3, "alternative": 0.4, "people": 400}, {"people": 10**6}, {"power": 0.999})
NAMES = {"the most powerful private test": f.PRIVATE, "the equal-tailed test of one release": f.TAILS,
         "the corrected noisy count": f.LAPLACE, "the test with Gaussian noise": f.GAUSSIAN}
MOST = 20_000
"""Up to so many people counts are summed here."""


def spoken(asked: Asked):
    """What is spoken of: what was decided for, else what is suggested."""
    return asked.update.answer.decided or asked.update.answer.suggested or f.PRIVATE


def is_lost(asked: Asked) -> bool:
    """Whether the alternative does not lie on the side that is tested, and is found no more often than by chance."""
    s = asked.study
    by_chance = {"greater": s.alternative <= s.share, "less": s.alternative >= s.share,
                 "two": s.alternative == s.share}[s.side]
    return by_chance and math.isinf(asked.value(v.PEOPLE_FOR_POWER, spoken(asked)))


def mass(n: int, share: float) -> np.ndarray:
    k = np.arange(n + 1)
    return np.exp(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
                  + special.xlogy(k, share) + special.xlog1py(n - k, -share))


def rejecting(asked: Asked, series) -> np.ndarray:
    """φ at every count, from thresholds that the study says and the law of the noise; None where none are said."""
    s, k = asked.study, np.arange(asked.study.people + 1)
    if series == f.PLAIN or (series == f.PRIVATE and s.side == "two"):
        return asked.update.answer.get(series).rejects(k.astype(float))
    noise = asked.update.answer.get(series).noise
    found = np.zeros(k.shape)
    edges = [asked.update.fact(each, series) for each in (v.REJECTS_FROM, v.REJECTS_UP_TO)]
    for edge, sign in zip(edges, (1, -1), strict=True):
        if edge is None:
            continue
        away = sign * (edge.value - k)
        whole = series in (f.LAPLACE, f.NAIVE)
        # Pr[noise ≥ away]; of whole noise by its geometric tails.
        if whole:
            a = math.exp(-s.epsilon)
            found += np.where(away > 0, a ** np.maximum(away, 0) / (1 + a), 1 - a ** np.maximum(1 - away, 0) / (1 + a))
        elif series == f.GAUSSIAN:
            found += special.ndtr(-away / noise.sigma)
        else:
            found += np.asarray(noise.tail(away))
    return found


def chance(asked: Asked, series, share: float) -> float:
    """How likely it rejects at a true share: summed, or of many people what the study says."""
    s = asked.study
    if s.people > MOST:
        return asked.value(v.TEST_POWER if share == s.alternative else v.TRUE_LEVEL, series)
    return float(mass(s.people, share) @ rejecting(asked, series))


def is_of_hundred(text: str, true: float) -> bool:
    """“24 of 100 tests”, rounded, or beyond an end."""
    said = text.removesuffix(" of 100 tests")
    if said.startswith("more than "):
        return 100 * true >= number(said.removeprefix("more than ")) and true >= 0.9995
    if said.startswith("less than "):
        return 100 * true <= number(said.removeprefix("less than ")) + 1e-12
    return near(number(said), 100 * true) or abs(number(said) - 100 * true) <= 1e-8


def with_people(study, people: float) -> Asked:
    changed = study.replace(people=int(people))
    return Asked(changed, answer(changed, simulate=False))


def needed(asked: Asked, series) -> float:
    """The number of people: the least with the power, as the study’s own power has it; of bounds one that is enough."""
    s, found = asked.study, asked.value(v.PEOPLE_FOR_POWER, series)
    if math.isinf(found) or found > MOST:
        return found
    assert chance(with_people(s, found), series, s.alternative) >= s.power * (1 - 1e-9)
    if found > 1 and not (s.side == "two" and series not in (f.PRIVATE, f.PLAIN)):
        assert chance(with_people(s, found - 1), series, s.alternative) < s.power * (1 + 1e-9)
    return found


def says_people(asked: Asked, text: str, series) -> bool:
    """“160 people”, “at most 204 people”, “more than 10⁹ people”."""
    true = needed(asked, series)
    if text == "more than 10⁹ people":
        return math.isinf(true)
    bound = asked.update.fact(v.PEOPLE_FOR_POWER, series).kind == "bound"
    assert text.startswith("at most ") == bound
    return number(text.removeprefix("at most ")) == true


claims("risk", person=lambda asked: spoken(asked).key)(lambda _: True)


@claims("lost", when=is_lost)
def _(said: Said):
    assert said.value(v.PEOPLE_FOR_POWER, f.PRIVATE) == math.inf or said.study.power <= said.study.level + 1e-12


@claims("too_many")
def _(said: Said):
    assert math.isinf(said.value(v.PEOPLE_FOR_POWER, spoken(said)))


@claims("choice")
def _(said: Said):
    s, one = said.study, spoken(said)
    assert says_people(said, said["needed"], one)
    assert is_of_hundred(said["often"], s.power)
    assert near(said.number("wrong"), 100 * s.level)
    # Whoever rejects what is true does so no more often than is said, at n people too.
    assert chance(said, one, s.share) <= s.level * (1 + 1e-9)
    assert said["taken"] == {"greater": "taken for more", "less": "taken for less", "two": "rejected"}[s.side]


def has_second(asked: Asked) -> bool:
    """Whether another test needs a number of people that is known, or is known to need no more."""
    if is_lost(asked) or math.isinf(asked.value(v.PEOPLE_FOR_POWER, spoken(asked))):
        return False
    facts = {one: fact for one in f.COMPETING if (fact := asked.update.fact(v.PEOPLE_FOR_POWER, one)) is not None}
    best = min((fact.value for fact in facts.values() if fact.kind == "exact"), default=math.inf)
    return any(fact.kind == "exact" or fact.value <= best * 1.02 for one, fact in facts.items() if one != spoken(asked))


@claims("runner_up", when=has_second)
def _(said: Said):
    mine, other = NAMES[said["name"]], NAMES[said["its"]]
    assert mine == spoken(said)
    assert says_people(said, said["needs"], other)
    assert says_people(said, said["plain"], f.PLAIN)
    first, second = (said.value(v.PEOPLE_FOR_POWER, one) for one in (mine, other))
    assert said["role"] == "Suggested" or second >= first * 0.979 or said.update.answer.decided


@claims("naive", "naive_keeps")
def _(said: Said):
    true = chance(said, f.NAIVE, said.study.share)
    assert is_of_hundred(said["often"], true)
    room = said.study.level * (1 + (2e-9 if said.key == "naive_keeps" else 1e-10))
    assert true <= room if said.key == "naive_keeps" else true > room


@claims("at_n", when=lambda asked: not is_lost(asked))
def _(said: Said):
    s = said.study
    assert is_of_hundred(said["often"], chance(said, spoken(said), s.alternative))
    assert is_of_hundred(f"{said['open']} of 100 tests", chance(said, f.PLAIN, s.alternative))


def one_sided(said: Asked, share: float) -> tuple[float, float]:
    """Pr[Z ≥ z] and Pr[Z ≤ z] at a share, summed over counts."""
    s, noise = said.study, said.update.answer.noisy.noise
    k, p = np.arange(s.people + 1), mass(s.people, share)
    return float(p @ np.asarray(noise.tail(s.released - k))), float(p @ np.asarray(noise.cdf(s.released - k)))


@claims("released")
def _(said: Said):
    s = said.study
    assert math.isclose(said.number("count"), s.released, rel_tol=1e-6)
    if s.people > MOST:
        return
    up, down = one_sided(said, s.share)
    true = {"greater": up, "less": down, "two": min(1.0, 2 * min(up, down))}[s.side]
    if said["p"].startswith("less than"):
        assert true < 1e-4
    else:
        assert not_below(said.number("p"), true) or near(said.number("p"), true)
    assert said["verdict"].startswith("at most α" if true <= s.level else "above α")
    half = (1 - s.confidence) / 2
    low, high = map(number, said["wide"].split(" to "))
    found = said.update.answer.interval
    assert not_above(low, found[0]) or low == found[0]
    assert not_below(high, found[1]) or high == found[1]
    for end, place in zip(found, (0, 1), strict=True):
        if 1e-9 < end < 1 - 1e-9:
            assert math.isclose(one_sided(said, end)[place], half, rel_tol=1e-6)


@claims("unexplained")
def _(said: Said):
    s = said.study
    assert math.isclose(said.number("count"), s.released, rel_tol=1e-6)
    half, noise = (1 - s.confidence) / 2, said.update.answer.noisy.noise
    below, above = float(noise.cdf(s.released)), float(noise.tail(s.released - s.people))
    assert below < half if said["where"] == "too far below 0" else above < half


only_when("decision", lambda asked: asked.study.side == "two")
only_when("no_gaussian", lambda asked: asked.study.delta == 0)


@claims("simulated", when=lambda asked: asked.update.seen is not None)
def _(said: Said):
    done = said.number("done")
    for place, series in (("hits", spoken(said)), ("naive", f.NAIVE)):
        true = chance(said, series, said.study.share)
        hits = said.number(place)
        assert hits == 0 or special.bdtrc(hits - 1, int(done), true) > 1e-9
        assert special.bdtr(hits, int(done), true) > 1e-9
