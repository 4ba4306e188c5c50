"""About the release: a form of what no study knows of it, declared once.

    checked({"model": "Central", "spent": "Nothing else."})

Each field says what it is called, what it asks for, how it is answered, where its answer goes in an entry of the
registry of deployments, and which item of NIST SP 800-226 asks for it. The window, `--about`, sessions, reports and
entries follow. None must be answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import TypeAlias

from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.noted import is_date
from dpstudio.records import dataclass
from dpstudio.vocabulary import Choice

LONGEST_LINE, LONGEST_LINES = 120, 800
"""Signs of a line, and of a few of them."""
About: TypeAlias = Mapping[str, str]
"""What was answered, by the keys of fields, in their order; none of it is empty."""


@dataclass(frozen=True, slots=True)
class Item:
    """What one is to look at in a guarantee: a part of the pyramid of NIST SP 800-226."""

    name: str
    section: int
    """Of that publication."""


PARAMETERS, UNIT = Item("Privacy parameters", 2), Item("Unit of privacy", 2)
OTHERS = Item("Other releases of these data", 2)
ALGORITHMS, UTILITY, BIAS = Item("Algorithms and correctness", 3), Item("Utility", 3), Item("Bias", 3)
QUERIES, TRUST = Item("Query model", 4), Item("Trust model", 4)
CHANNELS, ACCESS, COLLECTION = Item("Side channels", 4), Item("Access control", 4), Item("Data collection", 4)
ITEMS = (PARAMETERS, UNIT, OTHERS, ALGORITHMS, UTILITY, BIAS, QUERIES, TRUST, CHANNELS, ACCESS, COLLECTION)
"""In the order of that publication, from the top of the pyramid down."""


@dataclass(frozen=True, slots=True)
class OneLine:
    """Answered by a line of text."""

    longest: int = LONGEST_LINE

    @property
    def phrase(self) -> str:
        return f"one line of at most {self.longest} signs"

    def accept(self, text: str) -> bool:
        return len(text) <= self.longest and len(text.splitlines()) <= 1


@dataclass(frozen=True, slots=True)
class FewLines(OneLine):
    """Answered by a few lines of text."""

    longest: int = LONGEST_LINES

    @property
    def phrase(self) -> str:
        return f"a text of at most {self.longest} signs"

    def accept(self, text: str) -> bool:
        return len(text) <= self.longest


@dataclass(frozen=True, slots=True)
class NameList(OneLine):
    """Answered by a line of names, with a semicolon between two."""

    @property
    def phrase(self) -> str:
        return f"names on one line of at most {self.longest} signs, a semicolon between two"


@dataclass(frozen=True, slots=True)
class Day(OneLine):
    """Answered by a day of the calendar."""

    @property
    def phrase(self) -> str:
        return "a day such as 2026-11-22"

    def accept(self, text: str) -> bool:
        return is_date(text)


Kind: TypeAlias = OneLine | Choice


@dataclass(frozen=True, slots=True)
class AboutField:
    """One question of the form."""

    key: str
    group: str
    label: str
    help: str
    kind: Kind
    entry: str
    """The key of an entry under which its answer goes, below `deployment`."""
    item: Item | None = None
    """None of what an entry asks for alone."""

    @property
    def is_words(self) -> bool:
        """Whether its answers are words of a person, which may tell of a count: neither a choice nor a day."""
        return not isinstance(self.kind, Choice | Day)

    def accepted(self, text: str) -> str:
        """The text; raises InvalidParameter."""
        kind = self.kind
        if isinstance(kind, Choice):
            if text not in kind.options:
                raise InvalidParameter(self.key, kind, text)
        elif not kind.accept(text):
            raise InvalidParameter(self.key, kind.phrase, text)
        return text


_RELEASE, _WHO, _TRUST, _WHEN = "The release", "Who is protected", "Who sees what", "How often"
_HOW, _WHY, _ENTRY = "How it is made", "Why this much privacy", "The entry itself"
_MADE, _DECIDED = "implementation.mechanisms", "implementation.justification"
_ALL = (
    AboutField("name", _RELEASE, "Name", "What the published data product is called.", OneLine(), "basic.name"),
    AboutField("curators", _RELEASE, "Curators", "Who publishes it; a semicolon between two.", NameList(),
               "basic.data_curators"),
    AboutField("description", _RELEASE, "Description", "What it is, in a sentence or two.", FewLines(),
               "basic.description"),
    AboutField("use", _RELEASE, "Intended use", "What it is published for.", FewLines(), "basic.intended_use"),
    AboutField("product", _RELEASE, "Kind of product", "What people get.", Choice(
        ("Summary statistics", "Machine learning model", "Dataset", "Synthetic data", "Interactive API",
         "SQL queries")), "basic.data_product_type"),
    AboutField("sector", _RELEASE, "Sector", "The part of society that it describes.", Choice(
        ("Technology", "Healthcare", "Education", "Government", "Energy", "Finance")), "basic.data_product_sector"),
    AboutField("region", _RELEASE, "Region", "Which region the data describe, or whose laws apply.", OneLine(),
               "basic.data_product_region"),
    AboutField("published", _RELEASE, "Published on", "The day of the first publication, such as 2026-11-22.", Day(),
               "basic.publication_date"),
    AboutField("unit", _WHO, "Unit of privacy", "What one of two neighbouring datasets has and the other lacks, in "
               "words of your data: a person, a household, a day of a user.", OneLine(), "privacy_loss.privacy_unit",
               UNIT),
    AboutField("neighbours", _WHO, "Neighbouring datasets", "When two datasets are neighbours, by the columns of your "
               "data; how the rows of a person are bounded.", FewLines(), "privacy_loss.privacy_unit_details", UNIT),
    AboutField("domain", _WHO, "Data collected", "Which data are collected, of whom, and which could have been.",
               FewLines(), "dp_variant.data_domain", COLLECTION),
    AboutField("model", _TRUST, "Deployment model", "Who adds the noise: a curator who holds all data, each person at "
               "home, people before a shuffler, or devices that train together.",
               Choice(("Central", "Local", "Shuffle", "Federated")), "deployment_model.model_name", TRUST),
    AboutField("actors", _TRUST, "Who sees the raw data", "Everybody who sees data before the noise, and why they are "
               "trusted; then who sees what is published.", FewLines(), "deployment_model.actors", TRUST),
    AboutField("releases", _WHEN, "Releases", "Whether it is published once or again and again.",
               Choice(("One release", "Many releases")), "deployment_model.release_type", QUERIES),
    AboutField("refresh", _WHEN, "Refresh", "How often it is published anew, when the budget begins again, and what "
               "else is planned with these data.", FewLines(), "deployment_model.release_type_details", QUERIES),
    AboutField("source", _WHEN, "Source of data", "Whether new data come in over time.", Choice(("Static", "Dynamic")),
               "deployment_model.data_source_type", QUERIES),
    AboutField("access", _WHEN, "Access", "Whether people ask questions of their own.",
               Choice(("Interactive", "Non-interactive")), "deployment_model.access_type", QUERIES),
    AboutField("analysts", _WHEN, "Budget of analysts", "Of interactive access: how the budget is divided among "
               "analysts, and whether they may collude.", FewLines(), "deployment_model.access_type_details", QUERIES),
    AboutField("spent", _WHEN, "Spent elsewhere", "What other releases about the same people spend, and how all of "
               "them are added up.", FewLines(), "accounting.composition", OTHERS),
    AboutField("exact", _WHEN, "Published without noise", "Numbers, groups and bounds that are published as they are "
               "in the data.", FewLines(), "dp_variant.unprotected_quantities", OTHERS),
    AboutField("before", _HOW, "Processing before", "What is done with the data before the noise, and whether bounds, "
               "ε or the question came from looking at them.", FewLines(),
               "implementation.preprocessing_and_hyperparameter_tuning", ALGORITHMS),
    AboutField("mechanism", _HOW, "Mechanism", "How the mechanism is applied: to which numbers, with which "
               "sensitivity.", FewLines(), _MADE, ALGORITHMS),
    AboutField("library", _HOW, "Library", "The library that releases, and its version.", OneLine(), _MADE, ALGORITHMS),
    AboutField("sampler", _HOW, "Sampler", "How noise is drawn, and what is done about floating-point numbers.",
               FewLines(), _MADE, CHANNELS),
    AboutField("channels", _HOW, "Side channels", "What is done about running times, errors and logs that depend on "
               "the data.", FewLines(), _MADE, CHANNELS),
    AboutField("retention", _HOW, "Raw data and seeds", "How long raw data and seeds are kept, how they are "
               "protected, and who has access.", FewLines(), _MADE, ACCESS),
    AboutField("after", _HOW, "Processing after", "What is done with the noisy numbers: rounding, no negative ones, "
               "leaving out small ones.", FewLines(), "accounting.post_processing", BIAS),
    AboutField("why", _WHY, "Why this ε", "Why this ε and δ: who decided, and by which argument.", FewLines(), _DECIDED,
               PARAMETERS),
    AboutField("alternatives", _WHY, "Alternatives", "What else was considered, and why it was not chosen.", FewLines(),
               _DECIDED, PARAMETERS),
    AboutField("error", _WHY, "Tolerable error", "How far off the answer may be, and how often.", OneLine(), _DECIDED,
               UTILITY),
    AboutField("groups", _WHY, "Error of small groups", "How far off the answers about the smallest groups may be.",
               OneLine(), _DECIDED, BIAS),
    AboutField("authors", _ENTRY, "Authors", "Who wrote this; a semicolon between two.", NameList(),
               "administrative.registry_authors"),
    AboutField("sources", _ENTRY, "Sources", "Papers, posts and the data product itself.", FewLines(),
               "administrative.sources"),
    AboutField("notes", _ENTRY, "Notes", "What else is to be known.", FewLines(), "administrative.notes"),
)
FIELDS: Mapping[str, AboutField] = {each.key: each for each in _ALL}
"""By their keys, in the order in which people answer them."""
GROUPS: Mapping[str, tuple[AboutField, ...]] = {
    group: tuple(each) for group, each in groupby(_ALL, lambda each: each.group)}


def checked(about: About) -> About:
    """What was answered, in the order of the form and without what is empty; raises InvalidParameter."""
    for key in about:
        if key not in FIELDS:
            raise InvalidParameter("a field about the release", f"one of {', '.join(FIELDS)}", key)
    return {key: each.accepted(about[key]) for key, each in FIELDS.items() if about.get(key)}


def names_in(text: str) -> tuple[str, ...]:
    """The names of a line, between semicolons."""
    return tuple(name for each in text.split(";") if (name := each.strip()))
