"""What several benchmarks begin with."""

from __future__ import annotations

from dpstudio.documents.session import Session
from dpstudio.gui.session.recovery import Left


def begun(study_class, explicit=None) -> Left:
    """What a window starts with that shows a study at these values."""
    session = Session.of(study_class, explicit or {})
    return Left(session, session)
