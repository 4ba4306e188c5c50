"""A sum or a mean of people’s numbers, clipped to bounds and released with noise.

`laws`, `log_normal` and `column` know the values, `bounds` what clipping costs and which bound is best, `released` the
law of the number that comes out, and `ratio` that of a mean whose number of people is private, too. Begin at `base`.
"""

from dpstudio.models.numbers.base import ValueLaw
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
from dpstudio.models.numbers.laws import Exponential, Normal, Uniform, clipped_moments
from dpstudio.models.numbers.log_normal import LogNormal
from dpstudio.models.numbers.ratio import RatioMean, inverse_count, ratio_mean, ratio_split
from dpstudio.models.numbers.released import Released, half_width

__all__ = [
    "Errors", "Exponential", "LogNormal", "Normal", "RatioMean", "Released", "Uniform", "ValueLaw", "Weighted",
    "best_bound", "best_upper", "best_upper_exponential", "clipped_moments", "clipping_bias", "half_width",
    "inverse_count", "mean_errors", "private_bound", "private_bound_rmse", "ratio_mean", "ratio_split", "sum_errors",
    "sum_rmse", "sum_sensitivity",
]
