"""One of the decisions as the study compares it, and what several answers of it come to together."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import shaped
from dpstudio.core.declare import Array
from dpstudio.core.guarantee import RECORD, ROOM, Guarantee, Law
from dpstudio.core.risk import common_loss
from dpstudio.core.sources import DR14, KOV15, Source
from dpstudio.mechanisms.asking import roughly_while_n_stays, whatever_is_asked, while_n_stays
from dpstudio.mechanisms.decision import Decision, GaussianDecision, Particular, Slack, UncertainBand, worst_slack
from dpstudio.mechanisms.laws import RefusingZero
from dpstudio.models.costs import Best, Choices, DecisionKind, Stakes
from dpstudio.models.records import Average, RecordsPrior, Sides
from dpstudio.records import cached_property, dataclass
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import EXACT_INTEGERS, Interval

if TYPE_CHECKING:
    from dpstudio.studies.decision import Decision as Study

_LAST: dict[str, tuple[Study, Best]] = {}
"""The best choice that was found last, by the name of a kind: it stays from answer to answer while a hand moves p."""
ASKED_TIMES = 10
FEW = 64
"""Up to so many answers the worst N is found roughly, and looked at closely."""
_LEVELS = np.array([1e-3, 0.05, 0.7])
"""Of what is looked at where N stays: about so likely accepted, beside where the curve bends."""
BESIDE = 1e-9
"""Records by which an end of the uncertain band may miss a whole number and still lie on it."""


class ByCurve(NamedTuple):
    """What k answers come to by the decision's own curve: ε, at most, whatever N; ε, at least, where N stays; δ."""

    at_most: float
    at_least: float
    delta: float


