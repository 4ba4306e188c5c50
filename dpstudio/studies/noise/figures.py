"""The pictures of the noise study, as data."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Dots, Figure, Level, Line, Mark
from dpstudio.core.figure import Band as Between
from dpstudio.core.results import Column, Series
from dpstudio.vocabulary import Quantity

LAPLACE = Series("laplace", "Laplace")
GEOMETRIC = Series("geometric", "Geometric")
GAUSSIAN = Series("gaussian", "Gaussian, exact σ")
CLASSICAL = Series("gaussian_classical", "Gaussian, classical σ")
PRINTED = Series("printed", "Gaussian, Seed 004’s σ")
PROMISE = Series("promise", "Any (ε, δ) mechanism")
LEAST = (LAPLACE, GEOMETRIC, GAUSSIAN)
"""Noise of the least scale that keeps the guarantee."""
SIGMAS = (GAUSSIAN, CLASSICAL, PRINTED)
ALL = (LAPLACE, GEOMETRIC, *SIGMAS)

X_ANSWER = Column(v.NOISY_ANSWER)
X_PROFILE = Column(v.EPSILON_PRIME)
X_ALPHA = Column(v.TYPE_I)
X_BELIEF = Column(v.BELIEF)
X_EPSILON = Column(v.EPSILON)
X_DONE = Column(v.ANSWERS_DONE)

ANSWER_TABLE, PROFILE_TABLE, ATTACK_TABLE, BELIEF_TABLE = "answer", "profile", "attack", "belief"
SIGMA_TABLE, RELEASED_TABLE, SIMULATION_TABLE = "sigma", "released", "simulation"

_WITHOUT_DELTA = "Gaussian noise needs δ > 0"
_EPSILON, _DELTA = Mark("epsilon"), Mark("delta", axis="y")
_DRAG_EPSILON = Mark("epsilon", draggable=True)


def _lines(x: Column, y: Quantity, series: tuple[Series, ...] = ALL) -> tuple[Line, ...]:
    return tuple(Line(x, Column(y, one)) for one in series)


FIGURES = (
    Figure("densities", "Noisy answers without and with the record", ANSWER_TABLE,
           Axis(v.NOISY_ANSWER), Axis(v.DENSITY, low=0),
           (*_lines(X_ANSWER, v.DENSITY, (*LEAST, PRINTED)),
            *(Line(X_ANSWER, Column(v.DENSITY_BESIDE, one), role="other") for one in LEAST)),
           panel="densities", switch="Densities",
           caption="Where a released coordinate may lie without the record (thick) and with it (thin). Whole-numbered "
                   "noise stands as bars of width 1."),
    Figure("released", "Answers released", RELEASED_TABLE,
           Axis(v.NOISY_ANSWER), Axis(v.DENSITY, low=0),
           (*_lines(X_ANSWER, v.DENSITY, LEAST),
            *(Dots(X_ANSWER, *(Column(q, one) for q in (v.DENSITY_FOUND, v.DENSITY_LOW, v.DENSITY_HIGH)))
              for one in LEAST)),
           panel="densities", switch="Simulated",
           caption="Answers drawn without the record, counted in stretches of x (dots with 95 % intervals), settling "
                   "on the exact curves."),
    Figure("loss", "Privacy loss of each answer", ANSWER_TABLE,
           Axis(v.NOISY_ANSWER), Axis(v.PRIVACY_LOSS, low=-2.5, high=2.5, per="epsilon"),
           (*_lines(X_ANSWER, v.PRIVACY_LOSS, (*LEAST, PRINTED)), Mark("epsilon", axis="y"),
            Mark("epsilon", axis="y", factor=-1)),
           caption="ln f′(x)/f(x), what an answer tells for the record (above 0) or against it; Gaussian noise may "
                   "leave the band of ±ε."),
    Figure("attack", "What the best attacker gets wrong", ATTACK_TABLE,
           Axis(v.TYPE_I, low=0, high=1), Axis(v.TYPE_II, low=0, high=1),
           _lines(X_ALPHA, v.TYPE_II, (PROMISE, *ALL)),
           panel="attack", switch="Errors",
           caption="The best test misses a share β of the records if it may wrongly find α. Higher is more private; "
                   "1 − α is guessing."),
    Figure("belief", "Belief in the record after the answer", BELIEF_TABLE,
           Axis(v.BELIEF, low=0, high=1), Axis(v.POSTERIOR_95, low=0, high=1),
           (*_lines(X_BELIEF, v.POSTERIOR_95), Mark("belief", draggable=True)),
           panel="attack", switch="Belief",
           caption="How far 95 % of all answers move an attacker’s belief in a record; with Gaussian noise rare ones "
                   "move it further."),
    Figure("sigma", "Noise needed", SIGMA_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.NOISE_SD, "log"),
           (*_lines(X_EPSILON, v.NOISE_SD), _DRAG_EPSILON),
           panel="sigma", switch="sd",
           caption="Standard deviation in one coordinate. Seed 004’s σ lost a square root; the classical σ fails where "
                   "it falls below the exact one."),
    Figure("too_much", "Extra noise", SIGMA_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.TOO_MUCH, "log"),
           (*_lines(X_EPSILON, v.TOO_MUCH, SIGMAS), _DRAG_EPSILON),
           panel="sigma", switch="Ratio",
           empty=_WITHOUT_DELTA,
           caption="σ over the exact σ: what the formulas cost in noise. Below 1 the guarantee is broken."),
    Figure("true_delta", "δ kept", SIGMA_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.TRUE_DELTA, "log", high=1, floor=1e-24),
           (*_lines(X_EPSILON, v.TRUE_DELTA, SIGMAS), _DRAG_EPSILON, _DELTA),
           panel="sigma", switch="True δ",
           empty=_WITHOUT_DELTA,
           caption="The smallest δ that really holds. Far below the wanted δ noise is wasted; above it the formula "
                   "is no guarantee."),
    Figure("profile", "Privacy profile δ(ε′)", PROFILE_TABLE,
           Axis(v.EPSILON_PRIME), Axis(v.PROFILE, low=0),
           (*_lines(X_PROFILE, v.PROFILE), _EPSILON, _DELTA),
           panel="profile", switch="Linear",
           caption="The smallest δ that holds at every ε′. At ε′ = 0 it is the attacker’s best advantage."),
    Figure("profile_log", "Privacy profile δ(ε′), log scale", PROFILE_TABLE,
           Axis(v.EPSILON_PRIME), Axis(v.PROFILE, "log", high=1, floor=1e-15),
           (*_lines(X_PROFILE, v.PROFILE), _EPSILON, _DELTA),
           panel="profile", switch="Log",
           caption="The smallest δ that holds at every ε′; Laplace and geometric noise reach exactly 0 at ε, Gaussian "
                   "noise never does."),
    Figure("simulation", "Attacks on simulated answers", SIMULATION_TABLE,
           Axis(v.ANSWERS_DONE, "log"), Axis(v.SUCCESS_FOUND),
           (*(Between(X_DONE, Column(v.SUCCESS_LOW, one), Column(v.SUCCESS_HIGH, one)) for one in LEAST),
            *_lines(X_DONE, v.SUCCESS_FOUND, LEAST),
            *(Level(v.SUCCESS, one) for one in LEAST)),
           caption="How often the best attacker guessed from the answer whether the record is there, closing in on the "
                   "exact probability."),
)
