"""The single numbers of the decision study, each with its formula and its source."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Fact, Kind, Series
from dpstudio.core.sources import BW18, DMNS06, DR14, DRS22, DVGM22, STOCHASTIC, Source
from dpstudio.mechanisms.decision import Band, GaussianDecision, LaplaceDecision
from dpstudio.models.records import Part, Rate, RecordsPrior
from dpstudio.studies.decision import figures as f
from dpstudio.studies.decision.asking import together
from dpstudio.studies.decision.compare import Compared
from dpstudio.studies.kit.attack import advantage_facts, belief_fact
from dpstudio.text.numbers import plain

if TYPE_CHECKING:
    from dpstudio.studies.decision import Decision as Study

ASKED_TIMES = 10
BESIDE = 1e-9
"""Records by which an end of the uncertain band may miss a whole number and still lie on it."""
SOURCES: Mapping[Series, Source] = {f.LAPLACE: DMNS06, f.CUTOFF: STOCHASTIC, f.GENERALIZED: DVGM22, f.GAUSSIAN: DRS22,
                                    f.MATCHED: DVGM22}


def facts_of(study: Study, decisions: Mapping[Series, Compared], losses: Mapping[Series, float]) -> tuple[Fact, ...]:
    """Every exact fact, quantity by quantity, so that a table of them has one row a quantity."""
    by_series = [(*_facts_of_one(study, series, one), *_facts_of_attacker(series, one, losses[series]))
                 for series, one in decisions.items()]
    errors = tuple(_error_facts(study, decisions))
    return in_order(fact for facts in (_facts_of_the_question(study), *by_series, errors) for fact in facts)


def in_order(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Row by row; the sort is stable, which keeps the series of one quantity in their own order."""
    return tuple(sorted(facts, key=lambda fact: _PLACE[fact.quantity.key]))


def _facts_of_the_question(study: Study) -> Iterator[Fact]:
    yield Fact(v.DELTA_RECORDS, study.delta * study.minimum,
               how=f"δ·m = {plain(study.delta)} × {plain(study.minimum)}", source=DR14)


def _facts_of_one(study: Study, series: Series, one: Compared) -> Iterator[Fact]:
    source, decision, delta = SOURCES[series], one.decision, one.delta

    def fact(quantity: v.Quantity, value: float, how: str, by: Source = source) -> Fact:
        return Fact(quantity, float(value), series, how=how, source=by)

    epsilon, tail, n = study.epsilon, study.uncertain, study.records
    yield fact(v.GUARANTEE_EPSILON, epsilon, f"ε = {plain(epsilon)}, add or remove one record of one person")
    yield fact(v.GUARANTEE_DELTA, delta, _delta_formula(study, series), BW18 if series is f.GAUSSIAN else source)
    if isinstance(decision, LaplaceDecision):
        liberal = study.target > 0.5
        shift = f"{'+ ln(2(1−p))' if liberal else '− ln(2p)'}/ε, p = {plain(study.target)}"
        offset = (math.log(2 * (1 - study.target)) if liberal else -math.log(2 * study.target)) / epsilon + 0.0
        yield fact(v.THRESHOLD, decision.threshold, f"k = m {shift}", STOCHASTIC)
        yield fact(v.THRESHOLD_OFFSET, offset, f"k − m = {shift.removeprefix('+ ')}", STOCHASTIC)
    if isinstance(decision, GaussianDecision):
        yield fact(v.MU, decision.mu, f"largest μ with Φ(−ε/μ+μ/2) − e^ε Φ(−ε/μ−μ/2) ≤ δ = {plain(study.delta)}", BW18)

    at_minimum, at_records = (float(p) for p in np.asarray(one.accept_probability([study.minimum, n])))
    yield fact(v.ACCEPTANCE_AT_MINIMUM, at_minimum, f"f({plain(study.minimum)})")
    yield fact(v.HALF_MET, float(at_minimum >= 0.5), f"f({plain(study.minimum)}) = {plain(at_minimum)}", STOCHASTIC)
    rejection = float(one.reject_probability(n))
    accepting, rejecting = too_small(at_records, one.log_accept, n), too_small(rejection, one.log_reject, n)
    yield fact(v.ACCEPTANCE, at_records, f"f({plain(n)}){accepting}")
    yield fact(v.REJECTION, rejection, f"1 − f({plain(n)}), without subtraction{rejecting}")
    if n >= study.minimum:
        yield fact(v.ERROR_AT_N, rejection, f"1 − f(N), since N ≥ m{rejecting}", STOCHASTIC)
    else:
        yield fact(v.ERROR_AT_N, at_records, f"f(N), since N < m{accepting}", STOCHASTIC)
    loss = f"between N = {plain(n)} and N + 1"
    of_yes, of_no = one.losses(n)
    yield fact(v.LOSS_ACCEPT, float(of_yes), f"ln f(N+1)/f(N) {loss}")
    yield fact(v.LOSS_REJECT, float(of_no), f"ln (1−f(N))/(1−f(N+1)) {loss}")

    band = one.band
    yield fact(v.BAND_FROM, band.low, f"f(N) = {plain(tail)}")
    yield fact(v.BAND_TO, band.high, f"1 − f(N) = {plain(tail)}")
    yield fact(v.BAND_WIDTH, band.width, f"from f = {plain(tail)} to 1 − f = {plain(tail)}")
    first, last = last_refused(band), first_accepted(band)
    yield fact(v.BAND_STEPS, last - first, f"from ⌊N₋⌋ = {plain(first)} to ⌈N₊⌉ = {plain(last)}")

    if series is f.GENERALIZED:
        yield from _facts_of_the_centre(study)

    yield fact(v.SLACK, one.slack.slack,
               f"least of e^ε·f(N)+δ−f(N+1) and its three companions over every N ≥ 0, δ = {plain(one.claim)}; "
               "Theorem 1 leaves only the pairs where the curve changes form to be looked at", STOCHASTIC)
    pair = f"the pair N, N+1 with the worst slack ({one.slack.outcome})"
    yield fact(v.SLACK_AT, one.slack.n, pair if math.isfinite(one.slack.n) else "approached as N → ∞", STOCHASTIC)

    total_epsilon, total_delta, account, by = together(study, one, ASKED_TIMES)
    for quantity, value in ((v.ASKED_EPSILON, total_epsilon), (v.ASKED_DELTA, total_delta)):
        yield Fact(quantity, value, series, "bound", how=account, source=by)


