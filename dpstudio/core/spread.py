"""Labels in a row that keep clear of each other and of the ends."""

from __future__ import annotations

from collections.abc import Sequence


def spread(centres: Sequence[float], widths: Sequence[float], low: float, high: float, gap: float) -> list[float]:
    """Left edges, as near to their sorted centres as the others and the ends allow."""
    lefts = [centre - width / 2 for centre, width in zip(centres, widths, strict=True)]
    for _ in range(2 * len(lefts)):
        for i in range(1, len(lefts)):
            overlap = lefts[i - 1] + widths[i - 1] + gap - lefts[i]
            if overlap > 0:  # each gives way by half
                lefts[i - 1] -= overlap / 2
                lefts[i] += overlap / 2
    for i in reversed(range(len(lefts))):  # then strictly: from the right end, and from the left one
        end = lefts[i + 1] - gap if i + 1 < len(lefts) else high
        lefts[i] = min(lefts[i], end - widths[i])
    for i in range(len(lefts)):
        start = lefts[i - 1] + widths[i - 1] + gap if i else low
        lefts[i] = max(lefts[i], start)
    return lefts
