"""Randomized response: what does one answer give away, and how many people make up for it?"""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.study import Preset, Study
from dpstudio.studies.response.figures import FIGURES
from dpstudio.vocabulary import integers, reals


@dataclass(frozen=True)
class Response(Study):
    """A yes or no answered with deliberate chance, of three kinds, against the best response of the same ε."""

    key = "response"
    place = 1
    title = "Response"
    question = "What does one randomized answer give away, and what do many tell?"
    relation = "neighbours differ in the truth of one person, who answers once"
    figures = FIGURES
    presets = (
        Preset("fair_coins", "Two fair coins", "The coins of the notes “Differential Privacy”, both fair, where one in "
               "ten is a yes: ε = ln 3.",
               {"design": "coins", "theta1": 0.5, "theta2": 0.5}),
        Preset("survey", "A survey of 1 000", "Two fair coins and a thousand people, half of whom are a yes.",
               {"design": "warner", "prevalence": 0.5, "people": 1_000}),
        Preset("lopsided", "A lopsided second coin", "θ₁ = ½ and θ₂ = 0.1: the truth is asked for as often as with "
               "fair coins, at more than twice the ε.",
               {"design": "coins", "theta1": 0.5, "theta2": 0.1}),
        Preset("nothing", "Answers that say nothing", "θ₁ = 0 makes p(y|y′) = p(y), the goal of the notes "
               "“Differential Privacy”.",
               {"design": "coins", "theta1": 0.0, "theta2": 0.5}),
    )

    design: str = parameter(v.DESIGN, "coins")
    epsilon: float = parameter(v.EPSILON_OR_ZERO, 1.0, domain=reals(0, 20), shown=(0.01, 10),
                               ends=("more private", "more useful"), when=("design", "symmetric"))
    theta1: float = parameter(v.THETA1, 0.5, shown=(0, 1), ends=("more private", "more useful"),
                              when=("design", "coins"))
    theta2: float = parameter(v.THETA2, 0.2, shown=(0, 1), ends=("“no” by chance", "“yes” by chance"),
                              when=("design", "coins"))
    prevalence: float = parameter(v.PREVALENCE, 0.1, shown=(0, 1))
    people: int = parameter(v.PEOPLE, 10_000, domain=integers(1, 10**12), shown=(10, 1e9),
                            ends=("cheaper", "more precise"))
    margin: float = parameter(v.MARGIN, 0.02, domain=reals(1e-9, 1), shown=(1e-4, 0.5),
                              ends=("more precise", "fewer people"))
    trials: int = parameter(v.SURVEYS, 100_000, domain=integers(1, 10**9), shown=(1e3, 1e9), group="Simulation",
                            ends=("sooner done", "more precise"))
    seed: int = parameter(v.SEED, 0, shown=(0, 999), group="Simulation")
