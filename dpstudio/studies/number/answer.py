"""The answer of the number study: how far each release is off, by which bound, and what one person risks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import PLANNED, Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Tabled, each, once, simulated, table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sampling import UNSEEN, chunks
from dpstudio.core.sources import AKMV19, BW18, DMNS06, DR14, GRS12, SMITH11
from dpstudio.core.special import Z_95
from dpstudio.mechanisms.noise import GeometricNoise
from dpstudio.records import dataclass
from dpstudio.studies import number as f
from dpstudio.studies.kit.attack import ADVANTAGE_FACTS, ATTACK_TABLE, ATTACK_TABLES, PROFILE_TABLE, spent_fact
from dpstudio.studies.kit.tables import curves, even_in_logarithms, within
from dpstudio.studies.number.compared import Compared, NoisyNumber, clipped_bias, gaussian, laplace
from dpstudio.studies.number.data import SINGLY, Data, data_of, drawn_anew, moments
from dpstudio.studies.number.drawn import ChosenBound, Ranked, bounded, exponential
from dpstudio.studies.number.errors import Far
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import significant
from dpstudio.vocabulary import Record

LEAST_UPPER = 1e-9
"""No upper bound that can be set is lower."""
POINTS, EPSILONS, BOUNDS = 61, 41, 601
"""Bounds of a curve, the ε of one of best bounds, and those among which each of these is found."""
NUMBERS, EDGES = 241, 300
"""Places of a density, and so many of its jumps at most."""
REACH, ALIKE = 3.5, 5.0
"""Standard deviations that are seen of what is off by so many times the least at most."""
FARTHEST = 1e120
"""No released number is drawn beyond it."""
CHUNK = 500
"""Releases drawn together; part of what a seed means."""


@dataclass(frozen=True)
class Drawn:
    """Releases drawn so far: of each series the sum of the squared errors, and of their squares."""

    done: int
    squares: Mapping[str, float]
    fourth: Mapping[str, float]


class NumberAnswer(Answer[f.Number, Compared, Drawn]):
    """All that is known of the released number at one setting."""

    def planned(self, series: Series | None = None) -> Record | None:
        """A sum or a mean as near to that of the clipped values as it is here."""
        one, study = self.one(series) if series else None, self.study
        if not isinstance(one, NoisyNumber) or not study.is_summed or study.is_private_ratio:
            return super().planned(series)
        moves = one.sensitivity if study.statistic == "sum" else one.sensitivity / self.data.n
        return Record(study.title, "sum", {"within": one.noise_within(PLANNED), "moves": moves})

    @property
    def data(self) -> Data:
        """The values."""
        return data_of(self.study)

    @property
    def true(self) -> float:
        """The true number."""
        return self.data.true(self.study.statistic, self.study.share)

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Drawn | None, int]]:  # noqa: ARG002
        """Errors of releases, whose data are drawn anew where they are of a law."""
        study, done = self.study, 0
        squares, fourth = ({series.key: 0.0 for series in self.ones} for _ in range(2))
        for rng, size in chunks(study.seed, study.trials, CHUNK):
            clipped = drawn_anew(self.data, study, size, rng)
            yield None, done
            for series, one in self.ones.items():
                square = one.errors(clipped, rng) ** 2
                squares[series.key] += float(square.sum())
                fourth[series.key] += float((square * square).sum())
            done += size
            yield Drawn(done, dict(squares), dict(fourth)), done


COMPARED: tuple[Entry[NumberAnswer, Compared], ...] = (
    Entry(f.LAPLACE, lambda a: laplace(a.study), DMNS06),
    Entry(f.GAUSSIAN, lambda a: gaussian(a.study), BW18),
    Entry(f.EXPONENTIAL, lambda a: exponential(a.study), SMITH11, when=("statistic", *f.RANKED)),
    Entry(f.BOUNDED, lambda a: bounded(a.study), AKMV19, when=("statistic", *f.SUMMED)),
)


# Facts

def _whose(one: Compared) -> str:
    """Of which data a number is, as its formula says."""
    if one.data.own:
        return f"n = {plain(one.data.n)} own values"
    together = isinstance(one, Ranked | ChosenBound) and one.data.n > SINGLY
    return "n = {people} values as expected of the law" + (", far from the rank several as one" if together else "")


def _rmse_how(one: Compared) -> str:
    if one.study.is_summed and one.study.about == "population":
        return f"√(bias² + sd² + what the draw of the data adds), about the population; {_whose(one)}"
    return f"√(bias² + sd²), about these data; {_whose(one)}"


def _far(one: Compared, found: Far | None, how: str) -> Said | None:
    if found is None:
        return None
    if found.exact:
        return Said(found.value, f"{how}; {_whose(one)}")
    return Said(found.value, f"{how}, by Chebyshev’s inequality; {_whose(one)}", DR14, "bound")


def _noise(one: Compared) -> Said | None:
    if isinstance(one, NoisyNumber) and one.study.is_private_ratio:
        return Said(one.sd, f"√(Var(n/M) A² + n² E 1/M² Var X/n²), A from the middle to the clipped mean, M the noisy "
                            f"number; {_whose(one)}")
    if isinstance(one, NoisyNumber):
        noise = one.noise
        over = f" over n = {plain(one.divisor)}" if one.divisor != 1 else ""
        return Said(one.sd, f"{noise.sd_how}{over}, one person moves it by {significant(one.sensitivity)}")
    return Said(one.sd, f"of the release, {_whose(one)}")


def _best(one: Compared, place: int) -> Said | None:
    best = one.best if isinstance(one, NoisyNumber) else None
    return None if best is None else Said(best[place], f"the least rmse of all U, the other settings as they are; "
                                          f"{_whose(one)}", AKMV19)


def _ranked(a: NumberAnswer) -> Ranked:
    one = a.get(f.EXPONENTIAL)
    assert isinstance(one, Ranked)
    return one


def _count_noise(a: NumberAnswer) -> GeometricNoise:
    one = a.get(f.LAPLACE)
    assert isinstance(one, NoisyNumber)
    return one.count_noise


def _chosen(a: NumberAnswer) -> float | None:
    one = a.one(f.BOUNDED)
    return one.chosen if isinstance(one, ChosenBound) else None


def _moves(one: Compared) -> str:
    s = one.study
    if not s.is_summed:
        return "U − L, for few values may be far apart"
    if s.is_private_ratio:
        return "c (U − L)/2, from the middle of L and U"
    if s.change == "add_or_remove":
        return "c max(|L|, |U|)"
    return "U − L" if s.rows == 1 else "c (max(U, 0) − min(L, 0)), for the other may have fewer rows"


def _seen(key: str, drawn: Drawn) -> Said | None:
    if key not in drawn.squares:
        return None
    mean = drawn.squares[key] / drawn.done
    spread = math.sqrt(max(drawn.fourth[key] / drawn.done - mean * mean, 0.0) / drawn.done)
    half = Z_95 * spread + UNSEEN * mean / drawn.done
    return Said(math.sqrt(mean), low=math.sqrt(max(mean - half, 0.0)), high=math.sqrt(mean + half))


FACTS: Mapping[str, tuple[Declaration[NumberAnswer, Compared, Drawn], ...]] = {
    "the answer": (
        each(v.NUMBER_RMSE, lambda one: one.rmse, _rmse_how),
        each(v.ERROR_AT_LEVEL, lambda one: _far(one, one.within(one.study.error_level),
                                                "the least t with Pr[|error| ≤ t] ≥ {error_level}"), role="error"),
        each(v.NUMBER_RELATIVE, lambda one: one.rmse / abs(one.true) if one.true else None,
             lambda one: f"rmse over |f| = {significant(abs(one.true))}"),
        each(v.BEST_UPPER, lambda one: _best(one, 0)),
        each(v.BEST_RMSE, lambda one: _best(one, 1)),
        once(v.TRUE_NUMBER, lambda a: a.true, lambda a: "without noise and bounds" if a.data.own else
             "of the law, without noise and bounds: what is expected"),
    ),
    "errors": (
        each(v.NUMBER_BIAS, lambda one: one.bias, lambda one: f"mean of the release − f; {_whose(one)}"),
        each(v.NOISE_SD, _noise),
        each(v.NOISE_AT_LEVEL, lambda one: one.noise_within(one.study.error_level)
             if isinstance(one, NoisyNumber) and not one.study.is_private_ratio else None,
             "Pr[|X| ≤ e] ≥ {error_level}"),
        each(v.ERROR_EXCEEDS, lambda one: _far(one, one.beyond(one.study.error_beyond),
                                               "Pr[|error| > {error_beyond}]")),
        each(v.NUMBER_MEAN, lambda one: one.true + one.bias, "f + bias"),
        simulated(v.RMSE_SEEN, _seen, lambda _, drawn: f"root of the mean square of {drawn.done} simulated errors; 95 "
                  "% interval by the central limit theorem", exact=v.NUMBER_RMSE),
        once(v.CLIPPED_SHARE, lambda a: min(float(a.data.values.tail(a.study.upper))
                                            + float(a.data.values.cdf(np.nextafter(a.study.lower, -math.inf))), 1.0),
             "Pr[x > {upper}] + Pr[x < {lower}]"),
        once(v.RANK_ERROR, lambda a: _ranked(a).ranks(a.study.error_level), "the least r with Pr[|i − q n| ≤ r] ≥ "
             "{error_level}", SMITH11, series=f.EXPONENTIAL, when=lambda a: not a.study.is_summed),
        once(v.MEAN_RANK_ERROR, lambda a: _ranked(a).law.mean_rank_error, "E|i − q n| over the i values below the "
             "release", SMITH11, series=f.EXPONENTIAL, when=lambda a: not a.study.is_summed),
    ),
    "privacy": (
        spent_fact(lambda one: one.study.delta),
        each(v.NUMBER_SENSITIVITY, lambda one: one.sensitivity if isinstance(one, NoisyNumber) else None,
             _moves),
    ),
    "attack": (*ADVANTAGE_FACTS,),
    "technical": (
        once(v.COUNT_NOISE_SD, lambda a: _count_noise(a).sd, "1/(√2 sinh(ε s/(2 c))), s = {count_share}, c = {rows}",
             GRS12, when=lambda a: a.study.is_private_ratio),
        once(v.CHOSEN_UPPER, _chosen, "the median of the bound that is drawn, which c/((1 − t) ε) values should lie "
             "above, t = {bound_share}, c = {rows}", AKMV19, series=f.BOUNDED),
    ),
}


# Tables

def _bounds_view(a: NumberAnswer) -> Span:
    """From what clips nearly all to what clips nothing, in whole decades, and the study's own bound."""
    values, n = a.data.values, a.data.n
    low, high = (float(values.quantile(p)) for p in (0.25, max(1 - 0.1 / n, 0.5)))
    least, most = max(low, high * 1e-3, 1e-9), max(high, 1e-8)
    low, high = 10.0 ** math.floor(math.log10(least / 3)), 10.0 ** math.ceil(math.log10(most * 3))
    first = max(min(low, a.study.upper / 2), a.study.lower * 1.001, LEAST_UPPER)
    return first, max(high, a.study.upper * 2, a.study.lower * 10)


