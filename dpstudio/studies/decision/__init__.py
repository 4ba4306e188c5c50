"""The stochastic decision: are there at least m records, answered without giving one record away?"""

from __future__ import annotations

import json
from dataclasses import dataclass

from dpstudio import vocabulary as v
from dpstudio.core.declare import Follow, parameter
from dpstudio.core.resources import resource
from dpstudio.core.study import Preset, Study
from dpstudio.studies.decision.figures import FIGURES
from dpstudio.vocabulary import integers, reals

_RAND = json.loads(resource("data/rand_hie_count.json").read_text("utf-8"))


@dataclass(frozen=True)
class Decision(Study):
    """Compare the ways of answering “are there at least m records?” under differential privacy."""

    key = "decision"
    place = 0
    title = "Decision"
    question = "Are there at least m records?"
    figures = FIGURES
    presets = (
        Preset("large_liberal", "100 000 records, liberal", "The example of “Implementation of Stochastic Decision”: "
               "ε = δ = 0.001, m = 100 000, p = 0.99.",
               {"minimum": 100_000, "epsilon": 1e-3, "delta": 1e-3, "target": 0.99, "records": 100_000}),
        Preset("large_conservative", "100 000 records, conservative", "The same with p = 0.01: how many records "
               "does it take to be accepted?",
               {"minimum": 100_000, "epsilon": 1e-3, "delta": 1e-3, "target": 0.01, "records": 107_825}),
        Preset("rand_hie", "RAND health insurance", f"{_RAND['title']}: {_RAND['records']} of {_RAND['all_records']}. "
               "Are there at least 650?",
               {"minimum": 650, "epsilon": 0.05, "delta": 1e-6, "target": 0.5, "records": _RAND["records"]}),
    )

    minimum: int = parameter(v.MINIMUM, 1_000, domain=integers(1, 10**9), shown=(10, 1e7),
                             ends=("asks for fewer", "asks for more"))
    epsilon: float = parameter(v.EPSILON, 0.1, domain=reals(1e-6, 20), shown=(1e-4, 10),
                               ends=("more private", "more useful"))
    delta: float = parameter(v.DELTA, 1e-6, domain=reals(0, 0.5), shown=(1e-12, 0.1),
                             ends=("more private", "more useful"))
    target: float = parameter(v.TARGET, 0.5, domain=reals(1e-9, 1 - 1e-9), shown=(0.001, 0.999),
                              named={"conservative": 0.01, "neutral": 0.5, "liberal": 0.99}, named_title="strategy",
                              ends=("fewer false yes", "fewer false no"))
    uncertain: float = parameter(v.TAIL, 0.01, domain=reals(0, 0.5, open="both"), shown=(1e-6, 0.4),
                                 ends=("surer", "narrower"))
    records: int = parameter(v.RECORDS, 1_020, domain=integers(0, 10**12), shown=(0, 1e7))
    prior: str = parameter(v.PRIOR, "uniform", group="Prior on N")
    prior_centre: float = parameter(v.PRIOR_CENTRE, Follow("minimum"), domain=reals(0, 1e12), shown=(1, 1e7),
                                    group="Prior on N")
    prior_width: float = parameter(v.PRIOR_WIDTH, Follow("minimum", 0.1), domain=reals(1e-3, 1e12), shown=(1, 1e7),
                                   group="Prior on N", ends=("surer of N", "less sure"),
                                   when=("prior", "uniform", "normal"))
    trials: int = parameter(v.TRIALS, 1_000_000, domain=integers(1, 10**9), shown=(1e3, 1e9), group="Simulation",
                            ends=("sooner done", "more precise"))
    seed: int = parameter(v.SEED, 0, shown=(0, 999), group="Simulation")
    zero_refused: bool = parameter(v.ZERO_REFUSED, False, group="Assumptions")
