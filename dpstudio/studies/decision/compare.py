"""The mechanisms that the study compares, built from its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpstudio.core.results import Series
from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    Decision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.studies.decision.figures import CUTOFF, GAUSSIAN, GENERALIZED, LAPLACE, MATCHED

if TYPE_CHECKING:
    from dpstudio.studies.decision import Decision as Study


def compared(study: Study) -> dict[Series, Decision]:
    """The decisions by series, in the order of every table.

    Without δ there is no Gaussian decision: no μ > 0 gives (ε, 0).
    """
    epsilon, delta, minimum, target = study.epsilon, study.delta, study.minimum, study.target
    cutoff = CutoffExponentialDecision(epsilon, minimum)
    decisions: dict[Series, Decision] = {
        LAPLACE: LaplaceDecision.for_target(epsilon, minimum, target),
        CUTOFF: cutoff,
        GENERALIZED: GeneralizedDecision(epsilon, delta, minimum, target),
    }
    if delta > 0:
        decisions[GAUSSIAN] = GaussianDecision.for_guarantee(epsilon, delta, minimum, target)
    decisions[MATCHED] = GeneralizedDecision(epsilon, float(cutoff.delta_at(epsilon)), minimum, 1.0, 0.0)
    return decisions
