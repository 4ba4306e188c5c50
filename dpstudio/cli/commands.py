"""What each command does."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap

from dpstudio.cli.request import computed, feared_by, figure_of, named, session_of, whole, workers_of
from dpstudio.cli.talk import Refused, hand_over
from dpstudio.core.attacker import EVEN_ODDS, Attacker
from dpstudio.core.declare import Parameter
from dpstudio.core.study import Study
from dpstudio.documents import pictures, tables
from dpstudio.documents.words import relation
from dpstudio.studies import all_studies
from dpstudio.text.numbers import plain

_WIDEST = 60
"""Characters that a column makes room for."""
_PAGE = 80
"""Characters of a line of a file."""
DEPLOYMENTS = "deployments"
"""What is listed by that name in the place of a study."""


def run_list(options: Namespace) -> None:
    """The studies, or what one of them has, or the deployments in use."""
    if options.study == DEPLOYMENTS:
        _list_deployments(options.format, EVEN_ODDS.replace(**feared_by(options)))
        return
    if feared_by(options):
        raise Refused("whom one fears belongs to deployments: a list of studies has no risk")
    if options.format == "json":
        kinds = all_studies().values() if options.study is None else (named(options.study).study_class,)
        listed = [contents(kind) for kind in kinds]
        print(json.dumps(listed if options.study is None else listed[0], ensure_ascii=False, indent=1))
        return
    if options.study is None:
        _print_columns([(study.key, study.question) for study in all_studies().values()])
        return
    study_class = named(options.study).study_class
    print(f"{study_class.title}: {study_class.question}\n{relation(study_class())}.\n\nParameters")
    _print_columns([_described(declared) for declared in study_class.parameters()])
    print("\nPictures")
    _print_columns([(figure.key, figure.title) for figure in study_class.figures])


def _list_deployments(format: str, whom: Attacker) -> None:  # noqa: A002
    from dpstudio.documents.deployments import json_text, paragraphs

    if format == "json":
        print(json_text(whom))
        return
    width = get_terminal_size().columns if sys.stdout.isatty() else _PAGE
    for words in paragraphs(whom):
        lines = (wrap(part, width, break_long_words=False, break_on_hyphens=False) for part in words.split("\n"))
        print("\n".join(line for part in lines for line in part), end="\n\n")


def run_compute(options: Namespace) -> None:
    """Facts and tables of one study, or the answers to a batch of requests."""
    if options.batch is not None:
        if options.study or options.session or options.settings or options.format or options.no_simulation:
            raise Refused("--batch takes all else from its requests: only --tables, --simulate, --workers and --output "
                          "go with it")
        from dpstudio.cli.batch import answer_batch

        answer_batch(options.batch, options.output, workers_of(options.workers), tables=options.tables,
                     simulate=options.simulate)
        return
    if options.tables or options.simulate or options.workers:
        raise Refused("--tables, --simulate and --workers belong to --batch: without it both are done, here")
    session = session_of(options)
    output, shown = options.output, options.output in (None, "-")
    kind = options.format or ("text" if shown and sys.stdout.isatty() else "json")
    update = computed(session.study, simulate=not options.no_simulation).deciding(session.state().chosen)
    if kind == "csv" and not shown and (output.endswith(("/", os.sep)) or Path(output).is_dir()):
        tables.write_all_csv(output, session, update)
        return
    if kind == "text":
        from dpstudio.documents.listing import text

        said = text(session.study, update, get_terminal_size().columns if shown else _PAGE, session.data)
    else:
        said = (tables.csv_text if kind == "csv" else tables.json_text)(session, update)
    hand_over(said, output)


def run_render(options: Namespace) -> None:
    """One picture of a study, or all of them."""
    if options.output is None:
        raise Refused("--output is missing: a file that ends in .svg, .pdf, .png or .html, or a folder with --all")
    if options.all and options.figure:
        raise Refused("--figure draws one picture and --all draws every one: give one of the two")
    if options.format and not options.all:
        raise Refused("--format belongs to --all: the name of a single file says its format")
    if Path(options.output).suffix.lower() == ".html":
        from dpstudio.cli.living import render_living

        render_living(options)
        return
    if options.over:
        raise Refused("--over is for a living page: the name of its file ends in .html")
    session = session_of(options)
    study = session.study
    size, dpi = pictures.SIZE_MM, pictures.DPI
    if options.size is not None:
        size = pictures.read_size(options.size)
    if options.dpi is not None:
        dpi = whole("dpi", pictures.RESOLUTION, options.dpi)
    if options.all:
        kind = options.format or pictures.FORMATS[0]
        pictures.check_size(size, dpi, kind)
        update = computed(study, simulate=True).deciding(session.state().chosen)
        pictures.write_all(options.output, session, update, format=kind, size_mm=size, dpi=dpi,
                           published=options.published)
        return
    figure = figure_of(type(study), options.figure)
    pictures.check_size(size, dpi, pictures.format_of(options.output))
    simulate = study.answers().tabled[figure.table].drawn is not None
    update = computed(study, simulate=simulate).deciding(session.state().chosen)
    pictures.write(options.output, session, update, figure, size_mm=size, dpi=dpi, published=options.published)


def run_code(options: Namespace) -> None:
    """Code that does what a series of a study does."""
    from dpstudio.documents.code import LIBRARIES, written

    if options.library is None:
        raise Refused(f"--library is missing: one of {', '.join(LIBRARIES)}")
    session = session_of(options)
    series = session.state().chosen or "" if options.series is None else options.series
    text = written(session.study, session.explicit, series, options.library, session.data).text
    hand_over(text, options.output)


def contents(kind: type[Study]) -> dict[str, object]:
    """What a study has, as plain data; level 1 is what the window shows first."""
    first, answers = kind.level_one, kind.answers()
    parameters = [{"name": each.name, "level": first.level_of(each.name), "domain": str(each.domain),
                   "default": kind().values()[each.name]} for each in kind.parameters()]
    pictures = [{"name": each.key, "title": each.title, "level": first.level_of_figure(each.key)}
                for each in kind.figures]
    index = {declared.quantity: declared for declared in answers.index().values()}
    facts = [{"key": quantity.key, "label": quantity.label, "level": first.level_of_fact(quantity),
              "each": declared.each} for quantity, declared in index.items()]
    series = [{"key": each.key, "label": each.label, "level": first.level_of_series(each)}
              for each in dict.fromkeys((*answers.series(), *first.series))]
    return {"study": kind.key, "question": kind.question, "door": kind.door and kind.door.title,
            "parameters": parameters, "pictures": pictures, "facts": facts, "series": series}


def _described(declared: Parameter) -> tuple[str, ...]:
    """Name, symbol, domain, default and meaning."""
    default = declared.default
    if isinstance(default, bool):
        default = "yes" if default else "no"
    elif isinstance(default, int | float):
        default = plain(default)
    named = ", ".join(f"{name} = {plain(value)}" for name, value in declared.named.items()
                      if isinstance(value, int | float))
    sentence = declared.quantity.sentence + (f" Named values: {named}." if named else "")
    if declared.when:
        sentence += f" {declared.condition}"
    return declared.name, declared.quantity.symbol, str(declared.domain), str(default), sentence


def _print_columns(rows: Sequence[tuple[str, ...]]) -> None:
    # A long list of words stands out into the next column, in its own row alone.
    widths = [max((len(cell) for cell in column if len(cell) <= _WIDEST), default=0)
              for column in zip(*rows, strict=True)]
    for row in rows:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
