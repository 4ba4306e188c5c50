"""Numbers checked against a declared domain, and answers in the shape of what was asked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array, InvalidParameter, accepted, counts, numeric
from dpstudio.vocabulary import EXACT_INTEGERS, Interval, Quantity


def numbers_in(values: npt.ArrayLike, quantity: Quantity, name: str = "") -> Array:
    """Numbers as float64, shape kept; raises InvalidParameter unless all lie in the quantity's domain.

    Ends of the domain may be open, and a whole-numbered domain takes whole numbers alone.
    """
    name, domain = name or quantity.key, quantity.domain
    assert isinstance(domain, Interval)
    given = numeric(values, name, domain)
    array = given.astype(np.float64, copy=False)
    good = np.isfinite(array)
    good &= (array > domain.low) if domain.low_open else (array >= domain.low)
    good &= (array < domain.high) if domain.high_open else (array <= domain.high)
    if domain.integer:
        good &= np.floor(array) == array
    if not good.all():
        raise InvalidParameter(name, domain, given[~good].flat[0] if given.ndim else given[()])
    return array


def weighted(values: npt.ArrayLike, times: npt.ArrayLike | None, quantity: Quantity) -> tuple[Array, Array]:
    """A list of numbers of a quantity, and how many persons have each, 1 where that is not said; 2⁵³ at most in all."""
    given = numbers_in(values, quantity, "values")
    if given.ndim != 1:
        raise InvalidParameter("values", "a list of numbers", given.tolist())
    if times is None:
        return given, np.ones(given.shape)
    persons = counts(times, "times")
    if persons.shape != given.shape:
        raise InvalidParameter("times", f"a list of {given.size} whole numbers", persons.tolist())
    # The first sum is near, and the second exact where that is not far too large.
    total = persons.sum() if persons.sum() > 2 * EXACT_INTEGERS else persons.astype(np.int64).sum()
    if total > EXACT_INTEGERS:
        raise InvalidParameter("times", "whole numbers of a sum of at most 2⁵³", total.item())
    return given, persons


def parameter_value(quantity: Quantity, given: object, name: str = "") -> float:
    """One number, refused unless it lies in the quantity's domain."""
    return float(accepted(name or quantity.key, quantity.domain, given))


def of_each(function: Callable[..., float], *of: Array) -> float | Array:
    """A function of numbers for arrays that broadcast, shape kept."""
    return shaped(np.asarray(np.frompyfunc(function, len(of), 1)(*of), dtype=np.float64))


def shaped(values: Array) -> float | Array:
    """A float for a number, also one in an array of no dimensions, as numpy's own functions do; else the array."""
    return values if values.ndim else float(values)
