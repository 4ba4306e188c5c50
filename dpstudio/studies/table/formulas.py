"""The formulas of the table study."""

from __future__ import annotations

from dpstudio.core.formula import Formula
from dpstudio.core.sources import BW18, DERIVED, DMNS06, GRS12, MS20, MT07, SIDAK67
from dpstudio.studies.kit.formulas import GAUSSIAN, GEOMETRIC, LAPLACE, PROFILE

FORMULAS = (
    GEOMETRIC, LAPLACE, GAUSSIAN, PROFILE,
)
