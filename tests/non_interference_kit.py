"""The same actions on two tables that differ in their counts alone, and every kind of file that is written of them.

With counts left out the files of both must be the same, byte for byte. Run as a script, with the number of sequences:

    python tests/non_interference_kit.py 500 [first seed]

What is claimed: a person who does the same things, and picks what they do from what they see (a value beside the count,
the solution that is offered, a view around N, a note that states N), writes the same bytes. Sessions, what is kept for
the next start, facts as CSV and JSON, pictures (SVG, PDF, PNG), living pages, sweeps (CSV, JSON, Parquet), reports
(PDF, HTML), code and tables of comparisons are written by the functions that the window and the command line write
them with.

What is not claimed, and therefore no action here:
- that a value which a person types, and which happens to be the count, is told from it: it is taken for the count;
- what a person lets go: exact counts, words that go along, a value that is said not to be from data;
- the digest of the table under the key of this machine, which a session states in order to count again: it is masked;
- that an action which is refused in one world, and done in the other, tells nothing: there both sequences end, and are
  compared as they stood before. How often that happens is counted.
In what is kept for the next start nobody can be asked about words, and numbers in them are blanked where they are
recognised: the notes here state the count in forms that are, or no number at all.
"""

from __future__ import annotations

import io
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import numpy as np

from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.match.choice import By, Matching, choices, solvable
from dpstudio.core.match.matching import matching
from dpstudio.core.solve.solution import Solution
from dpstudio.core.solve.solver import solve as solve_for
from dpstudio.core.solve.want import read_want
from dpstudio.core.study import Study, answer
from dpstudio.core.sweep import Plan, read_over, sweep
from dpstudio.core.workers import Here
from dpstudio.data.condition.parser import parse
from dpstudio.data.file import DataFile
from dpstudio.data.origin import Origin
from dpstudio.data.targets import TARGETS, CountRequest
from dpstudio.documents import code, living, pictures, report, session_file, sweeps, tables
from dpstudio.documents.about import LONGEST_LINE
from dpstudio.documents.comparison import ComparedSide, compared, csv_text
from dpstudio.documents.comparison import json_text as comparison_json
from dpstudio.documents.living import Living, swept
from dpstudio.documents.noted import Cover, PictureNote, SweepAsked
from dpstudio.documents.session import Session
from dpstudio.documents.setting import Values, title
from dpstudio.gui.session import recovery
from dpstudio.gui.session.document import Document
from dpstudio.gui.session.recovery import LeftSession
from dpstudio.studies import all_studies
from dpstudio.vocabulary import Value
from dpstudio.vocabulary.written import listing_of, text_of_listing

Rows = tuple[int, int]
"""How many people, and how many of a thousand are ill."""
WORLDS: tuple[Rows, Rows] = ((1_900, 541), (2_700, 371))
WHERE, PERSON, ACTION = "ill = 1", "id", "acted = 1"
BY, OF = ("ward", "acted"), "weight"
STUDIES = ("decision", "posterior", "policy", "table", "number")
TEXTS = ("agreed with the office", "N is {count}", "{count:,} of them", "about {thousands:.3g}k people",
         "see {count} and {people}", "ask again")
"""What a person writes: with the count that they see, or without a number."""
WANTS = {"decision": ("acceptance@laplace", "band_width@laplace", "band_to@generalized"),
         "posterior": ("interval_high@aware", "mean_estimate@aware"), "policy": ("p_act@noisy",)}
QUICK = ("csv", "json")
KINDS = ("svg", "pdf", "png", "living", "sweep.csv", "sweep.json", "sweep.parquet", "html", "report.pdf", "yaml",
         "code", "comparison")
"""What takes longer is written of one sequence in so many; sessions, what is kept and tables are of all."""
_DIGEST = re.compile(r'(?<=")[0-9a-f]{64}(?=")')


