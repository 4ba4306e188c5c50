"""What a noisy count tells about a rate, and how wrong it is to take it at its word."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.study import Preset, Study
from dpstudio.studies.posterior.figures import FIGURES, GIVEN
from dpstudio.vocabulary import integers, reals


@dataclass(frozen=True)
class Posterior(Study):
    """The naive, the clamped and the noise-aware posterior of a rate, given a noisy count."""

    key = "posterior"
    place = 4
    title = "Posterior"
    question = "What does a noisy count tell, and can the posterior be trusted?"
    relation = "neighbours differ in the yes or no of one person; the number of people is public"
    figures = FIGURES
    presets = (
        Preset("at_its_word", "Taken at its word", "A hundred people, a flat prior: the clamped 95 % interval "
               "holds the rate in half of all cases.",
               {"epsilon": 0.1, "people": 100, "fraction": 0.3, "noisy_share": 0.4, "prior_a": 1.0, "prior_b": 1.0}),
        Preset("below_zero", "A count below zero", "There is no naive posterior; the noise-aware one is the same for "
               "every count below 0.",
               {"epsilon": 0.1, "people": 100, "fraction": 0.05, "noisy_share": -0.1}),
        Preset("twenty", "Twenty people", "At ε = 0.1 the clamped 95 % interval holds the rate in 4 of 10 cases.",
               {"epsilon": 0.1, "people": 20, "fraction": 0.3, "noisy_share": 0.45}),
        Preset("thousand", "A thousand people, little ε", "At ε = 0.01 one clamped interval in five holds the rate.",
               {"epsilon": 0.01, "people": 1000, "fraction": 0.3, "noisy_share": 0.42}),
        Preset("enough", "Noise that hardly matters", "A hundred thousand people at ε = 1: with and without noise "
               "posteriors are all but the same.",
               {"epsilon": 1.0, "people": 100_000, "fraction": 0.3, "noisy_share": 0.30002}),
    )

    epsilon: float = parameter(v.EPSILON, 0.1, domain=reals(1e-6, 50), shown=(1e-3, 10),
                               ends=("more private", "more useful"))
    people: int = parameter(v.PEOPLE, 100, domain=integers(1, 10**7), shown=(5, 1e6), ends=("cheaper", "more precise"))
    fraction: float = parameter(v.YES_FRACTION, 0.3, shown=(0, 1))
    release: str = parameter(v.RELEASE, "given")
    noisy_share: float = parameter(v.NOISY_SHARE, 0.4, domain=reals(-1e6, 1e6), shown=(-0.5, 1.5),
                                   ends=("noise took away", "noise added"), when=GIVEN)
    noise: str = parameter(v.COUNT_NOISE, "laplace")
    prior_a: float = parameter(v.PRIOR_A, 1.0, domain=reals(0.05, 1e6), shown=(0.1, 1000), group="Prior and interval")
    prior_b: float = parameter(v.PRIOR_B, 1.0, domain=reals(0.05, 1e6), shown=(0.1, 1000), group="Prior and interval")
    level: float = parameter(v.LEVEL, 0.95, domain=reals(0.5, 0.999), shown=(0.5, 0.999), group="Prior and interval")
    trials: int = parameter(v.SIMULATED, 20_000, domain=integers(1, 10**7), shown=(1e2, 1e6), group="Simulation",
                            ends=("sooner done", "more precise"))
    seed: int = parameter(v.SEED, 0, shown=(0, 999), group="Simulation")
