"""Scripts for OpenDP: Laplace and Gaussian noise, canonical noise, a coin for each answer, choices, a quantile."""

from __future__ import annotations

import math
from dataclasses import replace

from dpstudio.documents.code import composed
from dpstudio.documents.code.composed import Composed
from dpstudio.documents.code.plan import MADE_FOR, Candidate, Coin, Naming, NoisyRelease, Release, Steepest
from dpstudio.documents.code.script import Script
from dpstudio.mechanisms.decision import EpsilonDecision

NAME, NEEDS = "OpenDP", "opendp>=0.16,<0.17"
HAS: tuple[type[Release], ...] = (NoisyRelease, Steepest, Coin, Naming, Candidate, Composed)
IMPORTS = "import opendp.prelude as dp", "", 'dp.enable_features("contrib")'
ONE = "dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)"
WHOLE = 'dp.atom_domain(T="i64"), dp.absolute_distance(T="i64")'
MOST_STEPS = 2000
"""OpenDP finds canonical noise by exact fractions, step by step: so many take a second, far more end the process."""
FAR = 2**40
"""A minimum above which nothing is clipped at 0 records."""
THRESHOLDS = ("Should the count go out along with a yes, by then_laplace_threshold or then_gaussian_threshold: OpenDP "
              "0.16 reports too small a δ for them (https://github.com/opendp/opendp/issues/2922). Give them the "
              "threshold + 1, and quote the δ reported for the threshold itself. This script does not use them.")


def script(plan: Release) -> Script:
    """The plan as OpenDP does it, or what is nearest."""
    match plan:
        case Composed():
            return composed.script(plan)
        case Steepest():
            return _steepest(plan)
        case Coin():
            return Script(plan, IMPORTS, ("flip = dp.m.make_randomized_response_bool(prob=TRUTHFUL)",),
                          ("ε and δ of one answer, as OpenDP accounts for them.", "return flip.map(1), 0.0"),
                          (("TRUTHFUL", plan.truthful, "probability of answering as it is"),))
        case Naming():
            return _naming(plan)
        case Candidate():
            return _candidate(plan)
    assert isinstance(plan, NoisyRelease)
    return _noisy(plan)


def _naming(plan: Naming) -> Script:
    measure = "zero_concentrated_divergence" if plan.gumbel else "max_divergence"
    account = ("ε and δ of one call, as OpenDP accounts for them.", "return choose.map(MOVES), 0.0")
    says = ("It adds exponential noise to each count, which is permute-and-flip.",)
    if plan.gumbel:
        account = ("ε of one call, by the ρ = ε²/8 that OpenDP accounts for, and δ.",
                   "return (8 * choose.map(MOVES)) ** 0.5, 0.0")
        says = ("It adds Gumbel noise to each count, which is the exponential mechanism.",)
    return Script(plan, IMPORTS, (
        'choose = dp.m.make_noisy_max(dp.vector_domain(dp.atom_domain(T="i64")),',
        f'                             dp.linf_distance(T="i64", monotonic={plan.one_way}), dp.{measure}(),',
        "                             scale=SCALE)"),
        account, (("SCALE", plan.moves * (1 if plan.one_way else 2) / plan.epsilon, "of the noise"),
                  ("MOVES", plan.moves, "how far a neighbour moves a count")), plan.functions, says)


def _candidate(plan: Candidate) -> Script:
    """Permute-and-flip among candidates, which is never worse than the exponential mechanism."""
    made = ("candidates = [LOWER + (UPPER - LOWER) * i / 1000 for i in range(1001)]",
            "drawn = dp.m.make_private_quantile(dp.vector_domain(dp.atom_domain(T=float, nan=False)),",
            "                                   dp.symmetric_distance(), dp.max_divergence(),",
            "                                   candidates=candidates, alpha=SHARE, scale=SCALE)")
    moves, moved = plan.rows * (1 + plan.replaced), max(plan.share, 1 - plan.share)
    says = ("OpenDP draws by permute-and-flip, which is never farther off than the exponential mechanism on the same "
            "candidates (McKenna & Sheldon 2020).",)
    if plan.replaced and moved > 0.5:
        says = ("OpenDP draws by permute-and-flip. To it a replaced row is one removed and one added, so that its "
                f"noise is {2 * moved:.4g} times what is needed: it may be farther off than DP Studio says.",)
    constants = (("SHARE", plan.share, "the quantile"), ("SCALE", 2 * moved * moves / plan.epsilon, "of its noise"),
                 ("MOVES", moves, "rows that are there or not, by which neighbours differ"))
    return Script(replace(plan, constants=()), IMPORTS, made,
                  ("ε and δ of one call, as OpenDP accounts for them.", "return drawn.map(MOVES), 0.0"),
                  (*plan.constants, *constants), None, says)


