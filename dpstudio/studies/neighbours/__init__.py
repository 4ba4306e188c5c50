"""Neighbouring databases: what one record changes, what hides it, and what a table without names hides."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio import vocabulary as v
from dpstudio.core.declare import parameter
from dpstudio.core.study import Preset, Study
from dpstudio.studies.neighbours.figures import FIGURES
from dpstudio.vocabulary import integers, reals

AFTER, LINKAGE = "After the noise", "Linkage attack"
_STARS = integers(1, 5)
_CELLS = (0, 100)


@dataclass(frozen=True)
class Neighbours(Study):
    """A histogram of ratings beside one that differs by a record, released with noise; and an attack on records."""

    key = "neighbours"
    place = 9
    title = "Neighbours"
    question = "What does one record change, and what hides it?"
    relation = ("neighbours differ by one record of one person: added or removed, or with “swap” replaced; in the "
                "attack by one person with all their ratings")
    figures = FIGURES
    presets = (
        Preset("few", "Few records", "Hardly any records and small ε: raising negative counts to 0 mends much of the "
               "error, and biases the total.",
               {"cell1": 0, "cell2": 1, "cell3": 0, "cell4": 3, "cell5": 1, "epsilon": 0.2}),
        Preset("swap", "A record replaced", "ℓ₁ distance 2: the noise must hide twice as much.", {"change": "swap"}),
        Preset("average", "Sensitivity of an average", "Four records: 1/n = 0.25, which holds for values in [0, 1], "
               "against what one record does to a mean of stars.",
               {"cell1": 3, "cell2": 0, "cell3": 0, "cell4": 0, "cell5": 1, "change": "remove", "kind": 5}),
        Preset("empty", "No records", "Of an empty database averages cannot be asked; counts can.",
               {"cell1": 0, "cell2": 0, "cell3": 0, "cell4": 0, "cell5": 0}),
        Preset("vague", "A vague attacker", "Dates known to half a year, each known rating false with probability 0.4.",
               {"date_error": 180, "aux_wrong": 0.4, "known": 8}),
    )

    cell1: int = parameter(v.CELL1, 2, shown=_CELLS)
    cell2: int = parameter(v.CELL2, 5, shown=_CELLS)
    cell3: int = parameter(v.CELL3, 14, shown=_CELLS)
    cell4: int = parameter(v.CELL4, 31, shown=_CELLS)
    cell5: int = parameter(v.CELL5, 20, shown=_CELLS)
    change: str = parameter(v.CHANGE, "add")
    kind: int = parameter(v.KIND, 2, domain=_STARS, shown=(1, 5))
    kind_by: int = parameter(v.KIND_BY, 5, domain=_STARS, shown=(1, 5), when=("change", "swap"))
    epsilon: float = parameter(v.EPSILON, 0.5, domain=reals(1e-6, 20), shown=(0.01, 10),
                               ends=("more private", "more useful"))
    clamped: bool = parameter(v.CLAMPED, True, group=AFTER)
    rounded: bool = parameter(v.ROUNDED, False, group=AFTER)
    known: int = parameter(v.KNOWN, 4, shown=(0, 8), group=LINKAGE, ends=("knows nothing", "knows much"))
    date_error: int = parameter(v.DATE_ERROR, 14, shown=(0, 365), group=LINKAGE, ends=("to the day", "vaguely"))
    aux_wrong: float = parameter(v.AUX_WRONG, 0.1, shown=(0, 1), group=LINKAGE, ends=("all true", "all false"))
    contributed: int = parameter(v.CONTRIBUTED, 8, domain=integers(1, 400), shown=(1, 100), group=LINKAGE,
                                 ends=("less noise", "more ratings"))
    trials: int = parameter(v.RELEASE_TRIALS, 100_000, domain=integers(1, 10**9), shown=(1e3, 1e9), group="Simulation",
                            ends=("sooner done", "more precise"))
    seed: int = parameter(v.SEED, 0, shown=(0, 999), group="Simulation")

    @property
    def cells(self) -> tuple[int, int, int, int, int]:
        """The database x."""
        return self.cell1, self.cell2, self.cell3, self.cell4, self.cell5
