"""Guarantees on the command line: what each series of a study promises, as JSON or in words."""

from __future__ import annotations

import math
import sys
from argparse import Namespace
from textwrap import wrap
from typing import Any

import numpy as np

from dpstudio.cli.request import session_of
from dpstudio.cli.talk import wants_json
from dpstudio.core.attacker import Attacker
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.risk import said_of
from dpstudio.core.study import Study, guarantees
from dpstudio.documents.tables import json_lines, json_number
from dpstudio.text.entry import read_number
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import Choice, integers

POINTS, MOST_POINTS = 41, 100_001
REACH = 2.5
"""Times the claimed ε, up to which a profile is given."""
_UP_TO = integers(2, MOST_POINTS)
_WIDTH = 100


def run_guarantee(options: Namespace) -> None:
    """Print the guarantees; raises InvalidParameter for a series without one, naming those there are."""
    study = session_of(options).study
    found, points = _asked(study, options.series), _points(options.points)
    if wants_json(options.format):
        made = [guarantee_object(key, one, study, points) for key, one in found.items()]
        sys.stdout.write(json_lines(made))
        return
    labels = {series.key: series.label for series in study.answers().series()}
    for key, one in found.items():
        said = f"{labels[key] if key else study.title}: {begun(one.promise)} {said_of(one, study)}"
        unit = f"{begun(one.relation.sentence)}. {begun(one.kind)}; {one.source.key}."
        sys.stdout.write("\n".join([*wrap(said, _WIDTH), *wrap(unit, _WIDTH)]) + "\n\n")


def guarantee_object(series: str | None, one: Guarantee, feared: Attacker, points: int = POINTS) -> dict[str, Any]:
    """A guarantee as plain objects, with δ(ε′) from 0 on and T(α) on [0, 1], and the risk of whom one fears."""
    reach = REACH * one.epsilon if 0 < one.epsilon < math.inf else 1.0
    epsilon, alpha = np.linspace(0.0, reach, points), np.linspace(0.0, 1.0, points)
    delta, beta = np.asarray(one.delta_at(epsilon)), np.asarray(one.trade_off(alpha))
    return {"series": series, "relation": one.relation.key, "unit": one.relation.unit,
            "sentence": one.relation.sentence, "epsilon": json_number(one.epsilon), "delta": json_number(one.delta),
            "mu": one.mu, "rho": one.rho, "kind": one.kind, "source": one.source.key, "holds": one.holds,
            "words": one.promise, "risk": said_of(one, feared),
            "profile": [list(pair) for pair in zip(epsilon.tolist(), delta.tolist(), strict=True)],
            "trade_off": [list(pair) for pair in zip(alpha.tolist(), beta.tolist(), strict=True)]}


def _asked(study: Study, series: str | None) -> dict[str | None, Guarantee]:
    found = guarantees(study)
    if series is None:
        return found
    if series not in found:
        named = tuple(key for key in found if key)
        raise InvalidParameter("series", Choice(named) if named else "left out: the study has one release", series)
    return {series: found[series]}


def _points(given: str | None) -> int:
    if given is None:
        return POINTS
    accepted = _UP_TO.accept(read_number(given))
    if accepted is None:
        raise InvalidParameter("points", _UP_TO, given)
    return int(accepted)