def _noisy(plan: NoisyRelease) -> Script:
    space = WHOLE if plan.whole else ONE
    functions = plan.functions
    if plan.several:
        atom, number = ('dp.atom_domain(T="i64")', '"i64"') if plan.whole else (
            "dp.atom_domain(T=float, nan=False)", "float")
        space = f"dp.vector_domain({atom}), dp.l{'2' if plan.is_gaussian else '1'}_distance(T={number})"
        functions = (functions[0].ending(f"return noise([{plan.number}(each) for each in answer])"), *functions[1:])
    maker = "make_gaussian" if plan.is_gaussian else "make_laplace"
    moves = int(plan.moves) if plan.whole else plan.moves
    scale = "standard deviation of the noise" if plan.is_gaussian else "of the noise: MOVES/EPSILON"
    constants = (*plan.claims, ("SCALE", plan.scale, scale),
                 ("MOVES", moves, "how far a neighbour moves what noise is added to"))
    account = ("ε and δ of one call, as OpenDP accounts for them.", "return noise.map(MOVES), 0.0")
    says: tuple[str, ...] = ()
    if plan.is_gaussian:
        account = ("ε at this δ of one call, as OpenDP accounts for them.",
                   f"return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(noise), {plan.delta_name}).map(MOVES)")
        says = ("OpenDP accounts for Gaussian noise by ρ = MOVES²/(2 SCALE²) of zero-concentrated differential "
                "privacy, and from there to ε: a true bound, larger than the exact ε that DP Studio states.",)
    elif plan.whole:
        says = ("Its noise on whole numbers is discrete Laplace noise.",)
    if plan.functions[0].name == "answer":
        says += (THRESHOLDS,)
    return Script(plan, IMPORTS, (f"noise = dp.m.{maker}({space}, scale=SCALE)",), account, constants, functions, says)


def _steepest(plan: Steepest) -> Script:
    decision = plan.decision
    if not decision.claimed_delta:
        return _noisy(plan.otherwise(
            "OpenDP’s canonical noise, which makes the steepest decision, needs δ > 0: version 0.16 ends the whole "
            "process where δ is 0."))
    steps = half_width(decision)
    if steps > MOST_STEPS:
        return _noisy(plan.otherwise(
            f"OpenDP’s canonical noise makes the steepest decision, but finds it step by step: about {steps:.0f} of "
            "them would take minutes a call, or end the whole process."))
    function = plan.functions[0].ending("return noise(float(len(rows))) + SHIFT >= MINIMUM")
    constants = (("CLAIMED", decision.claimed_delta, MADE_FOR),
                 ("MINIMUM", plan.minimum, ""),
                 ("SHIFT", shift(decision), f"of the noise, so that {plan.minimum} records are accepted as often as "
                  "asked"))
    return Script(plan, IMPORTS, (f"noise = dp.m.make_canonical_noise({ONE},",
                                  f"{' ' * 34}d_in=1.0, d_out=(EPSILON, CLAIMED))"),
                  ("ε and δ of one call, as OpenDP accounts for them.", "return noise.map(1.0)"), constants,
                  (function,),
                  ("Canonical noise (Awan & Vadhan 2023), shifted, and a threshold are the same decision.",
                   *filter(None, (plan.exactly,)), THRESHOLDS))


def half_width(decision: EpsilonDecision) -> float:
    """Records from probability ½ to 1: ln(1 + (e^ε − 1)/(2δ))/ε."""
    ratio = math.expm1(decision.epsilon) / 2 / decision.claimed_delta
    return math.log1p(ratio) / decision.epsilon if math.isfinite(ratio) else math.inf


def shift(decision: EpsilonDecision) -> float:
    """s with F(s) = f(m), F the law of canonical noise: c to 1 − c is a straight line over [−½, ½], and a step up or
    down is one of the decision, so f(m − j) within it is as many steps further.

    c = (1 − δ)/(1 + e^ε). [Awan & Vadhan 2023, Definition 3.7.]
    """
    centre = (1 - decision.claimed_delta) / (1 + math.exp(decision.epsilon))
    far = decision.replace(minimum=FAR)
    first = float(far.smallest_n(centre))
    within = (float(far.accept_probability(first)) - centre) / (1 - 2 * centre)
    return (FAR - first) + min(max(within, 0.0), 1.0) - 0.5
