"""Noise on the answer of a query: how much it takes, and what an attacker can still find out."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.declare import Follow, parameter
from dpstudio.core.figure import Axis, Bars, Figure, Mark, dots, each_but, lines, settling
from dpstudio.core.frontier.curves import AT_DELTA, Outcome
from dpstudio.core.level import LevelOne
from dpstudio.core.results import Column, Estimated, Series
from dpstudio.core.study import Preset, Study
from dpstudio.records import dataclass
from dpstudio.studies.kit import parameters as kit
from dpstudio.studies.kit.attack import attack_figure, belief_figure, loss_figure, profile_figures
from dpstudio.vocabulary import integers, reals

LAPLACE = Series("laplace", "Laplace")
GEOMETRIC = Series("geometric", "Discrete Laplace")
GAUSSIAN = Series("gaussian", "Gaussian (analytic)")
CLASSICAL = Series("gaussian_classical", "Gaussian (classical)")
PRINTED = Series("printed", "Gaussian (misprinted)")
STAIRCASE = Series("staircase", "Staircase")
DISCRETE = Series("discrete_gaussian", "Discrete Gaussian")
FIRST = (GEOMETRIC, LAPLACE, DISCRETE, GAUSSIAN)
"""What is compared first."""
COMPETING = (GEOMETRIC, LAPLACE, STAIRCASE, DISCRETE, GAUSSIAN)
"""What may be recommended where it is allowed, the plainer first."""
WHOLE = (GEOMETRIC, DISCRETE)
"""Of these what is for whole-number answers."""
SAID = (LAPLACE, GEOMETRIC, GAUSSIAN)
"""What the first pictures against ε compare."""
LEAST = (*SAID, STAIRCASE, DISCRETE)
"""Noise of the least scale that keeps the guarantee."""

SNAPPED = Series("snapped", "Snapped Laplace")
FEWER, MORE = Series("fewer", "Possible without the record"), Series("more", "Possible with the record")

X_ANSWER = Column(v.NOISY_ANSWER)
X_EPSILON = Column(v.EPSILON)
X_DONE = Column(v.ANSWERS_DONE)
X_DOUBLES = Column(v.DOUBLES_AWAY)
SEEN = Estimated(v.SUCCESS_FOUND, v.SUCCESS_LOW, v.SUCCESS_HIGH)
COUNTED = Estimated(v.DENSITY_FOUND, v.DENSITY_LOW, v.DENSITY_HIGH)

ANSWER_TABLE, SIGMA_TABLE, RELEASED_TABLE, SIMULATION_TABLE = "answer", "sigma", "released", "simulation"
SNAPPED_TABLE, LOW_BITS_TABLE = "snapped", "low_bits"

COMPUTED = "In double precision"
_WITHOUT_DELTA = "Gaussian noise needs δ > 0"
_EPSILON, _DELTA = Mark("epsilon"), Mark("delta", axis="y")
_DRAG_EPSILON = Mark("epsilon", draggable=True)

FLOATING_FIGURES = (
    Figure("snapped", "Snapped answers", SNAPPED_TABLE,
           Axis(v.NOISY_ANSWER), Axis(v.DENSITY, low=0),
           (*lines(X_ANSWER, v.DENSITY, (LAPLACE, SNAPPED)),
            *lines(X_ANSWER, v.DENSITY_BESIDE, (SNAPPED,), role="other")),
           panel="densities",
           caption="Laplace noise rounded to a grid, without the record (thick) and with it (thin): no last bits."),
    Figure("low_bits", "Last bits of an answer", LOW_BITS_TABLE,
           Axis(v.DOUBLES_AWAY), Axis(v.LOW_BITS, low=-1.5, high=2.5),
           tuple(Bars(X_DOUBLES, Column(v.LOW_BITS, series)) for series in (MORE, FEWER)),
           panel="densities",
           caption="Doubles next to an answer (tall): up, possible with the record; down, without it. One bar alone is "
                   "proof."),
)

FIGURES = (
    Figure("densities", "Answer with and without the record", ANSWER_TABLE,
           Axis(v.NOISY_ANSWER), Axis(v.DENSITY, low=0),
           (*lines(X_ANSWER, v.DENSITY, (each_but(CLASSICAL, PRINTED),)),
            *lines(X_ANSWER, v.DENSITY_BESIDE, (each_but(CLASSICAL, PRINTED, DISCRETE),), role="other")),
           panel="densities",
           caption="Where an answer may lie without the record (thick) and with it (thin). Steps: whole numbers."),
    Figure("released", "Simulated answers", RELEASED_TABLE,
           Axis(v.NOISY_ANSWER), Axis(v.DENSITY, low=0),
           (*lines(X_ANSWER, v.DENSITY), dots(X_ANSWER, COUNTED)),
           panel="densities",
           caption="Answers drawn without the record, in stretches of x, with 95 % intervals. Lines: exact."),
    *FLOATING_FIGURES,
    loss_figure("Loss of each answer", ANSWER_TABLE, v.NOISY_ANSWER,
                lines(X_ANSWER, v.PRIVACY_LOSS, (each_but(CLASSICAL, PRINTED, DISCRETE),)), (-2.5, 2.5),
                "What an answer tells for the record (above 0) or against it. Gaussian noise may leave ±ε."),
    attack_figure(series=(each_but(CLASSICAL, PRINTED, DISCRETE),)),
    belief_figure("How far 95 % of answers move a belief in a record that is there, at most. Grey: within ε.",
                  Mark("belief", draggable=True), series=(each_but(CLASSICAL, PRINTED),)),
    Figure("sigma", "Noise needed", SIGMA_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.NOISE_SD, "log"),
           (*lines(X_EPSILON, v.NOISE_SD), _DRAG_EPSILON),
           panel="noise_needed",
           caption="The sd that each formula takes in one coordinate. Less than the analytic σ breaks the guarantee."),
    Figure("too_much", "Noise over the least", SIGMA_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.TOO_MUCH, "log"),
           (*lines(X_EPSILON, v.TOO_MUCH), _DRAG_EPSILON),
           panel="noise_needed",
           empty=_WITHOUT_DELTA,
           caption="σ over the least σ: how many times the noise a formula takes. Below 1 it breaks the guarantee."),
    Figure("true_delta", "δ kept", SIGMA_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.TRUE_DELTA, "log", high=1, floor=1e-24),
           (*lines(X_EPSILON, v.TRUE_DELTA), _DRAG_EPSILON, _DELTA),
           panel="noise_needed",
           empty=_WITHOUT_DELTA,
           caption="The smallest δ that each σ keeps. Below your δ: more noise than needed; above it: too little."),
    *profile_figures(_EPSILON, _DELTA, series=(each_but(CLASSICAL, PRINTED),)),
    Figure("simulation", "Simulated attacks", SIMULATION_TABLE,
           Axis(v.ANSWERS_DONE, "log"), Axis(v.SUCCESS_FOUND),
           settling(X_DONE, SEEN, v.SUCCESS, known=(each_but(CLASSICAL, PRINTED),)),
           caption="How often the best attacker guessed right so far. Straight: the exact probability."),
)

OUTCOMES = (
    Outcome(v.NOISE_SD, "Noise against ε", AT_DELTA, cost=v.EPSILON_AT_DELTA, series=SAID),
    Outcome(v.ERROR_95, "95 % error against ε", AT_DELTA, cost=v.EPSILON_AT_DELTA, series=SAID),
    Outcome(v.MEAN_ERROR, "Mean error against ε",
            "Each by its ε at δ. Of noise for any number the staircase has the least mean error at pure ε.",
            cost=v.EPSILON_AT_DELTA, series=LEAST),
)


@dataclass(frozen=True)
class Noise(Study):
    """Compare Laplace, discrete Laplace, staircase and Gaussian noise on a query of a given sensitivity."""

    key = "noise"
    title = "Noise"
    question = "How much noise hides one record?"
    pictures = FIGURES
    outcomes = OUTCOMES
    level_one = LevelOne(
        ("epsilon", "delta", "sensitivity", "dimension", "sensitivity_l2"),
        (v.ERROR_AT_LEVEL, v.ERROR_EXCEEDS, v.MEAN_ERROR, v.NOISE_SD, v.NOISE_SCALE, v.TRUE_DELTA),
        FIRST, "densities", ("frontier_error_95", "attack", "loss"), ("risk", "bound"), wanted=v.ERROR_AT_LEVEL)
    presets = (
        Preset("without_root", "A lost square root", "At ε = 0.5, δ = 1e−5 the thesis chapter’s σ, its square root "
               "lost, is 6.68 times the least one.",
               {"epsilon": 0.5, "delta": 1e-5, "sensitivity": 1.0}),
        Preset("count", "A count", "One record moves a count by one; no δ is spent.",
               {"epsilon": 1.0, "delta": 0.0, "sensitivity": 1.0}),
        Preset("many_sums", "A thousand sums", "One record moves each of 1 000 coordinates a little: Δ₂ is far below "
               "Δ₁, and Gaussian noise has the least error.",
               {"epsilon": 1.0, "delta": 1e-6, "sensitivity": 1000.0, "sensitivity_l2": 32.0, "dimension": 1000}),
        Preset("low_bits", "The last bits tell", "A count of 0 or 1 with textbook Laplace noise in double precision: "
               "most answers prove by their last bits which it was, at any ε.",
               {"epsilon": 0.1, "delta": 0.0, "sensitivity": 1.0, "true_answer": 0.0}),
        Preset("large_epsilon", "The classical σ fails", "At δ = 1e−5 the classical σ keeps its δ up to ε = 8.42, and "
               "here no longer.",
               {"epsilon": 12.0, "delta": 1e-5, "sensitivity": 1.0}),
        Preset("least_mean_error", "The least mean error", "At ε = 5 and Δ = ½ staircase noise is off by 0.0413 on "
               "average and Laplace noise by 0.1: no noise that any number may take is off by less.",
               {"epsilon": 5.0, "delta": 0.0, "sensitivity": 0.5}),
    )

    epsilon: float = kit.epsilon(1.0, reals(1e-6, 20), (1e-3, 10))
    delta: float = kit.delta(1e-6, reals(0, 0.5))
    sensitivity: float = parameter(v.L1_SENSITIVITY, 1.0, domain=reals(1e-6, 1e6), shown=(0.01, 1000),
                                   ends=("less noise", "more noise"))
    sensitivity_l2: float = parameter(v.L2_SENSITIVITY, Follow("sensitivity"), domain=reals(1e-6, 1e6),
                                      shown=(0.01, 1000), ends=("less noise", "more noise"))
    dimension: int = parameter(v.DIMENSION, 1, domain=integers(1, 10**9), shown=(1, 1e4),
                               ends=("one number", "many numbers"))
    error_level: float = kit.error_level(reals(1e-6, 1 - 1e-9))
    error_beyond: float = kit.error_beyond(Follow("sensitivity", 3.0), reals(0, 1e12), (0.01, 1000))
    belief: float = parameter(v.BELIEF, 0.5, domain=reals(1e-9, 1 - 1e-9), shown=(0.001, 0.999),
                              ends=("thinks it absent", "thinks it there"))
    true_answer: float = parameter(v.TRUE_ANSWER, 0.0, domain=reals(-1e15, 1e15), shown=(0, 1000),
                                   group=COMPUTED, ends=("last bits tell more", "tell less"))
    clamp: float = parameter(v.CLAMP, 1e6, domain=reals(1e-6, 1e15), shown=(10, 1e12), group=COMPUTED,
                             ends=("clamps sooner", "takes more of ε"))
    trials: int = kit.trials(v.ANSWER_TRIALS, 1_000_000, (1e3, 1e9))
    seed: int = kit.seed()
