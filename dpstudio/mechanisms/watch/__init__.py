"""Watching a growing count: when is “at least so many” first said?

A watch looks at the counts one after the other, says “no” while it takes them for too small, says “yes” once, and
stops. What it gives away is when that was. `above` has AboveThreshold with the exact law of its first “yes”,
`exponential` the same with other noise, `base` what all watches share; what that gives away of one record is a law of
`mechanisms.laws`. Begin at `base`.
"""

from dpstudio.mechanisms.watch.above import AboveThreshold
from dpstudio.mechanisms.watch.base import EachTime, FirstYes, Watch, threshold_for
from dpstudio.mechanisms.watch.exponential import ExponentialAboveThreshold

__all__ = ["AboveThreshold", "EachTime", "ExponentialAboveThreshold", "FirstYes", "Watch", "threshold_for"]
