"""The risk profile on the command line: up to which ε each series keeps caps on belief, as JSON or in words."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import Any

from dpstudio.cli.request import find_parameter, session_of
from dpstudio.cli.talk import Refused, wants_json
from dpstudio.core.caps import CapsKept, kept_of, told
from dpstudio.core.results import Series
from dpstudio.core.solve.among import candidates
from dpstudio.core.solve.every import Offer, offered
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.documents.tables import json_lines, json_number
from dpstudio.text.sentences import safely
from dpstudio.vocabulary import NONE, PROFILE_ROOM

NOTHING_KEEPS = 3
"""The exit status where no series keeps the caps at any value."""
FURTHER = 1.01
"""Factor by which a step goes beyond the greatest value."""


def run_profile(options: Namespace) -> int:
    """Print the greatest value of a parameter at which each series keeps the caps, or what holds where none does.

    Raises InvalidParameter and Refused.
    """
    session = session_of(options)
    kind, explicit, name = session.study_class, session.explicit, options.name
    find_parameter(kind, name)
    if session.study.profile == NONE:
        raise Refused("--profile is missing: how likely they may hold it after an answer, --profile 0.01:0.05,0.1:0.3")
    want = Want(PROFILE_ROOM.key, ">=", 0.0)
    among: tuple[Series | None, ...] = (None,) if want.settled(kind) else candidates(
        session.study.answer(), [PROFILE_ROOM.key], kind.answers().choosable())
    found = [_Found(offer, name) for offer in offered(kind, explicit, [want], [name], among)]
    if wants_json(options.format):
        sys.stdout.write(json_lines([each.object for each in found]))
    else:
        sys.stdout.write("".join(f"{each.says}\n" for each in found))
    return 0 if any(each.does for each in found) else NOTHING_KEEPS


class _Found:
    """What was found of one series."""

    def __init__(self, offer: Offer, name: str) -> None:
        self.series, self.does, self.name = offer.series, offer.solution.met, name
        self.study = offer.study
        self.offer = offer

    def _kept(self, study: Study) -> CapsKept | None:
        return kept_of(study.answer(), self.series)

    @property
    def further(self) -> Study | None:
        """A step beyond, where that breaks the caps."""
        domain, value = self.study.parameter(self.name).domain, getattr(self.study, self.name)
        there = domain.accept(type(value)(value * FURTHER)) if self.does else None
        if there is None:
            return None
        study = self.study.replace(**{self.name: there})
        kept = self._kept(study)
        return study if kept is not None and kept.room.value < 0 else None

    @property
    def says(self) -> str:
        """What holds, and what a step further does."""
        kept, symbol = self._kept(self.study), self.study.parameter(self.name).quantity.symbol
        sentence = told(kept, self.series)
        if not self.does:
            return sentence
        value = getattr(self.study, self.name)
        said = f"{self.offer.words}: {sentence}"
        if (further := self.further) is not None and (beyond := self._kept(further)) is not None:
            said += f" At {symbol} = {safely(value * FURTHER)} it would be {beyond.most}."
        return said

    @property
    def object(self) -> dict[str, Any]:
        """The same as plain data."""
        kept, further = self._kept(self.study), self.further
        beyond = None if further is None else self._kept(further)
        made: dict[str, Any] = {"mechanism": _key(self.series), "solved": dict(self.offer.values) if self.does else {}}
        if kept is not None:
            made |= {"prior": kept.binding.prior, "cap": kept.binding.most,
                     "belief": kept.belief(kept.binding.prior), "room": json_number(kept.room.value), "kind": kept.kind,
                     "exception": kept.attacker.exception, "missed": kept.missed}
        if further is not None and beyond is not None:
            made["further"] = {self.name: getattr(further, self.name), "belief": beyond.belief(beyond.binding.prior)}
        return made | {"says": self.says}


def _key(series: Series | None) -> str | None:
    return series.key if series else None
