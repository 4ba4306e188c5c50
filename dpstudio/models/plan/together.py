"""What unlike releases come to in ε and δ, and what is left for one more."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import erfinv

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.core.search import narrowing
from dpstudio.mechanisms.mechanism import INSIDE_DELTA
from dpstudio.mechanisms.mixed import MU_OR_ZERO, Mixed
from dpstudio.mechanisms.noise.profile import delta_of_mu, largest_mu_of_one, smallest_epsilon
from dpstudio.vocabulary import DELTA, EPSILON_OR_ZERO, EPSILON_PRIME

_LEAST = 1e-15
"""Part of the most that may be left, below which nothing is."""
_NEAR = 1e-12


def mixed_delta(laplace: npt.ArrayLike, mu: float, epsilon: npt.ArrayLike) -> float | Array:
    """δ(ε) of independent Laplace releases of these losses beside Gaussian ones, of whose μ² the sum is μ².

    Losses and μ are in [0, ∞), ε too, of any shape; none too small, and exact as `Mixed.kind` says.
    """
    return Mixed(tuple(np.atleast_1d(numbers_in(laplace, EPSILON_OR_ZERO, "laplace"))), mu).delta_at(epsilon)


def epsilon_of_mu(mu: npt.ArrayLike, delta: npt.ArrayLike) -> float | Array:
    """The smallest ε of μ-Gaussian privacy at δ, 0 where δ(0) is no more; ∞ at δ = 0. μ ≥ 0 and δ in [0, 1] broadcast.

    [Dong, Roth & Su 2022, Corollary 1.]
    """
    m, d = np.broadcast_arrays(numbers_in(mu, MU_OR_ZERO, "mu"), numbers_in(delta, DELTA, "delta"))
    solved = (m > 0) & (d > 0) & (d < 1)
    found = smallest_epsilon(np.where(solved, m, 1.0), np.where(solved, d, 0.5))
    return shaped(np.asarray(np.where(solved, found, np.where((m > 0) & (d == 0), math.inf, 0.0))))


def mu_left(epsilon: float, delta: float, spent: npt.ArrayLike) -> float:
    """√(μ(ε, δ)² − Σμᵢ²): what a further Gaussian release may have within (ε, δ); 0 where nothing is left.

    ε ≥ 0, δ in (0, 1); spent is a list of μ ≥ 0.
    """
    at, allowed = parameter_value(EPSILON_PRIME, epsilon, "epsilon"), parameter_value(INSIDE_DELTA, delta, "delta")
    used = math.hypot(*numbers_in(spent, MU_OR_ZERO, "spent").reshape(-1).tolist())
    most = largest_mu_of_one(at, allowed) if at else 2 * math.sqrt(2) * float(erfinv(allowed))
    return math.sqrt((most - used) * (most + used)) if used < most else 0.0


def laplace_left(mu: float, epsilon: float, delta: float) -> float:
    """The greatest loss of a Laplace release that fits within (ε, δ) beside Gaussian ones of μ; 0 where none does.

    μ ≥ 0, ε ≥ 0, δ in [0, 1); to 1e-12 and never above. Beside nothing it is ε − 2 ln(1 − δ).
    """
    of_gaussian = parameter_value(MU_OR_ZERO, mu, "mu")
    at, allowed = parameter_value(EPSILON_PRIME, epsilon, "epsilon"), parameter_value(DELTA, delta, "delta")
    if allowed == 1:
        raise InvalidParameter("delta", "in [0, 1)", allowed)
    high = at - 2 * math.log1p(-allowed)  # alone it needs all of δ
    if of_gaussian == 0:
        return high
    if allowed == 0 or float(delta_of_mu(np.array(at), np.array(of_gaussian))) >= allowed:
        return 0.0

    def room(loss: float) -> float:
        needed = float(Mixed((loss,), of_gaussian).delta_at(at))
        return math.log(allowed / needed) if needed > 0 else math.inf

    low = high / 2
    while room(low) <= 0:
        high, low = low, low / 8
        if low < _LEAST * at:
            return 0.0
    for fits, needs_more in narrowing(room, low, high):
        if needs_more - fits <= _NEAR * needs_more:
            break
    return fits
