"""The answer of the decision study: what each decision says to N records, how often it is wrong, what it tells."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import PLANNED, Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Entry, Said, Steps, Tabled, each, once, simulated, table
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sampling import paced
from dpstudio.core.sources import CP34, DR14, DRS22, KOV15, STOCHASTIC, ZDW22
from dpstudio.mechanisms.decision import (
    ComplementedDecision,
    CutoffExponentialDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.mechanisms.decision import Decision as Mechanism
from dpstudio.models.costs import DecisionKind
from dpstudio.models.records import Average
from dpstudio.records import dataclass
from dpstudio.studies import decision as f
from dpstudio.studies.decision.choice import CHOICE_FACTS, CHOICE_TABLES, enclosed
from dpstudio.studies.decision.compared import ASKED_TIMES, CURVE_TIMES, TIMES, Compared, prior_of, together
from dpstudio.studies.decision.further import FURTHER, GROUP_FACTS, GROUP_TABLES, PERSON_FACTS, Selected
from dpstudio.studies.kit.attack import ADVANTAGE_FACTS, ATTACK_TABLES, believed, spent_fact
from dpstudio.studies.kit.compared import ClassOrPath, found
from dpstudio.studies.kit.tables import curves, places, share, stream_row, streamed, within
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import Record

POINTS = 480
"""Points spread evenly over a view; wider views than this many records are not drawn one by one."""
DETAIL = 24
"""Further points across each mechanism's own uncertain stretch, which may be far narrower than the view."""
GROWTH = 1.04
"""A row of the simulation's table for each growth of the decisions drawn by this factor."""
CHUNKS_BETWEEN = 100
"""At most so many chunks from one update to the next, so that cancelling takes milliseconds."""


@dataclass(frozen=True)
class Drawn:
    """Decisions drawn so far: how many of each said “yes”, by key of the series, and the rows of the table."""

    done: int
    accepted: Mapping[str, int]
    rows: Array


class DecisionAnswer(Answer[f.Decision, Compared, Drawn]):
    """All that is known of the decisions at one setting."""

    def planned(self, series: Series | None = None) -> Record | None:
        """A yes or no that is right from so far above the minimum on, and from as far below it."""
        one, m = self.one(series) if series else None, self.study.minimum
        if one is None or one.guarantee is None or self.study.others == "selection":
            return super().planned(series)
        sure = float(one.decision.smallest_n(PLANNED)) - m, m - float(one.decision.smallest_n_refusing(PLANNED)) + 1
        if not 0 < max(sure) < math.inf:
            return super().planned(series)
        return Record(self.study.title, "decision", {"within": max(*sure, 1.0)})

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Drawn, int]]:  # noqa: ARG002
        """Draw the number of acceptances among each chunk of decisions: a binomial, whatever N is."""
        study, ones = self.study, self.ones
        probabilities = np.array([float(one.accept_probability(study.records)) for one in ones.values()])
        accepted = np.zeros(len(ones), dtype=np.int64)
        rows: list[Array] = []
        for rng, size, done, show in paced(study.seed, study.trials, GROWTH, CHUNKS_BETWEEN):
            accepted += rng.binomial(size, probabilities)
            if show:
                rows.append(stream_row(done, accepted))
                hits = {series.key: int(each) for series, each in zip(ones, accepted, strict=True)}
                yield Drawn(done, hits, np.array(rows)), done


# What is compared

def listed(series: Series, kind: ClassOrPath[Mechanism]) -> Entry[DecisionAnswer, Compared]:
    """A kind of decision, made for the study's guarantee, minimum and target; of some there is none without δ."""
    cls = found(kind)

    def build(a: DecisionAnswer) -> Compared | None:
        s = a.study
        if cls.needs_delta and s.delta == 0:
            return None
        kind = DecisionKind(series.key, lambda minimum, target: cls.for_guarantee(s.epsilon, s.delta, minimum, target),
                    lambda minimum: cls.corners(s.epsilon, s.delta, minimum), cls.has_target)
        return Compared(s, kind.build(s.minimum, s.target), kind)

    return Entry(series, build, cls.source)


