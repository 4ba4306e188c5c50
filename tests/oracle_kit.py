"""Rows of an oracle that names functions, objects and their members: who calls what, and how near the value is."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Row = dict[str, Any]


def rows_of(name: str) -> list[Row]:
    """The rows of `tests/oracles/NAME.json`."""
    found: list[Row] = json.loads((Path(__file__).parent / "oracles" / f"{name}.json").read_text("utf-8"))
    return found


def called(row: Row) -> str:
    """“half_width”: what a row calls, for the name of its test."""
    return str(row["call"].rpartition(".")[2])


def named(dotted: str) -> Any:
    """A function or a class of a module, or a member of such a class, by its dotted name."""
    module, _, name = dotted.rpartition(".")
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError:
        return getattr(named(module), name)


def made(given: Any) -> Any:
    """An argument: an object that is to be made, or what stands there."""
    if isinstance(given, dict):
        return named(given["make"])(**{name: made(value) for name, value in given["args"].items()})
    return given


def found(row: Row) -> Any:
    """What the package answers to a row: a member of `self`, or a function."""
    given = {name: made(value) for name, value in row["args"].items()}
    if "self" not in given:
        return named(row["call"])(**given)
    member = getattr(given.pop("self"), called(row))
    return member(**given) if callable(member) else member


def is_near(row: Row, value: Any) -> bool:
    """Whether a value is as near to a row’s as that asks for."""
    return bool(np.asarray(value) == pytest.approx(np.asarray(row["value"]), rel=row.get("rel", 0.0),
                                                    abs=row.get("abs", 0.0)))
