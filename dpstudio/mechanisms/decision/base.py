"""What every decision has in common: a probability of accepting n records, and what one record changes in it."""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager
from decimal import Context, Decimal, getcontext, localcontext
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter, parameter
from dpstudio.core.sampling import drawn_yes
from dpstudio.core.search import first_double, first_whole
from dpstudio.core.sources import Source
from dpstudio.mechanisms.concave import require_concave_rise
from dpstudio.mechanisms.decision.pairs import (
    BOUND,
    Excess,
    Slack,
    TailPairs,
    each,
    in_blocks,
    log_of,
    loss_of,
    most_of,
    worst_of,
)
from dpstudio.mechanisms.decision.precise import as_float, first_integer, precisely
from dpstudio.mechanisms.mechanism import Mechanism
from dpstudio.records import dataclass
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import Quantity

_DUST, _LEAST = 2.0**-49, 1e-300
"""A difference of less than this part of its terms, times their logarithm, is their rounding."""
_STRIDE = 1 / 16
"""Part of the records in which a curve changes by a factor of e."""


@dataclass(frozen=True, slots=True)
class UncertainBand:
    """A range of real numbers of records."""

    low: float
    high: float
    width: float
    """high − low, rounded once."""


@dataclass(frozen=True, slots=True)
class Particular:
    """A number that only this kind of decision has, with its formula and who gave it."""

    quantity: Quantity
    value: float
    how: str
    source: Source


