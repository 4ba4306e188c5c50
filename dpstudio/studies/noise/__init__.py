"""Noise on the answer of a query: how much it takes, and what an attacker can still find out."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio import vocabulary as v
from dpstudio.core.declare import Follow, parameter
from dpstudio.core.study import Preset, Study
from dpstudio.studies.noise.figures import FIGURES
from dpstudio.vocabulary import integers, reals


@dataclass(frozen=True)
class Noise(Study):
    """Compare Laplace, geometric and Gaussian noise on a query of a given sensitivity."""

    key = "noise"
    place = 3
    title = "Noise"
    question = "How much noise hides one record?"
    figures = FIGURES
    presets = (
        Preset("without_root", "A lost square root", "At ε = 0.5, δ = 1e−5 the thesis chapter’s σ, its square root "
               "lost, is 6.68 times the least one.",
               {"epsilon": 0.5, "delta": 1e-5, "sensitivity": 1.0}),
        Preset("count", "A count", "One record moves a count by one; no δ is spent.",
               {"epsilon": 1.0, "delta": 0.0, "sensitivity": 1.0}),
        Preset("many_sums", "A thousand sums", "One record moves each of 1 000 coordinates a little: ℓ₂ is far below "
               "ℓ₁, and Gaussian noise is least.",
               {"epsilon": 1.0, "delta": 1e-6, "sensitivity": 1000.0, "sensitivity_l2": 32.0, "dimension": 1000}),
        Preset("large_epsilon", "The classical σ fails", "At δ = 1e−5 the classical σ keeps its δ up to ε = 8.42, and "
               "here no longer.",
               {"epsilon": 12.0, "delta": 1e-5, "sensitivity": 1.0}),
    )

    epsilon: float = parameter(v.EPSILON, 1.0, domain=reals(1e-6, 20), shown=(1e-3, 10),
                               ends=("more private", "more useful"))
    delta: float = parameter(v.DELTA, 1e-6, domain=reals(0, 0.5), shown=(1e-12, 0.1),
                             ends=("more private", "more useful"))
    sensitivity: float = parameter(v.L1_SENSITIVITY, 1.0, domain=reals(1e-6, 1e6), shown=(0.01, 1000),
                                   ends=("less noise", "more noise"))
    sensitivity_l2: float = parameter(v.L2_SENSITIVITY, Follow("sensitivity"), domain=reals(1e-6, 1e6),
                                      shown=(0.01, 1000), ends=("less noise", "more noise"))
    dimension: int = parameter(v.DIMENSION, 1, domain=integers(1, 10**9), shown=(1, 1e4),
                               ends=("one number", "many numbers"))
    belief: float = parameter(v.BELIEF, 0.5, domain=reals(1e-9, 1 - 1e-9), shown=(0.001, 0.999),
                              ends=("thinks it absent", "thinks it there"))
    trials: int = parameter(v.ANSWER_TRIALS, 1_000_000, domain=integers(1, 10**9), shown=(1e3, 1e9),
                            group="Simulation", ends=("sooner done", "more precise"))
    seed: int = parameter(v.SEED, 0, shown=(0, 999), group="Simulation")
