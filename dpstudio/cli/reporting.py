"""A report on the command line: the session that is asked for, the words of its first page, progress, the file."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import fields, replace
from pathlib import Path

from dpstudio.cli.request import about_words, either, feared_by, fearing, find_study, read_settings
from dpstudio.cli.talk import Refused, progress, say, unknown
from dpstudio.core.declare import InvalidParameter
from dpstudio.documents import report
from dpstudio.documents.about import FIELDS
from dpstudio.documents.files import write_file
from dpstudio.documents.noted import Cover
from dpstudio.text.given import cut
from dpstudio.vocabulary import Choice


def run_report(options: Namespace) -> None:
    """Write a session as a document; raises InvalidParameter, Refused and OSError."""
    if options.output is None:
        raise Refused(f"--output is missing: a file that ends in {report.ENDINGS}")
    form = report.format_of(options.output)
    session = either(options.study, options.session)
    given = read_settings(session.study_class, options.settings)
    session, given = fearing(session, given, feared_by(options))
    session = session.put(given) if given else session
    for name in given:  # such a number was not counted
        session = session.disown(name)
    session = session.without_words() if options.no_words else session
    state = session.state()
    session = session.having(cover=_cover(state.cover, options), about={**state.about, **_about(options.about)})
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
    if form == "yaml":
        say(report.entry_of(session.state()).says)
        if not report.NAME.fullmatch(Path(options.output).name):
            say("the registry takes names of lowercase letters, digits and underscores that end in .yaml")


def _about(given: list[str]) -> dict[str, str]:
    """What flags say of the release: FIELD=VALUE each; an empty value takes back what the session says."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise InvalidParameter("--about", "FIELD=VALUE", text)
        if (field := FIELDS.get(name.strip())) is None:
            raise unknown("field", name.strip(), FIELDS, "the fields about the release are")
        if field.key in found:
            raise Refused(f"{field.key} is stated twice, as {cut(found[field.key])} and as {cut(value)}")
        options = field.kind.options if isinstance(field.kind, Choice) else ()
        found[field.key] = next((each for each in options if each.lower() == value.strip().lower()), value.strip())
    return found


def _cover(cover: Cover, options: Namespace) -> Cover:
    """The words of the first page, where flags give them in the place of those that are there."""
    given = {each.name: getattr(options, each.name) for each in fields(Cover)}
    return replace(cover, **{name: text for name, text in given.items() if text is not None})
