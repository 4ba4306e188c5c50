"""What asking again as N grows comes to: k answers of a decision together, by the best account that is known."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Series, Table
from dpstudio.core.sources import DR14, DRS22, KOV15, Source
from dpstudio.mechanisms import composition
from dpstudio.mechanisms.decision import GaussianDecision
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.studies.decision import figures as f
from dpstudio.text.numbers import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dpstudio.studies.decision import Decision as Study
    from dpstudio.studies.decision.compare import Compared

TIMES = np.array([1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000], dtype=np.float64)
WORTH = 0.1
"""A smaller ε is bought with more δ only where it saves more than this part."""


def together(study: Study, one: Compared, k: int) -> tuple[float, float, str, Source]:
    """(ε, δ) of k answers, how that is found, and by whom.

    (kε, 1 − (1 − δ)^k) holds of all (ε, δ)-DP mechanisms. The study's own δ is given away on top of it where that
    lowers ε by more than a tenth. Answers of a Gaussian decision are one release of √k times the sensitivity.
    """
    epsilon, delta = k * study.epsilon, _after(one.delta, k)
    if isinstance(one.decision, GaussianDecision) and not one.zero_refused and 0 < delta < 1:
        least = float(composition.gaussian(1 / one.decision.mu, 1.0, k, delta))
        if least < epsilon:
            return least, delta, f"√{k}·μ-GDP at δ = 1 − (1 − δ)^{k}", DRS22
    if _may_save(study.epsilon, k, study.delta):
        least = _optimal(study.epsilon, k, study.delta)
        if least < (1 - WORTH) * epsilon:
            return (least, delta + (1 - delta) * study.delta,
                    f"optimal composition at slack δ = {plain(study.delta)}: the least ε that holds of all (ε, δ)-DP "
                    "mechanisms", KOV15)
    if not delta:
        return epsilon, 0.0, f"{k}·ε: basic composition, which is optimal without δ", DR14
    return epsilon, delta, f"({k}·ε, 1 − (1 − δ)^{k}): optimal composition without slack", KOV15


def _after(delta: float, k: int) -> float:
    """1 − (1 − δ)^k."""
    return -math.expm1(k * math.log1p(-delta)) if delta < 1 else 1.0


def _may_save(epsilon: float, k: int, slack: float) -> bool:
    """Whether δ(ε′) of k responses can be within the slack at an ε′ worth it: its first term alone must be."""
    return -math.expm1(-WORTH * k * epsilon) / (1 + math.exp(-epsilon)) ** k <= slack


@lru_cache(maxsize=64)
def _optimal(epsilon: float, k: int, slack: float) -> float:
    return float(RandomizedResponse.symmetric(epsilon).epsilon_after(k, slack))


def asking_table(study: Study, decisions: Mapping[Series, Compared]) -> Table:
    """ε and δ of k answers for many k, by the account of each decision."""
    columns: dict[Column, Array] = {f.X_ASKED: TIMES}
    for series, one in decisions.items():
        accounts = [together(study, one, int(k)) for k in TIMES]
        columns[Column(v.COMPOSED_EPSILON, series)] = np.array([account[0] for account in accounts])
        columns[Column(v.COMPOSED_DELTA, series)] = np.array([account[1] for account in accounts])
    return Table(columns)
