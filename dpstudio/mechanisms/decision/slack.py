"""How far the inequalities of differential privacy stay from failing, over every number of records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpstudio.core.arrays import numbers_in
from dpstudio.mechanisms.decision.base import Decision, Outcome
from dpstudio.vocabulary import DELTA, EPSILON_PRIME


@dataclass(frozen=True, slots=True)
class Slack:
    """By how much the tightest of the inequalities of differential privacy holds (or fails, where negative)."""

    slack: float
    n: float
    """The inequality that binds is the one between n and n + 1; ∞ where it is only approached as N grows."""
    outcome: Outcome


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
    return worst_slacks(decision, (epsilon,), delta)[0]


def worst_slacks(decision: Decision, epsilons: Sequence[float], delta: float) -> list[Slack]:
    """`worst_slack` at several ε, found together."""
    allowed = float(numbers_in(delta, DELTA))
    found = decision._worst(numbers_in(epsilons, EPSILON_PRIME, "epsilon"))
    return [Slack(allowed - needed, n, "accept" if accepting else "reject")
            for needed, n, accepting in zip(*(each.tolist() for each in found), strict=True)]
