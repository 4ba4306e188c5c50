"""Programmes drawn as binomials against the same programmes drawn person by person."""

from __future__ import annotations

import numpy as np
import pytest

from dpstudio.core.study import answer
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.models.policy import Arm, Counted, Policy, Programme, Regime, simulate
from dpstudio.studies.policy import Policy as Study

REPLICATES, BATCHES, SYMPTOMS, PEOPLE = 1_000, 50, 10, 200
WEIGHTS = -np.geomspace(10, 1, SYMPTOMS)
UNTREATED, TREATED = np.linspace(0.3, 0.5, SYMPTOMS), np.linspace(0.1, 0.2, SYMPTOMS)
POLICY = Policy(WEIGHTS, UNTREATED, TREATED, 0.5)
COUNTED = Counted(WEIGHTS, Arm(np.rint(100 * UNTREATED), 100), Arm(np.rint(100 * TREATED), 100))
RESPONSE = RandomizedResponse.symmetric(2.0)


def programmes(people=PEOPLE, replicates=REPLICATES):
    for _ in simulate(Programme(POLICY, COUNTED, people, BATCHES), (Regime(0.3, RESPONSE),), replicates,
                      np.random.default_rng(0)):
        pass


def person_by_person():
    """The same loop with one draw for each person and symptom; numpy draws a batch of them at once."""
    rng = np.random.default_rng(0)
    for _ in range(REPLICATES):
        sick = np.stack([arm.sick for arm in (COUNTED.untreated, COUNTED.treated)])
        joined, noise = np.full(2, 100.0), np.zeros((2, SYMPTOMS))
        for _ in range(BATCHES):
            noise += rng.laplace(0, 1 / 0.3, noise.shape)
            means = (1 + np.clip(sick + noise, 0, joined[:, None])) / (2 + joined[:, None])
            best = 2 * means[1] @ WEIGHTS - 0.5 > means[0] @ WEIGHTS
            act = rng.random(PEOPLE) < (RESPONSE.yes_if_yes if best else RESPONSE.yes_if_no)
            ill = rng.random((PEOPLE, SYMPTOMS)) < np.where(act[:, None], TREATED, UNTREATED)
            sick = sick + np.stack([ill[~act].sum(axis=0), ill[act].sum(axis=0)])
            joined += (np.count_nonzero(~act), np.count_nonzero(act))


def test_programmes_against_a_draw_for_each_person(ratio):
    ratio(f"{REPLICATES} × {BATCHES} batches × {SYMPTOMS} symptoms, against person by person", programmes,
          person_by_person, "0.1 ×", rounds=2)


@pytest.mark.parametrize("people", [10**6])
def test_a_batch_of_a_million_takes_no_longer(ratio, people):
    ratio("batches of 1 000 000 people against batches of 200", lambda: programmes(people, 200),
          lambda: programmes(PEOPLE, 200), "about 1", rounds=5)


@pytest.mark.parametrize("symptoms", [1, 10])
def test_the_exact_answer_of_the_policy_study(ratio, symptoms):
    n, study = np.linspace(0, 2000, 800), Study(symptoms=symptoms)
    ratio(f"exact answer of the policy study, d = {symptoms}, against 100 numpy.exp of 800",
          lambda: answer(study, simulate=False), lambda: [np.exp(-n) for _ in range(100)], "—")
