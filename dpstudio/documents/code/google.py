"""Scripts for Google's library, as python-dp has it: Laplace noise, Gaussian noise, partition selection."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpstudio.documents.code.plan import NoisyRelease, Release, Selection, Steepest
from dpstudio.documents.code.script import Script
from dpstudio.mechanisms.decision import EpsilonDecision, GeneralizedDecision
from dpstudio.text.numbers import plain

NAME, NEEDS = "Google’s library", "python-dp>=1.1.5,<2"
HAS: tuple[type[Release], ...] = (NoisyRelease, Steepest, Selection)
SELECTING = ("from pydp.algorithms.partition_selection import create_partition_strategy",)
LEAST_DELTA, MOST_RECORDS = 1e-290, 2**31 - 1
"""A smaller δ is lost in its doubles, and its pre-threshold is a whole number of 32 bits."""
SAME = 1e-12
ROUNDED = ("Google’s library has no geometric noise: to whole numbers it adds Laplace noise that it rounds. Nearest, "
           "and written here: that, which keeps the same ε, for rounding tells no more, and is a little wider.")
ROUNDED_GAUSSIAN = ("Google’s library has no discrete Gaussian noise: to whole numbers it adds Gaussian noise that it "
                    "rounds. Nearest, and written here: that, with a σ that it finds itself for the same ε and δ.")
STATED = "the library states what its noise was made for, and has no accounting of its own"


def script(plan: Release) -> Script:
    """The plan as the library does it, or what is nearest."""
    if isinstance(plan, Steepest):
        return _steepest(plan)
    if isinstance(plan, Selection):
        return Script(plan, SELECTING, (
            f'selection = create_partition_strategy("{plan.kind}", EPSILON, DELTA, PARTITIONS)',),
            (f"ε and δ of all groups of a person: {STATED}.", "return selection.epsilon, selection.delta"),
            (("PARTITIONS", plan.partitions, "groups that one person may be in, at most"),))
    assert isinstance(plan, NoisyRelease)
    return _noisy(plan)


def _noisy(plan: NoisyRelease) -> Script:
    if plan.where_wider and (plan.whole or plan.is_gaussian) and not plan.own_sigma:
        plan = replace(plan, constants=plan.where_wider)
    functions = plan.functions
    if plan.several:
        functions = (functions[0].ending(f"return [noise({plan.number}(each)) for each in answer]"), *functions[1:])
    mechanism = "GaussianMechanism" if plan.is_gaussian else "LaplaceMechanism"
    imports = (f"from pydp.algorithms.numerical_mechanisms import {mechanism}",)
    moves = ("MOVES", plan.moves, "how far a neighbour moves what noise is added to")
    if not plan.is_gaussian:
        how = "rounded, for the number is an int" if plan.whole else "continuous, for the number is a float"
        made = ("mechanism = LaplaceMechanism(epsilon=EPSILON, sensitivity=MOVES)",
                f"noise = mechanism.add_noise  # {how}")
        if plan.whole:
            plan = replace(plan, nearest=ROUNDED)
        return Script(plan, imports, made, (f"ε and δ of one call: {STATED}.", "return mechanism.epsilon, 0.0"),
                      (moves,), functions)
    if plan.own_sigma:
        return Script(plan, imports, ("mechanism = GaussianMechanism.create_from_standard_deviation(SIGMA)",
                                      "noise = mechanism.add_noise"), (),
                      (("SIGMA", plan.scale, "standard deviation of the noise"), moves), functions,
                      ("Google’s library does not account for a standard deviation that it is given.",))
    if plan.whole:
        plan = replace(plan, nearest=ROUNDED_GAUSSIAN)
    how = "  # rounded, for the number is an int" if plan.whole else ""
    made = (f"mechanism = GaussianMechanism(EPSILON, {plan.delta_name}, MOVES)", f"noise = mechanism.add_noise{how}")
    says = () if plan.whole else (f"The library finds σ itself, at most 0.1 % above the least one, "
                                  f"{plain(plan.scale)}, which DP Studio computes with.",)
    return Script(plan, imports, made, (f"ε and δ of one call: {STATED}.", "return mechanism.epsilon, mechanism.delta"),
                  (*plan.claims, moves), functions, says)


def _steepest(plan: Steepest) -> Script:
    decision = plan.decision
    delta = decision.claimed_delta
    if delta < LEAST_DELTA:
        return _noisy(plan.otherwise("The library selects partitions, which is the steepest decision, with δ > 0 "
                                     "alone."))
    from_none = GeneralizedDecision(decision.epsilon, delta, 0, 0.0)
    wanted = float(decision.accept_probability(plan.minimum))
    step = int(from_none.smallest_n(wanted))
    through = [each for each in (step, step - 1) if _same(decision, plan.minimum, from_none, each)]
    says: tuple[str, ...] = ("Partition selection by the truncated geometric distribution is the steepest decision "
                             "that begins with probability δ (Desfontaines et al. 2022).",)
    if through:
        step = through[0]
        says += tuple(filter(None, (plan.exactly,)))
    else:
        if wanted < 1:  # rather too few than too many are accepted
            step = max(step - 1, 1)
        plan = replace(plan, nearest=f"{plan.nearest} {_beside(plan, from_none, step)}".lstrip())
    first = plan.minimum - step + 1
    added = max(0, 1 - first)
    if first + added > MOST_RECORDS:
        return _noisy(plan.otherwise("The library’s partition selection begins at 2 147 483 647 records at most."))
    rows = f"len(rows) + {added}" if added else "len(rows)"
    function = plan.functions[0].ending(f"return selection.should_keep({rows})")
    constants = (("CLAIMED", delta, "δ that the selection is made for"),
                 ("PRE_THRESHOLD", first + added, "where the probability is δ; below, it is 0"
                  + (f" (of {added} more than there are, for it must be 1 or more)" if added else "")))
    return Script(plan, SELECTING, (
        'selection = create_partition_strategy("truncated_geometric", EPSILON, CLAIMED, 1, PRE_THRESHOLD)',),
        (f"ε and δ of one call: {STATED}.", "return selection.epsilon, selection.delta"), constants, (function,), says)


def _same(one: EpsilonDecision, at: int, other: EpsilonDecision, there: int) -> bool:
    """Whether both are as likely to accept so many records, and one record fewer."""
    if there < 1:
        return False
    back = np.arange(2)
    return bool(np.allclose(one.accept_probability(at - back), other.accept_probability(there - back), SAME, SAME))


def _beside(plan: Steepest, from_none: GeneralizedDecision, step: int) -> str:
    """What is accepted instead, at the minimum or, where that is certain, below it."""
    back = 1 if float(from_none.accept_probability(step)) == 1 else 0
    found, wanted = (float(each) for each in (from_none.accept_probability(step - back),
                                              plan.decision.accept_probability(plan.minimum - back)))
    return ("The library’s partition selection takes the same steps, but does not pass through this point. Nearest: "
            f"{plan.minimum - back} records are accepted with probability {plain(found)} instead of {plain(wanted)}, "
            "under the same guarantee.")
