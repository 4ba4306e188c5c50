"""Solving on the command line: wants in words, solutions as JSON or as sentences."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from dpstudio import __version__
from dpstudio.cli.request import find_parameter, session_of
from dpstudio.cli.talk import Refused, wants_json
from dpstudio.core.declare import InvalidParameter, entry_text
from dpstudio.core.results import Fact, Span
from dpstudio.core.solve.solution import Solution
from dpstudio.core.solve.solver import solve
from dpstudio.core.solve.want import Want, read_want
from dpstudio.core.study import Study
from dpstudio.documents.tables import fact_object, json_lines
from dpstudio.text.entry import read_number

NOTHING_DOES = 3
"""The exit status where no value is as wanted."""


def run_solve(options: Namespace) -> int:
    """Print the solution and return the exit status; raises InvalidParameter and Refused."""
    if not options.want:
        raise Refused('--want is missing: --want "band_width@laplace <= 500"')
    if not options.names:
        raise Refused("--for is missing: the parameter to solve for, --for epsilon")
    session = session_of(options)
    kind, explicit = session.study_class, session.explicit
    for name in options.names:
        find_parameter(kind, name)
    wants = [read_want(kind, text) for text in options.want]
    solution = solve(kind, explicit, wants, options.names, _between(kind, options.between))
    if wants_json(options.format):
        made = solved_object(kind(**{**explicit, **solution.values}), wants, options.names, solution)
        sys.stdout.write(json_lines(made))
    else:
        flags = " ".join(f"--set {name}={entry_text(solution.values[name])}" for name in options.names)
        sys.stdout.write(f"{solution.says}\n" + (f"{flags}\n" if solution.met else ""))
    return 0 if solution.met else NOTHING_DOES


def solved_object(study: Study, wants: Iterable[Want], names: Iterable[str], solution: Solution) -> dict[str, Any]:
    """A solution as plain objects; where none is, `solved` is empty, and facts and parameters are the nearest."""
    named = {name: solution.values[name] for name in names}
    made: dict[str, Any] = {"study": study.key, "version": __version__, "parameters": study.values(),
                            "solved": named if solution.met else {}}
    made["wants"] = [_wanted(want, fact) for want, fact in zip(wants, solution.facts, strict=True)]
    made["others"] = [dict(other) for other in solution.others]
    if not solution.met:
        made["nearest"] = named
    return made | {"says": solution.says}


def _wanted(want: Want, fact: Fact | None) -> dict[str, Any]:
    found = fact_object(fact) if fact else {"value": "nan", "kind": "exact", "low": None, "high": None, "how": "",
                                            "source": ""}
    made = {"key": want.quantity, "mechanism": want.series, "relation": want.relation, "wanted": want.value}
    made |= {field: found[field] for field in ("value", "kind", "low", "high", "how", "source")}
    return made | ({"at": dict(want.at)} if want.at else {})


def _between(kind: type[Study], entries: Iterable[str]) -> dict[str, Span]:
    """Ranges from “NAME=LOW:HIGH” each."""
    found: dict[str, Span] = {}
    for entry in entries:
        name, _, ends = map(str.strip, entry.partition("="))
        numbers = [read_number(end) for end in ends.split(":")]
        if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
            raise InvalidParameter("--between", "NAME=LOW:HIGH", entry)
        find_parameter(kind, name)
        if name in found:
            raise Refused(f"{name} is bounded twice")
        found[name] = numbers[0], numbers[1]
    return found
