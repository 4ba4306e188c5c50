"""A sweep on the command line: what is asked, what is there already, progress, and the file in the end."""

from __future__ import annotations

import math
import sys
from argparse import Namespace
from contextlib import closing, nullcontext
from pathlib import Path

from dpstudio.cli.request import check_over, read_facts, session_of, workers_of
from dpstudio.cli.talk import Failure, Refused, progress, say
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import Study
from dpstudio.core.sweep import MOST, Kept, Plan, Swept, check_size, pace, read_over, size_of, sweep
from dpstudio.core.workers import Workers, WorkersFailed
from dpstudio.data.secret import keyed
from dpstudio.documents.files import atomic
from dpstudio.documents.sweeps import FORMATS, SweepFormat, request_of, write
from dpstudio.text.sentences import duration

LONG = 60
"""Seconds from which on a sweep is announced wherever its words go."""
_TIMED = 3
"""Values of each parameter by which one that is far too large is timed."""


def run_sweep(options: Namespace) -> None:
    """Facts over a grid; raises InvalidParameter, Refused, Failure and OSError."""
    workers = workers_of(options.workers, options.scheduler)
    session = session_of(options)
    plan, data = _planned(session.study, options, tuple(session.explicit)), session.data
    data = data and data.besides({over.name for over in plan.over})  # a number that is given here was not counted
    format = _format(options.output, options.format)
    target = None if options.output in (None, "-") else Path(options.output)
    if target is not None and target.is_dir():
        raise InvalidParameter("output", "a file, not a folder", str(target))
    if target is not None and target.is_file() and target.stat().st_size:
        if request_of(target) != plan.digest:
            raise InvalidParameter("output", "a new file, or one of the same request", str(target), "it is as it was")
        say(f"{target} has all of it already")
        return
    ordinary = target is not None and (target.is_file() or not target.exists())
    # Under a key of this machine: what anybody else wrote beside the file is computed again.
    with Kept(f"{options.output}.part", keyed(plan.digest).encode()) if ordinary else nullcontext() as kept:
        try:
            swept = _shown(plan, workers, kept)
        except WorkersFailed as failure:
            raise Failure(f"{failure}{'; run again to go on from what is done' * bool(kept and kept.lines)}") from None
        if target is None:
            write(sys.stdout.buffer, swept, format, data)
        else:
            with atomic(target) as file:
                write(file, swept, format, data)
        if kept is not None:
            kept.remove()
    for sentence in swept.told():
        say(sentence)


def _planned(study: Study, options: Namespace, explicit: tuple[str, ...]) -> Plan:
    """The plan, checked. One that is far too large is not made: some of its cells say how long it would take."""
    check_over(type(study), options.over, options.settings)
    if not options.facts:
        raise Refused(f"--facts is missing: KEY[@SERIES],…; dpstudio compute {study.key} names them")
    facts = read_facts(type(study), ",".join(options.facts).split(","))
    cells = math.prod(map(size_of, options.over))
    small = cells * len(facts) <= MOST
    over = tuple(read_over(type(study), text, None if small else _TIMED) for text in options.over)
    plan = Plan(study, over, facts, options.simulate, explicit)
    plan.check()
    if not small:
        check_size(cells, len(facts), f"they would take one worker about {duration(cells * pace(plan))}")
    return plan


def _format(output: str | None, given: SweepFormat | None) -> SweepFormat:
    if output in (None, "-"):
        if given == "parquet":
            raise Refused("a parquet file is not for standard output: give --output FILE.parquet")
        return given or "csv"
    ending = Path(str(output)).suffix.lower().removeprefix(".")
    found = next((each for each in FORMATS if each == ending), None)
    if given is None and found is None:
        raise InvalidParameter("output", f"a file name that ends in .{', .'.join(FORMATS)}, unless --format says what "
                               "it is", output)
    return given or found or "csv"


def _shown(plan: Plan, workers: Workers, kept: Kept | None) -> Swept:
    """Run it, with progress on a terminal."""
    seconds = pace(plan)
    running = sweep(plan, workers, kept, seconds=seconds)
    last = next(running)
    if kept is not None and kept.told:
        say(kept.told)
    whole = seconds * (last.total - last.done)
    if whole > LONG:
        say(f"{last.total - last.done:,} cells, which take one worker about {duration(whole)}")
    with closing(running), progress() as show:  # type: ignore[type-var]
        for last in running:
            left = "" if last.left_seconds is None else f", {duration(last.left_seconds)} left"
            show(f"{last.done:,} of {last.total:,} cells{left}")
    assert last.swept is not None
    return last.swept
