"""A report on the command line: the session that is asked for, the words of its first page, progress, the file."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import fields, replace

from dpstudio.cli.request import EVERY, PATIENCE, about_words, find_parameter, find_study, named, opened
from dpstudio.cli.talk import Refused, say
from dpstudio.core.declare import InvalidParameter, read_entry
from dpstudio.documents import report
from dpstudio.documents.files import atomic
from dpstudio.documents.noted import Cover
from dpstudio.documents.session import Session
from dpstudio.text.given import cut
from dpstudio.vocabulary import Value


def write_report(options: Namespace) -> None:
    """Write it; raises InvalidParameter, Refused and OSError."""
    if options.output is None:
        raise Refused("--output is missing: a file that ends in .pdf or .html")
    form = report.format_of(options.output)
    if (options.study is None) == (options.session is None):
        raise Refused("give either a STUDY or --session FILE; dpstudio list names the studies")
    session = opened(options.session) if options.session is not None else named(options.study)
    session = _put(session, options.settings)
    session = session.without_words() if options.no_words else session
    session = session.cover(_cover(session.state().cover, options))
    if options.choose is not None:
        session = session.decide(options.choose)
    session = session if options.no_words else about_words(session)
    if (data := session.data) is not None:
        say(data.leaving.note)
    kinds = tuple(find_study(key.strip()) for key in (options.studies or "").split(",") if key.strip())
    made = b""
    began = shown = time.monotonic()
    terminal = sys.stderr is not None and sys.stderr.isatty()
    try:
        for progress in report.steps(form, session, report.Chosen(studies=kinds, values=not options.no_values)):
            made, now = progress.made or made, time.monotonic()
            if terminal and now - began > PATIENCE and now - shown > EVERY:
                shown = now
                done = f"{progress.done} of {progress.total}: {progress.doing}"
                print(f"\r\x1b[K{done}", end="", file=sys.stderr, flush=True)
    finally:
        if shown > began:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    with atomic(options.output) as file:
        file.write(made)


def _put(session: Session, settings: Iterable[str]) -> Session:
    """The session with values of the study in view set from NAME=VALUE; such a number was not counted."""
    given: dict[str, Value] = {}
    for setting in settings:
        name, equals, text = map(str.strip, setting.partition("="))
        if not equals:
            raise InvalidParameter("--set", "NAME=VALUE", setting)
        if name in given:
            raise Refused(f"{name} is set twice, to {cut(str(given[name]))} and to {cut(text)}")
        given[name] = read_entry(find_parameter(session.study_class, name), text)
    if not given:
        return session
    session = session.put(given)
    for name in given:
        session = session.disown(name)
    return session


def _cover(cover: Cover, options: Namespace) -> Cover:
    """The words of the first page, where flags give them in the place of those that are there."""
    given = {each.name: getattr(options, each.name) for each in fields(Cover)}
    return replace(cover, **{name: text for name, text in given.items() if text is not None})