def _matched(a: DecisionAnswer) -> Compared:
    """The generalized decision with f(m) = 1 at the guarantee of the cutoff exponential."""
    s = a.study
    cutoff = CutoffExponentialDecision(s.epsilon, s.minimum)
    kind = DecisionKind(f.MATCHED.key, lambda minimum, _: ComplementedDecision(
        s.epsilon, cutoff.claimed_delta, minimum, 1.0, 0.0, math.exp(-s.epsilon)))
    return Compared(s, kind.build(s.minimum, s.target), kind, cutoff.delta_how(s.epsilon, s.zero_refused))


COMPARED: tuple[Entry[DecisionAnswer, Compared], ...] = (
    listed(f.LAPLACE, LaplaceDecision),
    listed(f.CUTOFF, CutoffExponentialDecision),
    listed(f.GENERALIZED, GeneralizedDecision),
    listed(f.GAUSSIAN, GaussianDecision),
    Entry(f.MATCHED, _matched, GeneralizedDecision.source),
    *FURTHER,
)


# Facts

def _too_small(probability: float, log: Callable[[int], float | Array], n: int) -> str:
    """What the formula adds where a probability at n is less than any double, and is shown as 0."""
    if probability:
        return ""
    found = float(log(n))
    return "" if math.isinf(found) else f" = e^{plain(found)}, less than the smallest double"


def _too_small_accepting(one: Compared) -> str:
    return _too_small(one.accepting, one.log_accept, one.study.records)


def _too_small_rejecting(one: Compared) -> str:
    return _too_small(one.rejecting, one.log_reject, one.study.records)


def _error_at_records(one: Compared) -> Said:
    if one.study.records >= one.study.minimum:
        return Said(one.rejecting, f"1 − f(N), since N ≥ m{_too_small_rejecting(one)}")
    return Said(one.accepting, f"f(N), since N < m{_too_small_accepting(one)}")


def _particular(quantity: v.Quantity) -> Callable[[Compared], Said | None]:
    """What makes a fact that only some kinds of decision have."""
    def make(one: Compared) -> Said | None:
        return next((Said(each.value, each.how, each.source) for each in one.particulars if each.quantity == quantity),
                    None)

    return make


def _slack(one: Compared) -> Said:
    return Said(one.slack.slack, f"least of e^ε·f(N)+δ−f(N+1) and its three companions over every N ≥ 0, δ = "
                f"{plain(one.claim)}; Theorem 1 leaves only the pairs where the curve changes form to be looked at")


def _slack_at(one: Compared) -> Said:
    at = one.slack.n
    return Said(at, f"the pair N, N+1 with the worst slack ({one.slack.outcome})" if math.isfinite(at) else
                "approached as N → ∞")


def _averaged(average: Average | None, how: str) -> Said | None:
    if average is None:
        return None
    return enclosed(average, how if average.is_exact else f"{how}; blocks of N enclose the sum between its two bounds")


def _belief_after(one: Compared) -> Said:
    return believed(0.5, one.common_loss, "ℓ = ln(0.05/T(0.95)): the least error α of a test that finds the record "
                    "once in 20 times is T(0.95), whatever N is", DRS22, "bound")


def _ask_ten(a: Answer[f.Decision, Compared, Any], series: str) -> Steps:
    """Ten answers by the curve of one decision."""
    if one := a.one(series):
        yield None
        yield one.ask_by_curve(ASKED_TIMES)


def _of_small_delta(a: DecisionAnswer) -> dict[Series, Compared]:
    return {series: one for series in f.SMALL_DELTA if (one := a.one(series))}


def _ask_all(a: DecisionAnswer) -> Steps:
    """As many answers as the picture has, of every decision."""
    for one in _of_small_delta(a).values():
        for k in CURVE_TIMES:
            yield None
            one.ask_by_curve(int(k))


