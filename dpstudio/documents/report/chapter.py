"""A study as a chapter of a report, made piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property

from dpstudio import __version__
from dpstudio.core.figure import Figure
from dpstudio.core.results import Fact
from dpstudio.core.slow import EVERY, Wanted
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents import pictures, words
from dpstudio.documents.code.command import command_line
from dpstudio.documents.noted import Solved, SweepAsked
from dpstudio.documents.report import kept, numbers
from dpstudio.documents.report.blocks import (
    Block,
    Chapter,
    Code,
    Formulas,
    References,
    ReportSection,
    Text,
    lines_of,
)
from dpstudio.documents.report.drawn import LARGE_MM, SMALL_MM, picture
from dpstudio.documents.setting import Setting
from dpstudio.documents.state import LONGEST_NOTE, StudyState
from dpstudio.documents.tables import of_a_person
from dpstudio.records import dataclass
from dpstudio.scene.scene import Pinned
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun

MOST_PICTURES = 7
"""Of a study, unless more are asked for."""


@dataclass(frozen=True)
class ReportChoice:
    """What of a session goes into a report."""

    studies: tuple[type[Study], ...] = ()
    """Empty: those that a person changed, and the one in view."""
    figures: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The pictures of a study by its key; where it has no entry, those that say most."""
    pins: bool = True
    solved: bool = True
    sweeps: bool = True
    values: bool = True
    """The numbers behind each picture, where the reader can unfold them."""