def last_refused(band: Band) -> float:
    """⌊N₋⌋, the last N with f(N) ≤ τ."""
    return -_first_from(-band.low)


def first_accepted(band: Band) -> float:
    """⌈N₊⌉, the first N with 1 − f(N) ≤ τ."""
    return _first_from(band.high)


def _first_from(n: float) -> float:
    """⌈n⌉; as doubles 0.99 and 1 − 0.01 differ in their last digit, so that an end may lie beside a whole number."""
    nearest = round(n)
    return float(nearest if abs(n - nearest) <= BESIDE else math.ceil(n))


def too_small(probability: float, log: Callable[[int], float | Array], n: int) -> str:
    """What the formula adds where a probability at n is less than any double, and is shown as 0."""
    if probability:
        return ""
    found = float(log(n))
    return "" if math.isinf(found) else f" = e^{plain(found)}, less than the smallest double"


def _facts_of_attacker(series: Series, one: Compared, loss: float) -> Iterator[Fact]:
    yield from advantage_facts(series, one.advantage)
    yield belief_fact(v.POSTERIOR_95, series, 0.5, loss, "ℓ = ln(0.05/T(0.95)): the least error α of a test that finds "
                      "the record once in 20 times is T(0.95), whatever N is", DRS22, "bound")


def _facts_of_the_centre(study: Study) -> Iterator[Fact]:
    """p₀ = (e^ε + δ)/(e^ε + 1) and the distances from there to the tails, ln((1−p₀+s)/(τ+s))/ε with s = δ/(e^ε − 1).

    One step below p₀ lies exactly 1 − p₀, so the way down is one record longer.
    """
    growth = math.expm1(study.epsilon)
    below_centre = (1 - study.delta) / (2 + growth)
    s = study.delta / growth
    rise = (below_centre - study.uncertain) / (study.uncertain + s)
    # Near −1 the rise has lost what the quotient keeps.
    log = math.log1p(rise) if rise > -0.5 else math.log((below_centre + s) / (study.uncertain + s))
    above = log / study.epsilon
    for quantity, value, how in (
        (v.CENTRE_ACCEPTANCE, (growth + 1 + study.delta) / (growth + 2), "p₀ = (e^ε + δ)/(e^ε + 1)"),
        (v.ABOVE_CENTRE, above, f"from f = p₀ to 1 − f = {plain(study.uncertain)}"),
        (v.BELOW_CENTRE, above + 1, f"from f = {plain(study.uncertain)} to f = p₀"),
    ):
        yield Fact(quantity, value, f.GENERALIZED, how=how, source=STOCHASTIC)