@dataclass(frozen=True)
class Compared:
    """A decision under the study's assumptions, with what several of its facts need."""

    study: Study
    decision: Decision
    kind: DecisionKind | None
    """What else of its kind could be chosen; None where nothing is looked for."""
    own_delta_how: str = ""
    """The formula of its smallest δ, where it is not that of its kind."""

    loose = ""

    @property
    def claim(self) -> float:
        """The δ that the decision is built to keep."""
        return self.study.delta if self.decision.needs_delta else self.decision.claimed_delta

    @property
    def asked_delta(self) -> float:
        """The study's δ, at which all are compared."""
        return self.study.delta

    @property
    def zero_refused(self) -> bool:
        return self.study.zero_refused

    @cached_property
    def guarantee(self) -> Guarantee | None:
        """What the decision promises of one record, by its exact law; μ where it is that of a curve without a break."""
        decision, mu = self.decision, None
        if isinstance(decision, GaussianDecision) and not self.zero_refused:
            mu = decision.mu
        return Guarantee(RECORD, self.study.epsilon, self.delta, self.law, decision.delta_source, mu=mu)

    @property
    def law(self) -> Law:
        """The decision under the study's assumption about no records."""
        return RefusingZero(self.decision) if self.zero_refused else self.decision

    @cached_property
    def band(self) -> UncertainBand:
        """Where the answer is uncertain."""
        return self.decision.band(self.study.uncertain)

    @property
    def last_refused(self) -> float:
        """⌊N₋⌋, the last N with f(N) ≤ τ."""
        return -_first_from(-self.band.low, lambda n: self._as_good_as(self.decision.log_accept, -n))

    @property
    def first_accepted(self) -> float:
        """⌈N₊⌉, the first N with 1 − f(N) ≤ τ."""
        return _first_from(self.band.high, lambda n: self._as_good_as(self.decision.log_reject, n))

    def _as_good_as(self, log: Callable[[float], float | Array], n: float) -> bool:
        """Whether the tail with this logarithm is τ at most at n, but for its rounding; true where n is no number of
        records that a double counts.
        """
        return not 0 <= n <= EXACT_INTEGERS or float(log(n)) <= math.log(self.study.uncertain) + BESIDE

    @property
    def sure_yes(self) -> float:
        """The fewest N ≥ 0 from which on 1 − f(N) ≤ τ, under the study's assumption about no records."""
        return max(self.first_accepted, 1.0 if self.zero_refused else 0.0)

    @property
    def sure_no(self) -> float | None:
        """The most N up to which f(N) ≤ τ, under the same; None where there is no such N ≥ 0."""
        last = max(self.last_refused, 0.0) if self.zero_refused else self.last_refused
        return last if last >= 0 else None

    @cached_property
    def _worst(self) -> Slack:
        """The slack at δ = 0 of the study's ε, which is −δ(ε)."""
        return worst_slack(self.decision, self.study.epsilon, 0.0)

    @cached_property
    def delta(self) -> float:
        """The smallest δ at the study's ε."""
        return float(self.law.delta_at(self.study.epsilon))

    @property
    def epsilon_how(self) -> str:
        """What the ε of the guarantee is, in words that quote the study."""
        return "ε = {epsilon}, add or remove one record of one person"

    @property
    def delta_how(self) -> str:
        """The formula of the smallest δ, in words."""
        return self.own_delta_how or self.decision.delta_how(self.study.epsilon, self.zero_refused)

    @cached_property
    def particulars(self) -> tuple[Particular, ...]:
        """What only this kind of decision has."""
        return tuple(self.decision.particulars(self.study.uncertain, self.study.delta))

    @cached_property
    def slack(self) -> Slack:
        """The least of what the inequalities have to spare at the claimed δ."""
        worst = self._worst
        if self.delta > 0.0 - worst.slack:  # the pair 0, 1, which only the assumption makes the worst
            worst = Slack(0.0 - self.delta, 0.0, accepting=True)
        return Slack(self.claim + worst.slack, worst.n, worst.accepting)

    @cached_property
    def _accepted(self) -> Array:
        return np.asarray(self.accept_probability([self.study.minimum, self.study.records]))

    @property
    def at_minimum(self) -> float:
        """f(m)."""
        return float(self._accepted[0])

    @property
    def accepting(self) -> float:
        """f(N) of the dataset in hand."""
        return float(self._accepted[1])

    @cached_property
    def rejecting(self) -> float:
        """1 − f(N), without subtraction."""
        return float(self.reject_probability(self.study.records))

    @cached_property
    def losses_here(self) -> tuple[float | Array, float | Array]:
        """The losses of both outcomes between N and N + 1."""
        return self.losses(self.study.records)

    @cached_property
    def false_accept(self) -> Average | None:
        """Σ prior(N) f(N) over N < m; None where the prior leaves no such N."""
        part = prior_of(self.study).below
        return part.average(self.accept_probability) if part else None

    @cached_property
    def false_reject(self) -> Average | None:
        """Σ prior(N) (1 − f(N)) over N ≥ m; None where the prior leaves no such N."""
        part = prior_of(self.study).above
        return part.average(self.reject_probability) if part else None

    @property
    def overall_error(self) -> Average:
        """Pr[N < m]·Pr[false “yes”] + Pr[N ≥ m]·Pr[false “no”]."""
        return stakes_of(self.study, 1.0, 1.0).cost(self.false_accept, self.false_reject)

    @property
    def stakes(self) -> Stakes:
        """What the study's costs put at stake."""
        return stakes_of(self.study, self.study.cost_false_yes, self.study.cost_false_no)

    @property
    def cost(self) -> Average:
        """c₁ Pr[N < m]·Pr[false “yes”] + c₀ Pr[N ≥ m]·Pr[false “no”]."""
        return self.stakes.cost(self.false_accept, self.false_reject)

    @cached_property
    def choices(self) -> Choices:
        """The decisions of its kind with the study's guarantee, those of a target within the target's domain."""
        study, targets = self.study, type(self.study).parameter("target").domain
        assert isinstance(targets, Interval)
        assert self.kind
        ends = targets.low, targets.high if self.kind.has_target else 1.0
        return Choices(self.kind, prior_of(study), study.minimum, study.epsilon, ends, study.zero_refused)

    @cached_property
    def best(self) -> Best:
        """The one of them with the least expected cost."""
        if (found := self._kept) is None:
            found = self.choices.best(self.stakes)
            assert self.kind
            _LAST[self.kind.name] = self._asked, found
        return found

    @property
    def decided(self) -> bool:
        """Whether that was found already."""
        return "best" in vars(self) or self._kept is not None

    @property
    def _kept(self) -> Best | None:
        last = _LAST.get(self.kind.name) if self.kind else None
        return last[1] if last and last[0] == self._asked else None

    @cached_property
    def _asked(self) -> Study:
        """The study, but for what changes nothing of the best choice."""
        return self.study.replace(**{name: self.study.default(name) for name in
                                     ("target", "uncertain", "records", "trials", "seed")})

    @cached_property
    def asked(self) -> tuple[float, float, str, Source]:
        """(ε, δ) of several answers together, how that is found, and by whom."""
        return together(self, ASKED_TIMES)

    @cached_property
    def by_curve(self) -> dict[int, ByCurve]:
        """What is known of k answers from the decision's own curve, by k, once it was worked out."""
        return {}

    def ask_by_curve(self, k: int) -> ByCurve:
        """Bounds on the ε of k answers at 1 − (1 − δ)^k and the study's δ once more."""
        if k not in self.by_curve:
            study = self.study
            own = _after(self.delta, k)
            delta = own + (1 - own) * study.delta
            # At least: where all of δ tells the record for certain, its last digit must not ask for more.
            least = self._while_n_stays(k, min(delta * (1 + ROOM), 1.0))
            self.by_curve[k] = ByCurve(self._whatever_n(k, delta), least, delta)
        return self.by_curve[k]

    def _whatever_n(self, k: int, delta: float) -> float:
        """The least that is known to hold."""
        study = self.study
        known = [k * study.epsilon]
        if study.delta > 0:
            known.append(_optimal(study.epsilon, k, study.delta))
            if not self.zero_refused and 0 < delta < 1:
                known.append(self.decision.epsilon_after(k, delta))
            known.append(whatever_is_asked(lambda at: np.asarray(self.delta_at(at)), study.epsilon, k, delta))
        return min(known)

    def _while_n_stays(self, k: int, delta: float) -> float:
        """The most of the N that are looked at; any of them is a bound from below."""
        pairs = self._pairs_looked_at
        if k <= FEW and delta > 0:
            accept, reject, losses = (np.array(each).T for each in zip(*pairs, strict=True))
            about = roughly_while_n_stays(accept, reject, losses, k, delta)
            alone = np.isinf(about)
            alone[np.argmax(np.where(alone, -1.0, about))] = True
            pairs = [pair for pair, looked_at in zip(pairs, alone, strict=True) if looked_at]
        return max(while_n_stays(*pair, k, delta) for pair in pairs)

    @cached_property
    def _pairs_looked_at(self) -> list[tuple[tuple[float, float], tuple[float, float], tuple[float, float]]]:
        crossing = float(self.decision.smallest_n(0.5))
        found = np.asarray(self.decision.smallest_n(_LEVELS))
        n = np.unique(np.concatenate([[0.0], found, crossing + np.arange(-2.0, 1.0)]))
        n = n[(n >= 0) & (n < EXACT_INTEGERS)]
        accept, reject = (np.asarray(each([n, n + 1])) for each in (self.accept_probability, self.reject_probability))
        losses = np.asarray(self.losses(n))
        return [((accept[0, i], accept[1, i]), (reject[0, i], reject[1, i]), (losses[0, i], losses[1, i]))
                for i in range(n.size)]

    @cached_property
    def common_loss(self) -> float:
        """A privacy loss that 95 % of all answers stay within."""
        return common_loss(self.guarantee or self)

    def accept_probability(self, n: npt.ArrayLike) -> float | Array:
        """f(n) under the study's assumption about no records."""
        return self._refused(n, 0.0, self.decision.accept_probability(n))

    def reject_probability(self, n: npt.ArrayLike) -> float | Array:
        """1 − f(n) under the same."""
        return self._refused(n, 1.0, self.decision.reject_probability(n))

    def log_accept(self, n: npt.ArrayLike) -> float | Array:
        """ln f(n) under the same, finite also where f(n) is less than any double."""
        return self._refused(n, -math.inf, self.decision.log_accept(n))

    def log_reject(self, n: npt.ArrayLike) -> float | Array:
        """ln (1 − f(n)) under the same."""
        return self._refused(n, 0.0, self.decision.log_reject(n))

    def losses(self, n: npt.ArrayLike) -> tuple[float | Array, float | Array]:
        """The losses of both outcomes between n and n + 1 under the same."""
        found = self.decision.losses(n)
        if not self.zero_refused:
            return found
        one = float(self.decision.accept_probability(1))
        of_yes, of_no = math.inf if one else 0.0, 0.0 - float(self.decision.log_reject(1))
        return self._refused(n, of_yes, found[0]), self._refused(n, of_no, found[1])

    def _refused(self, n: npt.ArrayLike, of_none: float, found: float | Array) -> float | Array:
        """What is found at n, but what is so of no records, where these are refused."""
        return shaped(np.where(np.asarray(n) == 0, of_none, found)) if self.zero_refused else found

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """The smallest δ at each ε, under the study's assumption about no records."""
        return self.law.delta_at(epsilon)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """The smallest type II error at each type I error, under the same."""
        return self.law.trade_off(alpha)


