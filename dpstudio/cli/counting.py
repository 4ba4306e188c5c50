"""Counting in a file: the numbers of a study that are taken from data."""

from __future__ import annotations

import json
from argparse import Namespace

import numpy as np

from dpstudio import __version__
from dpstudio.cli.talk import Refused
from dpstudio.core.entry import read_number
from dpstudio.data import telling
from dpstudio.data.condition import parse
from dpstudio.data.counting import accepted_bound, count
from dpstudio.data.file import DataFile
from dpstudio.data.origin import MISSING, Origin
from dpstudio.export.tables import fact_object


def count_file(options: Namespace) -> str:
    """Facts, the rows of each person and sentences, as JSON; raises InvalidParameter and Refused."""
    if options.file is None or options.where is None:
        raise Refused("give a FILE and a condition: dpstudio count FILE --where \"age >= 65\"")
    at_most = None
    if options.at_most is not None:
        if options.person is None:
            raise Refused("--at-most bounds the rows of each person: --person COLUMN says who they are")
        number = read_number(options.at_most)
        at_most = accepted_bound(options.at_most if number is None else number)
    with DataFile(options.file, missing=(*MISSING, *options.missing)) as file:
        table = file.open()
        counted = count(file, parse(options.where, table.columns), options.person)
    origin = Origin(table.name, table.sha256, options.where, options.person, at_most, file.missing, exact=True)
    made = {"version": __version__, "data": origin.as_json() | {"note": origin.note},
            "facts": [fact_object(fact) for fact in telling.facts(counted, at_most)]}
    rows = telling.rows_table(counted)
    if rows is not None:
        made["tables"] = {"rows_each": {column.key: np.asarray(values).tolist() for column, values in rows.items()}}
    made["verdicts"] = [*telling.sentences(counted, at_most), telling.SENSITIVE]
    return json.dumps(made, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
