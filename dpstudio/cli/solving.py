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
from dpstudio.core.solve.among import candidates
from dpstudio.core.solve.every import offered, order_told, ranked
from dpstudio.core.solve.problem import Problem
from dpstudio.core.solve.solution import Solution
from dpstudio.core.solve.solver import solved
from dpstudio.core.solve.want import Want, read_want
from dpstudio.core.study import Study
from dpstudio.documents.tables import fact_object, json_lines
from dpstudio.text.entry import read_number
from dpstudio.text.sentences import begun

NOTHING_DOES = 3
"""The exit status where no value is as wanted."""
NOTHING_ALLOWED = "Nothing that is allowed does it."


def run_solve(options: Namespace) -> int:
    """Print the solution, or that of everything that is allowed, and return the exit status.

    Raises InvalidParameter and Refused.
    """
    if not options.want:
        raise Refused('--want is missing: --want "band_width@laplace <= 500"')
    if not options.names:
        raise Refused("--for is missing: the parameter to solve for, --for epsilon")
    session = session_of(options)
    kind, explicit = session.study_class, session.explicit
    for name in options.names:
        find_parameter(kind, name)
    wants = [read_want(kind, text, whoever=True) for text in options.want]
    between, as_json = _between(kind, options.between), wants_json(options.format)
    whose = [want.quantity for want in wants if not want.settled(kind)]
    if not whose:
        problem = Problem.of(kind, explicit, wants, options.names, between)
        solution = solved(problem)
        sys.stdout.write(_json(kind, _solution(problem, solution)) if as_json else _told(solution))
        return 0 if solution.met else NOTHING_DOES
    among = candidates(kind(**explicit).answer(), whose, kind.level_one.series)
    found = ranked(offered(kind, explicit, wants, options.names, among, between=between))
    offers, order = [offer for offer in found if not offer.refused], order_told(found[0].problem)
    does = any(offer.does for offer in offers)
    if as_json:
        each = [{"mechanism": offer.series and offer.series.key, **_solution(offer.problem, offer.solution)}
                for offer in offers]
        first = each[0] if each else {"parameters": kind(**explicit).values(), "solved": {}, "wants": [], "others": [],
                                      "says": NOTHING_ALLOWED}
        sys.stdout.write(_json(kind, {key: value for key, value in first.items() if key != "mechanism"}
                               | {"order": order, "offers": each}))
    else:
        head = f"{begun(order)}:" if does else NOTHING_ALLOWED
        told = (f"{offer.series.label if offer.series else kind.title}: {_told(offer.solution)}" for offer in offers)
        sys.stdout.write("\n".join([head, *told]))
    return 0 if does else NOTHING_DOES


def _told(solution: Solution) -> str:
    """What it comes to and, where it does what is wanted, the flags with which it does."""
    flags = " ".join(f"--set {name}={entry_text(value)}" for name, value in solution.values.items())
    return f"{solution.says}\n" + (f"{flags}\n" if solution.met else "")


def _json(kind: type[Study], found: dict[str, Any]) -> str:
    return json_lines({"study": kind.key, "version": __version__} | found)


def _solution(problem: Problem, solution: Solution) -> dict[str, Any]:
    """A solution as plain objects; where none is, `solved` is empty, and facts and parameters are the nearest."""
    parameters, values = problem.kind(**{**problem.explicit, **solution.values}).values(), dict(solution.values)
    wants = [_wanted(want, fact) for want, fact in zip(problem.wants, solution.facts, strict=True)]
    made = {"parameters": parameters, "solved": values if solution.met else {}, "wants": wants,
            "others": [dict(other) for other in solution.others]}
    return made | ({} if solution.met else {"nearest": values}) | {"says": solution.says}


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
