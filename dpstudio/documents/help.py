"""The help as text: a page a study, the theorems, people's own data and the words; with today's numbers; a search."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TypeAlias

from dpstudio.core.deployments import deployments
from dpstudio.core.resources import resource
from dpstudio.core.results import Fact, FactPlace, stated
from dpstudio.core.study import Study
from dpstudio.documents.deployments import origin
from dpstudio.models.theorems import counterexamples
from dpstudio.records import dataclass
from dpstudio.studies import all_studies, study_titles
from dpstudio.vocabulary import amount
from dpstudio.vocabulary.glossary import GLOSSARY, term_of

NONE = "–"
"""Stands for a number that there is not today, such as a Gaussian μ without δ."""
THEOREMS, DATA, WORDS = "theorems", "data", "words"
FOLD, MORE = "<!-- more -->", "more"
"""A line of a page below which stands what is shown when it is asked for, and the link that asks for it."""
_MORE = "More on this page"
USUAL = (1.0, 1e-6)
"""ε and δ for the theorems where a study has none."""
EXCERPT = 160
"""Characters of a section that a result shows."""
Facts: TypeAlias = Callable[[str, str | None], Fact | None]
"""Finds a fact by the keys of its quantity and its series; None where there is none today."""
_PUBLISHED = f"""

{FOLD}

## Published ε

What organizations said that they spend, by the registry of deployments. *View → Published deployments* marks on an axis
of ε those whose unit of privacy is alike, in print too; the pointer on a mark, or E on the keyboard, says all of it.
*View → List of deployments…* has every one of them, and says why another is not marked. They are no ranking and no
licence: one ε holds for all that a person ever did, another for one day, one page or one birth, and where it is spent
anew every day, a person’s total grows for as long as they take part. Compare yours with one of them only where its unit
of privacy is yours."""
_PLACE = re.compile(r"(?<!\{)\{([a-z_0-9:]+)\}")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|&~])")
_HEADING = re.compile(r"^#{1,6} +(.*)$", re.MULTILINE)
_NOT_SAID = re.compile(r"<[^<>]*>|(?<!\{)\{[a-z_0-9:]+\}|[*`>\\]|\]\([^)]*\)|\[")
_SPACE = re.compile(r"\s+")
_SOURCES = "\n## Sources\n"
_WORDS = re.compile(r"<!-- words: ([^>]*) -->")
"""Where a page lists words of the glossary, separated by semicolons."""


def page(key: str) -> str:
    """The text of a study's help, of the theorems or of the glossary, with its places still open."""
    if key == WORDS:
        return glossary()
    text = _WORDS.sub(_explained, resource(f"help/{key}.md").read_text("utf-8"))
    if key == THEOREMS:
        return text + published()
    if _SOURCES not in text:
        return text
    return text.replace(_SOURCES, f"\n{resource('help/attacker.md').read_text('utf-8')}{_SOURCES}")  # the same for all


def _explained(listed: re.Match[str]) -> str:
    """What the glossary says of the words that a page lists; raises a KeyError for one that it does not have."""
    terms = (term_of(word.strip()) for word in listed[1].split(";"))
    return "\n".join(f"- **{escaped(term.word)}**: {escaped(term.says)}" for term in terms)


def folded(text: str, unfolded: bool) -> str:
    """A page as it is shown: what stands above its fold, or all of it, each with the link that shows the other."""
    above, fold, below = text.partition(f"\n{FOLD}\n")
    if not fold:
        return text
    return f"{above}\n[{_MORE} {'▾' if unfolded else '▸'}]({MORE})\n{below if unfolded else ''}"


def is_below_fold(key: str, heading: int) -> bool:
    """Whether the heading of that number stands below the fold of a page."""
    above, fold, _ = page(key).partition(f"\n{FOLD}\n")
    return bool(fold) and heading >= len(_HEADING.findall(above))


def glossary() -> str:
    """A page of all words of the field, with what they mean."""
    terms = (f"**{escaped(term.word)}**  \n{escaped(term.says)}" for term in GLOSSARY)
    return "\n\n".join(("# Words", "One word for each idea, here and everywhere in the program.", *terms, ""))


def published() -> str:
    """A section on the ε of deployments: what they are, why they cannot be compared, and those that were confirmed."""
    confirmed = [(one, one.source) for one in deployments() if one.source]
    paragraphs = (f"**{escaped(one.name)}.** {escaped(one.says)}" for one, _ in confirmed)
    works = (f"*{escaped(each.key)}*: {escaped(each.reference)}"
             for each in dict.fromkeys(source for _, source in confirmed))
    return "\n\n".join((_PUBLISHED, f"{escaped(origin())} Those that were confirmed in their publications:",
                        *paragraphs, *works, ""))