def _prior_mass(a: DecisionAnswer) -> Said:
    study = a.study
    centre, width = plain(study.prior_centre), plain(study.prior_width)
    how = {"uniform": f"N uniform on the integers from {centre} − {width} to {centre} + {width}",
           "poisson": f"N Poisson with mean {centre}",
           "normal": f"N normal with mean {centre} and standard deviation {width}, rounded, N ≥ 0"}[study.prior]
    return Said(prior_of(study).mass_below, how)


FACTS: Mapping[str, tuple[Declaration[DecisionAnswer, Compared, Drawn], ...]] = {
    "the answer": (
        each(v.ACCEPTANCE, lambda one: one.accepting, lambda one: f"f({{records}}){_too_small_accepting(one)}",
             role="yes"),
        each(v.REJECTION, lambda one: one.rejecting,
             lambda one: f"1 − f({{records}}), without subtraction{_too_small_rejecting(one)}"),
        simulated(v.FRACTION, lambda key, drawn: share(drawn.accepted.get(key), drawn.done, "simulated decisions"),
                  source=CP34, exact=v.ACCEPTANCE),
        each(v.SURE_YES, lambda one: one.sure_yes, "the smallest N with 1 − f(N) ≤ {uncertain}"),
        each(v.SURE_NO, lambda one: one.sure_no, "the largest N with f(N) ≤ {uncertain}"),
        each(v.BAND_STEPS, lambda one: one.first_accepted - one.last_refused,
             lambda one: f"from ⌊N₋⌋ = {plain(one.last_refused)} to ⌈N₊⌉ = {plain(one.first_accepted)}"),
        each(v.BAND_FROM, lambda one: one.band.low, "f(N) = {uncertain}", role="from"),
        each(v.BAND_TO, lambda one: one.band.high, "1 − f(N) = {uncertain}", role="to"),
        each(v.BAND_WIDTH, lambda one: one.band.width, "from f = {uncertain} to 1 − f = {uncertain}"),
        each(v.ACCEPTANCE_AT_MINIMUM, lambda one: one.at_minimum, "f({minimum})"),
        each(v.HALF_MET, lambda one: float(one.at_minimum >= 0.5),
             lambda one: f"f({plain(one.study.minimum)}) = {plain(one.at_minimum)}", STOCHASTIC,
             when=lambda one: not isinstance(one, Selected)),
        *GROUP_FACTS,
    ),
    "errors": (
        each(v.ERROR_AT_N, _error_at_records, source=STOCHASTIC),
        once(v.PRIOR_MASS, _prior_mass),
        each(v.FALSE_ACCEPT, lambda one: _averaged(one.false_accept, "Σ prior(N) f(N), N < m"), source=STOCHASTIC),
        each(v.FALSE_REJECT, lambda one: _averaged(one.false_reject, "Σ prior(N) (1−f(N)), N ≥ m"),
             source=STOCHASTIC),
        each(v.OVERALL_ERROR, lambda one: enclosed(one.overall_error),
             "Pr[N<m]·Pr[false “yes”] + Pr[N≥m]·Pr[false “no”] under the prior", STOCHASTIC),
        *CHOICE_FACTS,
    ),
    "privacy": (
        each(v.GUARANTEE_EPSILON, lambda one: one.study.epsilon, lambda one: one.epsilon_how),
        each(v.GUARANTEE_DELTA, lambda one: Said(one.delta, one.delta_how, one.decision.delta_source)),
        spent_fact(lambda one: one.asked_delta),
        *PERSON_FACTS,
        each(v.MU, _particular(v.MU)),
        once(v.DELTA_RECORDS, lambda a: a.study.delta * a.study.minimum, "δ·m = {delta} × {minimum}", DR14),
        each(v.LOSS_ACCEPT, lambda one: one.losses_here[0],
             "ln f(N+1)/f(N) between N = {records} and N + 1"),
        each(v.LOSS_REJECT, lambda one: one.losses_here[1],
             "ln (1−f(N))/(1−f(N+1)) between N = {records} and N + 1"),
        each(v.ASKED_EPSILON, lambda one: Said(one.asked[0], f"{one.asked[2]}; at δ = {plain(one.asked[1])}",
                                               one.asked[3]), kind="bound"),
        each(v.ASKED_DELTA, lambda one: Said(one.asked[1], *one.asked[2:]), kind="bound"),
        each(v.SEQUENCE_EPSILON, lambda one: one.ask_by_curve(ASKED_TIMES).at_most, "δ(ε′) over all pairs of "
             "neighbours, rounded up to chords between the points of a grid, and the two laws with it composed: holds "
             "whatever N is asked of next", ZDW22, kind="bound", slow_of=_ask_ten),
        each(v.REACHED_EPSILON, lambda one: one.ask_by_curve(ASKED_TIMES).at_least, "the number of “yes” among ten is "
             "binomial: the largest ε of the pairs N, N + 1 where the curve bends and of some between", ZDW22,
             kind="bound", at_least=True, slow_of=_ask_ten),
        each(v.SEQUENCE_DELTA, lambda one: one.ask_by_curve(ASKED_TIMES).delta, "1 − (1 − δ)^10, and {delta} once more",
             KOV15, slow_of=_ask_ten),
    ),
    "attack": (
        *ADVANTAGE_FACTS,
        each(v.POSTERIOR_95, _belief_after, kind="bound"),
    ),
    "technical": (
        *(each(quantity, _particular(quantity)) for quantity in (
            v.SIGMA, v.THRESHOLD, v.COIN, v.THRESHOLD_OFFSET, v.CENTRE_ACCEPTANCE, v.ABOVE_CENTRE, v.BELOW_CENTRE)),
        each(v.SLACK, _slack, source=STOCHASTIC),
        each(v.SLACK_AT, _slack_at, source=STOCHASTIC),
    ),
}


