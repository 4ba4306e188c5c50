"""Sessions for tests of reports, and what a report says, whatever its form."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from decimal import Decimal

from dpstudio.documents.noted import Cover, PictureNote, Solved, SweepAsked
from dpstudio.documents.report.blocks import Block, Cells, Chapter, Report, Terms
from dpstudio.documents.session import Session
from dpstudio.documents.setting import setting
from dpstudio.studies import all_studies
from dpstudio.text.numbers import said

MEAN, NOISE, DECISION = (all_studies()[key] for key in ("mean", "noise", "decision"))
ERROR = "fraction_error_95"
FEW = {"trials": 2_000}
_POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def full(text: str = "why", **values: object) -> Session:
    """A session on the mean with something of each kind that a report has."""
    session = Session.of(MEAN, {**FEW, "people": 5_000, **values})
    now = session.state().setting
    session = session.pin(*(setting(MEAN, {**now.explicit, "epsilon": each}) for each in (0.3, 4.0)))
    asked = setting(MEAN, {**now.explicit, "epsilon": 0.7})
    want = "fraction_error_95@laplace <= 0.01"
    session = session.keep_solved(Solved((want,), ("epsilon",), asked, {"epsilon": (0.001, 5.0)}))
    session = session.having(sweeps=(
        SweepAsked(("epsilon=0.1:2:30:log",), ((ERROR, "laplace"), (ERROR, "response")), now),
        SweepAsked(("epsilon=0.1:2:4", "people=100,550,1000,550"), ((ERROR, "laplace"), (ERROR, "response")), now),))
    session = session.having(picture_notes=(PictureNote("epsilon", text, (0.5, 0.01)), PictureNote("errors", text)))
    session = session.having(note=f"{text}\n{text} again").keep(f"first {text}", text, "2026-01-02T10:00:00")
    return session.having(cover=Cover(f"Q {text}", f"C {text}", f"R {text}", f"W {text}", "2026-11-22"))


def blocks(report: Report) -> Iterator[Block]:
    """Every block, in reading order."""
    for section in report.front:
        yield from section.blocks
    for chapter in (*report.grounds, *report.chapters):
        yield from chapter.lead
        for section in chapter.sections:
            yield from section.blocks


def texts(part: object) -> Iterator[str]:
    """Every text in any depth, but those of the attached session and of drawings."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from texts(each)
    elif dataclasses.is_dataclass(part):
        for field in dataclasses.fields(part):
            if field.name not in ("session", "svg", "values"):
                yield from texts(getattr(part, field.name))


def section(chapter: Chapter, title: str) -> tuple[Block, ...]:
    return next(each.blocks for each in chapter.sections if each.title == title)


def table(part: tuple[Block, ...], caption: str) -> Cells:
    """The first table whose caption begins so."""
    return next(each for each in part if isinstance(each, Cells) and each.caption.startswith(caption))


def own(page: Chapter) -> dict[str, tuple[str, ...]]:
    """What a page has of a person, by name."""
    return next((dict(each.items) for each in page.lead if isinstance(each, Terms)), {})


def numbers(cell: str) -> list[Decimal]:
    """The numbers of a cell: “≈ 2.5 × 10⁻⁷ ± 0.1” has two."""
    def plain(power: re.Match[str]) -> str:
        return f"{power[1] or '1'}e{power[2].translate(_POWERS)}"

    text = re.sub(r"(?:([\d.]+) × )?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", plain, cell)
    return [said(each) for each in text.lstrip("≈≤≥ ").split(" ± ")]
