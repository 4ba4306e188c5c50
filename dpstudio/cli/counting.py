"""Counting in a file: the numbers of a study that are taken from data."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import replace
from typing import Any

import numpy as np

from dpstudio import __version__
from dpstudio.cli.request import whole
from dpstudio.cli.talk import Refused
from dpstudio.core.declare import InvalidParameter
from dpstudio.data import bounds, meaning, meaning_of_lists
from dpstudio.data.amounts import amounts
from dpstudio.data.cohort import cohort, symptom
from dpstudio.data.condition.parser import parse
from dpstudio.data.condition.tree import Condition
from dpstudio.data.counting import count
from dpstudio.data.file import DataFile
from dpstudio.data.groups import groups
from dpstudio.data.origin import AT_MOST, MISSING, Origin
from dpstudio.data.targets import AMOUNTS, CELLS
from dpstudio.documents.tables import fact_object, json_lines
from dpstudio.text.entry import read_number
from dpstudio.vocabulary import SEED as SEEDS

SEED = SEEDS.domain


def run_count(options: Namespace) -> None:
    """How many records of a file satisfy a condition, in groups, or which numbers they have.

    Raises InvalidParameter and Refused.
    """
    sys.stdout.write(json_lines(_counted(options)))


def _counted(options: Namespace) -> dict[str, Any]:
    """Facts, the rows of each person and sentences."""
    cohort_asked = bool(options.symptom) or options.action is not None
    if options.by or options.of is not None:
        return _listed(options)
    if options.file is None or (options.where is None) == (not cohort_asked):
        raise Refused("give a FILE and either a condition, --where \"age >= 65\", or --symptom and --action, --by or "
                      "--of")
    if cohort_asked and (not options.symptom or options.action is None):
        raise Refused("--symptom and --action go together: symptoms are counted in the two arms")
    at_most = _at_most(options)
    asked = _guarantee(options, cohort=cohort_asked)
    with DataFile(options.file, missing=(*MISSING, *options.missing)) as file:
        table = file.open()
        if cohort_asked:
            return _cohort(file, options, at_most)
        counted = count(file, parse(options.where, table.columns), options.person)
    origin = Origin(table.name, "", options.where, options.person, at_most, file.missing, exact=True)
    made: dict[str, Any] = {"version": __version__, "data": origin.as_json() | {"note": origin.note},
                            "facts": [fact_object(fact) for fact in meaning.facts(counted, at_most)]}
    tables, told = {"rows_each": meaning.rows_table(counted)}, list(meaning.sentences(counted, at_most))
    if asked is not None and (choice := bounds.bounds_of(counted, *asked)) is not None:
        made["facts"] += [fact_object(fact) for fact in bounds.facts(choice, at_most)]
        tables["bounds"] = bounds.bounds_table(choice, at_most)
        told.append(bounds.sentence(choice, at_most))
    if counted.people is not None:
        made["tables"] = {name: {column.key: np.asarray(values).tolist() for column, values in table.items()}
                          for name, table in tables.items() if table is not None}
    made["verdicts"] = [*told, meaning.SENSITIVE]
    return made


def _at_most(options: Namespace) -> int | None:
    if options.at_most is None:
        return None
    if options.person is None:
        raise Refused("--at-most bounds the rows of each person: --person COLUMN says who they are")
    return whole("at_most", AT_MOST, options.at_most)


def _listed(options: Namespace) -> dict[str, Any]:
    """The counts of groups, or the numbers of a column, as a table and as a text for --set."""
    if options.file is None:
        raise Refused("give a FILE")
    if options.by and options.of is not None:
        raise Refused("--by counts groups and --of takes the numbers of a column: give one of them")
    others = {"--symptom": options.symptom, "--action": options.action, "--seed": options.seed,
              "--epsilon": options.epsilon, "--delta": options.delta,
              "--at-most": options.at_most if options.of is not None else None}
    for flag, given in others.items():
        if given:
            raise Refused(f"{flag} does not go with {'--by' if options.by else '--of'}")
    at_most = _at_most(options)
    with DataFile(options.file, missing=(*MISSING, *options.missing)) as file:
        table = file.open()
        condition = None if options.where is None else parse(options.where, table.columns)
        origin = Origin(table.name, "", options.where or "", options.person, at_most, file.missing, exact=True)
        if options.by:
            return _groups(file, replace(origin, by=tuple(options.by), counts=(CELLS,)), condition)
        return _amounts(file, replace(origin, of=options.of, counts=(AMOUNTS,)), condition)


def _groups(file: DataFile, origin: Origin, condition: Condition | None) -> dict[str, Any]:
    found = groups(file, origin.by, condition, origin.person, origin.at_most)
    tables: dict[str, Any] = {"groups": {"name": list(found.names), "count": list(found.counts)}}
    if (each := meaning_of_lists.groups_each_table(found)) is not None:
        tables["groups_each"] = {column.key: np.asarray(values).tolist() for column, values in each.items()}
    return {"version": __version__, "data": origin.as_json() | {"note": origin.note},
            "facts": [fact_object(fact) for fact in meaning_of_lists.group_facts(found)], "tables": tables,
            "cells": found.text, "verdicts": [*meaning_of_lists.group_sentences(found), meaning.SENSITIVE]}


def _amounts(file: DataFile, origin: Origin, condition: Condition | None) -> dict[str, Any]:
    found = amounts(file, origin.of, condition, origin.person)
    return {"version": __version__, "data": origin.as_json() | {"note": origin.note},
            "facts": [fact_object(fact) for fact in meaning_of_lists.amount_facts(found)],
            "tables": {"values": {"value": list(found.values), "times": list(found.times)}}, "values": found.text,
            "verdicts": [*meaning_of_lists.amount_sentences(found), meaning_of_lists.SENSITIVE_VALUES]}


def _guarantee(options: Namespace, *, cohort: bool) -> tuple[float, float] | None:
    """ε and δ of a person for which a bound is looked for; raises InvalidParameter and Refused."""
    if options.epsilon is None:
        if options.delta is not None:
            raise Refused("--delta goes with --epsilon")
        return None
    if options.person is None or cohort:
        raise Refused("--epsilon asks for a bound on the rows of each person: --where and --person say which")
    given = []
    for name, text, domain in (("epsilon", options.epsilon, bounds.EPSILONS), ("delta", options.delta, bounds.DELTAS)):
        number = 0.0 if text is None else domain.accept(read_number(text))
        if number is None:
            raise InvalidParameter(name, domain, text)
        given.append(float(number))
    return given[0], given[1]


def _cohort(file: DataFile, options: Namespace, at_most: int | None) -> dict[str, Any]:
    """Counts of every symptom without and with the action."""
    seed = SEED.accept(read_number(options.seed) if options.seed is not None else 0)
    if seed is None:
        raise InvalidParameter("seed", SEED, options.seed)
    symptoms = {text: symptom(file, text) for text in options.symptom}
    found = cohort(file, symptoms, symptom(file, options.action, "action"), options.person, at_most, int(seed))
    table = file.opened()
    arms = [{"people": people, "counts": dict(zip(found.symptoms, counts, strict=True))}
            for people, counts in zip(found.people, found.counts, strict=True)]
    return {
        "version": __version__,
        "data": {"file": table.name, "action": options.action, "person": options.person,
                 "at_most": at_most, "seed": int(seed), "missing": list(file.missing)},
        "without": arms[0], "with": arms[1], "undecided": dict(zip(found.symptoms, found.undecided, strict=True)),
        "armless": found.armless, "unnamed": found.unnamed, "sensitivity": found.sensitivity or "inf",
        "verdicts": [meaning.SENSITIVE]}
