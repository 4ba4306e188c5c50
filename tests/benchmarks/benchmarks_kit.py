"""What several benchmarks begin with, and what they hand over."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from dpstudio.documents.session import Session
from dpstudio.gui.session.recovery import LeftSession


@dataclass(frozen=True)
class Row:
    """One measure: the figure, what it should be at most, in words, and the quartiles of both sides in milliseconds."""

    file: str
    what: str
    figure: float
    bound: str
    remark: str = ""
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)


def limit(bound: str) -> float | None:
    """The number of a bound such as `1.3 ×`, `1/50` or `20 MiB`; None of one that is only told, such as `—`."""
    found = re.match(r"\d[\d./e−-]*", bound)
    return float(Fraction(found[0].replace("−", "-"))) if found else None


def begun(study_class, explicit=None) -> LeftSession:
    """What a window starts with that shows a study at these values."""
    session = Session.of(study_class, explicit or {})
    return LeftSession(session, session)
