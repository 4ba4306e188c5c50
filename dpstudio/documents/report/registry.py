"""An entry for the registry of deployments: what is stated of the release in view, in YAML.

    entry = entry_of(session.state())   raises InvalidParameter where the registry would take none
    entry.tier, entry.lacking           2, what the third tier asks for besides
    written(entry)

The schema is that of opendp/deployments-registry-data. It takes any text, but of some kinds of product and of days:
what nobody stated of the first tier is written as “Not stated”, for a draft is completed by hand; without a day there
is no entry, for one that is made up would be false. Keys of the other tiers that nobody stated are left out. The tiers
are the registry's guidance: an entry has the highest of which it states everything, but for the budget of analysts,
where there are none, and more on the source of data, for which the schema asks only “if more description is useful”.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.guarantee import Guarantee
from dpstudio.documents import words
from dpstudio.documents.about import FIELDS, NameList, names_in
from dpstudio.documents.report.blocks import BREAK, lines_of
from dpstudio.documents.report.promised import Promised, pair, promised
from dpstudio.documents.report.stated import Stated, about
from dpstudio.documents.state import StudyState
from dpstudio.records import dataclass
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun, listed

NOT_STATED = "Not stated"
NAME = re.compile(r"[a-z0-9_]+\.yaml")
"""The names of files that the registry takes."""
LONGEST = 4_000
"""Signs of one text of an entry."""
KEYS: Mapping[str, int] = {
    "basic.name": 1, "basic.data_curators": 1, "basic.intended_use": 1, "basic.data_product_type": 1,
    "basic.data_product_region": 1, "basic.description": 1, "basic.publication_date": 1,
    "basic.data_product_sector": 0,
    "dp_variant.variant_name": 2, "dp_variant.data_domain": 3, "dp_variant.unprotected_quantities": 3,
    "privacy_loss.privacy_unit": 2, "privacy_loss.privacy_unit_details": 3, "privacy_loss.privacy_parameters": 2,
    "privacy_loss.privacy_parameters_details": 3,
    "deployment_model.model_name": 2, "deployment_model.actors": 3, "deployment_model.release_type": 2,
    "deployment_model.release_type_details": 0, "deployment_model.data_source_type": 2,
    "deployment_model.access_type": 2, "deployment_model.access_type_details": 3,
    "accounting.post_processing": 3, "accounting.composition": 3,
    "implementation.preprocessing_and_hyperparameter_tuning": 3, "implementation.mechanisms": 3,
    "implementation.justification": 3,
    "administrative.sources": 0, "administrative.notes": 0, "administrative.registry_authors": 0}
"""Under `deployment`, as the schema orders them: the tier that asks for each, or 0 where none needs it."""
_ESCAPE = re.compile(r"\\{2,}(?=[^()\\])")
"""More than one backslash, but before a bracket, where two begin a formula: Markdown makes one of them."""


@dataclass(frozen=True)
class RegistryEntry:
    """An entry as plain objects, its tier, and what the next one asks for besides."""

    content: Mapping[str, Any]
    tier: int
    lacking: tuple[str, ...]
    """In words of the form."""

    @property
    def says(self) -> str:
        """“An entry of tier 1 of 3; for tier 2 state releases and access.”"""
        further = f"; for tier {self.tier + 1} state {listed(self.lacking)}" if self.lacking else ""
        return f"An entry of tier {self.tier} of 3{further}."


def entry_of(state: StudyState, answer: Answer[Any, Any, Any] | None = None) -> RegistryEntry:
    """The entry of a study's release, with its answer where that is there; raises InvalidParameter without a day of
    publication.
    """
    if "published" not in state.about:
        raise InvalidParameter("published", "a day stated about the release, for an entry of the registry needs one",
                               None)
    release = promised(state, answer or state.setting.study.answer())
    told = about(state, release)
    found = dict(_answered(told)) | dict(_promised(release)) | dict(_noted(state, release, told))
    tier, lacking = _tier(found)
    deployment: dict[str, dict[str, Any]] = {}
    for key, of in KEYS.items():
        block, _, name = key.partition(".")
        if key in found or of == 1:
            deployment.setdefault(block, {})[name] = found.get(key, NOT_STATED)
    basic = deployment["basic"]
    basic["data_curators"] = list(names_in(basic["data_curators"]))
    content = {"url_slug": _slug(basic), "status": "Draft", "tier": tier, "deployment": deployment}
    return RegistryEntry(content, tier, lacking)


def written(entry: RegistryEntry) -> str:
    """The entry as YAML: texts of several lines as they are, and no line is folded."""
    import yaml  # few make an entry

    dumper: Any = type("Dumper", (yaml.SafeDumper,), {})  # its own, for what it is told here is told to nobody else
    dumper.add_representer(str, lambda dumping, said: dumping.represent_scalar(
        "tag:yaml.org,2002:str", said, style="|" if "\n" in said else None))
    made: str = yaml.dump(entry.content, Dumper=dumper, sort_keys=False, allow_unicode=True, width=math.inf)
    return made


def _answered(told: Sequence[Stated]) -> Iterator[tuple[str, str]]:
    """The answers of the form by the keys of an entry; several under one key each with what was asked."""
    for key in dict.fromkeys(each.field.entry for each in told):
        of = [each for each in told if each.field.entry == key]
        said = [(each.field.label, text) for each in of if (text := _text(each))]
        if len(of) == 1 and said:
            yield key, said[0][1]
        elif said:
            yield key, "\n".join(f"- {label}: {' '.join(text.splitlines())}" for label, text in said)


def _text(each: Stated) -> str:
    """An answer as an entry has it: a choice alone, and words without what no page shows."""
    if not each.field.is_words:
        return each.said or each.computed
    text = each.said if isinstance(each.field.kind, NameList) else each.words if each.said else each.computed
    return _ESCAPE.sub(r"\\", "\n".join(lines_of(text, LONGEST)).replace(BREAK, ""))


def _promised(release: Promised) -> Iterator[tuple[str, Any]]:
    """The variant and its parameters, at full precision, and in words what they promise."""
    guarantee = release.guarantee
    if guarantee is None or guarantee.nothing:
        return
    yield "dp_variant.variant_name", _variant(guarantee)
    numbers = {"epsilon": guarantee.epsilon, **({"delta": guarantee.delta} if guarantee.delta else {}),
               **({"rho": guarantee.rho} if guarantee.rho is not None else {})}
    yield "privacy_loss.privacy_parameters", {name: float(number) for name, number in numbers.items()}
    most = " at most" if guarantee.kind == "bound" else ""
    yield "privacy_loss.privacy_parameters_details", powered(
        f"{pair(guarantee)}{most}. {guarantee.promise} {release.risk} [{guarantee.source.reference}]")


def _variant(guarantee: Guarantee) -> str:
    if guarantee.rho is not None:
        return "Zero-concentrated DP"
    if guarantee.mu is not None:
        return "Custom"  # Gaussian differential privacy, which the registry does not name
    return "Approximate DP" if guarantee.delta else "Pure DP"


def _noted(state: StudyState, release: Promised, told: Sequence[Stated]) -> Iterator[tuple[str, Any]]:
    """Who wrote it, and by what it was computed."""
    by_key = {each.field.key: each for each in told}
    yield "administrative.registry_authors", list(names_in(_text(by_key["authors"]))) or [NOT_STATED]
    notes = [_text(by_key["notes"]), f"{words.MADE_BY} computed the guarantee; it explores, and does not release."]
    notes += [f"{each.field.label}: the guarantee was computed for “{each.computed}”." for each in told
              if each.field.item and not each.field.is_words and each.both]
    if not release.settled:
        notes.append("What is released was not chosen yet.")
    if state.origin is not None:
        notes.append(powered(f"{begun(words.counted(state.setting.study, state.origin))}."))
    yield "administrative.notes", "\n".join(filter(None, notes))


def _tier(found: Mapping[str, Any]) -> tuple[int, tuple[str, ...]]:
    """The highest tier of which everything is stated, and what the next one asks for besides, in words of the form."""
    alone = found.get("deployment_model.access_type") == "Non-interactive"
    needed = {key: tier for key, tier in KEYS.items() if not (alone and key == "deployment_model.access_type_details")}
    lacking = {tier: [key for key, of in needed.items() if of == tier and key not in found] for tier in (1, 2, 3)}
    tier = 3 if not any(lacking.values()) else 2 if not (lacking[1] or lacking[2]) else 1
    next_one = [key for of in range(1, min(tier + 1, 3) + 1) for key in lacking[of]]
    labels = {each.entry: each.label[:1].lower() + each.label[1:] for each in reversed(tuple(FIELDS.values()))}
    return tier, tuple(dict.fromkeys(labels.get(key, "what was chosen") for key in next_one))


def _slug(basic: Mapping[str, Any]) -> str:
    """What the registry makes of name, curators and year: “current-pageviews-wikimedia-foundation-2023”."""
    parts = basic["name"], "-".join(basic["data_curators"]), basic["publication_date"].split("-")[0]
    return "_".join(re.sub(r"\W+", "_", each.lower()) for each in parts).replace("_", "-")