@dataclass
class Making:
    """A chapter on its way: its steps are done in order, each in pieces between which it can be left."""

    state: StudyState
    refs: References
    chosen: ReportChoice
    update: Update = field(init=False)
    pinned: list[Pinned] = field(default_factory=list)
    drawn: list[Block] = field(default_factory=list)
    solved: list[ReportSection] = field(default_factory=list)
    swept: list[ReportSection] = field(default_factory=list)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        return figures_of(self.state, self.chosen.figures.get(self.study.key))

    @property
    def study(self) -> Study:
        return self.state.setting.study

    @property
    def pins(self) -> tuple[Setting, ...]:
        """What is pinned and differs from the present setting."""
        now = self.state.setting.pinned
        return tuple(pin for pin in self.state.pins if pin.pinned != now) if self.chosen.pins else ()

    def first(self) -> Iterator[None]:
        """The answer, simulated to its end: all else is made from it."""
        for update in self.study.run():
            self.update = update
            yield
        tables = frozenset(figure.table for figure in self.figures)
        wanted = Wanted(tables, frozenset(self.update.answer.index()), EVERY)
        yield from self.update.prepare(wanted)

    def steps(self) -> Iterator[tuple[str, Callable[[], Iterator[None]]]]:
        """What is left to do then: its name, and the work."""
        for pin in self.pins:
            yield "pins", lambda pin=pin: self._pin(pin)  # type: ignore[misc]
        for i, figure in enumerate(self.figures):
            yield figure.title, lambda i=i, figure=figure: self._draw(figure, large=not i)  # type: ignore[misc]
        for one in self.state.solved if self.chosen.solved else ():
            yield "solving", lambda one=one: self._solve(one)  # type: ignore[misc]
        for each in self.state.sweeps if self.chosen.sweeps else ():
            yield "sweeping", lambda each=each: self._sweep(each)  # type: ignore[misc]

    def _pin(self, pin: Setting) -> Iterator[None]:
        yield
        self.pinned += pictures.pinned(replace(self.state, pins=(pin,)), self.update)

    def _draw(self, figure: Figure, *, large: bool) -> Iterator[None]:
        yield
        made = picture(self.study, self.update, figure, LARGE_MM if large else SMALL_MM, hidden=self.state.hidden,
                       pins=self.pinned, notes=self.state.picture_notes, values=self.chosen.values)
        if made is not None:
            self.drawn.append(made)

    def _solve(self, one: Solved) -> Iterator[None]:
        yield
        self.solved.append(ReportSection(f"Solved for: question {len(self.solved) + 1}",
                                         tuple(kept.answered(one, self.state.setting))))

    def _sweep(self, one: SweepAsked) -> Iterator[None]:
        blocks: list[Block] = []
        for block in kept.computed(one, self.state.setting, values=self.chosen.values):
            if block is None:
                yield
            else:
                blocks.append(block)
        self.swept.append(ReportSection(f"Sweep {len(self.swept) + 1}", tuple(blocks)))

    def chapter(self) -> Chapter:
        """The whole, once all steps are done."""
        verdicts = [powered(each) for each in (*of_a_person(self.study, self.state.origin), *self.update.verdicts)]
        lead: list[Block] = [Text(self.study.question, "question"), Text(verdicts[0], "lead"),
                             *(Text(each) for each in verdicts[1:])]
        found = [ReportSection("Setting", tuple(self._setting()))]
        if note := lines_of(self.state.note, LONGEST_NOTE):
            found.append(ReportSection("Note", tuple(Text(line, "note") for line in note)))
        if self.drawn:
            found.append(ReportSection("Pictures", tuple(self.drawn)))
        if self.pinned:
            found.append(ReportSection("Pinned settings", tuple(
                kept.pins_beside(self.state.setting, self.pins, self.state.hidden))))
        found += [*self.solved, *self.swept]
        if self.state.snapshots:
            found.append(ReportSection("Snapshots", (kept.snapshots(self.state.snapshots, self.state.setting),)))
        facts = self.update.facts
        found += [ReportSection("Facts", tuple(self._facts(facts))),
                  ReportSection("How each number was found", (numbers.derivations(facts, self.refs),))]
        if formulas := self.study.formulas():
            found.append(ReportSection("Formulas", (Formulas(tuple(
                (each, self.refs.cite(each.source)) for each in formulas)),)))
        found.append(ReportSection("To compute it again", tuple(self._again())))
        return Chapter(self.study.title, tuple(lead), tuple(found))

    def _setting(self) -> Iterator[Block]:
        yield numbers.parameters(self.state.setting)
        chosen = next((each.label for each in self.update.answer.choices if each.key == self.state.chosen), "")
        if chosen:
            yield Text(f"Chosen: {chosen}.")
        yield Text(f"{words.relation(self.study)}.", "small")
        if self.state.origin is not None:
            yield Text(f"{begun(words.counted(self.study, self.state.origin))}.", "small")

    def _facts(self, facts: tuple[Fact, ...]) -> Iterator[Block]:
        yield Text(numbers.SIGNS, "above")
        yield from numbers.facts(facts)

    def _again(self) -> Iterator[Block]:
        explicit = self.state.setting.explicit
        seed = self.study.values().get("seed")
        drawn = "" if seed is None else f" Whatever was drawn was drawn with seed {seed}, and is drawn again with it."
        yield Text(f"DP Studio {__version__} gives the same facts, tables and sentences by the first line, and the "
                   f"first picture by the second.{drawn} The session that this document carries opens in DP Studio "
                   "with all values and pins: drop the document on its window, or give its name in the place of the "
                   "study’s.")
        lines = [command_line(self.study, explicit)]
        if self.figures:
            figure = self.figures[0].key
            lines.append(command_line(self.study, explicit, "render", "--figure", figure, "--output", f"{figure}.pdf"))
        yield Code(tuple(lines))


def figures_of(state: StudyState, asked: tuple[str, ...] | None) -> tuple[Figure, ...]:
    """The pictures that are asked for by key or, if none are, those that somebody chose to see and the first of others.

    One place of the window gives one picture; beside them stand the frontier and whatever bears a note.
    """
    kind = type(state.setting.study)
    if asked is not None:
        return tuple(kind.figure(key) for key in dict.fromkeys(asked))
    places: dict[str, Figure] = {}
    for figure in kind.figures:
        if figure.place not in places or state.figures.get(figure.place) == figure.key:
            places[figure.place] = figure
    noted = {note.figure for note in state.picture_notes}
    chosen = [*list(places.values())[:MOST_PICTURES - 1], *(each for each in kind.figures if each.key in noted)]
    frontier = next((each for each in kind.figures if each.key.startswith("frontier")), None)
    if frontier is not None and frontier not in chosen:
        chosen.insert(1, frontier)
    return tuple(dict.fromkeys(chosen))
