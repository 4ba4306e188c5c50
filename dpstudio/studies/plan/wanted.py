"""The releases of a plan as they are written, and as models know them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from dpstudio import vocabulary as v
from dpstudio.models.plan import (
    PlannedDecision,
    PlannedNumber,
    PlannedRelease,
    PlannedResponse,
    PlannedSelection,
    PlannedTable,
)
from dpstudio.models.plan.shares import NoiseName
from dpstudio.models.plan.unlike import Before
from dpstudio.text.sentences import grouped
from dpstudio.vocabulary import Record, Records

SURVEYS = "response"


class WantedRelease(NamedTuple):
    """A release that is wanted: where it stands in the plan, its name, what it is, and how much its error counts."""

    place: int
    name: str
    kind: str
    release: PlannedRelease
    weight: float
    is_whole: bool
    """Whether discrete Laplace noise may hide it."""

    def pure(self, factor: float) -> NoiseName:
        """The noise that it has where no δ is spent, with so many times the wanted error: of the two the one that costs
        less."""
        return _pure(self.release, factor) if self.is_whole else "laplace"

    @property
    def is_named(self) -> bool:
        """Whether somebody gave it its name."""
        return self.name != unnamed(self.place, self.kind)

    @property
    def is_noisy(self) -> bool:
        """Whether it is a number, or numbers, with noise: a sum of errors has it."""
        return isinstance(self.release, PlannedNumber)

    def moves(self, *, gaussian: bool) -> float:
        """How far one neighbour moves it, in the norm of its noise."""
        assert isinstance(self.release, PlannedNumber)
        return self.release.moves[gaussian]


class PlannedReleases(NamedTuple):
    """All that is wanted, and what was released before."""

    wanted: tuple[WantedRelease, ...]
    before: Before
    has_surveys: bool


Made = Callable[[Mapping[str, float], float, bool], dict[str, Any]]
_MAKERS: Mapping[str, tuple[type[PlannedRelease], Made]] = {
    "count": (PlannedNumber, lambda given, sure, _: {"half_width": given["within"], "confidence": sure}),
    "sum": (PlannedNumber, lambda given, sure, _: {
        "half_width": given["within"], "sensitivity": given["moves"], "confidence": sure}),
    "mean": (PlannedNumber, lambda given, sure, _: {
        "half_width": given["within"], "sensitivity": given["upper"] / given["people"], "confidence": sure}),
    "table": (PlannedTable, lambda given, sure, moving: {
        "half_width": given["within"], "cells": int(given["groups"]), "per_person": int(given["most"]),
        "confidence": sure, "neighbours": "move" if moving else "add or remove"}),
    "decision": (PlannedDecision, lambda given, sure, _: {"band": given["within"], "confidence": sure}),
    "selection": (PlannedSelection, lambda given, _, moving: {
        "candidates": int(given["candidates"]), "gap": given["gap"], "confidence": given["right"],
        "monotone": not moving}),
    "response": (PlannedResponse, lambda given, sure, _: {
        "n": int(given["people"]), "half_width": given["within"] / 100, "confidence": sure}),
}
_WHOLE = {"count", "table", "decision"}
"""Kinds of whole numbers, which discrete Laplace noise may hide."""


def domain() -> Records:
    """How a plan is written."""
    assert isinstance(v.PLAN_RELEASES.domain, Records)
    return v.PLAN_RELEASES.domain


@lru_cache(maxsize=64)
def planned(text: str, confidence: float, moving: bool, years: int) -> PlannedReleases:
    """What a text of a plan asks for."""
    records = domain().records_of(text)
    before = [record.values for record in records if record.kind == "spent"]
    told = abs(math.expm1(math.fsum(math.log1p(-each["delta"]) for each in before)))
    wanted = tuple(_wanted(place, record, confidence, moving, years)
                   for place, record in enumerate(records, 1) if record.kind != "spent")
    epsilons = tuple(each["epsilon"] for each in before if each["epsilon"] > 0)
    return PlannedReleases(wanted, Before(epsilons, told), any(one.kind == SURVEYS for one in wanted))


def _wanted(place: int, record: Record, confidence: float, moving: bool, years: int) -> WantedRelease:
    kind, made = _MAKERS[record.kind]
    given = record.values
    group = int(given["group"])
    release = kind(**made(given, confidence, moving), times=int(given["times"]) * years,
                   group=str(group) if group else "")
    return WantedRelease(place, called(record, place), record.kind, release, given.get("weight", 1.0),
                         record.kind in _WHOLE and not (record.kind == "decision" and given_below_one(record)))


@lru_cache(maxsize=1024)
def _pure(release: PlannedRelease, factor: float) -> NoiseName:
    return "geometric" if release.cost("geometric", factor) <= release.cost("laplace", factor) else "laplace"


def given_below_one(record: Record) -> bool:
    """Whether a band is narrower than what whole numbers tell apart."""
    return record.values["within"] < 1


def called(record: Record, place: int) -> str:
    """The name of a release, or its kind and number: “release 2 (a count)”."""
    return f"“{record.name}”" if record.name else unnamed(place, record.kind)


def unnamed(place: int, kind: str) -> str:
    """What a release is called that has no name."""
    return f"release {grouped(place)} (a {kind})"