def prior_of(study: Study) -> Sides:
    """The prior of a study on either side of its minimum."""
    return _prior(RecordsPrior(study.prior, study.prior_centre, study.prior_width), study.minimum)


@lru_cache(maxsize=4)
def _prior(prior: RecordsPrior, minimum: int) -> Sides:
    return prior.sides(minimum)  # kept from answer to answer: it stays while a hand moves ε


def stakes_of(study: Study, false_yes: float, false_no: float) -> Stakes:
    """What these costs of a wrong answer put at stake under the prior of a study."""
    prior = prior_of(study)
    return Stakes(false_yes * prior.mass_below, false_no * prior.mass_above)


def _first_from(n: float, sure: Callable[[float], bool]) -> float:
    """⌈n⌉; as doubles 0.99 and 1 − 0.01 differ in their last digit, so that an end may lie beside a whole number.

    There the tail decides: beside a large δ the ends of all tiny tails lie within a rounding.
    """
    nearest = float(round(n))
    return nearest if abs(n - nearest) <= BESIDE and sure(nearest) else math.floor(n + BESIDE) + 1.0


TIMES = np.array([1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000], dtype=np.float64)
CURVE_TIMES = np.array([1, 3, 10, 30, 100, 300, 1000], dtype=np.float64)
WORTH = 0.1
"""A smaller ε is bought with more δ only where it saves more than this part."""


