"""The privacy profile of several cells with noise of their own, each of which one person moves by 1.

δ_m(ε) of m cells at once, exactly: of Gaussian noise that of μ = √m/σ; of geometric noise that of m responses, for its
loss has two values; of discrete Gaussian noise that of the sum of all cells, which says as much as they do; of Laplace
noise by m steps of δ_m(x) = E δ_{m−1}(x − loss of one cell), all m in the time that `mixed` takes for a few.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.core.quadrature import gauss_legendre
from dpstudio.mechanisms import losses
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise, Noise
from dpstudio.mechanisms.noise.profile import delta_of_mu

_POINTS = 14
_LONGEST = 1.0
"""A piece of a profile of Laplace noise is no longer than so much of a loss."""
_LARGEST_LOSS = 1400.0
"""Half of the losses of all cells is a power of e that a double holds."""
ALIKE = 2.5
"""From this σ on a sum of m discrete Gaussians is one of σ√m, to 1e-20. [Kairouz, Liu & Steinke 2021.]"""
_MOST_CELLS = 2000
"""More cells than so many are known of Gaussian noise alone."""


def deltas(noise: Noise, epsilon: Array) -> Array:
    """δ_m at the numbers of each row m = 0 … κ of a matrix, which may be negative: of no cell, of one, … of κ."""
    cells = np.arange(float(len(epsilon)))
    found = np.maximum(-np.expm1(np.minimum(epsilon, 0.0)), 0.0)
    if len(epsilon) == 1:
        return found
    # δ(−x) = 1 − e^−x + e^−x δ(x), the noise being symmetric.
    size = np.abs(epsilon[1:])
    found[1:] += np.exp(np.minimum(epsilon[1:], 0.0)) * _of_some(noise, cells[1:], size)
    return np.asarray(np.minimum(found, 1.0))


def _of_some(noise: Noise, cells: Array, epsilon: Array) -> Array:
    """The same of 1 … κ cells, at numbers that are not negative."""
    if isinstance(noise, GaussianNoise):
        return delta_of_mu(epsilon, np.sqrt(cells)[:, None] / noise.sigma)
    if cells.size == 1:
        return np.asarray(noise.delta_at(epsilon))
    if cells.size > _MOST_CELLS:
        raise InvalidParameter("cells_per_person", f"at most {_MOST_CELLS} at an ε that needs the noise’s own δ",
                               cells.size)
    match noise:
        case LaplaceNoise():
            return _laplace(1 / noise.scale, epsilon)
        case GeometricNoise():
            rate = noise.epsilon / noise.sensitivity
            return np.array([losses.alike(rate, m).delta(row) for m, row in zip(cells, epsilon, strict=True)])
        case DiscreteGaussianNoise():
            if noise.sigma < ALIKE:
                return _narrow(noise, epsilon)
            return np.array([DiscreteGaussianNoise(noise.sigma * math.sqrt(m)).delta_at(row, m)
                             for m, row in zip(cells, epsilon, strict=True)])
    raise InvalidParameter("noise", "Laplace, geometric, Gaussian or discrete Gaussian", noise)


def _narrow(noise: DiscreteGaussianNoise, epsilon: Array) -> Array:
    """Of discrete Gaussian noise with a small σ, by adding up one cell after the other.

    The loss of outcomes with sum s is (2s − m)/(2σ²), whatever they are.
    """
    reach = math.ceil(39 * noise.sigma)
    one = np.asarray(noise.density(np.arange(-reach, reach + 1.0)))
    one, mass, found = one[one > 0], np.ones(1), np.empty(epsilon.shape)
    for m, row in enumerate(epsilon, start=1):
        mass = np.convolve(mass, one)
        mass = mass[mass > 0]
        sums = np.arange(mass.size) - (mass.size - 1) / 2
        with np.errstate(over="ignore"):
            loss = (2 * sums + m) / (2 * noise.sigma * noise.sigma)
        found[m - 1] = np.maximum(-np.expm1(row[:, None] - np.maximum(loss, row[:, None])), 0.0) @ mass
    return found


def _laplace(rate: float, epsilon: Array) -> Array:
    """Of Laplace noise, whose loss is ±e with probabilities ½ and e^−e/2 and else has density e^((l−e)/2)/4, e = 1/b.

    D_m(x) = e^(−x/2) δ_m(x) comes from D_{m−1} by e^(−e/2)/4 times 2D(x − e) + 2D(x + e) + ∫ D between both, positive
    terms all; D(−x) = 2 sinh(x/2) + D(x). It is a polynomial times an exponential between multiples of e, 0 from me on,
    and is kept at places of Gauss and Legendre's rule there, by which it is integrated, too.
    """
    if len(epsilon) * rate > _LARGEST_LOSS:
        raise InvalidParameter("cells_per_person", f"at most {_LARGEST_LOSS:g} times the scale", len(epsilon))
    nodes, weights = gauss_legendre(_POINTS)
    integral = _to_the_end()
    parts = math.ceil(rate / _LONGEST)
    width = rate / parts
    known, found = np.zeros((0, _POINTS)), np.zeros(epsilon.shape)
    for m, row in enumerate(epsilon, start=1):
        wide = np.zeros((m * parts + parts, _POINTS))
        wide[: len(known)] = known
        # ∫ D from each place on.
        later = np.append(np.cumsum((wide @ weights)[::-1])[::-1][1:], 0.0)[:, None]
        beyond = width * (later + wide @ integral.T)
        total = width * float((wide @ weights).sum())
        up, down = wide[parts:], np.zeros((m * parts, _POINTS))
        between = -beyond[parts:]
        # The first e: what lies before 0 is mirrored.
        y = ((parts - np.arange(parts))[:, None] - nodes) * width
        down[:parts] = 2 * np.sinh(y / 2) + wide[parts - 1::-1, ::-1]
        between[:parts] += 8 * np.sinh(y / 4) ** 2 + (total - beyond[parts - 1::-1, ::-1]) + total
        down[parts:] = wide[: (m - 1) * parts]
        between[parts:] += beyond[: (m - 1) * parts]
        known = math.exp(-rate / 2) / 4 * (2 * down + 2 * up + between)
        inside = row < m * rate
        piece = np.minimum((row[inside] / width).astype(np.intp), m * parts - 1)
        at = row[inside] / width - piece
        values = (known[piece] * _lagrange(at)).sum(axis=1)
        found[m - 1, inside] = np.exp(row[inside] / 2) * np.maximum(values, 0.0)
    return found


def _lagrange(at: Array) -> Array:
    """The polynomials that are 1 at one node and 0 at the others, at places in [0, 1]: a row a place."""
    nodes, apart = gauss_legendre(_POINTS)[0], at[:, None] - gauss_legendre(_POINTS)[0]
    one = np.ones((at.size, 1))
    before = np.cumprod(np.append(one, apart[:, :-1], axis=1), axis=1)
    after = np.cumprod(np.append(one, apart[:, :0:-1], axis=1), axis=1)[:, ::-1]
    scale = np.prod(nodes[:, None] - nodes + np.eye(_POINTS), axis=1)
    return np.asarray(before * after / scale)


@cache
def _to_the_end() -> Array:
    """∫ of each of these polynomials from each node to 1, a row a node."""
    nodes, weights = gauss_legendre(_POINTS)
    return np.array([(1 - start) * (weights @ _lagrange(start + (1 - start) * nodes)) for start in nodes])
