"""What can be audited, in one table.

A mechanism is added by one line in `MECHANISMS` (and its name in the vocabulary's `AUDITED`): its title and how it is
built from the study's parameters, which say themselves where they matter. What it builds is a `Subject` that is drawn
with the mechanism's own sampler, beside the ε and δ that are claimed for it. `wrong` says what is wrong with one that
claims too much.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial

from dpstudio.mechanisms.composition import subsampled
from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    Decision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
    geometric_selection,
)
from dpstudio.mechanisms.noise import (
    DiscreteGaussianNoise,
    GaussianNoise,
    GeometricNoise,
    LaplaceNoise,
    Noise,
    SnappedLaplace,
)
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.mechanisms.shuffle import ShuffledResponse, most_local
from dpstudio.mechanisms.watch import AboveThreshold
from dpstudio.models.auditing.computed import LowBits, SaidBare, SaidNow, SnappedCount
from dpstudio.models.auditing.people import KeptRows, SampledCount, ShuffledCount
from dpstudio.models.auditing.subject import (
    Answered,
    Decided,
    NoisyCount,
    PublishedGroup,
    SharedNoise,
    Subject,
    Unrandomized,
)
from dpstudio.records import dataclass
from dpstudio.studies import audit as f

Claim = tuple[float, float]
_CLAMP = 2.0**24
"""Snapping clamps counts here, beyond all that are audited."""
Built = tuple[Subject, Claim]


@dataclass(frozen=True, slots=True)
class Audited:
    """One line of the table."""

    title: str
    build: Callable[[f.Audit], Built]
    outcome: str = "an answer"
    wrong: str = ""
    sides: tuple[str, str] = ("without the record", "with the record")
    """What the two datasets are, of n records and of n + 1."""


def _decision(study: f.Audit, kind: type[Decision]) -> Built:
    """A decision made for ε, and for δ where it needs one; else it claims its own."""
    decision = kind.for_guarantee(study.epsilon, study.delta, study.minimum, study.target)
    return Decided(decision, study.records), (study.epsilon,
                                              study.delta if kind.needs_delta else decision.claimed_delta)


def _partition_selection(study: f.Audit) -> Built:
    decision = geometric_selection(study.epsilon, study.delta)
    # Noise of whole reach need not spend all of δ: what it does spend is claimed.
    return Decided(decision, study.records), (study.epsilon, decision.delta)


def _pure(subject: Callable[[f.Audit], Subject]) -> Callable[[f.Audit], Built]:
    """What claims ε, and spends no δ."""
    return lambda study: (subject(study), (study.epsilon, 0.0))


def _count(noise: Callable[[float], Noise]) -> Callable[[f.Audit], Built]:
    """A count with noise that is made for ε."""
    def subject(study: f.Audit) -> Subject:
        made = noise(study.epsilon)
        return NoisyCount(made, study.records, made)

    return _pure(subject)


def _gaussian_count(study: f.Audit) -> Built:
    noise = GaussianNoise.analytic(study.epsilon, study.delta, 1.0)
    subject = NoisyCount(noise, study.records, noise, study.epsilon * noise.sigma**2, study.delta)
    return subject, (study.epsilon, study.delta)


def _discrete_gaussian_count(study: f.Audit) -> Built:
    noise = DiscreteGaussianNoise.for_guarantee(study.epsilon, study.delta, 1.0)
    # The last whole number before the ratio reaches e^ε, and ½: cells end between whole numbers.
    knee = math.floor(study.epsilon * noise.sigma**2) + 0.5
    return NoisyCount(noise, study.records, noise, knee, study.delta), (study.epsilon, study.delta)


def _sampled(study: f.Audit, claimed: float) -> Built:
    noise = LaplaceNoise.calibrate(study.epsilon, 1.0)
    return SampledCount(noise, study.records, noise, rate=study.rate), (claimed, 0.0)


def _wrong_sensitivity(study: f.Audit) -> Subject:
    noise, claimed = (LaplaceNoise.calibrate(study.epsilon, sensitivity) for sensitivity in (0.5, 1.0))
    return NoisyCount(noise, study.records, claimed)


def _wrong_delta(study: f.Audit) -> Built:
    noise = GeometricNoise(study.epsilon)
    return PublishedGroup(noise, study.records, study.minimum), (study.epsilon, float(noise.tail(float(study.minimum))))


def _rows(study: f.Audit, at_most: int, hidden: int) -> Subject:
    """Rows, at most so many of each person, with noise for a count that moves by `hidden` of them."""
    noise = LaplaceNoise.calibrate(study.epsilon, hidden)
    return KeptRows(noise, study.records, f.ROWS, at_most, noise)


_PERSONS = ("without the person", "with the person")

_ONE_OF_ALL = "where one person is a no", "where all are a yes"

GROUPS = 1000
"""So many groups hide a person together, where each is published alone."""


def _shuffled(study: f.Audit, groups: int = 1) -> Built:
    people = study.records + 1
    local = float(most_local(groups * people, study.epsilon, study.delta))
    return ShuffledCount(ShuffledResponse(local, people), study.epsilon), (study.epsilon, study.delta)


def _watched(kind: type[SaidNow]) -> Callable[[f.Audit], Built]:
    return _pure(lambda s: kind(AboveThreshold(s.epsilon, float(s.minimum)), s.records))


MECHANISMS: Mapping[str, Audited] = {
    "laplace_decision": Audited("The Laplace decision", partial(_decision, kind=LaplaceDecision)),
    "cutoff_decision": Audited("The cutoff exponential decision", partial(_decision, kind=CutoffExponentialDecision)),
    "generalized_decision": Audited("The generalized decision", partial(_decision, kind=GeneralizedDecision)),
    "gaussian_decision": Audited("The Gaussian decision", partial(_decision, kind=GaussianDecision)),
    "partition_selection": Audited("Groups selected by truncated geometric noise", _partition_selection),
    "response": Audited("Randomized response",
                        _pure(lambda s: Answered(RandomizedResponse.symmetric(s.epsilon))),
                        sides=("where the truth is no", "where the truth is yes")),
    "laplace_count": Audited("Laplace noise on a count",
                             _count(lambda epsilon: LaplaceNoise.calibrate(epsilon, 1.0)), "a noisy count"),
    "geometric_count": Audited("Geometric noise on a count", _count(GeometricNoise), "a noisy count"),
    "gaussian_count": Audited("Gaussian noise on a count", _gaussian_count, "a noisy count"),
    "discrete_gaussian_count": Audited("Discrete Gaussian noise on a count", _discrete_gaussian_count,
                                       "a noisy count"),
    "snapped_count": Audited("Snapped Laplace noise on a count",
                             _pure(lambda s: SnappedCount(SnappedLaplace(s.epsilon, _CLAMP), s.records)),
                             "a noisy count"),
    "bounded_rows": Audited("Laplace noise on rows, at most 2 of each person", _pure(lambda s: _rows(s, 2, 2)),
                            "a noisy count", sides=_PERSONS),
    "shuffled_responses": Audited("Shuffled responses", _shuffled, "a number of yes",
                                  sides=_ONE_OF_ALL),
    "sampled_count": Audited("Laplace noise on a count of a sample",
                             lambda study: _sampled(study, float(subsampled(study.epsilon, 0.0, study.rate)[0])),
                             "a noisy count"),
    "above_threshold": Audited("AboveThreshold, the record counted at the second of two times",
                               _watched(SaidNow), "an answer"),
    "wrong_sensitivity": Audited("Laplace noise for half the sensitivity", _pure(_wrong_sensitivity), "a noisy count",
                                 "What is wrong: the noise is made for a count that moves by ½, and it moves by 1, so "
                                 "the true ε is twice the claim."),
    "wrong_delta": Audited("A group published where its noisy count is ≥ m", _wrong_delta,
                           "an answer",
                           "What is wrong: the group is published where its noisy count is ≥ m, and the δ reported is "
                           "that of > m, e^ε times too small; only the pair of no record and one shows it, because a "
                           "group of nobody is never published."),
    "wrong_shared_noise": Audited("Two releases with one noise",
                                  _pure(lambda s: SharedNoise(GeometricNoise(s.epsilon / 2), s.records)),
                                  "a difference",
                                  "What is wrong: the count before and after has ε/2 each, which adds up to ε only "
                                  "with noise of their own; the same noise cancels in the difference, which shows for "
                                  "certain whether a record came."),
    "wrong_not_randomized": Audited("An estimate debiased from plain answers",
                                    _pure(lambda s: Unrandomized(RandomizedResponse.symmetric(s.epsilon), s.records)),
                                    "an estimate",
                                    "What is wrong: the estimate is corrected for coins that nobody threw; "
                                    "without the correction it is the plain count of yes."),
    "wrong_floating": Audited("Laplace noise in plain floating point",
                              _pure(lambda s: LowBits(LaplaceNoise.calibrate(s.epsilon, 1.0).scale, s.records)),
                              "an answer",
                              "What is wrong: noise that keeps ε as a real number does not in double precision; n + 1 "
                              "records release numbers that n cannot, and the answer is “yes” where the last bits of a "
                              "noisy count prove that."),
    "wrong_rows": Audited("Rows counted as if each were a person’s only one", _pure(lambda s: _rows(s, f.ROWS, 1)),
                          "a noisy count",
                          "What is wrong: the noise is made for one row, and every person has five, all of which "
                          "count: for a person the true ε is five times the claim.", sides=_PERSONS),
    "wrong_shuffled_groups": Audited("Shuffled responses, published by group",
                                     lambda study: _shuffled(study, GROUPS), "a number of yes",
                                     "What is wrong: the ε₀ of each answer is made for 1 000 such groups shuffled "
                                     "together, but the number of yes is published for each group; then only the "
                                     "others of that group hide a person.",
                                     sides=_ONE_OF_ALL),
    "wrong_sampled": Audited("A sample that is claimed to make qε of ε",
                             lambda study: _sampled(study, study.rate * study.epsilon), "a noisy count",
                             "What is wrong: a person who is drawn with probability q is said to have qε, but has "
                             "ln(1 + q(e^ε − 1)), which is more."),
    "wrong_threshold": Audited("A watch without noise on its counts", _watched(SaidBare),
                               "an answer",
                               "What is wrong: the threshold alone has noise, so that “yes” at the second of two "
                               "steps, at which nobody else came, proves that the record did; it was published as "
                               "ε-private for any number of steps."),
}