@cache
def counted(rows: Rows) -> Mapping[tuple[str, bool], tuple[Values, Origin]]:
    """What counting in a table of so many rows gives, by study and whether persons are counted."""
    people, ill = rows
    made = random.Random(7)
    lines = [f"{i // 2},{int(made.random() * 1000 < ill)},{i % 3 % 2},{'ABCDE'[int(5 * made.random() ** 2)]},"
             f"{made.randrange(400, 1200) / 10}" for i in range(people)]
    found = {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        path.write_text("\n".join(["id,ill,acted,ward,weight", *lines]))
        with DataFile(path) as file:
            columns = file.open().columns
            for target in TARGETS:
                for persons in (False, True):
                    request = CountRequest(
                        target, WHERE, parse(WHERE, columns), action=ACTION if target.asks == "arms" else "",
                        person=PERSON if persons else None, at_most=1 if persons else None,
                        by=BY if target.asks == "groups" else (), of=OF if target.asks == "amounts" else "")
                    number = request.counted_in(file)
                    values = request.values(number)
                    found[target.study, persons] = values, request.origin(file, number, values)
    return found


def size(value: Value) -> float:
    """A number, or the largest of those in a list."""
    return float(listing_of(value).numbers.max(initial=0.0)) if isinstance(value, str) else float(value)


Action: TypeAlias = "Callable[[World, random.Random], None]"


class Refused(Exception):
    """An action that could not be done."""


@dataclass
class World:
    """A document, and the table that its person counts in."""

    rows: Rows
    document: Document = field(init=False)
    taken: int = 0

    def __post_init__(self) -> None:
        self.document = Document(Session(all_studies()["decision"]))

    @property
    def study(self) -> Study:
        return self.document.study

    def numeric(self, names: Any = None) -> list[Parameter]:
        return [each for each in self.study.parameters() if each.is_number and (names is None or each.name in names)]

    def seen(self) -> float:
        """The first count that stands there; a number of the screen where there is none."""
        origin = self.document.state.setting.origin
        if origin is None or not origin.counts:
            return 1000.0
        return max(map(size, (getattr(self.study, name) for name in origin.counts)))

    def written(self, text: str) -> str:
        """A text with the count that was taken last; a program that was started anew knows of none."""
        if not self.taken:
            return text.partition("{")[0]
        return text.format(count=self.taken, thousands=self.taken / 1000, people=self.taken)


# What a person does: each action draws alike in both worlds, whatever stands there


def turn(world: World, draw: random.Random) -> None:
    world.document.turn(all_studies()[draw.choice((*STUDIES, "noise"))])


def count(world: World, draw: random.Random) -> None:
    persons = draw.random() < 0.5
    if (found := counted(world.rows).get((world.study.key, persons))) is not None:
        world.document.do("Count", Session.take, *found)
        world.taken = int(max(map(size, (found[0][name] for name in found[1].counts))))


def type_value(world: World, draw: random.Random) -> None:
    """Type a number that has nothing to do with the table, of a parameter that is no count."""
    named = {target.study: target.counts for target in TARGETS}.get(world.study.key, ())
    free = [each for each in world.numeric() if each.name not in (*named, "trials", "seed") and each.range]
    one, part = draw.choice(free), draw.random()
    low, high = one.range or (0, 1)
    world.document.edit(one.name, one.domain.nearest(low + part * (high - low)))


def nudge(world: World, draw: random.Random) -> None:
    """Move a count, or what was found from one, a little: where it goes follows from where it was."""
    held, part = world.document.state.setting.counted, draw.random()
    for one in [each for each in world.numeric(held) if part < 0.7][:1]:
        value = float(getattr(world.study, one.name))
        world.document.edit(one.name, one.domain.nearest(value * (1.01 if part < 0.4 else 0.99)))
    for name in [name for name in held if isinstance(getattr(world.study, name), str) and part < 0.7]:
        found = listing_of(getattr(world.study, name))
        if found.numbers.size:
            numbers = found.numbers + (np.arange(found.numbers.size) == 0)
            world.document.edit(name, text_of_listing(found._replace(numbers=numbers)))


def find(world: World, draw: random.Random) -> None:
    """Take a value that was found of a study of a list, from what its numbers come to."""
    if world.study.key in ("table", "number") and world.document.state.setting.counted:
        world.document.solve({"epsilon": draw.choice((0.1, 1.0)) + world.seen() % 97 / 1000})


def drag(world: World, draw: random.Random) -> None:
    """Move a mark on a picture, to a place beside the count that is seen there."""
    name = {"decision": "minimum", "posterior": "epsilon", "policy": "cost"}.get(world.study.key, "epsilon")
    one, part = world.study.parameter(name), draw.uniform(0.8, 1.2)
    place = world.seen() * part / (1 if name == "minimum" else 1e4)
    world.document.edit(name, one.domain.nearest(place * 0.9), False, on_picture=True)
    world.document.edit(name, one.domain.nearest(place), True, on_picture=True)


def solve(world: World, draw: random.Random) -> None:
    """Want a fact a little other than it is, solve for a parameter, and take what is offered, the nearest included."""
    document, which, other = world.document, draw.random(), draw.choice((0.5, 0.9, 1.5))
    index = document.study_class.answers().index()
    names = [name for name in WANTS.get(world.study.key, ()) if tuple(name.split("@")) in index]
    free = [each for each in solvable(world.study) if each.name in ("epsilon", "minimum", "records", "people", "cost")]
    if not names or not free:
        return
    wanted, one = names[int(which * len(names))], free[int(which * 7919) % len(free)]
    fact = world.study.answer().fact(*wanted.split("@"))
    if fact is None:
        raise Refused
    number = fact.value * other if fact.value * other < 1 or fact.value > 1 else fact.value * 0.5
    want = read_want(document.study_class, f"{wanted} {'<=' if other < 1 else '>='} {number:.6g}")
    found = _solved(document.study_class, tuple(document.explicit.items()), str(want), one.name)
    chosen = want.series if want.series in {each.key for each in world.study.answer().choices} else None
    document.solve(found.values, wants=[str(want)], chosen=chosen)


@cache
def _solved(kind: type[Study], explicit: tuple[tuple[str, Any], ...], want: str, name: str) -> Solution:
    """What is found for a question; of equal ones once."""
    return solve_for(kind, dict(explicit), [read_want(kind, want)], [name])


@cache
def _matched(kind: type[Study], explicit: tuple[tuple[str, Any], ...], by: By, name: str) -> Matching:
    return matching(kind, dict(explicit), "laplace", by, name)


def match(world: World, draw: random.Random) -> None:
    """Match all series to the first, and pin those that match, or take one."""
    which, taken = draw.random(), draw.random() < 0.3
    series = [one.key for one in world.document.study_class.answers().series()]
    names = [each.name for each in solvable(world.study) if each.name in ("epsilon", "minimum")]
    if not series or not names or world.study.key != "decision":
        return
    offered = choices(world.study, "laplace")
    by = offered[int(which * 4) % len(offered)]
    made = _matched(world.document.study_class, tuple(world.document.explicit.items()), by, names[0])
    setting = world.document.state.setting
    if taken:
        world.document.do("Take setting", Session.adopt, setting.found(made.all[-1].handy))
    else:
        world.document.do("Remove all pins", Session.unpin)
        world.document.do("Pin", Session.pin,
                          *(setting.found(one.handy, one.series.key) for one in made.all if one.met))


def zoom(world: World, draw: random.Random) -> None:
    table = draw.choice(sorted({figure.table for figure in world.document.study_class.figures}))
    middle, width = world.seen(), draw.uniform(0.01, 0.5)
    world.document.show(Session.look, table, (middle * (1 - width), middle * (1 + width)))


def pin(world: World, draw: random.Random) -> None:
    if draw.random() < 0.3:
        world.document.do("Remove all pins", Session.unpin)
    world.document.do("Pin", Session.pin)


def take_pin(world: World, draw: random.Random) -> None:
    which = draw.random()
    pins = [each for each in world.document.state.pins if not each.follows]
    if pins:
        world.document.do("Take setting", Session.adopt, pins[int(which * len(pins))])


def snapshot(world: World, draw: random.Random) -> None:
    name, note = draw.choice(TEXTS), draw.choice(TEXTS)
    world.document.do("Take snapshot", Session.keep, world.written(name), world.written(note),
                      "2026-01-01T00:00")


def go_back(world: World, draw: random.Random) -> None:
    which, kept = draw.random(), world.document.state.snapshots
    if kept:
        world.document.do("Go back", Session.come_back, kept[int(which * len(kept))])


def write(world: World, draw: random.Random) -> None:
    world.document.show(Session.having, note=world.written(draw.choice(TEXTS)))


def note(world: World, draw: random.Random) -> None:
    figure = draw.choice([figure.key for figure in world.document.study_class.figures])
    world.document.do("Note on picture", Session.swap, "picture_notes", None,
                      PictureNote(figure, world.written(draw.choice(TEXTS)), (world.seen(), 0.5)))


def cover(world: World, draw: random.Random) -> None:
    world.document.do("Prepare report", Session.having, cover=Cover(*(
        world.written(draw.choice(TEXTS)) for _ in range(3))))


def about(world: World, draw: random.Random) -> None:
    world.document.do("Prepare report", Session.having, about={
        "name": world.written(draw.choice(TEXTS))[:LONGEST_LINE], "spent": world.written(draw.choice(TEXTS)),
        "model": draw.choice(("Central", "Local")), "published": "2026-01-01"})


def keep_sweep(world: World, draw: random.Random) -> None:
    setting = world.document.state.setting
    middle = world.seen() if setting.counted else 500.0
    asked = {"decision": ("minimum", "acceptance", "laplace"), "posterior": ("epsilon", "interval_high", "aware")}
    if (one := asked.get(world.study.key)) and (one[1:] in world.document.study_class.answers().index()):
        low = max(1, round(middle * draw.uniform(0.5, 0.9))) / (1 if one[0] == "minimum" else 10_000)
        over = f"{one[0]}={low:g}:{3 * low:g}:3"
        world.document.do("Keep sweep", Session.keep_sweep, SweepAsked((over,), (one[1:],), setting))


def reset(world: World, draw: random.Random) -> None:
    world.document.reset(draw.choice([each.name for each in world.study.parameters()]))


def preset(world: World, draw: random.Random) -> None:
    presets = world.document.study_class.presets
    which, every = draw.random(), draw.random() < 0.5
    if presets and not every:
        chosen = presets[int(which * len(presets))]
        world.document.do(chosen.title, Session.apply, chosen.values)
    else:
        world.document.do("Reset all", Session.apply, {})


def hide(world: World, draw: random.Random) -> None:
    series = [one.key for one in world.document.study_class.answers().series()]
    world.document.show(Session.having, hidden=frozenset(draw.sample(series, min(1, len(series)))))


def undo(world: World, draw: random.Random) -> None:
    for _ in range(draw.randint(1, 3)):
        world.document.undo()


def redo(world: World, draw: random.Random) -> None:
    for _ in range(draw.randint(1, 2)):
        world.document.redo()


def start_again(world: World, draw: random.Random) -> None:
    """The window is closed and opened again: what was kept is all that there is."""
    left = recovery._of_session(recovery._document(kept_left(world.document)))
    world.taken, world.document = 0, Document(left.session, left.saved)


ACTIONS: Mapping[Action, int] = {
    turn: 2, count: 6, type_value: 4, nudge: 2, drag: 3, solve: 4, find: 2, match: 1, zoom: 3, pin: 3, take_pin: 1,
    snapshot: 2, go_back: 1, write: 1, note: 2, cover: 1, about: 1, keep_sweep: 2, reset: 1, preset: 1, hide: 1,
    undo: 3, redo: 2, start_again: 1}
"""With how often each is done."""


# What is written


def kept_left(document: Document) -> LeftSession:
    """What the window keeps for the next start, with counts left out."""
    return LeftSession.of(document, False, None)


def files(document: Document, kinds: Sequence[str] = (*QUICK, *KINDS)) -> Iterator[tuple[str, bytes]]:
    """Every file that can leave, by kind, with counts and words left out."""
    leaving = document.leaving(False, "left out").whole(all_studies().values())
    saved = session_file.text(leaving, again=True)
    yield "session", _DIGEST.sub("", saved).encode()
    kept = json.dumps(recovery._document(kept_left(document)))
    yield "kept", _DIGEST.sub("", kept).encode()
    update = answer(leaving.study, simulate=False) if kinds else None
    for kind in kinds:
        yield kind, b"".join(_made(kind, leaving, saved, update))


def _made(kind: str, leaving: Session, saved: str, update: Any) -> Iterator[bytes]:
    study = leaving.study
    match kind:
        case "csv":
            yield tables.csv_text(leaving, update).encode()
        case "json":
            yield tables.json_text(leaving, update).encode()
        case "svg" | "pdf" | "png":
            for place in {figure.place: figure for figure in study.figures[:1]}.values():
                yield pictures.picture(kind, leaving, update, place, size_mm=(120, 100), dpi=36)
        case "living":
            for over in ("epsilon=0.5,1", *(["minimum=500,900"] if study.key == "decision" else [])):
                with suppress(InvalidParameter):
                    yield living.made(Living(leaving.carried(), study.figures[0], swept(type(study), (over,))))
        case "sweep.csv" | "sweep.json" | "sweep.parquet":
            again = session_file.read(saved)
            key, of = next(iter(study.answers().index()))
            plan = Plan(again.study, (read_over(type(study), "epsilon=0.1:0.2:2"),), ((key, of),), False,
                        tuple(again.explicit))
            with suppress(InvalidParameter):
                *_, last = sweep(plan, Here())
                data, out = again.data and again.data.besides({"epsilon"}), io.BytesIO()
                sweeps.write(out, last.swept, kind.removeprefix("sweep."), data)  # type: ignore[arg-type]
                yield out.getvalue()
        case "html" | "report.pdf":
            yield report.made(kind.removeprefix("report."), leaving, report.ReportChoice(  # type: ignore[arg-type]
                studies=(type(study),), figures={study.key: (study.level_one.large,)}))
        case "yaml":
            dated = leaving.having(about={**leaving.state().about, "published": "2026-01-01"})
            yield report.made("yaml", dated)
        case "code":
            for library, series in code.offered(type(study)).items():
                for one in series[:1]:
                    with suppress(InvalidParameter):
                        yield code.written(study, leaving.explicit, one.key, library, leaving.data).text.encode()
        case "comparison":
            settings = [replace(pin, only=None) for pin in leaving.state().pins] + [leaving.state().setting]
            sides = [ComparedSide(title(each, *settings), each.study, tuple(answer(each.study, simulate=False).facts),
                                  leaving.data if each is settings[-1] else None) for each in settings]
            lines = compared([side.facts for side in sides], 0)
            for text in (csv_text, comparison_json):
                yield text(sides, lines, 0, leaving).encode()


# Two worlds


@dataclass
class Ran:
    """What became of a sequence in both worlds."""

    done: int = 0
    refused: str = ""
    """The action that one world alone refused, at which the sequence ended."""
    differing: tuple[str, ...] = ()
    """Kinds of files that differ."""
    actions: tuple[str, ...] = ()
    counted: bool = False
    """Whether a count stood in either at the end, so that something was left out."""
    written: Counter[str] = field(default_factory=Counter)


def drawn(seed: int, steps: int = 14) -> list[Action]:
    """A sequence of actions in which something is counted early."""
    chosen = random.Random(seed).choices(list(ACTIONS), list(ACTIONS.values()), k=steps)
    chosen[1] = count
    return chosen


def run(seed: int, actions: Sequence[Action] | None = None, kinds: Sequence[str] | None = None) -> Ran:
    """One sequence in both worlds, and the files of both; of what takes longer one kind, unless told."""
    worlds, ran = [World(rows) for rows in WORLDS], Ran()
    for i, act in enumerate(drawn(seed) if actions is None else actions):
        before = [world.document.session for world in worlds]
        outcomes = [_does(act, world, random.Random(1000 * seed + i)) for world in worlds]
        ran.actions += (act.__name__,)
        if outcomes[0] != outcomes[1]:
            ran.refused = act.__name__
            for world, session in zip(worlds, before, strict=True):
                world.document._show(session)
            break
        ran.done += 1
    ran.counted = any(world.document.tells for world in worlds)
    chosen = (*QUICK, KINDS[seed % len(KINDS)]) if kinds is None else kinds
    first, second = (dict(files(world.document, chosen)) for world in worlds)
    ran.differing = tuple(kind for kind in first if first[kind] != second[kind])
    ran.written = Counter(dict.fromkeys(first, 1))
    return ran


def _does(act: Action, world: World, draw: random.Random) -> bool:
    try:
        act(world, draw)
    except (InvalidParameter, Refused):
        return False
    return True


def main(number: int, first: int) -> int:
    began, refused, written, leaks, counts = time.monotonic(), Counter[str](), Counter[str](), 0, 0
    for seed in range(first, first + number):
        ran = run(seed)
        refused[ran.refused] += 1
        written += ran.written
        counts += ran.counted
        if ran.differing:
            leaks += 1
            print(f"seed {seed}: {', '.join(ran.differing)} after {', '.join(ran.actions)}", flush=True)
    ended = {name: n for name, n in refused.items() if name}
    print(f"{number} sequences, {counts} of them with a count, in {time.monotonic() - began:.0f} s: {leaks} with a "
          f"leak; refused in one world alone: {ended or 'none'}; pairs of files compared: {dict(written)}")
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500, int(sys.argv[2]) if len(sys.argv) > 2 else 0))