def _bounds_in(a: NumberAnswer, view: Span) -> Array:
    least = max(a.study.lower * (1 + 1e-9), LEAST_UPPER)
    found = even_in_logarithms(view, (least, 1e12), POINTS, a.study.upper)
    return found[found > a.study.lower]


def _bound_table(a: NumberAnswer, view: Span) -> Table:
    """Errors, noise and the bias of bounds at each upper bound, and the best one."""
    upper = _bounds_in(a, view)
    noised = {series: one for series, one in a.ones.items() if isinstance(one, NoisyNumber)}
    found = {series: one.best for series, one in noised.items() if one.best is not None}
    errors = curves(noised, lambda one: (one.rmse_at(upper), one.noise_at(upper)), v.NUMBER_RMSE, v.NUMBER_NOISE)
    least = min((float(each.min()) for each in errors.values()), default=0.0)
    below = upper[np.abs(clipped_bias(a.data, a.study, upper)) >= least / 10]  # less is nothing beside the noise
    of_bias = np.geomspace(upper[0], below[-1] if below.size else upper[0], len(upper))
    return Table({f.X_UPPER: upper} | errors
                 | {f.X_BIAS: of_bias, f.BIAS: np.abs(clipped_bias(a.data, a.study, of_bias))}
                 | curves(found, lambda best: np.multiply.outer(best, np.ones(len(upper))), v.BEST_UPPER, v.BEST_RMSE))