def _delta_formula(study: Study, series: Series) -> str:
    at = f"at ε = {plain(study.epsilon)}"
    absent = "; with f(0) := 0 at least f(1)" if study.zero_refused else ""
    if series is f.LAPLACE:
        pure = "δ(ε) = 0: pure differential privacy"
        return "f(1): with f(0) := 0 a “yes” proves N ≥ 1" if study.zero_refused else pure
    if series in (f.CUTOFF, f.MATCHED):
        return f"δ = 1 − e^−ε {at}{absent}"
    return f"largest f(N+1) − e^ε f(N), (1−f(N)) − e^ε (1−f(N+1)) over N ≥ 0 {at}{absent}"


def _error_facts(study: Study, decisions: Mapping[Series, Compared]) -> Iterator[Fact]:
    """Errors under the prior: false acceptance given N < m, false rejection given N ≥ m, and overall."""
    below, above, parts = _parts(RecordsPrior(study.prior, study.prior_centre, study.prior_width), study.minimum)
    yield Fact(v.PRIOR_MASS, below, how=_prior_words(study))
    for series, one in decisions.items():
        accept = _average(parts[0], one.accept_probability, v.FALSE_ACCEPT, series, "Σ prior(N) f(N), N < m")
        reject = _average(parts[1], one.reject_probability, v.FALSE_REJECT, series,
                          "Σ prior(N) (1−f(N)), N ≥ m")
        yield from (fact for fact in (accept, reject) if fact)
        yield _overall(series, [(below, accept), (above, reject)])


@lru_cache(maxsize=4)
def _parts(prior: RecordsPrior, minimum: int) -> tuple[float, float, tuple[Part | None, Part | None]]:
    """Pr[N < m], Pr[N ≥ m] and the prior on either side of m, which stay while a hand moves ε."""
    parts = prior.part(minimum, below=True), prior.part(minimum, below=False)
    return prior.below(minimum), prior.from_on(minimum), parts


def _average(part: Part | None, rate: Rate, quantity: v.Quantity, series: Series, how: str) -> Fact | None:
    if part is None:
        return None  # the prior leaves no such N, so there is no such rate
    average = part.average(rate)
    kind: Kind = "exact" if average.is_exact else "estimate"
    low, high = (None, None) if average.is_exact else (average.low, average.high)
    words = how if average.is_exact else f"{how}; blocks of N enclose the sum between its two bounds"
    return Fact(quantity, average.value, series, kind, low, high, words, STOCHASTIC)


def _overall(series: Series, weighted: list[tuple[float, Fact | None]]) -> Fact:
    """Pr[N<m]·false acceptance + Pr[N≥m]·false rejection."""
    terms = [(weight, fact) for weight, fact in weighted if fact is not None and weight > 0]

    def total(end: str) -> float:
        # An exact fact has no ends: its value stands for both.
        return sum(weight * (fact.value if getattr(fact, end) is None else getattr(fact, end))
                   for weight, fact in terms)

    exact = all(fact.kind == "exact" for _, fact in terms)
    return Fact(v.OVERALL_ERROR, total("value"), series, "exact" if exact else "estimate",
                None if exact else total("low"), None if exact else total("high"),
                "Pr[N<m]·false acceptance + Pr[N≥m]·false rejection under the prior", STOCHASTIC)


def _prior_words(study: Study) -> str:
    centre, width = plain(study.prior_centre), plain(study.prior_width)
    return {"uniform": f"N uniform on the integers from {centre} − {width} to {centre} + {width}",
            "poisson": f"N Poisson with mean {centre}",
            "normal": f"N normal with mean {centre} and standard deviation {width}, rounded, N ≥ 0"}[study.prior]


ORDER = (
    v.DELTA_RECORDS, v.ACCEPTANCE, v.REJECTION, v.FRACTION, v.ERROR_AT_N, v.GUARANTEE_EPSILON, v.GUARANTEE_DELTA, v.MU,
    v.THRESHOLD, v.THRESHOLD_OFFSET, v.BAND_FROM, v.BAND_TO, v.BAND_WIDTH, v.BAND_STEPS, v.CENTRE_ACCEPTANCE,
    v.ABOVE_CENTRE, v.BELOW_CENTRE, v.LOSS_ACCEPT, v.LOSS_REJECT, v.ACCEPTANCE_AT_MINIMUM, v.HALF_MET, v.PRIOR_MASS,
    v.FALSE_ACCEPT, v.FALSE_REJECT, v.OVERALL_ERROR, v.ADVANTAGE, v.SUCCESS, v.POSTERIOR_95, v.SLACK, v.SLACK_AT,
    v.ASKED_EPSILON, v.ASKED_DELTA,
)  # fmt: skip
"""Rows of a table of facts: the answer first, then its privacy, its uncertainty, its errors, its checks."""
_PLACE = {quantity.key: place for place, quantity in enumerate(ORDER)}
