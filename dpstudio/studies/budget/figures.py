"""The pictures of the budget study, as data."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Figure, Mark, lines
from dpstudio.core.results import Column, Series
from dpstudio.studies.kit.attack import attack_figure, profile_figures

BASIC = Series("basic", "Basic")
ADVANCED = Series("advanced", "Advanced")
SIMPLE = Series("simple", "Simple optimal")
OPTIMAL = Series("optimal", "Optimal")
GAUSSIAN = Series("gaussian", "Gaussian")
ACCOUNTING = Series("accounting", "dp-accounting")
METHODS = (BASIC, ADVANCED, SIMPLE, OPTIMAL, GAUSSIAN)

TIGHT = Series("generalized", "Tight")
TEXT = Series("printed", "g e^(gε) δ, printed")
FORMULA = Series("group_formula", "gδ, printed")
GROUPS = (TIGHT, TEXT, FORMULA)

PLANNED = (BASIC, OPTIMAL, ACCOUNTING)

X_RELEASES, X_SIZE, X_STEP = Column(v.RELEASES), Column(v.GROUP_RECORDS), Column(v.STEP)
TOTAL_TABLE, GROUP_TABLE, PLAN_TABLE = "total", "group", "plan"


_MARKS = (Mark("releases", draggable=True), Mark("budget", axis="y", draggable=True))
_WITHOUT_DELTA = "Without δ a group has none either"
_SIZE = Mark("group_size", draggable=True)

FIGURES = (
    Figure("total", "Total ε of k releases", TOTAL_TABLE,
           Axis(v.RELEASES, "log"), Axis(v.TOTAL_EPSILON, "log"),
           (*lines(X_RELEASES, v.TOTAL_EPSILON, METHODS), *_MARKS),
           panel="total", switch="Log",
           caption="At a total δ of at most kδ + δ′. Optimal is the least ε that holds for all releases of this (ε, "
                   "δ); advanced and simple are basic where that is less."),
    Figure("total_linear", "Total ε of k releases", TOTAL_TABLE,
           Axis(v.RELEASES), Axis(v.TOTAL_EPSILON, low=0),
           (*lines(X_RELEASES, v.TOTAL_EPSILON, METHODS), *_MARKS),
           panel="total", switch="Linear",
           caption="What k releases at (ε, δ) come to, with a total δ of at most kδ + δ′: the straight line is kε."),
    Figure("group", "δ for a group", GROUP_TABLE,
           Axis(v.GROUP_RECORDS, "log"), Axis(v.GROUP_DELTA, "log", floor=1e-15),
           (*lines(X_SIZE, v.GROUP_DELTA, GROUPS), _SIZE),
           panel="group", switch="δ", empty=_WITHOUT_DELTA,
           caption="The δ that goes with gε. Of the two that the thesis chapter prints, g e^(gε) δ holds; where gδ is "
                   "below the tight curve, a mechanism breaks it."),
    Figure("group_cost", "δ against the tight one", GROUP_TABLE,
           Axis(v.GROUP_RECORDS, "log"), Axis(v.GROUP_COST, "log"),
           (*lines(X_SIZE, v.GROUP_COST, GROUPS), _SIZE),
           panel="group", switch="Ratio", empty=_WITHOUT_DELTA,
           caption="Above 1 a formula asks for more δ than needed; below 1 it promises what does not hold."),
    Figure("plan", "A plan of unlike releases, step by step", PLAN_TABLE,
           Axis(v.STEP), Axis(v.PLAN_EPSILON, low=0),
           (*lines(X_STEP, v.PLAN_EPSILON, PLANNED), Mark("budget", axis="y", draggable=True)),
           empty="The plan is empty: it spends nothing",
           caption="Upper bounds on the total ε at a total δ of δ′, after each release: Laplace noise first, then "
                   "randomized responses, then Gaussian noise."),
    *profile_figures(Mark("budget", draggable=True), series=METHODS),
    attack_figure(promise="grey: what the allowed ε and δ promise", series=METHODS),
)
