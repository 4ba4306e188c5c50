"""What is stated of a release, in a report: in short on the first page, then as a label and against NIST SP 800-226.

The label says in one frame what a guarantee means and on what it rests, as Dibia and others propose after interviews
with twelve experts (arXiv:2507.15997). Of their paper the abstract could be read, not the drawing of their label: its
rows are the ones that the abstract, the registry of deployments and SP 800-226 ask for. Of SP 800-226 its pyramid could
be read in summaries; the table names its parts and the section of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpstudio.core.sources import LABEL25, NIST25
from dpstudio.core.update import Update
from dpstudio.documents.about import ITEMS, PARAMETERS, UTILITY, Item
from dpstudio.documents.noted import LONGEST_ON_COVER
from dpstudio.documents.report import outcome
from dpstudio.documents.report.blocks import Cells, Head, PrivacyLabel, References, ReportSection, Text, line_of
from dpstudio.documents.report.numbers import NONE
from dpstudio.documents.report.promised import Promised, pair
from dpstudio.documents.report.stated import NOT_STATED, Stated, about
from dpstudio.documents.state import StudyState
from dpstudio.text.sentences import begun, listed

FOREMOST = ("model", "actors", "releases", "refresh", "access", "spent", "exact", "retention", "library")
"""What whoever signs should read of it, by the keys of fields."""
IN_SHORT, IN_LABEL = 70, 200
"""Signs of an answer on the first page, and in the label; the table has them all."""
ELSEWHERE = {**dict.fromkeys(("parameters", "unit", "neighbours"), "Guarantee"), "mechanism": "Chosen",
             "why": "Reason", "result": "Result", **dict.fromkeys(FOREMOST, "Release")}
"""Where page one has an answer, too."""
ROWS = (("Deployment model", ("model", "actors")), ("Releases", ("releases", "refresh", "source")),
        ("Spent elsewhere", ("spent",)), ("Access", ("access", "analysts")), ("Mechanism", ("mechanism", "library")),
        ("Without noise", ("exact",)), ("Raw data and seeds", ("retention",)))
"""Of the label, those that have answers of the form."""


def in_short(told: Sequence[Stated]) -> tuple[str, ...]:
    """What is stated of what whoever signs should read, and on a line of its own what is not."""
    by_key = {each.field.key: each for each in told}
    known = [f"{each.field.label}: {_begun(each.words, IN_SHORT)}" for key in FOREMOST
             if (each := by_key[key]).words]
    missing = [_within(each.field.label) for key in FOREMOST if not (each := by_key[key]).words]
    rest = sum(not each.words for key, each in by_key.items() if key not in FOREMOST and each.field.item)
    further = [f"{rest} more that NIST SP 800-226 asks for"] if rest else []
    lacking = (*missing, *further)
    return (*([" · ".join(known)] if known else []), *([f"{begun(NOT_STATED)}: {listed(lacking)}."] if lacking else []))


def _begun(words: str, most: int) -> str:
    """The words on one line, up to the end of a word where they are more than so many signs."""
    line = line_of(words, LONGEST_ON_COVER)
    return line if len(line) <= most else f"{line[:most].rpartition(' ')[0] or line[:most]} …"


def _within(label: str) -> str:
    return label[:1].lower() + label[1:]


def section(state: StudyState, update: Update, release: Promised, refs: References) -> ReportSection:
    """The label, and what is stated against SP 800-226, with what an entry of the registry says besides."""
    told = about(state, release)
    words = Text(f"The label follows Dibia and others {refs.cite(LABEL25)}, the table the parts of NIST SP 800-226 "
                 f"{refs.cite(NIST25)}. “Computed” is what follows from the guarantee; all else somebody said, and DP "
                 "Studio has not checked it.", "small")
    further = [_entry(told)] if any(each.field.item is None and each.field.key in state.about for each in told) else []
    return ReportSection("About the release", (_label(state, release, told), words,
                                               _table(state, update, release, told), *further))


def _label(state: StudyState, release: Promised, told: Sequence[Stated]) -> PrivacyLabel:
    study, guarantee = state.setting.study, release.guarantee
    words = {each.field.key: _begun(each.words, IN_LABEL) for each in told}
    rows = [("What is released", words["name"] or ": ".join(
        [study.title, *([release.chosen.label] if release.chosen else [])])), ("For whom", words["unit"])]
    if guarantee is not None:
        most = " at most" if guarantee.kind == "bound" else ""
        rows += [("Privacy loss", f"{pair(guarantee)}{most}"), ("What it means", release.risk)]
        if guarantee.holds:
            rows.append(("It holds", guarantee.holds))
    else:
        rows.append(("Privacy loss", "no guarantee at these settings" if release.settled else
                     "depends on what is chosen, and nothing is"))
    rows += [(name, " · ".join(words[key] for key in keys if words[key]) or NOT_STATED) for name, keys in ROWS]
    return PrivacyLabel("Privacy label", tuple(rows))


def _table(state: StudyState, update: Update, release: Promised, told: Sequence[Stated]) -> Cells:
    """What is stated of each part of SP 800-226, an answer a row, and in the last row of a part what is not."""
    rows: list[tuple[str, ...]] = []
    own = state.about.keys() - FOREMOST  # page one has what is computed in the place of these
    for item in ITEMS:
        of = [(asked, words, NONE if key in own else ELSEWHERE.get(key, NONE)) for key, asked, words in (
            *_known(item, state, update, release), *_answers([each for each in told if each.field.item is item]))]
        rows += [("" if i else f"{item.name} ({item.section})", *row) for i, row in enumerate(of)]
    heads = (Head("Part (section)", share=1.4), Head("What is asked", share=1.2), Head("What is stated", share=3),
             Head("On page one", share=0.9))
    return Cells("What is stated of the release, by the parts of NIST SP 800-226.", heads, tuple(rows))


def _answers(told: Sequence[Stated]) -> Iterator[tuple[str, str, str]]:
    """Each answer, by its key and what was asked; then all that nobody answered, together."""
    for each in told:
        if each.words:
            yield each.field.key, each.field.label, line_of(each.words, LONGEST_ON_COVER)
    if lacking := [each.field.label for each in told if not each.words]:
        yield "", begun(listed(_within(each) for each in lacking)), NOT_STATED


def _known(item: Item, state: StudyState, update: Update, release: Promised) -> Iterator[tuple[str, str, str]]:
    """What no field of the form asks for, since the study knows it."""
    if item is PARAMETERS:
        yield "parameters", "ε and δ", f"{pair(release.guarantee)} (computed)" if release.guarantee else NOT_STATED
    if item is UTILITY and release.chosen and (result := outcome.result(state.setting, update, release.chosen)):
        yield "result", "Result", f"{result} (computed)"


def _entry(told: Sequence[Stated]) -> Cells:
    """What an entry asks for besides."""
    rows = (row for _, *row in _answers([each for each in told if each.field.item is None]))
    return Cells("What an entry of the registry of deployments says besides.",
                 (Head("What is asked", share=1), Head("What is stated", share=3.5)), tuple(map(tuple, rows)))