@dataclass(frozen=True)
class Decision(Mechanism, ABC):
    """A decision Q(N) ∈ {0, 1} on N records, N + 1 records being a neighbour of N [Implementation of Stochastic
    Decision, section "Definition"].

    f(N) = Pr[Q(N)=1] never falls as N grows, and g = 1 − f is carried beside it without subtraction.

    A new decision declares its parameters, `name` and `source` (ε is declared by `EpsilonDecision`), and gives
    `_accept` and `_reject`; a study that compares it also asks for `for_guarantee`. All else is derived from these
    two, on one assumption: ln(f(n+1) − f(n)) is concave in n, as of a count with Laplace, logistic or Gaussian
    noise that is compared with a threshold. Where it is seen to fail, the decision is refused when it is made
    (`mechanisms/concave.py` says what is seen and what not), unless it overrides both `_pairs` and `_neighbours`, which
    need it. What is derived is good to 1e-14 absolute for δ and errors and to 1e-14
    times its logarithms for a loss, and numbers of records are decided by f and g as doubles; exact zeros, more digits
    and real arithmetic need closed forms, each by overriding its method. Arrays keep their shape, scalars give floats,
    and what lies outside its domain raises InvalidParameter.
    """

    has_target: ClassVar[bool] = True
    """Whether it can choose with which probability it accepts the minimum."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if type(self)._pairs is Decision._pairs or type(self)._neighbours is Decision._neighbours:
            _check(self)

    @classmethod
    def for_guarantee(cls, epsilon: float, delta: float, minimum: int, target: float) -> Self:  # noqa: ARG003
        """The decision of this kind that is (ε, δ)-DP and accepts the minimum with the target, where it can choose."""
        raise TypeError(f"{cls.__name__} is not made for a guarantee")

    @classmethod
    def corners(cls, epsilon: float, delta: float, minimum: int) -> tuple[Self, ...]:  # noqa: ARG003
        """Where f(m) is chosen, the decisions at which f bends as a function of it, being straight between them.

        Beside these also themselves moved by whole records, and nowhere else; none where f is smooth in f(m).
        """
        return ()

    @property
    def claimed_delta(self) -> float:
        """The δ that it is built to keep at its own ε; 0 where it is pure."""
        return 0.0

    @abstractmethod
    def _accept(self, n: Array) -> Array:
        """f(n), to full relative accuracy, for float64 of any shape: the curve through real n; may overwrite n."""

    @abstractmethod
    def _reject(self, n: Array) -> Array:
        """g(n), to full relative accuracy; the same."""

    def _tail(self, n: Array, accept: bool) -> Array:
        return self._accept(n) if accept else self._reject(n)

    def _log(self, n: Array, accept: bool) -> Array:
        """ln f(n) (accept) or ln g(n)."""
        return log_of(self._tail(n.copy(), accept), self._tail(n.copy(), not accept))

    def _loss(self, n: Array, accept: bool) -> Array:
        """ln f(n+1)/f(n) (accept) or ln g(n)/g(n+1)."""
        low, high = (n, n + 1) if accept else (n + 1, n)
        return loss_of(self._tail(low.copy(), accept), self._rise(n), self._log(low.copy(), accept),
                       self._log(high.copy(), accept))

    def _rise(self, n: Array) -> Array:
        """f(n+1) − f(n), from the tails that are the smaller."""
        after = self._accept(n + 1)
        return np.where(after < 0.5, after - self._accept(n.copy()), self._reject(n.copy()) - self._reject(n + 1))

    def _pairs(self, epsilon: Array) -> Iterable[Excess]:
        """Neighbours among which, at each ε, the worst of all n ≥ 0 is found (if any needs δ > 0)."""
        # The excess of "yes", f(n+1) − e^ε f(n), rises with n while ln of the rise of f grows by more than ε from n to
        # n + 1, and that of "no" until it falls by more than ε: by concavity each changes once.
        # Where a record changes so little that this drowns in rounding, it is looked for over more of them at a time.
        growth = np.expm1(np.minimum(epsilon, BOUND))
        end = v.EXACT_INTEGERS - 2
        wide = max(float(np.floor(_STRIDE / self._rate)), 1.0)
        # Of both outcomes, and over one record and many, it is looked for at once, which takes as long as of one.
        both = np.stack([epsilon, -epsilon])
        records = np.array([*{1.0, wide}]).reshape(-1, *(1,) * both.ndim)
        peaks = [(peak, i == 0) for found in self._peak(both, records, end) for i, peak in enumerate(found)]
        for peak, accept in peaks:
            for step in (-1.0, 0.0, 1.0):
                n = np.clip(peak + step, 0.0, end)
                rise = self._rise(n)
                excess = rise - growth * self._tail(n + (not accept), accept)
                # A tail is as rounded as its logarithm is large.
                dust = _DUST * (1 - np.log(np.maximum(rise, _LEAST))) * rise
                yield Excess(np.where(np.abs(excess) > dust, excess, 0.0), n, accept)

    def _peak(self, growth: Array, records: Array, end: int) -> Array:
        """The n about which ln(f(n+1) − f(n)), looked at over so many records, begins to grow by no more for each."""
        most = records * growth
        return first_whole(lambda n: self._bend(n, records) <= most, most.shape, end) + records - 1

    def _bend(self, n: Array, records: Array) -> Array:
        """By how much ln(f(n+1) − f(n)), or over more records, grows over as many; ±∞ where the doubles end."""
        # By how much f rises, as `_rise` has it; each tail is asked for once, as a search asks fifty times in a row.
        places = n, n + records, n + records + records
        yes, no = ([tail(place.copy()) for place in places] for tail in (self._accept, self._reject))
        now, after = (np.where(yes[i + 1] < 0.5, yes[i + 1] - yes[i], no[i] - no[i + 1]) for i in (0, 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.log(after) - np.log(now)
        nowhere = np.where(yes[1] < 0.5, math.inf, -math.inf)
        return np.where((now > 0) | (after > 0), found, nowhere)

    def _neighbours(self, alpha: Array) -> TailPairs | None:
        """Pairs among which, at each α of a vector, the one is that an attacker makes the smallest error on.

        None where all datasets are answered alike.
        """
        # All (f(n), g(n+1)) lie on the curve of the noise, which is convex. Of the lines broken there the best at α are
        # those with f(n) next to α, on either side; in the other direction those with g(n+1) next to α.
        def above(n: Array) -> npt.NDArray[np.bool_]:
            return np.where(alpha < 0.5, self._accept(n.copy()) > alpha, self._reject(n.copy()) < 1 - alpha)

        def under(n: Array) -> npt.NDArray[np.bool_]:
            return np.where(alpha < 0.5, self._reject(n + 1) <= alpha, self._accept(n + 1) >= 1 - alpha)

        first = [first_whole(holds, alpha.shape, v.EXACT_INTEGERS - 2) for holds in (above, under)]
        return self._told(np.clip(np.stack([place - step for place in first for step in (0.0, 1.0)]), 0.0, None))

    def _told(self, n: Array) -> TailPairs:
        """The pairs n and n + 1."""
        return TailPairs(self._accept(n.copy()), self._reject(n.copy()), self._accept(n + 1), self._reject(n + 1))

    @property
    def _rate(self) -> float:
        """How fast the curve rises: its logarithm changes by about so much with a record."""
        return 1.0

    def _where(self, accept: Decimal, reject: Decimal) -> Decimal:
        """The real n at which the curve, drawn through real numbers, has these tails; ±∞ where it never does.

        Its ceiling is the first integer there. The smaller of the tails is exact, and `accept` is not 0.
        """
        def reached(n: Array) -> npt.NDArray[np.bool_]:
            return self._accept(n) >= float(accept) if accept <= reject else self._reject(n) <= float(reject)

        with np.errstate(over="ignore", under="ignore"):
            return Decimal(float(first_double(reached, (1,))[0]))

    def accept_probability(self, n: npt.ArrayLike) -> float | Array:
        """f(n) = Pr[Q(n)=1], to 1e-12 relative also where it is tiny; n is whole, in [0, 2⁵³], of any shape."""
        return shaped(in_blocks(self._accept, n))

    def reject_probability(self, n: npt.ArrayLike) -> float | Array:
        """g(n) = Pr[Q(n)=0] = 1 − f(n), to 1e-12 relative also where it is tiny; n is whole, in [0, 2⁵³]."""
        return shaped(in_blocks(self._reject, n))

    def log_accept(self, n: npt.ArrayLike) -> float | Array:
        """ln f(n), −∞ where f(n) is 0; n is whole, in [0, 2⁵³], of any shape."""
        return shaped(in_blocks(lambda n: self._log(n, True), n))

    def log_reject(self, n: npt.ArrayLike) -> float | Array:
        """ln g(n), −∞ where g(n) is 0; n is whole, in [0, 2⁵³], of any shape."""
        return shaped(in_blocks(lambda n: self._log(n, False), n))

    def loss_accept(self, n: npt.ArrayLike) -> float | Array:
        """ln f(n+1)/f(n), the privacy loss of "yes" between n and n + 1 records.

        +∞ where only f(n) is 0, and 0 where both are. n is whole, in [0, 2⁵³], of any shape.
        [Dwork & Roth 2014, section 3.5.]
        """
        return shaped(in_blocks(lambda n: self._loss(n, True), n))

    def loss_reject(self, n: npt.ArrayLike) -> float | Array:
        """ln g(n)/g(n+1), the privacy loss of "no" between n and n + 1 records.

        +∞ where only g(n+1) is 0, and 0 where both are. n is whole, in [0, 2⁵³], of any shape.
        [Dwork & Roth 2014, section 3.5.]
        """
        return shaped(in_blocks(lambda n: self._loss(n, False), n))

    def losses(self, n: npt.ArrayLike) -> tuple[float | Array, float | Array]:
        """`loss_accept` and `loss_reject`, together where that takes less time."""
        return self.loss_accept(n), self.loss_reject(n)

    def delta_at(self, epsilon: npt.ArrayLike, zero_refused: bool = False) -> float | Array:
        """The smallest δ with which the decision is (ε, δ)-DP, exactly 0.0 where it is 0.

        δ(ε) = max over N ≥ 0 of f(N+1) − e^ε f(N) and g(N) − e^ε g(N+1); the other direction of both never binds,
        because f never falls. With `zero_refused` a dataset of no records can never be accepted (f(0) = 0), and the
        pair 0, 1 needs δ = f(1). ε is in [0, ∞), of any shape. [Balle & Wang 2018, Theorem 5.]
        """
        at = numbers_in(epsilon, v.EPSILON_PRIME, "epsilon")
        return shaped(most_of(self._all_pairs(at, zero_refused), at.shape))

    def trade_off(self, alpha: npt.ArrayLike, zero_refused: bool = False) -> float | Array:
        """The smallest type II error at type I error α of any test of one dataset against a neighbour of it.

        T(α) = inf over N ≥ 0 of the lines through (0, 1), (f(N), g(N+1)), (1, 0) and through (0, 1), (g(N+1), f(N)),
        (1, 0), the best tests of N against N + 1 and of N + 1 against N. It falls from 1 − δ(∞) to 0, is its own
        inverse, and max 1 − T(α) − e^ε α is δ(ε); its lower convex hull is the largest f for which the decision is
        f-DP. α is in [0, 1], of any shape; `zero_refused` as for `delta_at`. [Dong, Roth & Su 2022, Definitions 2, 3.]
        """
        a = numbers_in(alpha, v.TYPE_I, "alpha")
        flat, found = a.reshape(-1), 1 - a.reshape(-1)
        with np.errstate(over="ignore", under="ignore"):
            for pairs in self._tested(flat, zero_refused):
                found = np.minimum(found, pairs.type_ii(flat))
        return shaped(found.reshape(a.shape))

    def power(self, alpha: npt.ArrayLike, zero_refused: bool = False) -> float | Array:
        """1 less that, to full relative accuracy: the largest chance of being found at type I error α.

        α is in [0, 1], of any shape; `zero_refused` as for `delta_at`.
        """
        a = numbers_in(alpha, v.TYPE_I, "alpha")
        flat = found = a.reshape(-1)
        with np.errstate(over="ignore", under="ignore"):
            for pairs in self._tested(flat, zero_refused):
                found = np.maximum(found, pairs.power(flat))
        return shaped(np.minimum(found, 1.0).reshape(a.shape))

    def _tested(self, alpha: Array, zero_refused: bool) -> list[TailPairs]:
        """The pairs among which, at each α of a vector, the one is that an attacker tells best."""
        pairs = self._neighbours(alpha) if alpha.size else None
        tested = [] if pairs is None else [pairs]
        if _switched(zero_refused) and alpha.size:
            one = np.ones(1)
            tested.append(TailPairs(np.zeros((1, 1)), one[None], self._accept(one.copy())[None],
                                    self._reject(one.copy())[None]))
        return tested

    def smallest_n(self, probability: npt.ArrayLike) -> float | Array:
        """The smallest n ≥ 0 with f(n) ≥ probability, decided as real numbers; ∞ where there is none.

        `probability` is in [0, 1], of any shape.
        """
        return each(lambda p: self._first(Decimal(p), 1 - Decimal(p)), numbers_in(probability, v.PROBABILITY))

    def smallest_n_refusing(self, probability: npt.ArrayLike) -> float | Array:
        """The smallest n ≥ 0 with g(n) ≤ probability, decided as real numbers; ∞ where there is none.

        `probability` is in [0, 1], of any shape. It is `smallest_n(1 − probability)` for targets so near 1 that only
        their complement is a double.
        """
        return each(lambda q: self._first(1 - Decimal(q), Decimal(q)), numbers_in(probability, v.PROBABILITY))

    @precisely
    def band(self, tail: float) -> UncertainBand:
        """The real numbers of records between which neither answer is near certain: from f = tail to g = tail.

        The curve is drawn through real numbers of records by its own formula, so the ends are no integers, may lie
        below 0, and are infinite where a decision never comes so near to certainty. `tail` is in (0, ½).
        """
        exact = Decimal(parameter_value(v.TAIL, tail, "tail"))
        with self._exactly():
            low, high = self._where(exact, 1 - exact), self._where(1 - exact, exact)
        ends = low.is_finite() and high.is_finite()
        return UncertainBand(float(low), float(high), float(high - low) if ends else math.inf)

    def sample(
        self, n: npt.ArrayLike, size: int | tuple[int, ...] | None, rng: np.random.Generator
    ) -> npt.NDArray[np.bool_]:
        """Decisions drawn for n records: booleans of shape `size`, True with probability f(n); n is in [0, 2⁵³]."""
        return drawn_yes(in_blocks(self._accept, n), in_blocks(self._reject, n), size, rng)

    def delta_how(self, epsilon: float, zero_refused: bool = False) -> str:
        """The formula of `delta_at` at that ε, in words for a fact."""
        return ("largest f(N+1) − e^ε f(N), (1−f(N)) − e^ε (1−f(N+1)) over N ≥ 0 at ε = "
                f"{plain(epsilon)}{self._absent(zero_refused)}")

    @property
    def delta_source(self) -> Source:
        """Who gave that formula."""
        return self.source

    @staticmethod
    def _absent(zero_refused: bool) -> str:
        return "; with f(0) := 0 at least f(1)" if zero_refused else ""

    def particulars(self, tail: float, delta: float) -> Iterable[Particular]:  # noqa: ARG002 - for those that have some
        """What only this kind of decision has: its threshold, its centre, its μ.

        `tail` in (0, ½) bounds the uncertain band, `delta` is the δ that the decision was made for.
        """
        return ()

    def epsilon_after(self, k: int, delta: float) -> float:  # noqa: ARG002 - for those that know it
        """The smallest ε with which k answers are together (ε, δ)-DP, by an account of this kind's own; δ in (0, 1).

        ∞ where none is known beside those that hold of all (ε, δ)-DP mechanisms.
        """
        return math.inf

    def after_how(self, k: int) -> tuple[str, Source]:  # noqa: ARG002 - for those that know it
        """The formula of `epsilon_after` in words, and who gave it."""
        return "", self.source

    @precisely
    def _first(self, accept: Decimal, reject: Decimal) -> float:
        with self._exactly():
            return as_float(max(first_integer(self._where(accept, reject)), 0)) if accept else 0.0

    def _exactly(self) -> AbstractContextManager[Context]:
        """Digits enough to tell n from n + 1/rate."""
        context = getcontext().copy()
        context.prec += max(Decimal(self._rate).adjusted(), 0)
        return localcontext(context)

    def _all_pairs(self, epsilon: Array, zero_refused: bool) -> list[Excess]:
        with np.errstate(over="ignore", under="ignore"):
            pairs = list(self._pairs(epsilon))
            if _switched(zero_refused):
                # 1 − e^ε g(1), of the outcome "no", is never more than this.
                pairs.append(Excess(np.full(epsilon.shape, self._accept(np.array([1.0]))[0]), 0.0, True))
        return pairs

    def _worst(self, epsilon: Array, zero_refused: bool = False) -> tuple[Array, Array, npt.NDArray[np.bool_]]:
        """δ at each ε, with the n it is needed for (∞ where no pair needs even 0) and whether accepting needs it."""
        return worst_of(self._all_pairs(epsilon, zero_refused), epsilon.shape)


@dataclass(frozen=True)
class EpsilonDecision(Decision):
    """A decision that declares its ε."""

    epsilon: float = parameter(v.EPSILON)

    @property
    def _rate(self) -> float:
        return self.epsilon

    @property
    def guarantee(self) -> tuple[float, float]:
        """(ε, δ): the declared ε and the smallest δ at it."""
        return self.epsilon, float(self.delta_at(self.epsilon))


@functools.lru_cache(maxsize=256)
def _check(one: Decision) -> None:
    require_concave_rise(type(one).__name__, one._accept, one._reject)


def _switched(zero_refused: object) -> bool:
    if not isinstance(zero_refused, (bool, np.bool_)):
        raise InvalidParameter("zero_refused", v.ZERO_REFUSED.domain, zero_refused)
    return bool(zero_refused)


def worst_slack(decision: Decision, epsilon: float, delta: float) -> Slack:
    """The least slack of the four inequalities of (ε, δ)-DP over every N ≥ 0, and where it is found.

    The inequalities are f(N+1) ≤ e^ε f(N) + δ, g(N) ≤ e^ε g(N+1) + δ and the two with the sides exchanged; the slack
    is the right side less the left. Every N is covered by few pairs:

    - the two with the sides exchanged follow from the first two, because f never falls;
    - on the lower branch f is convex, so the drop of g from N to N + 1 grows with N, and Theorem 1 (multiplier e^ε)
      carries the inequality for g from the pair at the crossing to all smaller N; on the upper branch the same holds
      for f and all larger N, by the mirror;
    - where Theorem 1 does not reach (f on the lower branch, g on the upper) the excess is affine in f(N) or g(N+1), or
      has one maximum, so the ends of the branch, or the two integers beside that maximum, decide.

    δ − δ(ε) is the answer, negative where the decision is not (ε, δ)-DP. `epsilon` is in [0, ∞), `delta` in [0, 1].
    [Implementation of Stochastic Decision, Theorem 1 and (6.1), (6.2).]
    """
    allowed = parameter_value(v.DELTA, delta)
    needed, n, accepting = decision._worst(np.array([parameter_value(v.EPSILON_PRIME, epsilon, "epsilon")]))
    return Slack(allowed - float(needed[0]), float(n[0]), bool(accepting[0]))
