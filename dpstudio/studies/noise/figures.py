"""The pictures of the noise study, as data."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Dots, Figure, Level, Mark, lines
from dpstudio.core.figure import Band as Between
from dpstudio.core.results import Column, Series
from dpstudio.studies.kit.attack import attack_figure, belief_figure, loss_figure, profile_figures

LAPLACE = Series("laplace", "Laplace")
GEOMETRIC = Series("geometric", "Geometric")
GAUSSIAN = Series("gaussian", "Gaussian, exact σ")
CLASSICAL = Series("gaussian_classical", "Gaussian, classical σ")
PRINTED = Series("printed", "Gaussian, σ without the root")
LEAST = (LAPLACE, GEOMETRIC, GAUSSIAN)
"""Noise of the least scale that keeps the guarantee."""
SIGMAS = (GAUSSIAN, CLASSICAL, PRINTED)
ALL = (LAPLACE, GEOMETRIC, *SIGMAS)

X_ANSWER = Column(v.NOISY_ANSWER)
X_EPSILON = Column(v.EPSILON)
X_DONE = Column(v.ANSWERS_DONE)

ANSWER_TABLE, SIGMA_TABLE, RELEASED_TABLE, SIMULATION_TABLE = "answer", "sigma", "released", "simulation"

_WITHOUT_DELTA = "Gaussian noise needs δ > 0"
_EPSILON, _DELTA = Mark("epsilon"), Mark("delta", axis="y")
_DRAG_EPSILON = Mark("epsilon", draggable=True)


FIGURES = (
    Figure("densities", "Noisy answers without and with the record", ANSWER_TABLE,
           Axis(v.NOISY_ANSWER), Axis(v.DENSITY, low=0),
           (*lines(X_ANSWER, v.DENSITY, (*LEAST, PRINTED)),
            *lines(X_ANSWER, v.DENSITY_BESIDE, LEAST, role="other")),
           panel="densities", switch="Densities",
           caption="Where a released coordinate may lie without the record (thick) and with it (thin). Whole-numbered "
                   "noise stands as bars of width 1."),
    Figure("released", "Answers released", RELEASED_TABLE,
           Axis(v.NOISY_ANSWER), Axis(v.DENSITY, low=0),
           (*lines(X_ANSWER, v.DENSITY, LEAST),
            *(Dots(X_ANSWER, *(Column(q, one) for q in (v.DENSITY_FOUND, v.DENSITY_LOW, v.DENSITY_HIGH)))
              for one in LEAST)),
           panel="densities", switch="Simulated",
           caption="Answers drawn without the record, counted in stretches of x (dots with 95 % intervals), settling "
                   "on the exact curves."),
    loss_figure("Privacy loss of each answer", ANSWER_TABLE, v.NOISY_ANSWER,
                lines(X_ANSWER, v.PRIVACY_LOSS, (*LEAST, PRINTED)), (-2.5, 2.5),
                "ln f′(x)/f(x), what an answer tells for the record (above 0) or against it; Gaussian noise may leave "
                "the band of ±ε."),
    attack_figure(series=ALL),
    belief_figure("How far 95 % of all answers move, at most, the belief in a record that is there, of whoever "
                  "knows all others. Grey: any answer that keeps ε.",
                  Mark("belief", draggable=True), series=ALL),
    Figure("sigma", "Noise needed", SIGMA_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.NOISE_SD, "log"),
           (*lines(X_EPSILON, v.NOISE_SD, ALL), _DRAG_EPSILON),
           panel="noise_needed", switch="sd",
           caption="Standard deviation in one coordinate. The thesis chapter’s σ lost a square root; a σ below the "
                   "exact one breaks the guarantee."),
    Figure("too_much", "Extra noise", SIGMA_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.TOO_MUCH, "log"),
           (*lines(X_EPSILON, v.TOO_MUCH, SIGMAS), _DRAG_EPSILON),
           panel="noise_needed", switch="Ratio",
           empty=_WITHOUT_DELTA,
           caption="σ over the exact, least σ: how many times the noise each formula takes. Below 1 the guarantee is "
                   "broken."),
    Figure("true_delta", "δ kept", SIGMA_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.TRUE_DELTA, "log", high=1, floor=1e-24),
           (*lines(X_EPSILON, v.TRUE_DELTA, SIGMAS), _DRAG_EPSILON, _DELTA),
           panel="noise_needed", switch="True δ",
           empty=_WITHOUT_DELTA,
           caption="The smallest δ that each σ keeps. Below the wanted δ there is more noise than needed; above it the "
                   "formula is no guarantee."),
    *profile_figures(_EPSILON, _DELTA, series=ALL),
    Figure("simulation", "Attacks on simulated answers", SIMULATION_TABLE,
           Axis(v.ANSWERS_DONE, "log"), Axis(v.SUCCESS_FOUND),
           (*(Between(X_DONE, Column(v.SUCCESS_LOW, one), Column(v.SUCCESS_HIGH, one)) for one in LEAST),
            *lines(X_DONE, v.SUCCESS_FOUND, LEAST),
            *(Level(v.SUCCESS, one) for one in LEAST)),
           caption="How often the best attacker guessed from the answer whether the record is there, closing in on the "
                   "exact probability."),
)