# Tables

def _records_view(a: DecisionAnswer) -> Span:
    """The range of N that shows every curve rise, and the dataset in hand where it is not far off."""
    # Groups that are shown have no minimum: where they lie far from m they have a picture of their own.
    study, bands = a.study, [one.band for one in a.ones.values() if not isinstance(one, Selected)]
    low = min(study.minimum, *(band.low for band in bands))
    high = max(study.minimum, *(band.high for band in bands))
    width = max(high - low, 8.0)
    for band in (one.band for one in a.ones.values() if isinstance(one, Selected)):
        if low - width <= band.high and band.low <= high + width:
            low, high = min(low, max(band.low, 0.0)), max(high, band.high)
    if low - width <= study.records <= high + width:
        low, high = min(low, study.records), max(high, study.records)
    # A wide tail leaves much of the rise outside the band.
    margin = width * (0.12 if study.uncertain <= 0.05 else 1.0)
    return max(0.0, float(np.floor(low - margin))), float(np.ceil(high + margin))


def _records_in(a: DecisionAnswer, view: Span) -> Array:
    """Integers at which to draw: all of a narrow view, else an even spread and more where a curve bends."""
    most = float(v.EXACT_INTEGERS - 1)
    low, high = within((np.floor(view[0]), np.ceil(view[1])), 0.0, most)
    if high - low <= POINTS * 1.5:
        return np.arange(low, high + 1)
    bends = [np.linspace(one.band.low, one.band.high, DETAIL) for one in a.ones.values()]
    kinks = a.study.minimum + np.arange(-2.0, 3.0)
    return np.unique(np.rint(places((low, high), POINTS, *bends, kinks, a.study.records)))


