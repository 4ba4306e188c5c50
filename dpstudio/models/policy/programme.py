"""A policy over time: people arrive in batches, are acted upon or not, and are counted privately for the next batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.models.policy.utility import ROUNDING, Counted, Policy
from dpstudio.records import dataclass

CountUpdating = Literal["sequential", "retrain"]


@dataclass(frozen=True, slots=True)
class Regime:
    """What is private: the counts with Laplace noise of scale 1/ε or not at all, and the person's decision."""

    epsilon: float | None
    response: RandomizedResponse


@dataclass(frozen=True, eq=False)
class Programme:
    """Batches of people, the first decided upon by what was counted before.

    Before each batch the counts are released; whoever reads them acts where that looks better, and everybody's own
    decision passes through a randomized response, the only exploration there is. Sequential updating adds a noisy
    count of the last batch to the one before: each person is in one release, at ε. Retraining releases the whole count
    anew before each of the B batches, at ε/B. Counts are put back to [0, n] before they are read. The sizes of the two
    arms are public: they follow from what was done, and an arm that nobody joined has no new count to hide.
    [Our Utility, "Additively updating our model".]
    """

    truth: Policy
    counted: Counted
    people: int
    batches: int
    updating: CountUpdating = "sequential"


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch of every replicate, as arrays regime × replicate."""

    acted_best: npt.NDArray[np.bool_]
    """Whether the counts made acting look better."""
    utility: Array
    """Utility a person, of the symptoms that were had."""
    regret: Array
    """Utility lost a person, in expectation given how many were acted upon."""


def largest_variance(truth: Policy) -> float:
    """Variance of one person's utility given the action, the larger of both actions: Σ (f w)² π(1 − π)."""
    rates = np.stack([truth.untreated, truth.treated])
    loss = truth.weights * np.array([[1.0], [truth.factor]])
    return float((np.square(loss) * rates * (1 - rates)).sum(axis=1).max())


def simulate(programme: Programme, regimes: tuple[Regime, ...], replicates: int,
             rng: np.random.Generator) -> Iterator[Batch]:
    """Every batch in turn: a binomial for each arm and symptom, however many people arrive."""
    truth, counted, m = programme.truth, programme.counted, programme.people
    shape = len(regimes), replicates
    rates = np.stack([truth.untreated, truth.treated])
    loss = truth.weights * np.array([[1.0], [truth.factor]])
    noise = _Noise(programme, regimes, replicates)
    said_yes = np.array([[regime.response.yes_if_yes] for regime in regimes])
    said_no = np.array([[regime.response.yes_if_no] for regime in regimes])
    # Arms are the last but one axis: without action, and with it.
    arms = counted.untreated, counted.treated
    sick = np.broadcast_to(np.stack([arm.sick for arm in arms]), (*shape, *rates.shape)).copy()
    people = np.broadcast_to(np.array([arm.people for arm in arms]), (*shape, 2)).copy()
    prior = np.array([[arm.prior_sick] for arm in arms])
    pseudo = np.array([arm.prior_sick + arm.prior_well for arm in arms])
    arrived = people
    smallest = float(ROUNDING)
    for _ in range(programme.batches):
        released = np.clip(sick + noise.of_the_next(arrived, rng), 0, people[..., None])
        losses = ((prior + released) / (pseudo + people)[..., None] * loss).sum(axis=-1)
        gain = losses[..., 1] - losses[..., 0] - truth.cost
        best = gain > smallest * (truth.cost - losses.sum(axis=-1))
        acted = rng.binomial(m, np.where(best, said_yes, said_no))
        arrived = np.stack([m - acted, acted], axis=-1)
        ill = rng.binomial(arrived[..., None], rates)
        utility = ((ill * loss).sum(axis=(-1, -2)) - truth.cost * acted) / m
        wrong = (m - acted if truth.best_action else acted) / m
        yield Batch(best, utility, truth.gap * wrong)
        sick += ill
        people += arrived


class _Noise:
    """The noise in the running counts, release by release; other ways of updating need another `of_the_next` alone."""

    def __init__(self, programme: Programme, regimes: tuple[Regime, ...], replicates: int) -> None:
        self._programme = programme
        self._noisy = np.array([regime.epsilon is not None for regime in regimes])
        steps = programme.batches if programme.updating == "retrain" else 1
        scales = [steps / regime.epsilon for regime in regimes if regime.epsilon is not None]
        self._scale = np.array(scales).reshape(-1, 1, 1, 1)
        self._now = np.zeros((len(regimes), replicates, 2, len(programme.truth.weights)))

    def of_the_next(self, arrived: npt.NDArray[np.generic], rng: np.random.Generator) -> Array:
        """The noise in the counts that are released next, `arrived` people having joined each arm since the last."""
        drawn = rng.laplace(0.0, 1.0, (len(self._scale), *self._now.shape[1:])) * self._scale
        if self._programme.updating == "retrain":
            self._now[self._noisy] = drawn
        else:
            self._now[self._noisy] += drawn * (arrived[self._noisy] > 0)[..., None]
        return self._now