def theorems(study: Study) -> str:
    """The theorems at the study's ε and δ, or at usual ones where it has none."""
    values = study.values()
    epsilon, delta = values.get("epsilon", USUAL[0]), values.get("delta") or USUAL[1]
    facts: dict[FactPlace, Fact] = {
        (fact.key, None): fact for fact in counterexamples(float(epsilon), float(delta))}
    return filled(page(THEOREMS), study, lambda *place: facts.get(place))


def filled(text: str, study: Study, facts: Facts) -> str:
    """The text with `{parameter}`, `{fact:quantity}` and `{fact:quantity:series}` replaced by their present values.

    Doubled braces are braces. A place that names no parameter of the study raises a KeyError; a fact that is missing
    today reads “–”.
    """
    written = _PLACE.sub(lambda match: escaped(_value(match[1], study, facts)), text)
    return written.replace("{{", "\\{").replace("}}", "\\}")


def _value(place: str, study: Study, facts: Facts) -> str:
    """The present value of a place, as it is written between braces; raises as `filled` does."""
    kind, _, rest = place.partition(":")
    if kind != "fact":
        declared, value = study.parameter(kind), getattr(study, kind)
        return amount(value, declared.quantity) if declared.is_number else declared.said(value)
    quantity, _, series = rest.partition(":")
    fact = facts(quantity, series or None)
    return stated(fact) if fact else NONE


def escaped(text: str) -> str:
    """Text that Markdown shows as it stands."""
    return _SPECIAL.sub(r"\\\1", text)


def titles() -> dict[str, str]:
    """The pages of the help by key, with their names."""
    return study_titles() | {THEOREMS: "Theorems", DATA: "Your own data", WORDS: "Words"}


@cache
def usual(key: str) -> str:
    """The page of a study that is not in view: its numbers are those of the defaults."""
    study = all_studies()[key]()
    return f"*The numbers are those of the defaults.*\n\n{filled(page(key), study, study.answer().fact)}"


def results(words: str) -> str:
    """What was found for some words, as links to the sections that have them."""
    names = titles()
    lines = [f"[{escaped(names[section.page])} – {escaped(section.title)}]({section.page}:{section.number}): "
             f"{escaped(excerpt)}" for section, excerpt in found(words, names)]
    head = f"# {len(lines)} {'section' if len(lines) == 1 else 'sections'} with “{escaped(words)}”\n\n"
    return head + ("\n\n".join(lines) or "Other words, or fewer of them, may find something.")


@dataclass(frozen=True, slots=True)
class HelpSection:
    """One heading of a page with the words below it: key of the page, number among its headings, plain text."""

    page: str
    number: int
    title: str
    text: str


@cache
def sections(key: str) -> tuple[HelpSection, ...]:
    """The sections of a page in order."""
    text = page(key)
    headings = list(_HEADING.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    return tuple(HelpSection(key, number, _plain(heading[1]), _plain(text[heading.end():end]))
                 for number, (heading, end) in enumerate(zip(headings, ends, strict=True)))


def found(words: str, pages: Mapping[str, str]) -> Iterator[tuple[HelpSection, str]]:
    """The sections that have all these words, whatever their case, each with an excerpt around the first of them.

    A section with a word in its heading comes before those that have it in their text alone.
    """
    wanted = words.casefold().split()
    hits = [section for page in pages for section in sections(page) if wanted
            and all(word in f"{pages[page]} {section.title} {section.text}".casefold() for word in wanted)
            and any(word in f"{section.title} {section.text}".casefold() for word in wanted)]
    hits.sort(key=lambda section: not any(word in section.title.casefold() for word in wanted))
    yield from ((section, _excerpt(section.text, wanted)) for section in hits)


def _excerpt(text: str, wanted: list[str]) -> str:
    low = text.casefold()
    at = min((low.find(word) for word in wanted if word in low), default=0)
    start = max(0, at - EXCERPT // 3)
    start = text.rfind(" ", 0, start) + 1 if start else 0
    end = len(text) if len(text) <= start + EXCERPT else text.rfind(" ", start, start + EXCERPT)
    return f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}"


def _plain(text: str) -> str:
    """Markdown without its marks, on one line; a place for a number reads “…”, a power e^x."""
    text = text.replace("<sup>", "^").replace("<sub>", "_")
    return _SPACE.sub(" ", _NOT_SAID.sub(lambda mark: "…" if mark[0].startswith("{") else "", text)).strip()