def _records_table(a: DecisionAnswer, view: Span) -> Table:
    """Acceptance, rejection, privacy losses and error of every decision at each N."""
    n = _records_in(a, view)

    def found(one: Compared) -> tuple[float | Array, ...]:
        accept, reject = one.accept_probability(n), one.reject_probability(n)
        return accept, reject, np.where(n < a.study.minimum, accept, reject), *one.losses(n)

    return Table({f.X_RECORDS: n} | curves(
        a.ones, found, v.ACCEPTANCE, v.REJECTION, v.ERROR, v.LOSS_ACCEPT, v.LOSS_REJECT))


def _theorem_table(a: DecisionAnswer, view: Span) -> Table:
    """e^ε Pr[Q(N+1)=0] + δ − Pr[Q(N)=0] of every decision at each N, δ being its claim."""
    n = _records_in(a, view)

    def slack(one: Compared) -> Array:
        reject, loss = np.asarray(one.reject_probability(n)), np.asarray(one.losses(n)[1])
        # The loss says how many times smaller Pr[Q(N+1)=0] is.
        return np.asarray(np.exp(one.study.epsilon) * (reject * np.exp(-loss)) + one.claim - reject)

    return Table({f.X_RECORDS: n} | curves(a.ones, slack, v.SLACK_HERE))


@cache
def _lemma_table() -> Table:
    """f(x) = 1 − 0.9 (3x² − 2x³) − 0.01 x on [0, 1], then 0.1 − 0.01 x: equal slopes at 0 and 1, and no lemma."""

    def value(x: Array) -> Array:
        inside = np.clip(x, 0, 1)
        return 1 - 0.9 * (3 * inside**2 - 2 * inside**3) - 0.01 * x

    x = np.linspace(0, 2, 161)
    return Table({f.X_POSITION: x, Column(v.VALUE): value(x), Column(v.LEMMA_BOUND): 1.2 * value(x + 1)})


def _asking_table(a: DecisionAnswer, _: Span) -> Table:
    """ε and δ of k answers for many k, by the account of each decision."""
    return Table({f.X_ASKED: TIMES} | curves(
        a.ones, lambda one: np.array([together(one, int(k))[:2] for k in TIMES]).T, v.COMPOSED_EPSILON,
        v.COMPOSED_DELTA))


def _curve_table(a: DecisionAnswer, _: Span) -> Table:
    """kε, for as many answers as the picture by the curve has."""
    return Table({f.X_ASKED: CURVE_TIMES, Column(v.COMPOSED_EPSILON): CURVE_TIMES * a.study.epsilon})


def _by_curve(a: DecisionAnswer, _: Table) -> Mapping[Column, Array]:
    """ε by the curve of each decision, whatever N and while it stays, and δ."""
    def found(one: Compared) -> Array:
        asked = [one.ask_by_curve(int(k)) for k in CURVE_TIMES]
        return np.array([(each.at_most, each.at_least, each.delta) for each in asked]).T

    return curves(_of_small_delta(a), found, v.COMPOSED_ANY, v.COMPOSED_STAYING, v.COMPOSED_DELTA)


TABLES: Mapping[str, Tabled[DecisionAnswer, Drawn]] = {
    f.RECORDS_TABLE: table(_records_table, _records_view),
    f.THEOREM_TABLE: table(_theorem_table, lambda a: a.view(f.RECORDS_TABLE)),
    **ATTACK_TABLES,
    **CHOICE_TABLES,
    **GROUP_TABLES,
    f.LEMMA_TABLE: table(lambda _, __: _lemma_table(), (0.0, 2.0)),
    f.ASKING_TABLE: table(_asking_table, (TIMES[0], TIMES[-1])),
    f.CURVE_TABLE: table(_curve_table, (CURVE_TIMES[0], CURVE_TIMES[-1]), slow=_ask_all, later=_by_curve, aside=True),
    f.SIMULATION_TABLE: streamed(f.X_TRIALS, f.SEEN, lambda a: tuple(a.ones)),
}

DecisionAnswer.compared, DecisionAnswer.declared, DecisionAnswer.tabled = COMPARED, FACTS, TABLES
