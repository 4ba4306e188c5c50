"""An audit of somebody's own mechanism: from files, a command, a library or an exhibit."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from textwrap import wrap

from dpstudio.cli.request import whole
from dpstudio.cli.talk import Refused, hand_over, progress, unknown, wants_json
from dpstudio.core.declare import accepted
from dpstudio.data.libraries import library_noise
from dpstudio.data.outcomes import read_pair
from dpstudio.data.runs import DRAWS, LIMIT, SECONDS, Arguments, arguments_of, run_pair
from dpstudio.documents.audited import audit_object, sentences
from dpstudio.documents.tables import json_lines
from dpstudio.models.auditing.exhibits import EXHIBITS, Exhibit
from dpstudio.models.auditing.own import CONFIDENCES, DELTAS, EPSILONS, OutcomePair, audited
from dpstudio.text.entry import read_number
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import POSITIVE, REAL, SEED, Interval

CONTRADICTED = 3
"""Exit status of a claim that does not stand."""
_WIDTH = 100
_DRAWS = "10000"
_GOES_WITH = {"column": ("files",), "datasets": ("command", "library"), "draws": ("command", "library", "exhibit"),
              "seconds": ("command", "library"), "scale": ("library",), "yes": ("command",), "seed": ("exhibit",)}
"""Of each flag the ways to have outcomes with which it goes."""


def run_audit(options: Namespace) -> int:
    """Print what outcomes prove against a claim, with status 3 where they contradict it."""
    way = _way(options)
    exhibit = _exhibit(options.exhibit) if way == "exhibit" else None
    epsilon = _number("epsilon", EPSILONS, options.epsilon, "1")
    delta = _number("delta", DELTAS, options.delta, repr(exhibit.delta) if exhibit else "0")
    confidence = _number("confidence", CONFIDENCES, options.confidence, "0.99")
    if exhibit:
        draws = whole("draws", DRAWS, options.draws or str(exhibit.draws))
        pair = exhibit.drawn(draws, int(accepted("seed", SEED.domain, read_number(options.seed or "0"))))
    elif way == "files":
        pair = read_pair(options.files[0], options.files[1], options.column)
    else:
        pair = _run(options, way)
    found = audited(pair, epsilon, delta, confidence)
    if wants_json(options.format):
        made = audit_object(found)
        if exhibit:
            made |= {"exhibit": exhibit.title, "wrong": exhibit.wrong, "source": exhibit.source.reference}
        hand_over(json_lines(made), None)
    else:
        told = [*sentences(found)]
        if exhibit:
            told.insert(0, f"{exhibit.title}. {exhibit.wrong} {exhibit.source.reference}".replace("  ", " "))
        hand_over("\n".join(line for text in told for line in wrap(text, _WIDTH)) + "\n", None)
    return CONTRADICTED if found.contradicted else 0


def _way(options: Namespace) -> str:
    """Where outcomes come from: one of files, command, library and exhibit."""
    given = {"files": options.files, "command": options.command_line, "library": options.library,
             "exhibit": options.exhibit}
    ways = [way for way, value in given.items() if value]
    if len(ways) != 1 or (ways == ["files"] and len(options.files) != 2):
        raise Refused("give two files of outcomes, FILE FILE, or one of --command, --library and --exhibit")
    for flag, goes in _GOES_WITH.items():
        if getattr(options, flag) and ways[0] not in goes:
            named = ("two files" if way == "files" else f"--{way}" for way in goes)
            raise Refused(f"--{flag} goes with {listed(named)} alone")
    if options.datasets and len(options.datasets) != 2:
        raise Refused("--datasets takes two: a dataset and its neighbour")
    if ways[0] == "command" and not options.datasets:
        raise Refused("--command needs --datasets A B: what stands for {data} in each of its two runs")
    return ways[0]


def _exhibit(name: str) -> Exhibit:
    if name not in EXHIBITS:
        raise unknown("exhibit", name, EXHIBITS, "there are")
    return EXHIBITS[name]


def _number(name: str, domain: Interval, text: str | None, default: str) -> float:
    given = text if text is not None else default
    number = read_number(given)
    return float(accepted(name, domain, given if number is None else number))


def _run(options: Namespace, way: str) -> OutcomePair:
    draws = whole("draws", DRAWS, options.draws or _DRAWS)
    seconds = _number("seconds", SECONDS, options.seconds, repr(LIMIT))
    first, second = options.datasets or ("0", "1")
    if way == "library":
        noise, scale = library_noise(options.library), _number("scale", POSITIVE, options.scale, "1")
        runs = (noise.arguments(_number("datasets", REAL, first, ""), draws, scale),
                noise.arguments(_number("datasets", REAL, second, ""), draws, scale))
    else:
        runs = arguments_of(options.command_line, first, draws), arguments_of(options.command_line, second, draws)
        _ask(runs, draws, seconds, sure=options.yes)
    with progress() as show:
        show("running")
        return run_pair(runs, draws, seconds)


def _ask(runs: tuple[Arguments, Arguments], draws: int, seconds: float, *, sure: bool) -> None:
    """Say what will run, and ask whether it may; raises Refused where nobody says so."""
    print(*(f"dpstudio: runs {shlex.join(arguments)}" for arguments in runs), sep="\n", file=sys.stderr)
    if sure:
        return
    asked = f"each for {draws} outcomes and at most {seconds:g} seconds"
    if not sys.stdin or not sys.stdin.isatty():
        raise Refused(f"these two commands run, {asked}, only with --yes")
    print(f"{asked}; run them? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Refused("nothing was run")
