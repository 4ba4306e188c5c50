"""The exact tables of the response study: over the prior, over the second coin, and over estimates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.declare import Array
from dpstudio.core.results import Column, Series, Table, Window
from dpstudio.mechanisms.response import coin_theta1
from dpstudio.studies.kit.attack import belief_columns
from dpstudio.studies.response import figures as f
from dpstudio.studies.response.compare import Compared

if TYPE_CHECKING:
    from dpstudio.studies.response import Response as Study

POINTS = 201
SPREAD = 4.5
"""Standard deviations to either side that a picture of estimates shows."""
DETAIL = 161
"""Further points across each series’ own estimates, which may be far narrower than the window."""
NEAREST = 1e-9
"""How near to 0 and 1 a prior is taken: at the ends themselves no answer changes anything."""
LARGEST = 700.0
"""ε beyond which a line on the map is the edge itself."""


def estimates_window(study: Study, responses: Mapping[Series, Compared]) -> Window:
    """The estimates that a survey is likely to arrive at, debiased or raw."""
    chosen = responses[f.CHOSEN]
    ends = [_stretch(chosen.yes, chosen, 1.0)]
    if chosen.informative:
        ends.append(_stretch(study.prevalence, chosen, chosen.theta1))
    return min(low for low, _ in ends), max(high for _, high in ends)


def _stretch(centre: float, one: Compared, slope: float) -> Window:
    half = (SPREAD * one.count_sd + 1.5) / one.people / slope
    return centre - half, centre + half


def _unit_grid(window: Window, ends: float = 0.0) -> Array:
    low, high = (min(max(end, 0.0), 1.0) for end in window)
    return np.clip(np.linspace(low, high, POINTS), ends, 1 - ends)


def prior_table(window: Window, responses: Mapping[Series, Compared]) -> Table:
    """Posteriors and probabilities of “yes” at each prior, with the band of ε; an impossible answer has no column."""
    prior = _unit_grid(window, NEAREST)
    columns: dict[Column, Array] = {f.X_PRIOR: prior}
    for series, one in responses.items():
        response = one.response
        for quantity, answer in ((v.POSTERIOR_YES, True), (v.POSTERIOR_NO, False)):
            if possible(response.yes_if_yes + response.yes_if_no if answer else
                        response.no_if_yes + response.no_if_no):
                columns[Column(quantity, series)] = np.asarray(response.posterior(prior, answer))
        columns[Column(v.ANSWER_YES, series)] = np.asarray(response.answer_probability(prior))
    return Table(columns | belief_columns(prior, responses[f.CHOSEN].response.epsilon, f.CHOSEN)
                 | {Column(v.ANSWERS_AS_PRIOR): prior})


def possible(probability: float) -> bool:
    """Whether an answer of such probability can be met with at all; products with smaller ones are no numbers."""
    return probability > 1e-290


def coins_table(window: Window, responses: Mapping[Series, Compared]) -> Table:
    """θ₁ for each θ₂ at several ε, today’s among them, and where the responses are."""
    theta2 = _unit_grid(window)
    chosen = responses[f.CHOSEN]
    epsilon = min(chosen.response.epsilon, LARGEST)
    columns: dict[Column, Array] = {f.X_COIN2: theta2}
    for series, level in (*f.LEVELS.items(), (f.CHOSEN, epsilon)):
        columns[Column(v.THETA1, series)] = np.asarray(coin_theta1(level, theta2))
    for series, one in ((f.CHOSEN, chosen), (f.BEST, responses.get(f.BEST))):
        if one is not None:
            columns[Column(v.COIN2, series)] = np.full(theta2.shape, one.theta2)
            columns[Column(v.COIN1, series)] = np.full(theta2.shape, one.theta1)
    return Table(columns)


def estimates_table(window: Window, study: Study, responses: Mapping[Series, Compared]) -> Table:
    """How likely each estimate is against the likeliest one: a step for every number of “yes”."""
    chosen = responses[f.CHOSEN]
    stretches = [_stretch(chosen.yes, chosen, 1.0),
                 *(_stretch(study.prevalence, one, one.theta1) for one in responses.values() if one.informative)]
    spread = np.concatenate([np.linspace(*window, 2 * POINTS), *(np.linspace(*ends, DETAIL) for ends in stretches)])
    x = np.unique(spread[(spread >= window[0]) & (spread <= window[1])])
    columns: dict[Column, Array] = {f.X_ESTIMATE: x}
    for series, one in responses.items():
        if one.informative:
            count = one.people * (one.response.yes_if_no + one.response.difference * x)
            columns[Column(v.ESTIMATE_RELATIVE, series)] = one.relative(np.rint(count))
    columns[Column(v.ESTIMATE_RELATIVE, f.RAW)] = chosen.relative(np.rint(chosen.people * x))
    return Table(columns)
