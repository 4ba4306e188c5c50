"""Watching a growing count until it seems to have reached a threshold."""

from __future__ import annotations

from dpstudio.vocabulary.quantity import *

THRESHOLD_SHARE = Quantity("threshold_share", "s", "share of ε for the threshold", "Share of ε that is spent on the "
                           "threshold’s noise, which is drawn once; the rest is spent on that of the counts.",
                           INSIDE_UNIT)
MONOTONE = Quantity("monotone", "monotone", "counts only grow by a record", "Whether one record more can only raise "
                    "counts, as of people who come and stay; else it may raise some and lower others.", Switch())
