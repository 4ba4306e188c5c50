"""Gathers what the window says in its own words, and brings its translations up to date.

    .venv/bin/python packaging/languages.py

The messages are the texts of calls of `tr`, `phrase` and `counted`, the choices of questions, the commands of the
menus, and the words and sentences that the studies declare: these are gathered from the declarations themselves. They
stand in resources/languages/dpstudio.pot; each .po beside it keeps what it has, gains what is new without a
translation, and is compiled. Needs Babel.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib import import_module
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from dpstudio.text.language import DECIMAL_SIGN, POINT, SENTENCE

PROJECT = Path(__file__).resolve().parents[1]
FOLDER = PROJECT / "resources" / "languages"
TEMPLATE = FOLDER / "dpstudio.pot"
UNDATED = datetime(2026, 1, 1, tzinfo=UTC)
Message = tuple[str, str | tuple[str, str], str]
"""Where it is said, the text (or one and many), and what tells two meanings apart."""


def in_code() -> Iterator[Message]:
    """Every text that a call of `tr` or `counted` has as it stands there, and those of what is listed."""
    for path in sorted((PROJECT / "dpstudio").rglob("*.py")):
        nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
        named = dict(_constants(nodes))
        for node in nodes:
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id == "phrase" and path.parts[-2:] != ("text", "language.py"):
                yield from (("sentence", text, SENTENCE) for text in _texts(node.args[0], named))
            elif node.func.id == "said_of":
                yield from (("sentence", text, SENTENCE) for each in node.args[1:3] for text in _texts(each, named))
            elif node.func.id == "Relation" and len(node.args) > 3:
                yield from (("sentence", text, SENTENCE) for each in node.args[2:4] for text in _texts(each, named))
            elif node.func.id == "Change":
                words = [keyword.value for keyword in node.keywords if keyword.arg == "words"]
                yield from (("sentence", text, SENTENCE) for each in words for text in _texts(each, named))
            elif node.func.id == "Guarantee":
                holds = [keyword.value for keyword in node.keywords if keyword.arg == "holds"]
                yield from (("sentence", text, SENTENCE) for each in holds for text in _texts(each, named))
            elif node.func.id == "tr" and node.args:
                about = next(_texts(node.args[1], named), "") if len(node.args) > 1 else ""
                yield from (("window", text, about) for text in _texts(node.args[0], named))
            elif node.func.id == "counted" and path.parts[-2:] != ("text", "language.py"):
                one, many = (next(_texts(each, named), "") for each in node.args[:2])
                if one and many:
                    yield "window", (one, many), ""
            elif node.func.id == "ask":  # it shows its choices in the language of the window
                yield from (("question", text, "") for each in node.args[3:] for text in _texts(each, named))
            elif node.func.id == "Command" and path.name == "menus.py":
                words = [node.args[i] for i in (0, 3) if len(node.args) > i]
                words += [keyword.value for keyword in node.keywords if keyword.arg == "tip"]
                yield from (("menu", text, "") for each in words for text in _texts(each, named))


def _constants(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The texts that have names anywhere in a module: one, or the values of a dictionary."""
    for node in nodes:
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            pairs = zip(target.elts, value.elts, strict=False) if isinstance(target, ast.Tuple) and isinstance(
                value, ast.Tuple) else [(target, value)]
            for name, found in pairs:
                texts = found.values if isinstance(found, ast.Dict) else [found]
                if isinstance(name, ast.Name):
                    yield name.id, tuple(each.value for each in texts if isinstance(each, ast.Constant)
                                         and isinstance(each.value, str))


