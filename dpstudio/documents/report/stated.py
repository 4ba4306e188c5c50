"""What is stated of a release: what a person said in the form, and what follows from the guarantee itself."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio.core.guarantee import Guarantee
from dpstudio.documents.about import FIELDS, AboutField
from dpstudio.documents.report import numbers
from dpstudio.documents.report.promised import Promised
from dpstudio.documents.state import StudyState
from dpstudio.mechanisms.laws import ByProfile, Claim
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.mechanisms.shuffle import ShuffledResponse
from dpstudio.records import dataclass
from dpstudio.text.sentences import begun

NOT_STATED = "not stated"


@dataclass(frozen=True, slots=True)
class Stated:
    """The answer to one question of the form."""

    field: AboutField
    said: str
    """By a person; empty where nobody said anything."""
    computed: str
    """What the guarantee says itself; empty where it says nothing of that."""

    @property
    def both(self) -> bool:
        """Whether a person said something else than what is computed."""
        return bool(self.said and self.computed) and self.said != self.computed

    @property
    def words(self) -> str:
        """Both, for neither takes the place of the other: a guarantee holds for what it was computed for."""
        if self.both:
            return f"{self.said} (computed for: {self.computed})"
        return self.said or (f"{self.computed} (computed)" if self.computed else "")


def about(state: StudyState, release: Promised) -> tuple[Stated, ...]:
    """The answer to each question of the form; why, and by whom, the first page may say as well."""
    computed = dict(_computed(state, release))
    on_cover = {"why": state.cover.reason, "authors": state.cover.who}
    return tuple(Stated(field, (state.about.get(key) or on_cover.get(key, "")).strip(), computed.get(key, ""))
                 for key, field in FIELDS.items())


def _computed(state: StudyState, release: Promised) -> Iterator[tuple[str, str]]:
    """What needs no answer of a person, by the keys of fields."""
    study, guarantee = state.setting.study, release.guarantee
    relation = guarantee.relation if guarantee else study.relation
    yield "unit", relation.unit
    yield "neighbours", begun(relation.sentence)
    yield "product", "Summary statistics"
    if guarantee and (model := model_of(guarantee)):
        yield "model", model
    if study.several:
        yield "releases", "Many releases"
    if not release.chosen:
        return
    if study.several:
        yield "spent", (f"all releases of this study together, by the account “{release.chosen.label}”: "
                        f"{numbers.in_words(state.setting)}")
    else:
        yield "mechanism", f"{release.chosen.label} of “{study.title}” in DP Studio"


def model_of(guarantee: Guarantee) -> str:
    """Who adds the noise, where the law says it: people at home, or before a shuffler, else a curator.

    A bare claim of ε and δ says nothing of it.
    """
    law = guarantee.law
    if isinstance(law, Claim):
        return ""
    if isinstance(law, RandomizedResponse):
        return "Local"
    return "Shuffle" if isinstance(law, ByProfile) and isinstance(law.of, ShuffledResponse) else "Central"
