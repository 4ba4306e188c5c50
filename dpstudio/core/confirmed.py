"""What was read in the publications themselves on deployments in use, where their registry does not say it.

By slug. Also a short name for those that are marked on axes. What could not be confirmed in the publication that is
cited is left out.
"""

from __future__ import annotations

from collections.abc import Mapping

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
from dpstudio.core.units import Period, Unit
from dpstudio.records import dataclass


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What is added to an entry, or stands in its place where the publication is clearer."""

    name: str
    """Short, for a mark on an axis."""
    whose: str = ""
    """What the guarantee is for: one unit of privacy, in words."""
    caveat: str = ""
    source: Source | None = None
    unit: tuple[Unit, Period] | None = None
    """Its kind, and for how long; None where that of the registry is right."""
    spent: tuple[float, float] | None = None
    """ε and δ, where the registry states ρ alone."""


ANEW = "Every day spends it anew."
ON_DEVICE = f"Nobody is trusted with the data. {ANEW}"
A_DAY = "one report of a device, which sends at most one a day"

CONFIRMED: Mapping[str, Confirmed] = {
    "user-url-privacy-dataset-meta-2020": Confirmed(
        "Facebook URLs", "all actions of a person, for 96.6 % of people",
        "The noise hides single actions, so many of a person. Of actions of one kind, such as views, ε = 0.45 for 99 % "
        "of people.", FACEBOOK20, unit=("part", "")),
    "current-pageviews-wikimedia-foundation-2023": Confirmed(
        "Wikipedia", "the first 10 pages that a device opens in a day",
        f"Stated as ρ = 0.015 of concentrated differential privacy, which gives at most this ε at this δ. {ANEW}",
        WIKIMEDIA23, spent=(1.0, 1e-7)),
    "covid-19-search-trends-symptoms-google-2020": Confirmed(
        "Symptoms", "what one user searches for in a day", ANEW, SYMPTOMS20),
    "healthkit-usage-statistics-apple-2017": Confirmed("Apple health", A_DAY, ON_DEVICE, APPLE17),
    "popular-emojis-apple-2017": Confirmed("Apple emoji", A_DAY, ON_DEVICE, APPLE17),
    "vaccine-search-insights-google-2021": Confirmed(
        "Vaccination", "what one user searches for in a day", ANEW, VACCINATION21, unit=("person", "day")),
    "community-mobility-place-visits-google-2020": Confirmed(
        "Mobility", "where one user is in a day", f"Of those with Location History switched on. {ANEW}", MOBILITY20),
    "spanish-next-word-prediction-google-2022": Confirmed(
        "Gboard", "all that one user’s device ever contributed", "Of one model; other languages have others, with ε "
        "from 0.994 to 13.69.", GBOARD24, unit=("device", ""), spent=(8.9, 1e-10)),
    "israel-s-national-registry-of-live-births-of-2014-israeli-ministry-of-health-2024": Confirmed(
        "Births", "one birth: mother and child", "One release, once for all.", BIRTHS24),
    "disclosure-avoidance-system-for-redistricting-data-u-s-census-bureau-2021": Confirmed(
        "US census", "one person, or one housing unit", "17.14 for persons and 2.47 for housing units; some totals, "
        "such as the population of each state, are published exactly and lie outside the guarantee.", CENSUS22,
        spent=(19.61, 1e-10)),
    "audience-engagement-api-linkedin-2020": Confirmed(
        "LinkedIn", "one member, in a month of answers to one analyst", "Analysts are not added up; every month spends "
        "it anew.", LINKEDIN20),
    # Short names alone.
    "assistive-ai-microsoft-2020": Confirmed("Suggested replies"),
    "broadband-coverage-microsoft-2021": Confirmed("Broadband"),
    "ctdc-global-victim-perpetrator-synthetic-dataset-microsoft-international-organization-for-migration-2023":
        Confirmed("Trafficking"),
    "energy-differential-privacy-for-ohmconnect-virtual-power-plant-measurement-recurve-2020": Confirmed("OhmConnect"),
    "mobility-trends-during-hurricane-spectus-2022": Confirmed("Hurricane"),
    "safari-energy-draining-and-crashing-domains-apple-2017": Confirmed("Safari"),
    "shared-mobility-dataset-google-2022": Confirmed("City trips"),
}
