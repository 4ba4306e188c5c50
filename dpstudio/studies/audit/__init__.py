"""Auditing a claim of privacy by sampling: what can be proved against it from draws alone?"""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.study import Preset, Study
from dpstudio.studies.audit.figures import FIGURES
from dpstudio.vocabulary import integers, reals

DECISION, AFTER = "Decisions", "Post-processing"
_STEEP = ("laplace_decision", "generalized_decision", "gaussian_decision")
_WITH_DELTA = ("mechanism", "generalized_decision", "gaussian_decision", "gaussian_count")
_WITH_MINIMUM = ("mechanism", *_STEEP, "cutoff_decision", "wrong_delta")


@dataclass(frozen=True)
class Audit(Study):
    """Draw from a mechanism on two neighbouring datasets, and certify an ε that it has at least."""

    key = "audit"
    place = 8
    title = "Audit"
    question = "Does it keep what it claims?"
    relation = "neighbours are n and n + 1 records of one person each; of a response, no and yes as one person’s truth"
    figures = FIGURES
    presets = (
        Preset("honest", "An honest count", "Laplace noise on a count at ε = 1: the certificate climbs towards 1 and, "
               "with the stated confidence, stays below it.",
               {"mechanism": "laplace_count", "epsilon": 1.0, "records": 0}),
        Preset("sensitivity", "Sensitivity off by two", "Laplace noise for half the true sensitivity claims ε = 1 and "
               "has 2.",
               {"mechanism": "wrong_sensitivity", "epsilon": 1.0, "records": 0}),
        Preset("delta", "The δ of > reported for ≥", "A group is published where its noisy count is ≥ 5, with the δ "
               "of > 5.",
               {"mechanism": "wrong_delta", "epsilon": 1.0, "records": 0, "minimum": 5}),
        Preset("shared", "Two releases, one noise", "The same noise twice: the difference of the two is no secret.",
               {"mechanism": "wrong_shared_noise", "epsilon": 1.0, "records": 0}),
        Preset("plain", "Debiased, never randomized", "An estimate corrected for coins that nobody threw.",
               {"mechanism": "wrong_not_randomized", "epsilon": 1.0, "records": 0}),
        Preset("rounded", "Rounding does no harm", "An honest count rounded to multiples of 5: ε stays 1, and it "
               "takes more draws to see.",
               {"mechanism": "laplace_count", "epsilon": 1.0, "records": 0, "processing": "rounding",
                "processing_at": 5.0}),
    )

    mechanism: str = parameter(v.AUDITED, "laplace_count")
    epsilon: float = parameter(v.EPSILON, 1.0, domain=reals(1e-3, 20), shown=(0.01, 10),
                               ends=("more private", "more useful"))
    delta: float = parameter(v.DELTA, 1e-6, domain=reals(1e-15, 0.5), shown=(1e-12, 0.1),
                             ends=("more private", "more useful"), when=_WITH_DELTA)
    records: int = parameter(v.FEWER_RECORDS, 0, domain=integers(0, 10**6), shown=(0, 20))
    confidence: float = parameter(v.CONFIDENCE, 0.99, domain=reals(0.5, 1 - 1e-9), shown=(0.9, 0.9999),
                                  ends=("bolder", "surer"))
    minimum: int = parameter(v.MINIMUM, 5, domain=integers(1, 10**6), shown=(1, 20), group=DECISION,
                             when=_WITH_MINIMUM)
    target: float = parameter(v.TARGET, 0.5, domain=reals(1e-9, 1 - 1e-9), shown=(0.01, 0.99), group=DECISION,
                              when=("mechanism", *_STEEP))
    processing: str = parameter(v.PROCESSING, "none", group=AFTER)
    processing_at: float = parameter(v.PROCESSING_AT, 1.0, domain=reals(1e-3, 1e6), shown=(0.1, 100), group=AFTER,
                                     when=("processing", "rounding", "clamping", "thresholding"))
    trials: int = parameter(v.DRAWS, 1_000_000, domain=integers(1, 10**9), shown=(1e3, 1e9), group="Simulation",
                            ends=("sooner done", "more precise"))
    seed: int = parameter(v.SEED, 0, shown=(0, 999), group="Simulation")
