"""What of a session goes into a report: which studies, which pictures, and what follows the pages to decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from dpstudio.core.attacker import NOBODY
from dpstudio.core.figure import Figure
from dpstudio.core.risk_figures import PANEL
from dpstudio.core.study import Study
from dpstudio.documents.session import Session
from dpstudio.documents.state import StudyState, untouched
from dpstudio.records import dataclass
from dpstudio.studies import all_studies

Appendix: TypeAlias = Literal["none", "facts", "all"]
APPENDICES: Mapping[Appendix, str] = {
    "none": "None, two pages to decide",
    "facts": "Facts and how to compute them again",
    "all": "All, with more pictures and the formulas",
}
"""What follows the pages to decide, to check them, each in words."""
USUAL_APPENDIX: Appendix = "facts"
"""Whoever decides reads two pages; whoever checks the numbers needs them all, and no picture of them."""
MOST_PICTURES = 7
"""Of a study, unless more are asked for."""


@dataclass(frozen=True)
class ReportChoice:
    """What of a session goes into a report."""

    studies: tuple[type[Study], ...] = ()
    """Empty: those in which somebody chose, and the one in view."""
    figures: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The pictures of a study by its key; where it has no entry, those that say most."""
    appendix: Appendix = USUAL_APPENDIX
    pins: bool = True
    solved: bool = True
    sweeps: bool = True
    values: bool = True
    """The numbers behind each picture, where the reader can unfold them."""


def studies_in(session: Session, asked: tuple[type[Study], ...] = ()) -> tuple[type[Study], ...]:
    """The studies that a report has, the one in view first: those asked for, else those in which somebody chose.

    What was merely solved or moved in a study is no reason to sign for it.
    """
    decided = (each for each in all_studies().values() if session.state(each).chosen is not None)
    return tuple(sorted(dict.fromkeys(asked or (session.study_class, *decided)),
                        key=lambda each: each is not session.study_class))


def studies_offered(session: Session) -> tuple[type[Study], ...]:
    """The studies that a report may have: those that it has, then those in which there is anything of a person."""
    own = (each for each in all_studies().values()
           if session.state(each).differs(untouched(each)))  # type: ignore[arg-type]  # as in core.declare
    return tuple(dict.fromkeys((*studies_in(session), *own)))


def foremost(kind: type[Study]) -> tuple[str, ...]:
    """The keys of the pictures on which a choice rests: the large one of level one, and what it costs beside it."""
    first = kind.level_one
    frontiers = [key for key in first.beside if key.startswith("frontier")]
    return tuple(dict.fromkeys((first.large, *(frontiers or first.beside)[:1])))


def figures_in(state: StudyState, asked: tuple[str, ...] | None = None) -> tuple[Figure, ...]:
    """The pictures that are asked for by key or, if none are, those on which a choice rests and those that say most.

    These are what somebody chose to see, one of each place of a study, and whatever bears a note.
    """
    kind = type(state.setting.study)
    if asked is not None:
        return tuple(kind.figure(key) for key in dict.fromkeys(asked))
    places: dict[str, Figure] = {}
    feared = state.setting.study.attacker != NOBODY
    for figure in kind.figures:
        if figure.place == PANEL and not feared:  # there is nothing on it
            continue
        if figure.place not in places or state.figures.get(figure.place) == figure.key:
            places[figure.place] = figure
    first, noted = foremost(kind), {note.figure for note in state.picture_notes}
    seen = state.in_view if state.figures else ()
    usual = dict.fromkeys((*map(kind.figure, (*first, *seen)), *places.values()))
    return tuple(dict.fromkeys((*list(usual)[:MOST_PICTURES], *(each for each in kind.figures if each.key in noted))))


def figures_drawn(state: StudyState, chosen: ReportChoice) -> tuple[Figure, ...]:
    """The pictures of a study that a report draws: without all in its appendix those on which a choice rests."""
    kind = type(state.setting.study)
    found, first = figures_in(state, chosen.figures.get(kind.key)), foremost(kind)
    return found if chosen.appendix == "all" else tuple(each for each in found if each.key in first)
