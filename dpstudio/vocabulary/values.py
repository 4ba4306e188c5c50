"""Numbers that people have, and the bounds that they are clipped to."""

from __future__ import annotations

from dpstudio.vocabulary.quantity import *

_FINITE = reals(-1e140, 1e140)
"""Sums of squares of so large numbers are doubles."""

AMOUNT = Quantity("amount", "x", "value", "A number that a person has, such as an income or a duration.", _FINITE)
VALUE_MEAN = variant(AMOUNT, key="value_mean", symbol="m", label="mean of the values", sentence="Mean of the law of a "
                     "person’s value.")
POSITIVE_MEAN = variant(VALUE_MEAN, key="positive_mean", label="mean of the positive values", domain=reals(
    1e-140, 1e140), sentence="Mean of the law of a person’s value, which is positive.")
VALUE_SD = Quantity("value_sd", "s", "standard deviation of the values", "Standard deviation of the law of a person’s "
                    "value.", reals(1e-140, 1e140), "log")
LOG_MEAN = Quantity("log_mean", "m", "mean of the logarithms", "Mean of the logarithm of a person’s value.",
                    reals(-200, 200))
LOG_SD = Quantity("log_sd", "s", "sd of the logarithms", "Standard deviation of the logarithm of a person’s value.",
                  reals(1e-3, 12))
LEAST_VALUE = variant(AMOUNT, key="least_value", label="least value", sentence="The least value that a person "
                      "can have.")
GREATEST_VALUE = variant(AMOUNT, key="greatest_value", label="greatest value", sentence="The greatest value that a "
                         "person can have.")
LOWER_CLIP = variant(AMOUNT, key="lower_bound", symbol="L", label="lower bound L", sentence="What is below is raised "
                      "to it.")
UPPER_CLIP = variant(AMOUNT, key="upper_bound", symbol="U", label="upper bound U", sentence="What is above is lowered "
                      "to it.")
SUM_NOISE_VARIANCE = Quantity("sum_noise_variance", "σ²", "variance of the noise in the sum", "Variance of the noise "
                              "that is added to the sum of the clipped values.", NONNEGATIVE)
UNIT_VARIANCE = Quantity("unit_variance", "v", "variance of the noise at U = 1", "Variance of the noise in the sum by "
                         "the square of the upper bound: vU².", reals(0, 1e150))
RELEASE_BIAS = Quantity("release_bias", "B", "bias of the release", "How far the released number is off on average.",
                        _FINITE)
NOISE_STEP = Quantity("noise_step", "g", "step of the noise", "What one unit of the noise adds to the released number.",
                      reals(1e-140, 1e140))
