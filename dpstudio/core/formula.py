"""A formula, declared once: as typst sets it, as it is read aloud, and who proved it."""

from __future__ import annotations

from dataclasses import dataclass

from dpstudio.core.sources import Source


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula of a study. Both of its forms say the same, sign by sign."""

    name: str
    """What it is of, as a heading says it: one name once in a study."""
    typeset: str
    """Mathematics in the language of typst."""
    spoken: str
    """The same on one line, for whoever listens to it, and for a page that cannot set it."""
    source: Source
    of: str | None = None
    """The key of the series that it belongs to; None of all, or of the question."""
