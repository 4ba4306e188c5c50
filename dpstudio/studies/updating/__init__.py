"""A count that grows batch by batch: how to release it after each, and what is left of the rate that it tells."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.study import Preset, Study
from dpstudio.studies.updating.figures import FIGURES
from dpstudio.vocabulary import integers, reals


@dataclass(frozen=True)
class Updating(Study):
    """Compare adding up noisy batch counts, counting again, the same with unequal shares, and a binary tree."""

    key = "updating"
    place = 5
    title = "Updating"
    question = "How should a model be updated, batch after batch?"
    relation = ("neighbours differ by one person, whose yes is counted or left out in every batch they are in; the "
                "sizes of the batches are public")
    figures = FIGURES
    presets = (
        Preset("ten", "Counting again", "Ten batches at ε = 1: counting again with ε/Q, which the notes "
               "expect to end with less noise, has ten times the variance, 200 against 20.",
               {"epsilon": 1.0, "batches": 10, "batch_people": 100, "who": "once"}),
        Preset("year", "A year, day by day", "365 batches at ε = 1: adding up ends with a variance of 730, "
               "counting again with 266 450.",
               {"epsilon": 1.0, "batches": 365, "batch_people": 100, "who": "once"}),
        Preset("tree", "Where the tree wins", "4 096 batches: the binary tree’s worst batch has half the variance of "
               "adding up’s, and its end a twenty-fourth.",
               {"epsilon": 1.0, "batches": 4096, "batch_people": 100, "who": "once"}),
        Preset("status", "A yes that comes and goes", "The same people every day, each counted once at most: here "
               "counting again wins by the number of batches.",
               {"epsilon": 1.0, "batches": 365, "batch_people": 10_000, "who": "status"}),
        Preset("visits", "Everybody in every batch", "The same people every day, and every yes counts: all "
               "strategies pay for it.",
               {"epsilon": 1.0, "batches": 365, "batch_people": 10_000, "who": "visits"}),
    )

    epsilon: float = parameter(v.EPSILON, 0.1, domain=reals(1e-6, 20), shown=(1e-3, 10),
                               ends=("more private", "more useful"))
    batches: int = parameter(v.BATCHES, 10, domain=integers(1, 20_000), shown=(1, 20_000),
                             ends=("few releases", "many releases"))
    who: str = parameter(v.MEMBERSHIP, "once")
    batch_people: int = parameter(v.BATCH_PEOPLE, 100, domain=integers(1, 10**9), shown=(1, 1e6),
                                  ends=("cheaper", "more precise"))
    rate: float = parameter(v.BATCH_RATE, 0.3, shown=(0, 1))
    share: float = parameter(v.LAST_SHARE, 0.5, domain=reals(0.01, 0.99), shown=(0.01, 0.99), group="Variants",
                             ends=("early", "at the end"))
    delta: float = parameter(v.UPDATE_DELTA, 1e-6, domain=reals(0, 0.5), shown=(1e-12, 0.1), group="Variants",
                             ends=("more private", "more useful"))
    trials: int = parameter(v.HISTORIES, 20_000, domain=integers(1, 10**7), shown=(1e2, 1e6), group="Simulation",
                            ends=("sooner done", "more precise"))
    seed: int = parameter(v.SEED, 0, shown=(0, 999), group="Simulation")