def _texts(node: ast.expr, named: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """The text that stands there, by itself, by its name, in one case or the other, or as any value of a dictionary."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp():
            yield from _texts(node.body, named)
            yield from _texts(node.orelse, named)
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)) | ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="get")):
            yield from named.get(name, ())


def said() -> Iterator[Message]:
    """The sentences about results with their parts, the words of an audited mechanism in them, and what they count."""
    from dpstudio.core.frontier.measure import MEASURES
    from dpstudio.core.risk import SENTENCES
    from dpstudio.core.solve.problem import PREFERRED
    from dpstudio.documents.scenarios import SCENARIOS
    from dpstudio.studies import all_studies
    from dpstudio.studies.audit.mechanisms import MECHANISMS
    from dpstudio.text.sentences import COUNTED

    tables = [SENTENCES, *(import_module(f"{kind.__module__}.words").SENTENCES for kind in all_studies().values())]
    yield from (("sentence", text, SENTENCE) for text in _parts(tables))
    yield from (("sentence", words, SENTENCE) for each in MEASURES for words in (each.words, each.at_most))
    yield from (("sentence", words, SENTENCE) for words in PREFERRED.values())
    for audited in MECHANISMS.values():
        yield from (("sentence", words, SENTENCE) for words in (audited.outcome, audited.wrong, *audited.sides))
    yield from (("sentence", forms, "") for forms in COUNTED.values())
    for scenario in SCENARIOS.values():
        yield from (("case", words, "") for words in (scenario.title, scenario.question))
        yield from (("case", text, SENTENCE) for text in (scenario.words, *_parts(scenario.claims)))


def _parts(found: object) -> Iterator[str]:
    """The texts of sentences, however deep they stand in tables and in places of each other."""
    from dpstudio.core.sentence import Sentence

    if isinstance(found, Sentence):
        yield found.text
        yield from _parts(tuple(found.declared.values()))
    elif isinstance(found, tuple | list):
        for each in found:
            yield from _parts(each)


def declared() -> Iterator[Message]:
    """The words of the studies that the window shows: their questions, controls, facts, pictures and series."""
    from dpstudio.core.facts import GROUPS
    from dpstudio.core.figure import Line
    from dpstudio.core.frontier.figure import compared
    from dpstudio.core.solve.want import SIGNS as SIGNS_OF_WANTS
    from dpstudio.data.columns import FileColumn
    from dpstudio.data.condition.clauses import comparisons
    from dpstudio.documents.about import GROUPS as GROUPS_OF_ABOUT
    from dpstudio.documents.deployments import COLUMNS
    from dpstudio.documents.report import APPENDICES
    from dpstudio.gui.page.pictures import PANELS
    from dpstudio.gui.shell.theme import ThemeChoice
    from dpstudio.studies import SIGNS, all_studies
    from dpstudio.text.sentences import begun
    from dpstudio.vocabulary import Choice, Quantity

    quantities: list[Quantity] = []  # one may be another by its label alone
    for sign in SIGNS_OF_WANTS.values():
        yield "window", sign, "relation"
    for group in GROUPS:
        yield "group of facts", group, ""
    for panel in PANELS:
        yield "window", panel, ""
    asked = [each for type_ in ("DOUBLE", "BOOLEAN") for each in comparisons(FileColumn("", type_))]
    for words in (*asked, *APPENDICES.values(), *COLUMNS):
        yield "window", words, ""
    for heading, fields in GROUPS_OF_ABOUT.items():
        yield "about the release", heading, ""
        for field in fields:
            yield "about the release", field.label, ""
            if isinstance(field.kind, Choice):
                yield from (("about the release", option, "") for option in field.kind.options)
    for choice in ThemeChoice.__args__:
        yield "window", choice.capitalize(), ""
    for sign in SIGNS.values():
        yield from (("door", words, "") for words in (sign.heading, sign.title, sign.question))
    for kind in all_studies().values():
        answers = kind.answers()
        yield "study", kind.title, ""
        yield "study", kind.question, ""
        relations = (kind().relation, kind.neighbours, *(each.relation for each in kind().answer().guarantees.values()))
        yield from (("neighbours", words, "") for each in relations for words in (begun(each.sentence), each.sentence))
        for preset in kind.presets:
            yield "example", preset.title, ""
        if kind.door is not None:
            yield from (("door", words, "") for ask in kind.door.asks for words in (ask.words, ask.unit))
        for parameter in kind.parameters():
            quantities.append(parameter.quantity)
            yield from (("control", words, "") for words in (*parameter.ends, parameter.group, parameter.named_title,
                                                             *parameter.named))
            yield "control", parameter.brief, ""
            if isinstance(parameter.domain, Choice):
                words = parameter.domain.words or parameter.domain.options
                yield from (("choice", each.replace("_", " "), "") for each in words)
        for series in answers.series():
            yield "series", series.label, ""
        for each in answers.index().values():
            quantities.append(each.quantity)
            yield "series", each.series.label if each.series else "", ""
        for outcome in kind.outcomes:
            yield from (("series", series.label, "") for series in compared(outcome, answers) if series)
        for figure in kind.figures:
            yield from (("figure", words, "") for words in (figure.title, figure.caption, figure.empty))
            quantities += [figure.x.quantity, figure.y.quantity]
            yield from (("series", series.label, "") for series in figure.compared)
            for layer in figure.layers:
                if isinstance(layer, Line):
                    yield "series", layer.label, ""
                    quantities.append(layer.y.quantity)
    for quantity in quantities:
        yield "quantity", quantity.label, ""
        yield "unit", quantity.unit, ""


def gathered() -> Catalog:
    """The template: every message once, in the order in which it was found, with where it is said."""
    catalog = Catalog(project="DP Studio", version="", charset="utf-8", fuzzy=False,
                      header_comment="# What the window of DP Studio says.")
    for where, text, about in (("number", POINT, DECIMAL_SIGN), *in_code(), *declared(), *said()):
        first = text if isinstance(text, str) else text[0]
        if any(sign.isalpha() for sign in first) or about == DECIMAL_SIGN:
            catalog.add(text, context=about or None, auto_comments=[where])
    return catalog


def updated(po: bytes, template: Catalog, language: str) -> Catalog:
    """The translations of a language brought to the messages that there are; what nobody says any more is left out."""
    found = read_po(BytesIO(po), locale=language)
    found.update(template, no_fuzzy_matching=True)
    found.obsolete.clear()
    return found


def compiled(catalog: Catalog) -> bytes:
    """What a process reads at its start, the same whenever it is compiled."""
    catalog.creation_date = catalog.revision_date = UNDATED
    out = BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def written(catalog: Catalog) -> bytes:
    """A catalogue as a file, the same whenever and by whomever it is written."""
    out = BytesIO()
    write_po(out, catalog, width=120, omit_header=False, sort_output=False, ignore_obsolete=True)
    lines = out.getvalue().decode("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith((
        '"POT-Creation-Date', '"PO-Revision-Date', '"Generated-By', '"Report-Msgid', '"Last-Translator',
        '"Language-Team'))).encode("utf-8")


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    catalog = gathered()
    TEMPLATE.write_bytes(written(catalog))
    for path in sorted(FOLDER.glob("*.po")):
        path.write_bytes(written(updated(path.read_bytes(), catalog, path.stem)))
        found = read_po(BytesIO(path.read_bytes()), locale=path.stem)
        path.with_suffix(".mo").write_bytes(compiled(found))
        missing = sum(1 for each in found if each.id and not all(
            each.string if isinstance(each.string, tuple) else (each.string,)))
        print(f"{path.name}: {len(found)} messages, {missing} without a translation")
    return 0


if __name__ == "__main__":
    sys.exit(main())