def _drawn_first(a: NumberAnswer) -> dict[Series, Compared]:
    return {series: one for series, one in a.ones.items() if not isinstance(one, NoisyNumber)}


def _each_bound(a: NumberAnswer, view: Span) -> Iterator[None]:
    """The error of what has a law of its own at each bound, kept for the table."""
    kept = a.kept.setdefault("by bound", {})
    for series, one in _drawn_first(a).items():
        for upper in _bounds_in(a, view).tolist():
            if (series, upper) not in kept:
                yield
                kept[series, upper] = float(one.rmse_at(np.array([upper]))[0])


def _of_drawn(a: NumberAnswer, table: Table) -> dict[Column, Array]:
    kept, upper = a.kept.get("by bound", {}), table[f.X_UPPER].tolist()
    return curves({series: series for series in _drawn_first(a)},
                  lambda series: np.array([kept[series, each] for each in upper]), v.NUMBER_RMSE)


def _released_view(a: NumberAnswer) -> Span:
    """The true number, and nearly all of what is not much farther off than the best."""
    ones, true = a.ones.values(), a.true
    least = min(one.rmse for one in ones)
    ends = [true + one.bias + side * REACH * one.sd for one in ones if one.rmse <= ALIKE * least for side in (-1, 1)]
    low, high = min(*ends, true), max(*ends, true)
    room = 0.05 * (high - low) + 1e-9 * abs(true) + 1e-12
    return low - room, high + room


