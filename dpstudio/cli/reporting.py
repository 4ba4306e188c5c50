"""A report on the command line: the session that is asked for, the words of its first page, progress, the file."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import fields, replace

from dpstudio.cli.request import about_words, either, find_study, read_settings
from dpstudio.cli.talk import Refused, progress, say
from dpstudio.documents import report
from dpstudio.documents.files import write_file
from dpstudio.documents.noted import Cover


def run_report(options: Namespace) -> None:
    """Write a session as a document; raises InvalidParameter, Refused and OSError."""
    if options.output is None:
        raise Refused("--output is missing: a file that ends in .pdf or .html")
    form = report.format_of(options.output)
    session = either(options.study, options.session)
    given = read_settings(session.study_class, options.settings)
    session = session.put(given) if given else session
    for name in given:  # such a number was not counted
        session = session.disown(name)
    session = session.without_words() if options.no_words else session
    session = session.having(cover=_cover(session.state().cover, options))
    if options.choose is not None:
        session = session.decide(options.choose)
    session = session if options.no_words else about_words(session)
    if (data := session.data) is not None:
        say(data.leaving.note)
    kinds = tuple(find_study(key.strip()) for key in (options.studies or "").split(",") if key.strip())
    appendix = report.USUAL_APPENDIX if options.appendix is None else options.appendix
    chosen = report.ReportChoice(studies=kinds, appendix=appendix, values=not options.no_values)
    made = b""
    with progress() as show:
        for step in report.steps(form, session, chosen):
            made = step.made or made
            show(f"{step.done} of {step.total}: {step.doing}")
    write_file(options.output, made)


def _cover(cover: Cover, options: Namespace) -> Cover:
    """The words of the first page, where flags give them in the place of those that are there."""
    given = {each.name: getattr(options, each.name) for each in fields(Cover)}
    return replace(cover, **{name: text for name, text in given.items() if text is not None})
