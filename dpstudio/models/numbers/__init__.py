"""A sum or a mean of people's numbers, clipped to bounds and released with noise.

`laws` and `column` know the values, `bounds` what clipping costs and which bound is best, `released` the law of the
number that comes out, and `ratio` that of a mean whose number of people is private, too. Begin at `base` and `bounds`.
"""

from dpstudio.models.numbers.base import Values
from dpstudio.models.numbers.bounds import (
    Errors,
    best_bound,
    best_upper,
    best_upper_exponential,
    clipping_bias,
    mean_errors,
    private_bound,
    private_bound_rmse,
    sum_errors,
    sum_rmse,
    sum_sensitivity,
)
from dpstudio.models.numbers.column import Weighted
from dpstudio.models.numbers.laws import Exponential, LogNormal, Normal, Uniform, clipped_moments

__all__ = [
    "Errors", "Exponential", "LogNormal", "Normal", "Uniform", "Values", "Weighted", "best_bound", "best_upper",
    "best_upper_exponential", "clipped_moments", "clipping_bias", "mean_errors", "private_bound",
    "private_bound_rmse", "sum_errors", "sum_rmse", "sum_sensitivity",
]
