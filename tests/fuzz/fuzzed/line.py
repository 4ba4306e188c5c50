"""Doors of the command line: flags with what stands behind them, and the requests of a batch."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from dpstudio import cli
from dpstudio.cli import parser as flags
from dpstudio.cli.batch import answer
from dpstudio.cli.talk import Failure
from dpstudio.core import cluster, workers
from dpstudio.studies import all_studies
from fuzzed.kit import Door, Mutator, bytes_of, in_json, in_pieces, need, sentence, text_of
from fuzzed.sessions import OLD, old_sessions, session_tokens
from fuzzed.words import CONDITIONS, TABLE, request_tokens

BETWEEN = b"\n"
"""What sets arguments apart: no shell hands over more lines than somebody quotes."""
ALONE = ("a.csv", "b.parquet", "old.dpstudio", "old.svg", "old.png", "a.jsonl", ".", "..", "/dev/null", "/dev/zero",
         "/", "pipe",
         "nowhere", "-", "")
"""Names of files that may be read; no other leads out of the folder."""


class _Ended(Exception):
    """What came of arguments."""


@cache
def folder() -> Path:
    """Where the arguments' files are, below one of our own."""
    made = Path(tempfile.mkdtemp(prefix="dpstudio-fuzz-")) / "inner"
    made.mkdir()
    return made


def _filled(place: Path) -> None:
    for each in place.iterdir():
        shutil.rmtree(each) if each.is_dir() and not each.is_symlink() else each.unlink()
    (place / "a.csv").write_text(TABLE, "utf-8")
    (place / "b.parquet").write_bytes(b"PAR1" + bytes(20) + b"PAR1")
    (place / "old.dpstudio").write_bytes(old_sessions()[-1])
    for ending in ("svg", "png"):
        (place / f"old.{ending}").symlink_to(OLD / f"format-5.{ending}")
    (place / "a.jsonl").write_text('{"study": "response"}\n', "utf-8")
    os.mkfifo(place / "pipe")


@contextmanager
def _in_folder() -> Iterator[tuple[io.BytesIO, io.BytesIO, list[BaseException]]]:
    """Streams and a folder of our own, no further process, no network, no window, and errors that nobody expected."""
    place, before, errors = folder(), Path.cwd(), list[BaseException]()
    _filled(place)
    kept = sys.stdin, sys.stdout, sys.stderr, workers.local, cluster.Cluster, cli._is_refusal, cli.give_up_output
    out, err = io.BytesIO(), io.BytesIO()

    def is_refusal(error: Exception) -> bool:
        found = kept[5](error)
        if not found:
            errors.append(error)
        return found

    def nobody(*_: object) -> Any:
        raise Failure("nothing is heard of the scheduler")

    try:
        os.chdir(place)
        sys.stdin = io.TextIOWrapper(io.BytesIO())
        sys.stdout, sys.stderr = (io.TextIOWrapper(each, "utf-8", errors="backslashreplace") for each in (out, err))
        workers.local = lambda _: workers.Here()  # type: ignore[assignment]
        cluster.Cluster = nobody  # type: ignore[assignment, misc]
        cli._is_refusal, cli.give_up_output = is_refusal, lambda: None
        yield out, err, errors
    finally:
        streams = sys.stdout, sys.stderr
        sys.stdin, sys.stdout, sys.stderr, workers.local, cluster.Cluster, cli._is_refusal, cli.give_up_output = kept  # type: ignore[misc]
        for each in streams:
            each.detach()
        os.chdir(before)


def line(data: bytes) -> None:
    """Any arguments are done, fail, are refused or have no solution: 1 and 2 in one line, and nothing else changes."""
    arguments = [_harmless(text_of(each)) for each in data.split(BETWEEN)[:40]]
    with _in_folder() as (out, err, errors):
        before = _held()
        arguments = ["x" if each == "pipe" and before_it == "--output" else each
                     for before_it, each in zip(["", *arguments], arguments, strict=False)]  # which waits for a reader
        if arguments and (arguments[0] not in flags.COMMANDS and not arguments[0].startswith("-")):
            arguments = ["compute", *arguments]  # no window
        status = cli.main(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
        if errors:
            raise errors[0]
        told = err.getvalue().decode("utf-8", "replace").splitlines()
        need(status in (0, 1, 2, 3), f"the status is {status}")
        if status in (1, 2):
            need(len(told) >= 1, "nothing says why")
            need(status == 1 or not out.getvalue() or "--batch" in arguments, "there is output beside a refusal")
        for each in told:
            need(each.startswith("dpstudio: "), f"something else says {each[:200]!r}")
            sentence(each)
        output = {arguments[i + 1] for i in range(len(arguments) - 1) if arguments[i] == "--output"} | {
            each.partition("=")[2] for each in arguments if each.startswith("--output=")}
        if status == 2:
            changed = {name for name in before if _held().get(name) != before[name]}
            need(not changed, f"a refusal changed {changed}")
        made = {name for name in _held() if name not in before}
        need(all(name in output or name.removesuffix(".part") in output or output for name in made),
             f"{made} of {output}")
        need(not any(name.startswith(".dpstudio-") for name in made), "something is left beside")


def _held() -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder().iterdir() if each.is_file() and not each.is_symlink()}


def _harmless(argument: str) -> str:
    """An argument that leads nowhere but to these files, and agrees to no command."""
    if argument == "--yes":
        return "--format=text"
    flag, equals, rest = argument.partition("=") if argument.startswith("--") else ("", "", argument)
    if rest not in ALONE:
        rest = rest.replace("/", "_").replace("\\", "_").replace("..", "_")
    return f"{flag}{equals}{rest}".replace("\0", "_")