def _released_table(a: NumberAnswer, view: Span) -> Table:
    """Densities of the released number, and one release of each."""
    low, high = within(view, -FARTHEST, FARTHEST)
    also = [one.jumps(low, high, EDGES) for one in a.ones.values()]
    x = np.unique(np.concatenate([np.linspace(low, high, NUMBERS), *also]))
    shown = curves(a.ones, lambda one: (np.full(len(x), one.shown), np.full(len(x), one.density(
        np.array([one.shown]))[0])), v.NUMBER_SHOWN, v.DENSITY_SHOWN)
    return Table({f.X_NUMBER: x} | curves(a.ones, lambda one: one.density(x), v.NUMBER_DENSITY) | shown)


def _ranks_table(a: NumberAnswer, view: Span) -> Table:
    if a.study.is_summed:
        return Table({f.X_RANKS: np.linspace(*view, 2)})
    low, high = max(view[0], 0.0), max(view[1], 1.0)
    ranks = np.unique(np.linspace(low, high, 401).round() if high - low > 200 else np.linspace(low, high, 401))
    return Table({f.X_RANKS: ranks, Column(v.WITHIN_RANKS, f.EXPONENTIAL): np.asarray(_ranked(a).law.within(ranks))})


def _ranks_view(a: NumberAnswer) -> Span:
    return 0.0, 10.0 if a.study.is_summed else max(3 * _ranked(a).ranks(0.9) + 2, 10.0)


def _best_table(a: NumberAnswer, view: Span) -> Table:
    """The best bound at each ε, among many, and between its neighbours by a parabola."""
    study, data = a.study, a.data
    epsilon = even_in_logarithms(view, (1e-6, 20.0), EPSILONS, study.epsilon)
    base, top = max(study.lower, 0.0), float(data.values.quantile(1 - 1e-12))
    if not study.is_summed or study.is_private_ratio or top <= base:
        return Table({f.X_EPSILON: epsilon})
    log = np.linspace(math.log((top - base) * 1e-6), math.log((top - base) * 100), BOUNDS)
    upper = base + np.exp(log)
    at, n = moments(data, study.lower, upper, study.about), data.n
    fixed = (n * at.bias) ** 2 + n * at.spread
    noised = {series: one for series in (f.LAPLACE, f.GAUSSIAN) if isinstance(one := a.one(series), NoisyNumber)}

    def best(one: NoisyNumber) -> Array:
        moved = one.sensitivities(upper)
        squares = [fixed + (one.made(each, 1.0).sd * moved) ** 2 for each in epsilon.tolist()]
        return np.array([base + math.exp(_least(log, square)) for square in squares])

    return Table({f.X_EPSILON: epsilon} | curves(noised, best, v.BEST_UPPER))


def _least(x: Array, y: Array) -> float:
    i = int(np.clip(np.argmin(y), 1, len(y) - 2))
    before, here, after = y[i - 1:i + 2].tolist()
    bend = before - 2 * here + after
    moved = (before - after) / (2 * bend) if bend > 0 else 0.0
    return float(x[i] + min(max(moved, -1.0), 1.0) * (x[1] - x[0]))


TABLES: Mapping[str, Tabled[NumberAnswer, Drawn]] = {
    f.BOUND_TABLE: table(_bound_table, _bounds_view, slow_in=_each_bound, later=_of_drawn),
    f.RELEASED_TABLE: table(_released_table, _released_view),
    f.RANKS_TABLE: table(_ranks_table, _ranks_view),
    f.BEST_TABLE: table(_best_table, lambda a: (min(0.01, a.study.epsilon / 3), max(10.0, a.study.epsilon))),
    PROFILE_TABLE: ATTACK_TABLES[PROFILE_TABLE],
    ATTACK_TABLE: ATTACK_TABLES[ATTACK_TABLE],
}

NumberAnswer.compared, NumberAnswer.declared, NumberAnswer.tabled = COMPARED, FACTS, TABLES
