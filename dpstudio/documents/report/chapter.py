"""A study in a report, made piece by piece: what its choice rests on, and the chapter of the appendix to check it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace

from dpstudio import __version__
from dpstudio.core.figure import Figure
from dpstudio.core.results import Fact
from dpstudio.core.slow import EVERY, Wanted
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents import pictures, words
from dpstudio.documents.code.command import command_line
from dpstudio.documents.noted import Solved, SweepAsked
from dpstudio.documents.report import grounds, kept, label, numbers
from dpstudio.documents.report.blocks import (
    Block,
    Chapter,
    Code,
    Formulas,
    Picture,
    References,
    ReportSection,
    Text,
)
from dpstudio.documents.report.contents import ReportChoice, figures_drawn, foremost
from dpstudio.documents.report.drawn import FOREMOST_MM, SMALL_MM, picture
from dpstudio.documents.report.promised import promised
from dpstudio.documents.setting import Setting
from dpstudio.documents.state import StudyState
from dpstudio.records import cached_property, dataclass
from dpstudio.scene.scene import Pinned
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun


@dataclass
class Making:
    """A study on its way: its steps are done in order, each in pieces between which it can be left."""

    state: StudyState
    refs: References
    chosen: ReportChoice
    signed: bool
    """Whether the page to sign is its own."""
    update: Update = field(init=False)
    """What the study knows, as DP Studio recommends it."""
    decided: Update = field(init=False)
    """The same, spoken of and drawn as whoever chose reads it."""
    pinned: list[Pinned] = field(default_factory=list)
    drawn: dict[str, Picture] = field(default_factory=dict)
    """By the keys of figures."""
    solved: list[ReportSection] = field(default_factory=list)
    swept: list[ReportSection] = field(default_factory=list)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        return figures_drawn(self.state, self.chosen)

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
        self.decided = self.update.deciding(self.state.chosen)
        index = self.update.answer.index()
        facts = grounds.places(self.state, self.decided) if self.chosen.appendix == "none" else index
        for each in (self.update, self.decided):
            yield from each.prepare(Wanted(tables, frozenset(facts), EVERY))

    def steps(self) -> Iterator[tuple[str, Callable[[], Iterator[None]]]]:
        """What is left to do then: its name, and the work."""
        for pin in self.pins:
            yield "pins", lambda pin=pin: self._pin(pin)  # type: ignore[misc]
        for figure in self.figures:
            yield figure.title, lambda figure=figure: self._draw(figure)  # type: ignore[misc]
        for one in self.state.solved if self.chosen.solved else ():
            yield "solving", lambda one=one: self._solve(one)  # type: ignore[misc]
        for each in self.state.sweeps if self.chosen.sweeps and self.chosen.appendix != "none" else ():
            yield "sweeping", lambda each=each: self._sweep(each)  # type: ignore[misc]

    def _pin(self, pin: Setting) -> Iterator[None]:
        yield
        self.pinned += pictures.pinned(replace(self.state, pins=(pin,)), self.update)

    def _draw(self, figure: Figure) -> Iterator[None]:
        yield
        sizes = dict(zip(foremost(type(self.study)), FOREMOST_MM[self.signed], strict=False))
        size = sizes.get(figure.key, SMALL_MM)
        made = picture(self.study, self.decided, figure, size, hidden=self.state.hidden,
                       folded=self.state.unseen(figure) - {self.state.chosen or ""}, pins=self.pinned,
                       notes=self.state.picture_notes, values=self.chosen.values)
        if made is not None:
            self.drawn[figure.key] = made

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

    def page(self, *, alone: bool) -> Chapter:
        """What its choice rests on, once all steps are done, whether it is the only study or not."""
        return grounds.page(self.state, self.decided, self.drawn, [each.blocks for each in self.solved], self.refs,
                            alone=alone, signed=self.signed)

    def chapter(self) -> Chapter:
        """What is to be checked, once all steps are done."""
        first, whole = foremost(type(self.study)), self.chosen.appendix == "all"
        lead: list[Block] = [Text(self.study.question, "question"),
                             *(Text(powered(each)) for each in grounds.further(self.decided))]
        release = promised(self.state, self.update.answer)
        found = [label.section(self.state, self.update, release, self.refs),
                 ReportSection("Setting", tuple(self._setting()))]
        if others := tuple(each for key, each in self.drawn.items() if key not in first):
            found.append(ReportSection("Pictures", others))
        if self.pinned:
            found.append(ReportSection("Pinned settings", tuple(
                kept.pins_beside(self.state.setting, self.pins, self.state.hidden))))
        found += [*self.solved, *self.swept]
        if self.state.snapshots:
            found.append(ReportSection("Snapshots", (kept.snapshots(self.state.snapshots, self.state.setting),)))
        facts = self.update.facts
        found.append(ReportSection("Facts", tuple(self._facts(facts))))
        if whole:
            found.append(ReportSection("How each number was found", (numbers.derivations(facts, self.refs),)))
        if whole and (formulas := self.study.formulas()):
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

