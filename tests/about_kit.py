"""Answers to the form about a release, for tests."""

from __future__ import annotations

from dpstudio.documents.about import FIELDS, Day
from dpstudio.vocabulary import Choice


def answers(text: str = "A few words.", **given: str) -> dict[str, str]:
    """An answer to every question: the first choice, a day, else the text; or what is given, and none where that is
    empty.
    """
    found = {key: field.kind.options[0] if isinstance(field.kind, Choice)
             else "2026-11-22" if isinstance(field.kind, Day) else text for key, field in FIELDS.items()}
    return {key: each for key, each in (found | given).items() if each}
