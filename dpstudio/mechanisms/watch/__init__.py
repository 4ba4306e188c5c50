"""Watching a growing count: when is “at least so many” first said?

A watch looks at the counts one after the other, says “no” while it takes them for too small, says “yes” once, and
stops. What it gives away is when that was. `above` has AboveThreshold with the exact law of its first “yes”, `law` what
that gives away of one record, `base` what all watches share. Begin at `base`.
"""

from dpstudio.mechanisms.watch.above import AboveThreshold, ExponentialAboveThreshold
from dpstudio.mechanisms.watch.base import EachTime, FirstYes, Watch, threshold_for
from dpstudio.mechanisms.watch.law import AsymmetricLaplace, Both

__all__ = ["AboveThreshold", "AsymmetricLaplace", "Both", "EachTime", "ExponentialAboveThreshold", "FirstYes", "Watch",
           "threshold_for"]
