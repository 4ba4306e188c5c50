"""How a total is split for the least sum of weighted errors, also among disjoint groups."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.models.plan.shares import of_cubic, of_square

Aim: TypeAlias = Literal["variance", "absolute"]


class AskedOfBudget(NamedTuple):
    """A release whose error counts w, moved by Δ in the norm of its noise, made k times, about a group or everybody."""

    weight: float
    moves: float
    times: int
    group: str


def shape(asked: Sequence[AskedOfBudget], aim: Aim, *, gaussian: bool, moving: bool) -> Array:
    """Strengths of each, up to a factor, with the least Σ k w error; ε or μ.

    Of Laplace noise ε ∝ (wΔ²)^⅓ or √(wΔ), of Gaussian noise μ² ∝ √w Δ or (wΔ)^⅔: what has S = Σ k a of those a in a
    total E comes to S^(q+1)/E^q. Groups are all allowed the same E, so their S join as (Σ S^(q+1))^(1/(q+1)); where a
    person may move, two of them count, and the greatest, where it outweighs all others together, is alone.
    """
    q = {("variance", False): 2.0, ("absolute", False): 1.0, ("variance", True): 1.0, ("absolute", True): 0.5}[
        aim, gaussian]
    by_weight, by_moves = {("variance", False): (1 / 3, 2 / 3), ("absolute", False): (0.5, 0.5),
                           ("variance", True): (0.5, 1.0), ("absolute", True): (2 / 3, 2 / 3)}[aim, gaussian]
    parts = [one.weight**by_weight * one.moves**by_moves for one in asked]
    sums: dict[str, float] = defaultdict(float)
    for one, part in zip(asked, parts, strict=True):
        sums[one.group] += one.times * part
    allowed = {"": sums.pop("", 0.0)} | _allowed(sums, q, moving)
    sums[""] = allowed[""]
    shares = [part * allowed[one.group] / sums[one.group] for one, part in zip(asked, parts, strict=True)]
    return np.sqrt(shares) if gaussian else np.array(shares)


def by_slope(asked: Sequence[AskedOfBudget], aim: Aim, whole: Sequence[bool], factor: float) -> Array:
    """ε of each at which one more of it lessens each weighted error alike, so that Σ k w error is the least of their
    total: `shape` over a factor for Laplace noise, and for discrete Laplace noise, where `whole`, also if ε is large.

    All are about everybody, or about one group.
    """
    w, d = (np.array([getattr(one, name) for one in asked]) for name in ("weight", "moves"))
    log = math.log(factor)
    with np.errstate(under="ignore"):
        if aim == "variance":  # w cosh/(2Δ sinh³) of ε/2Δ in place of 4wΔ²/ε³
            smooth = np.cbrt(w * d * d) / factor
            discrete = 2 * d * of_cubic(np.log(8 * d / w) + 3 * log)
        else:  # w cosh/(Δ sinh²) of ε/Δ in place of wΔ/ε²
            smooth = np.sqrt(w * d) / factor
            discrete = d * of_square(np.log(d / w) + 2 * log)
    return np.where(whole, discrete, smooth)


def _allowed(sums: dict[str, float], q: float, moving: bool) -> dict[str, float]:
    """What each group is allowed, in terms of what everybody's releases are, their S."""
    def join(some: list[float]) -> float:
        return float(math.fsum(one ** (q + 1) for one in some) ** (1 / (q + 1)))

    if not sums:
        return {}
    if not moving or len(sums) == 1:
        return dict.fromkeys(sums, join(list(sums.values())))
    greatest = max(sums, key=sums.__getitem__)
    rest = join([one for name, one in sums.items() if name != greatest])
    if sums[greatest] > rest:
        return {name: sums[greatest] if name == greatest else rest for name in sums}
    # All alike, and each counts twice: S of both is 2^(q/(q+1)) S.
    return dict.fromkeys(sums, join(list(sums.values())) * 2 ** (q / (q + 1)) / 2)
