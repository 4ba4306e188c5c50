"""What several benchmarks begin with."""

from __future__ import annotations

from dpstudio.documents.session import Session
from dpstudio.gui.session.recovery import LeftSession


def begun(study_class, explicit=None) -> LeftSession:
    """What a window starts with that shows a study at these values."""
    session = Session.of(study_class, explicit or {})
    return LeftSession(session, session)
