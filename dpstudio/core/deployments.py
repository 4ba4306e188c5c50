"""The ε of differential privacy in use, as it was published: with what one unit of privacy is, and what to mind.

A larger ε here is not less privacy than a smaller one there: one holds for all that a person ever did, another for one
of their days or of their clicks. What could not be confirmed in the publication that is cited is left out.
"""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis
from dpstudio.core.sources import (
    APPLE17,
    BIRTHS24,
    CENSUS22,
    FACEBOOK20,
    GBOARD24,
    LINKEDIN20,
    MOBILITY20,
    SYMPTOMS20,
    VACCINATION21,
    WIKIMEDIA23,
    Source,
)
from dpstudio.records import dataclass
from dpstudio.text.numbers import powered
from dpstudio.vocabulary import Quantity, named


@dataclass(frozen=True, slots=True)
class Deployment:
    """One release or collection that is in use, or was."""

    name: str
    """Short, for a mark on an axis."""
    what: str
    year: int
    epsilon: float
    delta: float
    """0 for pure differential privacy."""
    unit: str
    """What the guarantee is for: one unit of privacy."""
    caveat: str
    source: Source

    @property
    def says(self) -> str:
        """All of it, in a few sentences."""
        spent = powered(named(self.epsilon, v.EPSILON))
        spent += f", {powered(named(self.delta, v.DELTA))}" if self.delta else ", without δ"
        return (f"{self.what} ({self.year}): {spent}. Unit of privacy: {self.unit}. {self.caveat} "
                f"Source: {self.source.key}.")


ON_DEVICE = "Each answer is randomized on the device, so nobody is trusted with the data; every day spends it anew."
DEPLOYMENTS = (
    Deployment("Facebook URLs", "Facebook, interactions with shared web addresses", 2020, 0.45, 1e-5,
               "all actions of one kind (such as views) of a person, for 99 % of people",
               "Over all kinds of actions together: ε = 1.453, for 96.6 % of people.", FACEBOOK20),
    Deployment("Wikipedia", "Wikimedia, daily page views by country", 2023, 1.0, 1e-7,
               "the first 10 pages that a device opens in a day",
               "Stated as ρ = 0.015 of concentrated differential privacy, roughly this ε; every day spends it anew.",
               WIKIMEDIA23),
    Deployment("Symptoms", "Google, searches for symptoms", 2020, 1.68, 0.0, "what one user searches for in a day",
               "Every day spends it anew.", SYMPTOMS20),
    Deployment("Apple health", "Apple, which types of health data are used", 2017, 2.0, 0.0,
               "what a device reports in a day", ON_DEVICE, APPLE17),
    Deployment("Vaccination", "Google, searches about vaccination", 2021, 2.19, 1e-5,
               "what one user searches for in a day", "Every day spends it anew.", VACCINATION21),
    Deployment("Mobility", "Google, mobility by region and kind of place", 2020, 2.64, 0.0,
               "where one user is in a day", "Of those with Location History switched on; every day spends it anew.",
               MOBILITY20),
    Deployment("Apple emoji", "Apple, which emoji are used", 2017, 4.0, 0.0,
               "what a device reports in a day", ON_DEVICE, APPLE17),
    Deployment("Gboard", "Google, next words on a Spanish keyboard", 2022, 8.9, 1e-10,
               "all that one user’s device ever contributed", "Of one model; other languages have others, with ε from "
               "0.994 to 13.69.", GBOARD24),
    Deployment("Births", "Israel’s Ministry of Health, live births of 2014", 2024, 9.98, 0.0,
               "one birth: mother and child", "One release, once for all.", BIRTHS24),
    Deployment("US census", "US Census Bureau, redistricting data of the 2020 census", 2021, 19.61, 1e-10,
               "one person, or one housing unit", "17.14 for persons and 2.47 for housing units; some totals, such as "
               "the population of each state, are published exactly and lie outside the guarantee.", CENSUS22),
    Deployment("LinkedIn", "LinkedIn, whom advertisements reach", 2020, 34.9, 7e-9,
               "one member, in a month of answers to one analyst", "Analysts are not added up; every month spends it "
               "anew.", LINKEDIN20),
)
"""In ascending order of ε."""

SPENT: frozenset[Quantity] = frozenset((
    v.EPSILON, v.GUARANTEE_EPSILON, v.COUNT_EPSILON, v.ACT_EPSILON, v.PERSON_EPSILON, v.TOTAL_EPSILON, v.BUDGET))
"""The quantities that are the ε of a guarantee; ε′ of a privacy profile is one that a reader chooses."""


def deployed(axis: Axis) -> tuple[Deployment, ...]:
    """What can be marked on an axis."""
    return DEPLOYMENTS if axis.quantity in SPENT else ()