def together(one: Compared, k: int) -> tuple[float, float, str, Source]:
    """(ε, δ) of k answers, how that is found, and by whom.

    (kε, 1 − (1 − δ)^k) holds of all (ε, δ)-DP mechanisms. The study's own δ is given away on top of it where that
    lowers ε by more than a tenth. A kind of decision may know a better account of its own.
    """
    epsilon, delta = k * one.study.epsilon, _after(one.delta, k)
    if not one.zero_refused and 0 < delta < 1:
        least = one.decision.epsilon_after(k, delta)
        if least < epsilon:
            return least, delta, *one.decision.after_how(k)
    if _may_save(one.study.epsilon, k, one.study.delta):
        least = _optimal(one.study.epsilon, k, one.study.delta)
        if least < (1 - WORTH) * epsilon:
            return (least, delta + (1 - delta) * one.study.delta,
                    f"optimal composition at slack δ = {plain(one.study.delta)}: the least ε that holds of all (ε, "
                    "δ)-DP mechanisms", KOV15)
    if not delta:
        return epsilon, 0.0, f"{k}·ε: basic composition, which is optimal without δ", DR14
    return epsilon, delta, f"({k}·ε, 1 − (1 − δ)^{k}): optimal composition without slack", KOV15


def _after(delta: float, k: int) -> float:
    """1 − (1 − δ)^k."""
    return -math.expm1(k * math.log1p(-delta)) if delta < 1 else 1.0


def _may_save(epsilon: float, k: int, slack: float) -> bool:
    """Whether δ(ε′) of k responses can be within the slack at an ε′ worth it: its first term alone must be."""
    return -math.expm1(-WORTH * k * epsilon) / (1 + math.exp(-epsilon)) ** k <= slack


@lru_cache(maxsize=64)
def _optimal(epsilon: float, k: int, slack: float) -> float:
    from dpstudio.mechanisms.response import RandomizedResponse  # slow to import, and few settings need it

    return float(RandomizedResponse.symmetric(epsilon).epsilon_after(k, slack))
