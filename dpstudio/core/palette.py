"""One table of colours and dashes for every painter: the same look means the same mechanism everywhere.

The hues follow Okabe & Ito (2008), tuned to each background; dashes tell them apart in grey too.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """How a series looks: a colour on light and on dark ground, and dash lengths in pen widths (none: solid)."""

    light: str
    dark: str
    dash: tuple[float, ...] = ()
    width: float = 2.0

    def colour(self, *, dark: bool) -> str:
        return self.dark if dark else self.light


NEUTRAL = Style("#37424d", "#cdd6df")
"""What belongs to no series."""

STYLES = {
    "laplace": Style("#0065b3", "#58b4ff"),
    "cutoff": Style("#c44a00", "#ff9a57", (6, 3)),
    "generalized": Style("#00805a", "#35d0a0", (9, 3, 2, 3)),
    "gaussian": Style("#8a3ba8", "#d694f0", (2, 2)),
    "matched": Style("#736a00", "#e6dc52", (4, 2, 1.5, 2, 1.5, 2)),
    "response": Style("#c2185b", "#ff7eb6", (20, 2)),
    "best": Style("#1a9a90", "#3fe0e0", (3, 3)),
    "raw": Style("#6b3f2a", "#c9a183", (6, 2, 1, 2)),
    "geometric": Style("#24307a", "#a9b2ff", (10, 2, 4, 2)),
    # Levels of one quantity, from the faintest to the strongest
    "level1": Style("#8b9299", "#757d85", (3, 2)),
    "level2": Style("#6d747b", "#97a0a8", (8, 2)),
    "level3": Style("#50575e", "#b9c3cc", (12, 2, 2, 2)),
    "level4": Style("#2b2b2b", "#e8eef4", (12, 2, 2, 2, 2, 2)),
    "gaussian_classical": Style("#6a3ff0", "#7a6cff", (5, 2, 1, 2)),
    "printed": Style("#d000c0", "#e84a4a", (1, 2)),
    "promise": Style("#5e6b78", "#93a2b1", (3, 3, 1, 3)),
    "basic": Style("#101820", "#ffffff", (10, 2)),
    "advanced": Style("#d6006f", "#3fe8e0", (5, 3)),
    "accounting": Style("#1a1aff", "#ff52f0", (2, 3)),
    "group_formula": Style("#9a6a00", "#b08a00", (3, 2)),
    # What is believed of a rate
    "prior": Style("#7b838b", "#8a939c", (3, 2)),
    "truth": Style("#101820", "#ffffff", (14, 3)),
    "naive": Style("#d000c0", "#ff4fd8", (1, 2)),
    "clamped": Style("#c44a00", "#ff9a57", (6, 3)),
    "aware": Style("#0065b3", "#58b4ff"),
    "optimal": Style("#2b9400", "#8cff66", (8, 2, 3, 2)),
}


def style(key: str | None) -> Style:
    """The style of a series; one not in the table gets a steady one by its key."""
    if key is None:
        return NEUTRAL
    others = tuple(STYLES.values())
    return STYLES.get(key) or others[sum(key.encode()) % len(others)]