def in_arguments(data: bytes, chance: random.Random, tokens: Sequence[bytes]) -> bytes:
    """Arguments taken out, doubled, put elsewhere, made of known flags and words, or damaged in themselves."""
    parts = data.split(BETWEEN)
    words = tokens or line_tokens()
    for _ in range(chance.choice((1, 1, 2, 3))):
        at = chance.randrange(len(parts))
        how = chance.randrange(6)
        if how == 0 and len(parts) > 1:
            del parts[at]
        elif how == 1:
            parts[at:at] = [parts[at]]
        elif how == 2:
            parts.insert(chance.randint(0, len(parts)), chance.choice(words))
        elif how == 3:
            parts[at] = in_pieces(parts[at], chance, words).replace(BETWEEN, b" ")
        else:
            parts[at] = chance.choice(words)
    return BETWEEN.join(parts)


@cache
def line_tokens() -> tuple[bytes, ...]:
    made = {option for each in flags.parser()._subparsers._group_actions[0].choices.values()  # type: ignore[union-attr]
            for action in each._actions for option in action.option_strings}
    return tuple(map(bytes_of, (*sorted(made), *flags.COMMANDS, *all_studies(), *ALONE, "json", "csv", "text", "svg",
                                "pdf", "x.json",
                                "x.csv", "x.html", "x.yaml", "x.svg", "x.parquet", "epsilon=0.2", "epsilon=-1",
                                "epsilon=1:2:3",
                                "epsilon", "acceptance@laplace", "acceptance@laplace <= 0.5", "laplace", "opendp",
                                "google", "command",
                                "dpstudio", "age", "sex", "none", "facts", "160x100mm", "300", "41", "1",
                                "published=2026-11-22",
                                "model=Central", "deployments"))) + request_tokens()[::7]


_LINES = (
    ("list", "decision"), ("list", "decision", "--format", "json"), ("list", "deployments", "--attacker", "name:1000"),
    ("compute", "response", "--no-simulation", "--set", "epsilon=0.2"), ("compute", "--batch", "a.jsonl", "--output",
                                                                         "x.json"),
    ("compute", "old.dpstudio", "--no-simulation", "--format", "csv"), ("code", "noise", "--series", "laplace",
                                                                        "--library", "opendp"),
    ("code", "old.svg", "--library", "command", "--output", "x.txt"), ("guarantee", "noise", "--points", "5",
                                                                       "--format", "json"),
    ("solve", "noise", "--want", "error_95@laplace <= 10", "--for", "epsilon", "--format", "json"),
    ("sweep", "response", "--over", "epsilon=0.5:1:3", "--facts", "answer_probability", "--output", "x.csv"),
    ("sweep", "noise", "--over", "epsilon=1,2", "--facts", "error_95@laplace", "--format", "json"),
    ("profile", "response", "--profile", "0.01:0.05"), ("report", "response", "--output", "x.yaml", "--about",
                                                        "published=2026-11-22"),
    ("render", "response", "--output", "x.svg", "--size", "160x100mm"),
    *(("count", "a.csv", "--where", condition) for condition in CONDITIONS[:4]),
    ("count", "a.csv", "--by", "sex", "--person", "age"), ("count", "a.csv", "--of", "weight", "--missing", "NA"),
    ("count", "a.csv", "--where", "age > 1", "--person", "sex", "--at-most", "1", "--epsilon", "1", "--delta", "1e-5"),
    ("audit", "a.csv", "a.csv", "--column", "age", "--epsilon", "1"),
    ("audit", "--exhibit", "half_noise", "--seed", "1"),
    ("audit", "--command", "x {data} {draws}", "--datasets", "a", "b", "--draws", "20"),
    ("count", "a.csv", "--symptom", "smoker", "--action", "age > 30", "--seed", "3"))


def batches(data: bytes) -> None:
    """A request of a batch has an answer of one line, with facts or the sentence that refuses it."""
    said = answer(data, tables=False, simulate=False, quiet=True)
    need("\n" not in said, "an answer has several lines")
    made = json.loads(said, parse_constant=lambda name: need(False, f"an answer has {name}"))
    need(("error" in made) != ("facts" in made), "it is neither an answer nor a refusal")
    if "error" in made:
        sentence(made["error"])


def _batch_seeds() -> Sequence[bytes]:
    asked = [{"study": "response", "set": {"epsilon": 0.5}}, {"study": "decision", "set": {"epsilon": "0.1"},
             "facts": ["acceptance@laplace", "band_width"], "attacker": "name:1000", "false_alarms": 0.01},
             {"study": "noise", "set": {"epsilon": 1}, "facts": ["error_95"], "profile": "0.01:0.05"}]
    return [*(json.dumps(each).encode() for each in asked),
            *(json.dumps({"study": key, "set": {each.name: kind().values()[each.name] for each in kind.parameters()},
                          "facts": []}).encode() for key, kind in all_studies().items())]


_JSON_OR_PIECES: Mutator = in_json

DOORS = (
    Door("line", "flags and what stands behind them", line,
         lambda: [BETWEEN.join(map(bytes_of, each)) for each in _LINES],
         in_arguments, 2_000, 2.0, computes=True),
    Door("batches", "requests of a batch", batches, _batch_seeds, _JSON_OR_PIECES, 8_000, 1.0, computes=True,
         tokens=session_tokens()),
)
