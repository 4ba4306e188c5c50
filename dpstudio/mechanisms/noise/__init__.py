"""Noise added to the answer of a query: Laplace, geometric, staircase, canonical, Gaussian and discrete Gaussian.

Each is a frozen dataclass with its law in both tails, its privacy profile, its trade-off between an attacker's errors,
and a sampler; `base` derives what is not in closed form, `profile` has that of Gaussian noise. What computers make of
noise is in `exact` (drawn from random bits alone) and `doubles` (last bits, and snapping). Begin at `base`.
"""

from dpstudio.mechanisms.noise.base import Noise
from dpstudio.mechanisms.noise.canonical import CanonicalNoise
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

__all__ = ["CanonicalNoise", "DiscreteGaussianNoise", "GaussianNoise", "GeometricNoise", "LaplaceNoise", "Noise",
           "SnappedLaplace", "StaircaseNoise", "analytic_sigma", "classical_sigma", "without_root_sigma"]
