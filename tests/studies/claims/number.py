"""What the number study says, recomputed from the values, by integration of tails and over the pieces of a draw."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from claims.kit import Asked, Said, claims, gaussian_delta, near, not_below, number, only_when
from scipy.optimize import brentq, minimize_scalar
from scipy.special import ndtr, ndtri

from dpstudio import vocabulary as v
from dpstudio.studies.number import BOUNDED, COMPETING, EXPONENTIAL, GAUSSIAN, LAPLACE, Number
from dpstudio.vocabulary.written import listing_of

NAMES = {"Laplace noise": LAPLACE, "Gaussian noise": GAUSSIAN, "the exponential mechanism": EXPONENTIAL,
         "a private bound": BOUNDED}
EXAMPLES = ({"lower": 20.0, "amounts": "1,2,30"},
    {"upper": 1000.0}, {"statistic": "median", "epsilon": 20.0}, {"statistic": "quantile", "delta": 0.0},
    {"upper": 320.0}, {"upper": 300.0}, {"epsilon": 20.0, "upper": 50.0}, {"amounts": "0×10,-1×10", "lower": -5.0},
    {"statistic": "mean", "count": "private"}, {"amounts": "-5,5", "lower": -10.0}, {"epsilon": 0.05, "upper": 40.0},
    {"amounts": "1×500", "upper": 1.0}, {"upper": 1e4, "epsilon": 0.1},
)
CLOSE = 2e-4
"""The best bound is found by trying many: its error is the least to so much."""


@cache
def least_mu(epsilon: float, delta: float) -> float:
    return math.exp(brentq(lambda log: gaussian_delta(epsilon, math.exp(log)) - delta, -36, 8, xtol=1e-13))


class Law:
    """A law of values, by its quantiles and both tails."""

    def __init__(self, study: Number) -> None:
        self.kind, self.mean, self.sd = study.law, study.law_mean, study.law_sd
        if self.kind == "lognormal" and self.sd * 500 < self.mean:
            self.kind = "normal"
        self.s = math.sqrt(math.log1p((self.sd / self.mean) ** 2))
        self.low, self.high = (self.mean + side * math.sqrt(3) * self.sd for side in (-1, 1))

    def z(self, x: float) -> float:
        if self.kind == "normal":
            return (x - self.mean) / self.sd
        return (math.log(x) - math.log(self.mean) + self.s**2 / 2) / self.s if x > 0 else -math.inf

    def sf(self, x: float) -> float:
        if self.kind == "exponential":
            return math.exp(-max(x, 0.0) / self.mean)
        if self.kind == "uniform":
            return min(max((self.high - x) / (self.high - self.low), 0.0), 1.0)
        return float(ndtr(-self.z(x)))

    def cdf(self, x: float) -> float:
        if self.kind == "exponential":
            return -math.expm1(-max(x, 0.0) / self.mean)
        if self.kind == "uniform":
            return min(max((x - self.low) / (self.high - self.low), 0.0), 1.0)
        return float(ndtr(self.z(x)))

    def grid(self):
        """Values and their probabilities, dense also where the law has hardly any."""
        if self.kind in ("exponential", "uniform"):
            ends = np.linspace(0, 60, 600_001) if self.kind == "exponential" else np.linspace(0, 1, 600_001)
            middle = (ends[1:] + ends[:-1]) / 2
            weight = -np.diff(np.exp(-ends)) if self.kind == "exponential" else np.diff(ends)
            return (self.mean * middle if self.kind == "exponential" else self.ppf(middle)), weight
        z = np.linspace(-12, 12, 600_001)
        middle, weight = (z[1:] + z[:-1]) / 2, np.diff(ndtr(z))
        return (self.mean + self.sd * middle if self.kind == "normal" else
                self.mean * np.exp(self.s * middle - self.s**2 / 2)), weight

    def ppf(self, p):
        if self.kind == "exponential":
            return -self.mean * np.log1p(-np.asarray(p))
        if self.kind == "uniform":
            return self.low + (self.high - self.low) * np.asarray(p)
        normal = ndtri(p)
        return self.mean + self.sd * normal if self.kind == "normal" else (
            self.mean * np.exp(self.s * normal - self.s**2 / 2))


def above(law: Law, x: float) -> float:
    """E (X − x)⁺ in closed form."""
    if law.kind == "uniform":
        return (law.high - max(x, law.low)) ** 2 / 2 / (law.high - law.low) + max(law.low - x, 0.0) if (
            x < law.high) else 0.0
    if law.kind != "normal" and x <= 0:
        return law.mean - x
    if law.kind == "exponential":
        return law.mean * math.exp(-x / law.mean)
    z = law.z(x)
    if law.kind == "normal":
        return law.sd * (math.exp(-z * z / 2) / math.sqrt(2 * math.pi) - z * float(ndtr(-z)))
    return law.mean * float(ndtr(law.s - z)) - x * float(ndtr(-z))


def below(law: Law, x: float) -> float:
    """E (x − X)⁺ = x − E X + E (X − x)⁺."""
    return x - law.mean + above(law, x) if law.cdf(x) > 0 else 0.0


class Values:
    """The values of a study: how many, their mean, and what clipping makes of it."""

    def __init__(self, study: Number) -> None:
        self.own = study.amounts != "none"
        self.study = study
        if self.own:
            found = listing_of(study.amounts)
            self.x, self.times = found.numbers, found.times.astype(float)
            self.n = int(found.times.sum())
            self.mean = float((self.x * self.times).sum() / self.n)
        else:
            self.law, self.n, self.mean = Law(study), study.people, study.law_mean

    def moved(self, low: float, high: float) -> float:
        """E clip(X) − E X."""
        if self.own:
            return float(((np.clip(self.x, low, high) - self.x) * self.times).sum() / self.n)
        return below(self.law, low) - above(self.law, high)

    def spread(self, low: float, high: float) -> float:
        """Var clip(X) = 2 ∫ (x − m) Pr[X > x] dx about the mean m of what is clipped, by parts."""
        if self.own:
            clipped = np.clip(self.x, low, high)
            mean = (clipped * self.times).sum() / self.n
            return float(((clipped - mean) ** 2 * self.times).sum() / self.n)
        x, weight = self.law.grid()
        clipped = np.clip(x, low, high)
        mean = (clipped * weight).sum()
        return float((weight * (clipped - mean) ** 2).sum())

    def true(self) -> float:
        if self.study.statistic == "sum":
            return self.n * self.mean
        if self.study.statistic == "mean":
            return self.mean
        q = 0.5 if self.study.statistic == "median" else self.study.quantile
        if not self.own:
            return float(self.law.ppf(q))
        order = np.argsort(self.x)
        ranks = np.cumsum(self.times[order])
        return float(self.x[order][int(np.argmax(ranks >= q * self.n * (1 - 2**-50)))])


def private(study: Number) -> bool:
    return study.statistic == "mean" and study.count == "private" and (
        study.change == "add_or_remove" or study.rows > 1)


def unit_sd(study: Number, of: object) -> float:
    epsilon = study.epsilon * (1 - study.count_share) if private(study) else study.epsilon
    return math.sqrt(2) / epsilon if of == LAPLACE else 1 / least_mu(epsilon, study.delta)


def moves(study: Number, upper: float) -> float:
    low, rows = study.lower, study.rows
    if study.statistic in ("median", "quantile"):
        return upper - low
    if private(study):
        return rows * (upper - low) / (1 if study.change == "replace" else 2)
    if study.change == "add_or_remove":
        return rows * max(abs(low), abs(upper))
    return upper - low if rows == 1 else rows * (upper - min(low, 0.0))


@cache
def errors(study: Number, of: object, upper: float) -> tuple[float, float, float] | None:
    """Bias, sd of the noise and rmse of Laplace and Gaussian noise; None where that takes too long."""
    values, sd = Values(study), unit_sd(study, of) * moves(study, upper)
    if study.statistic in ("median", "quantile"):
        bias = min(max(values.true(), study.lower), upper) - values.true()
        return bias, sd, math.hypot(bias, sd)
    moved, n = values.moved(study.lower, upper), values.n
    drawn = values.spread(study.lower, upper) if study.about == "population" else 0.0
    if not private(study):
        over = n if study.statistic == "mean" else 1
        return n / over * moved, sd / over, math.sqrt((n / over * moved) ** 2 + (sd / over) ** 2
                                                      + n * drawn / over**2)
    rate = study.epsilon * study.count_share / study.rows
    if rate < 1e-3:
        return None
    y = np.arange(-math.ceil(700 / rate), math.ceil(700 / rate) + 1)
    chance = np.exp(-rate * np.abs(y)) * math.tanh(rate / 2)
    many = np.maximum(n + y, 1.0)
    away = values.mean + moved - (study.lower + upper) / 2
    off, noise = float((chance * (n / many - 1)).sum()), sd * math.sqrt(float((chance / many**2).sum()))
    square = float((chance * (n / many - 1) ** 2).sum())
    if n > 1e6:  # 1 is taken from what is all but 1
        return None
    bias = moved + off * away
    kept = math.sqrt(max(square - off * off, 0.0) * away**2 + noise**2)
    total = moved**2 + 2 * off * moved * away + square * away**2 + noise**2
    return bias, kept, math.sqrt(total + drawn / n * (1 + 2 * off + square))


def drawn_rank(study: Number) -> tuple[float, float, float] | None:
    """Bias, sd and rmse of a quantile drawn from pieces; None of so many values that they stand together."""
    values = Values(study)
    if values.own:
        order = np.argsort(values.x)
        x, times = values.x[order], values.times[order]
    elif values.n <= 2000:
        x, times = values.law.ppf((np.arange(values.n) + 0.5) / values.n), np.ones(values.n)
    else:
        return None
    q = 0.5 if study.statistic == "median" else study.quantile
    moved_by = 1.0 if study.change == "replace" else max(q, 1 - q)
    edges = np.concatenate([[study.lower], np.clip(x, study.lower, study.upper), [study.upper]])
    below = np.concatenate([[0.0], np.cumsum(times)])
    with np.errstate(divide="ignore"):
        logs = np.log(np.diff(edges)) - study.epsilon / study.rows / 2 / moved_by * np.abs(below - q * values.n)
    chance = np.exp(logs - logs.max())
    chance /= chance.sum()
    middles, true = (edges[1:] + edges[:-1]) / 2, values.true()
    mean = float((chance * middles).sum())
    sd = math.sqrt(float((chance * ((middles - mean) ** 2 + np.diff(edges) ** 2 / 12)).sum()))
    return mean - true, sd, math.hypot(mean - true, sd)


def parts_of(said: Asked, series: object) -> tuple[float, float, float]:
    """Bias, sd and rmse: our own where they are known, else what the answer says, which other tests recompute."""
    study, found = said.study, None
    if series in (LAPLACE, GAUSSIAN):
        found = errors(study, series, study.upper)
    elif series == EXPONENTIAL:
        found = drawn_rank(study)
    stated = tuple(said.value(quantity, series) for quantity in (v.NUMBER_BIAS, v.NOISE_SD, v.NUMBER_RMSE))
    if found is None:
        return stated
    scale = max(abs(Values(study).true()), found[2])
    wide = 1e-3 if study.about == "population" else 1e-6
    assert all(math.isclose(one, other, rel_tol=wide, abs_tol=1e-9 * scale)
               for one, other in zip(found, stated, strict=True)), (study, series, found, stated)
    return stated


def there(said: Asked) -> list:
    return [each for each in COMPETING if said.update.answer.one(each) is not None
            and said.update.answer.allowed(each)]


def suggested(said: Asked) -> object:
    return said.update.answer.suggested


def spoken(said: Asked) -> object:
    return said.update.answer.decided or suggested(said) or LAPLACE


def of_noise(said: Asked) -> object:
    return spoken(said) if spoken(said) in (LAPLACE, GAUSSIAN) else LAPLACE


def best_error(said: Asked) -> float | None:
    """The least error of any upper bound, by our own search about the one that is said."""
    found = said.update.fact(v.BEST_UPPER, of_noise(said))
    return None if found is None else said.value(v.BEST_RMSE, of_noise(said))


@claims("choice", "of_noise")
def _(said):
    series = NAMES[said["best"]]
    assert series == spoken(said)
    bias, sd, rmse = parts_of(said, series)
    assert not_below(said.number("off"), rmse)
    said_bias = said.number("bias") if said.key == "choice" else (
        -said.number("away") if said["away"] else said.number("added") if said["added"] else 0.0)
    assert near(said_bias, bias) or (said_bias == 0 and abs(bias) < 1e-12 * rmse)
    if said.key == "choice":
        assert near(said.number("noise"), sd)
    else:
        assert series in (LAPLACE, GAUSSIAN)
        left = 1 - said.study.error_level
        over = -math.log(left) / math.sqrt(2) if series == LAPLACE else -float(ndtri(left / 2))
        assert not_below(said.number("within"), sd * over)
        assert math.isclose(number(said["level"]), said.study.error_level, rel_tol=1e-12)
    true = Values(said.study).true()
    assert (said["share"] is None) == (said.update.fact(v.NUMBER_RELATIVE, series) is None)
    if said["share"] is not None and abs(true) > 1e-9 * rmse:
        assert not_below(said.number("share"), said.value(v.NUMBER_RMSE, series) / abs(said.value(v.TRUE_NUMBER)))
        assert math.isclose(true, said.value(v.TRUE_NUMBER), rel_tol=1e-9, abs_tol=1e-9 * rmse)
    assert said["what"].removeprefix("the ") == said.study.statistic
    assert (said["its_delta"] is None) == (series != GAUSSIAN)
    if series == GAUSSIAN:
        assert not_below(said.number("its_delta"), said.study.delta)
    if said.update.answer.decided is None:  # nothing that is there has much less
        assert rmse <= 1.021 * min(said.value(v.NUMBER_RMSE, each) for each in there(said))


@claims("runner_up", when=lambda asked: len(there(asked)) > 1 or (spoken(asked) not in there(asked) and bool(
    there(asked))))
def _(said):
    series = NAMES[said["other"]]
    assert series != spoken(said)
    assert said["role"] == ("Suggested" if series == suggested(said) else "Runner-up")
    rmse = said.value(v.NUMBER_RMSE, series)
    if said["its_off"] is None:
        assert said["off"] == "the same"
    else:
        assert not_below(said.number("its_off"), rmse)
    others = [said.value(v.NUMBER_RMSE, each) for each in there(said) if each != spoken(said)]
    assert rmse <= 1.021 * min(others)


claims("risk", person=lambda asked: spoken(asked).key)(lambda _: True)


def typed(said: Said) -> tuple[float, float]:
    """The bound that is said, and the error under it, which no other bound has much less of."""
    upper, of = said.number("best"), of_noise(said)
    assert near(upper, said.value(v.BEST_UPPER, of)) or 0 < upper - said.study.lower < 0.01 * upper
    least = said.value(v.BEST_RMSE, of)
    found = errors(said.study, of, upper)
    if found is None or said.study.about == "population":  # whose spread is known here to a few digits
        there = said.study.replace(upper=upper).answer().value(v.NUMBER_RMSE, of) if upper > said.study.lower else least
        assert there >= least * (1 - 1e-6)
        return upper, there
    tried = minimize_scalar(lambda log: errors(said.study, of, math.exp(log))[2], (
        math.log(upper) - 0.3, math.log(upper) + 0.3), method="bounded", bounds=(
        math.log(upper) - 0.5, math.log(upper) + 0.5))
    if upper > max(2 * said.study.lower, 2e-9):
        assert least <= tried.fun * (1 + CLOSE)
    assert found[2] >= least * (1 - 1e-3)
    assert found[2] <= least * 1.011
    return upper, found[2]


def today(said: Asked) -> float:
    return said.value(v.NUMBER_RMSE, of_noise(said))


def twice(said: Asked) -> float:
    study = said.study
    if 2 * study.epsilon > 20:
        return math.inf
    return study.replace(epsilon=2 * study.epsilon).answer().value(v.NUMBER_RMSE, of_noise(said))


@claims("bound_matters", "bound_is_best", "bound_is_good", "bound_too",
        when=lambda asked: best_error(asked) is not None)
def _(said):
    if said.key == "bound_is_best":
        assert NAMES[said["noise"]] == of_noise(said)
        assert today(said) <= 1.006 * best_error(said)
        return
    _, error = typed(said)
    assert NAMES[said["noise"]] == of_noise(said)
    assert not_below(said.number("least"), error, 3) or math.isclose(said.number("least"), error, rel_tol=2e-3)
    if said.key != "bound_matters":
        assert not_below(said.number("today"), today(said))
        assert said.key == "bound_too" or today(said) <= 1.21 * error
        return
    assert error < twice(said) < math.inf
    assert today(said) > 1.19 * error
    if said["same"] is not None:
        assert not_below(said.number("same"), today(said))
        assert math.isclose(twice(said), today(said), rel_tol=1e-2)
    else:
        assert not_below(said.number("today"), today(said))
        assert not_below(said.number("doubled"), twice(said))


only_when("best_is_secret", lambda asked: best_error(asked) is not None)


@claims("mostly_bias", "mostly_noise", when=lambda asked: asked.study.statistic in ("sum", "mean") and spoken(
    asked) in (LAPLACE, GAUSSIAN))
def _(said):
    bias, sd, rmse = parts_of(said, spoken(said))
    if said["noise"] is not None:
        assert said.study.about == "population"
        noise = (sd / rmse) ** 2
        assert noise >= 0.9995 if said["noise"].startswith("more than") else near(said.number("noise"), noise)
    elif said.key == "mostly_noise":
        assert said.study.about == "data"
    share = (bias / rmse) ** 2 if rmse else 0.0
    assert (share > 0.5) == (said.key == "mostly_bias")
    if said["share"].startswith("more than"):
        assert share >= 0.9995
    else:
        assert near(said.number("share"), share)
    values, study = Values(said.study), said.study
    clipped = (float(values.times[(values.x > study.upper) | (values.x < study.lower)].sum() / values.n) if values.own
               else float(values.law.sf(study.upper) + values.law.cdf(study.lower)))
    if said["clipped"].startswith("more than"):
        assert clipped >= 0.9995
    else:
        assert near(said.number("clipped"), clipped) or math.isclose(clipped, said.number("clipped"), rel_tol=6e-3)


@claims("ranks", "next_to_it", when=lambda asked: asked.study.statistic in ("median", "quantile"))
def _(said):
    study, law = said.study, said.update.answer.one(EXPONENTIAL).law
    assert math.isclose(number(said["share"]), study.error_level, rel_tol=1e-12)
    ranks = said.number("ranks") if said.key == "ranks" else 0.999999
    assert float(law.within(ranks * 1.006)) >= study.error_level
    if said.key == "ranks":
        assert ranks >= 0.99
        assert float(law.within(max(ranks * 0.994 - 1.0001, 0.0))) < study.error_level or ranks < 2


@claims("count_too", when=lambda asked: private(asked.study))
def _(said):
    study = said.study
    assert near(number(said["share"]), study.count_share) or said["share"].startswith("more than")
    rate = study.epsilon * study.count_share / study.rows
    assert near(said.number("count_noise_sd"), 1 / (math.sqrt(2) * math.sinh(rate / 2)))
    assert said.update.answer.one(GAUSSIAN) is None
