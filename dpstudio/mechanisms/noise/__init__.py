"""Noise added to the answer of a query: Laplace, two-sided geometric, staircase, Gaussian and discrete Gaussian.

Each is a frozen dataclass with its law in both tails, its privacy profile, its trade-off between an attacker's errors,
and a sampler. What computers make of them is in `exact`, `floating` and `snapping`.
"""

from dpstudio.mechanisms.noise.base import Noise
from dpstudio.mechanisms.noise.discrete import DiscreteGaussianNoise
from dpstudio.mechanisms.noise.doubles import SnappedLaplace
from dpstudio.mechanisms.noise.exponential import GeometricNoise, LaplaceNoise
from dpstudio.mechanisms.noise.gaussian import (
    GaussianNoise,
    analytic_sigma,
    classical_sigma,
    without_root_sigma,
)
from dpstudio.mechanisms.noise.staircase import StaircaseNoise

__all__ = ["DiscreteGaussianNoise", "GaussianNoise", "GeometricNoise", "LaplaceNoise", "Noise", "SnappedLaplace",
           "StaircaseNoise", "analytic_sigma", "classical_sigma", "without_root_sigma"]
