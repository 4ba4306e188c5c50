"""A session as a report: what goes into it, step by step, and into a file."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import Study
from dpstudio.documents import session_file, words
from dpstudio.documents.files import FileProgress, ending_of, write_file
from dpstudio.documents.noted import LONGEST_ON_COVER
from dpstudio.documents.report import cover, pdf, registry
from dpstudio.documents.report.blocks import Bullets, Chapter, References, Report, ReportSection, line_of
from dpstudio.documents.report.chapter import Making
from dpstudio.documents.report.contents import APPENDICES, ReportChoice, studies_in
from dpstudio.documents.session import Session
from dpstudio.documents.state import StudyState
from dpstudio.text.language import in_english, steps_in_english
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Choice

ReportFormat: TypeAlias = Literal["pdf", "html", "yaml"]
"""Pages, one page for a browser, and an entry for the registry of deployments, of the study in view alone."""
FORMATS: tuple[ReportFormat, ...] = get_args(ReportFormat)
ENDINGS = f".{', .'.join(FORMATS[:-1])} or .{FORMATS[-1]}"
"""Of the names of files, in words."""
USUAL = ReportChoice()
REFERENCES = "References"


def write(path: str | Path, session: Session, chosen: ReportChoice = USUAL) -> None:
    """Write a report in the format that the file's name ends in.

    Raises InvalidParameter for another name, where a PDF cannot be set, or for an entry that the registry would not
    take; ValueError for a count that is said to be left out, and OSError.
    """
    write_file(path, made(format_of(path), session, chosen))


def made(format: ReportFormat, session: Session, chosen: ReportChoice = USUAL) -> bytes:  # noqa: A002
    """The bytes of a report; raises as `write` does."""
    content = b""
    for progress in steps(format, session, chosen):
        content = progress.made or content
    return content


def format_of(path: str | Path) -> ReportFormat:
    """pdf, html or yaml, as the file's name says; raises InvalidParameter."""
    ending = ending_of(path, *FORMATS, told=ENDINGS)
    return next(each for each in FORMATS if each == ending)


@steps_in_english
def steps(format: ReportFormat, session: Session, chosen: ReportChoice = USUAL) -> Iterator[FileProgress]:  # noqa: A002
    """Make a report in steps, between which it can be left; raises as `write` does, before anything is computed."""
    if format == "yaml":
        check(session.state(), ())
        yield FileProgress(1, 1, made=registry.written(registry.entry_of(session.state())).encode())
        return
    if format == "pdf":
        pdf.check()
    report, total = yield from _composed(session, chosen)
    if format == "pdf":
        made = pdf.made(report)
    else:
        from dpstudio.documents.report import html  # it takes fonts apart

        made = html.made(report)
    yield FileProgress(total, total, made=made)


@in_english()
def content(session: Session, chosen: ReportChoice = USUAL) -> Report:
    """All that a report says, before it is a file."""
    composing = _composed(session, chosen)
    while True:
        try:
            next(composing)
        except StopIteration as end:
            report: Report = end.value[0]
            return report


def _composed(session: Session, chosen: ReportChoice) -> Generator[FileProgress, None, tuple[Report, int]]:
    if chosen.appendix not in APPENDICES:
        raise InvalidParameter("appendix", Choice(tuple(APPENDICES)), chosen.appendix)
    kinds = studies_in(session, chosen.studies)
    for kind in kinds:
        check(session.state(kind), chosen.figures.get(kind.key, ()))
    refs = References()
    makings = [Making(session.state(kind), refs, chosen, signed=not i) for i, kind in enumerate(kinds)]
    jobs = [(making, *job) for making in makings for job in (("computing", making.first), *making.steps())]
    total = len(jobs) + 1
    front: tuple[ReportSection, ...] = ()
    for i, (making, name, work) in enumerate(jobs):
        doing = FileProgress(i, total, f"{making.study.title}: {name[:1].lower()}{name[1:]}")
        yield doing
        for _ in work():
            yield doing
        if not i:
            front = cover.front(making.state, making.update, refs)
    yield FileProgress(len(jobs), total, "Setting the pages")
    pages = [making.page(alone=len(kinds) == 1) for making in makings]
    chapters = [making.chapter() for making in makings] if chosen.appendix != "none" else []
    return _report(session, kinds, front, pages, chapters, refs), total


def check(state: StudyState, asked: tuple[str, ...]) -> None:
    """Raises ValueError for a count that is said to be left out, and InvalidParameter for a picture there is not."""
    for each in state.settings:
        words.check_left_out(each.study, each.origin)
    known = [figure.key for figure in type(state.setting.study).figures]
    for key in asked:
        if key not in known:
            raise InvalidParameter("figures", f"among {', '.join(known)}", key)


def _report(session: Session, kinds: tuple[type[Study], ...], front: tuple[ReportSection, ...], pages: list[Chapter],
            chapters: list[Chapter], refs: References) -> Report:
    state = session.state(kinds[0])
    works = Bullets(tuple((f"[{i}]", each.reference) for i, each in enumerate(refs.works, 1)))
    if chapters:
        chapters.append(Chapter(REFERENCES, (works,)))
    else:
        pages[-1] = replace(pages[-1], sections=(ReportSection(REFERENCES, (works,)),))
    others = f" With {listed(kind.title for kind in kinds[1:])}." if len(kinds) > 1 else ""
    return Report(f"Privacy report: {kinds[0].title}", f"{kinds[0].question}{others}",
                  f"{words.MADE_BY} explores; it does not release.", line_of(state.cover.who, LONGEST_ON_COVER),
                  cover.day_of(state.cover.when), front, tuple(pages), tuple(chapters),
                  session_file.text(session.whole(())))
