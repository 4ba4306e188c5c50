"""Makes the pages of the guide, one a door, and the table of studies, from what the studies declare.

    python docs/guide/make.py

Every sentence with a number is the program's own, at the values named beside it; each picture carries its session, so
that dropped on the window it opens the question. A test says when the pages are no longer what this makes.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from dpstudio.core.sentence import Spoken
from dpstudio.core.study import Study
from dpstudio.documents import pictures, words
from dpstudio.documents.code import offered
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies, doors
from dpstudio.text.numbers import powered
from dpstudio.vocabulary import Value

FOLDER = Path(__file__).parent
SIZE, DPI = (160, 90), 120
"""Millimetres of a picture, and dots to the inch."""
SECOND: Mapping[str, Mapping[str, Value]] = {
    "decision": {"epsilon": 0.01, "delta": 0.01},
    "number": {"upper": 1.0, "law_mean": 0.3},
    "watch": {"minimum": 100, "times": 52, "epsilon": 0.5},
    "response": {"people": 1000, "epsilon": 3.0, "prevalence": 0.3},
    "posterior": {"people": 1000, "noisy_share": 0.31},
    "budget": {"releases": 52, "epsilon": 0.05, "budget": 1.0},
    "test": {"epsilon": 0.1},
    "audit": {"mechanism": "wrong_sensitivity"},
    "table": {"groups": 50, "per_person": 10},
}
"""Another example of each question."""
STUDIES = "../studies.md"
TITLE = "# What do you want to know?"
OPENING = """\
DP Studio opens on a list of questions. Choose yours (Alt+1 … Alt+9), type what it asks, and the answer stands beside it
while you type: what is recommended, what comes next, and the picture. Entries take `1e-3`, `100k`, `0.1 %` and a
decimal comma. What cannot be taken is said in one sentence, and the last answer stays.

Then there are four ways on:

| | |
|---|---|
| **Explore** (Enter) | the study with these values: every parameter, picture and number of it |
| **I want something else…** (Alt+W) | say the result that you want, and what it takes is found |
| **Report** (Ctrl+Shift+R) | what you choose, why, and what is guaranteed to whom, as a document to sign |
| **Code** (Ctrl+Shift+K) | a script that does it with a library that releases data |

Alt+Home leads back to the questions, Esc from there to where you were. What you only look at here changes nothing of
what you have.
"""
CLOSING = """\
Below the questions stand where you were last, recent files with *Count in your data…*, and cases from practice.

[How it is built](../building.md) · [On the command line](../command-line.md) · [Your own data](../data.md) ·
[Reports](../reports.md) · [Exploring](../exploring.md)
"""


def index() -> str:
    """The first page."""
    lines, heading = [TITLE, "", OPENING], ""
    for number, (key, sign) in enumerate(doors().items(), 1):
        if sign.heading != heading:
            heading = sign.heading
            lines += [f"## {heading}", ""]
        lines += [f"{number}. [{sign.title}]({key}.md). {sign.question}", ""]
    return "\n".join([*lines, CLOSING])


def page(kind: type[Study]) -> str:
    """The page of one door."""
    door = kind.door
    assert door is not None
    first, second = {**door.fixed}, {**door.fixed, **SECOND[kind.key]}
    figure = kind.figure(kind.level_one.large)
    lines = [f"# {door.title}", "", f"*{door.question}* Study: {kind.title}, “{kind.question}”", "",
             f"![{figure.title}]({kind.key}.png)", "", figure.caption, "", "## What you type", "",
             "| | | as it comes | |", "|---|---|---|---|"]
    for ask in door.asks:
        parameter = kind.parameter(ask.parameter)
        told = words.parameter(parameter, getattr(kind(**first), ask.parameter)).replace(": ", " = ")
        shown = " ".join((told.partition(" = ")[2], ask.unit)).strip()
        lines.append(f"| {ask.words} | {parameter.quantity.symbol} | {shown} "
                     f"| {parameter.quantity.sentence} |")
    told = ", ".join(words.parameter(kind.parameter(name), value) for name, value in SECOND[kind.key].items())
    lines += ["", "## What it answers", "", *_answered(kind, first, "As it comes"),
              *_answered(kind, second, f"With {told.replace(': ', ' = ')}")]
    risk = next((each for each in _said(kind, first) if each.key == "risk"), "")
    lines += ["## What it means for one person", "", *([powered(risk), ""] if risk else []),
              f"{words.relation(kind(**first))}.", "",
              "## The same on the command line", "", "```", *_commands(kind, second), "```", ""]
    if door.further:
        lines += ["## From here", "", *(f"- {words} → *{all_studies()[key].title}*: {all_studies()[key].question}"
                                        for key, words in door.further.items()), ""]
    return "\n".join([*lines, "[All questions](index.md)", ""])


def picture(kind: type[Study]) -> bytes:
    """The large picture of a door as it comes, which carries its session."""
    assert kind.door is not None
    session = Session.of(kind, kind.door.fixed)
    update = next(session.study.run(simulate=False))
    figure = kind.figure(kind.level_one.large)
    if update.answer.tabled[figure.table].make is None:
        *_, update = session.study.run()
    return pictures.picture("png", session, update, figure, size_mm=SIZE, dpi=DPI)


def _answered(kind: type[Study], values: Mapping[str, Value], at: str) -> Iterator[str]:
    headline, *others = _said(kind, values)
    following = next((each for each in others if each.key == "runner_up"), "")
    yield from map(powered, (f"{at}:", "", f"> **{headline}**", *([">", f"> {following}"] if following else []), ""))


def _said(kind: type[Study], values: Mapping[str, Value]) -> tuple[Spoken, ...]:
    return tuple(kind(**values).answer().sentences())


def _commands(kind: type[Study], values: Mapping[str, Value]) -> Iterator[str]:
    study, given = kind(**values), " ".join(f"--set {name}={shlex.quote(_typed(each))}"
                                            for name, each in values.items())
    yield f"dpstudio compute {kind.key} {given}"
    yield f"dpstudio render {kind.key} {given} --output {kind.key}.svg"
    chosen = study.answer().suggested
    if chosen is not None:
        yield f"dpstudio report {kind.key} {given} --choose {chosen.key} --output {kind.key}.pdf"
        library = next((each for each, series in offered(kind).items() if chosen in series), "command")
        yield f"dpstudio code {kind.key} {given} --series {chosen.key} --library {library}"


def _typed(value: Value) -> str:
    return value if isinstance(value, str) else repr(value)


def studies() -> str:
    """The page of all studies, with the questions that they ask now."""
    rows = "".join(f"| {each.title} | {each.question} |\n" for each in all_studies().values())
    return re.sub(r"(\|---\|---\|\n)(?:\|.*\n)+", lambda found: found[1] + rows, (FOLDER / STUDIES).read_text("utf-8"))


def written() -> dict[str, str]:
    """The text of every page by the name of its file."""
    return {"index.md": index(), STUDIES: studies(), **{f"{key}.md": page(all_studies()[key]) for key in doors()}}


def main() -> None:
    """Write all pages and pictures."""
    for name, text in written().items():
        (FOLDER / name).write_text(text, "utf-8")
    for key in doors():
        (FOLDER / f"{key}.png").write_bytes(picture(all_studies()[key]))


if __name__ == "__main__":
    main()
