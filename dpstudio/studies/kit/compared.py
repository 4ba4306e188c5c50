"""What several studies compare: noise on a number, and mechanisms named by their class or by where it stands."""

from __future__ import annotations

import pkgutil
from typing import TypeAlias, TypeVar

from dpstudio.core.guarantee import Guarantee, Relation
from dpstudio.core.results import Kind
from dpstudio.mechanisms.laws import moved
from dpstudio.mechanisms.mechanism import Mechanism
from dpstudio.mechanisms.noise import GaussianNoise, Noise

M = TypeVar("M", bound=Mechanism)
ClassOrPath: TypeAlias = type[M] | str
"""A class, or “module:Class”."""


def found(kind: ClassOrPath[M]) -> type[M]:
    """The class itself; raises ImportError or AttributeError where there is none."""
    return pkgutil.resolve_name(kind) if isinstance(kind, str) else kind


def promised_by(noise: Noise, distance: float, relation: Relation, epsilon: float, delta: float = 0.0,
                kind: Kind = "exact") -> Guarantee:
    """What a number with noise promises whoever moves it so far at most; of Gaussian noise its μ as well."""
    mu = distance / noise.sigma if isinstance(noise, GaussianNoise) else None
    return Guarantee(relation, epsilon, delta, moved(noise, distance), noise.loss_source, kind, mu)
