"""What one unit of privacy is, for how long, and who adds the noise: the kinds by which guarantees are likened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

Unit: TypeAlias = Literal[
    "person", "device", "account", "organization", "record", "event", "part", "several", "unknown", ""]
Period: TypeAlias = Literal["", "quarter of a day", "day", "week", "month", "year", "unsaid"]
Model: TypeAlias = Literal["central", "local", "shuffled", "federated", "varies", "unknown"]
"""Where the noise is added."""

UNITS: Mapping[Unit, str] = {
    "person": "one person",
    "device": "one device",
    "account": "one account",
    "organization": "one establishment",
    "record": "one record",
    "event": "one event or answer",
    "part": "a bounded part of what one person contributes",
    "several": "different units in different tables",
    "unknown": "not said",
}
"""What a deployment in use protects; none of these, "", is what a study alone has."""
PERIODS: Mapping[Period, str] = {
    "": "", "quarter of a day": " in six hours", "day": " in one day", "week": " in one week", "month": " in one month",
    "year": " in one year", "unsaid": ", for how long is not said",
}
"""For how long: for all time where nothing is said, unless what is released again and again leaves that open."""
MODELS: Mapping[Model, str] = {
    "central": "a curator adds the noise",
    "local": "every person or device randomizes its own data",
    "shuffled": "a shuffler hides whose answer is whose",
    "federated": "devices send updates, to which noise is added",
    "varies": "who adds the noise varies",
    "unknown": "who adds the noise is not said",
}


def protected(unit: Unit, period: Period) -> str:
    """“one person in one day”."""
    return UNITS[unit] + PERIODS[period]
