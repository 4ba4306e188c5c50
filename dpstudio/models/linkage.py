"""Linking: a table of ratings without names against the few ratings that somebody knows, and what is left of that
where only noisy counts are released.

The people and their ratings are made up: films differ in popularity as in Zipf's law, people in how much they watch.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from dpstudio.core.declare import Array
from dpstudio.core.sampling import generator
from dpstudio.records import cached_property, dataclass

PEOPLE, FILMS, STARS, DAYS = 2_000, 400, 5, 730
MOST_KNOWN = 8
"""So many ratings of each person may be known; everybody has at least as many."""

_STREAM = 2
"""Place of the made-up people among the streams of a seed."""
_POPULARITY = 0.9
"""Film i is rated like i^−0.9."""
_TYPICAL, _SPREAD = 26.0, 0.8
"""Median number of views of a person, and the sd of its logarithm."""
_OFF_BY_ONE = 0.25
"""How often a known rating is a star off, unless that leads below 1 or above 5."""

Flags: TypeAlias = npt.NDArray[np.bool_]
Whole: TypeAlias = npt.NDArray[np.int64]
Single: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Ratings:
    """A table of ratings: films by people, 0 stars where there is none."""

    stars: npt.NDArray[np.int8]
    days: npt.NDArray[np.int16]

    @cached_property
    def weights(self) -> Single:
        """1/ln(supp) of each film: a film that few have seen tells more. [Narayanan & Shmatikov 2008.]"""
        return np.asarray(1 / np.log(np.maximum(np.count_nonzero(self.stars, axis=1), 3)), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class KnownRatings:
    """What is known of each person, a row: films, stars and days of eight ratings, the first k of which are used."""

    films: Whole
    stars: npt.NDArray[np.int8]
    days: npt.NDArray[np.int16]


@lru_cache(maxsize=2)
def ratings(seed: int) -> Ratings:
    """A made-up table: everybody has rated at least eight films, and half of them more than about twenty."""
    rng = generator(seed, _STREAM, 0)
    popularity = np.arange(1, FILMS + 1, dtype=np.float32) ** np.float32(-_POPULARITY)
    views = _TYPICAL * np.exp(_SPREAD * rng.standard_normal(PEOPLE, dtype=np.float32))
    expected = np.outer(popularity / popularity.sum(), views)
    # A Poisson number of views of each film, of which the first is rated.
    seen = rng.standard_exponential((FILMS, PEOPLE), dtype=np.float32) < expected
    for person in np.flatnonzero(np.count_nonzero(seen, axis=0) < MOST_KNOWN):
        seen[rng.choice(FILMS, MOST_KNOWN, replace=False), person] = True
    film, who = np.nonzero(seen)
    quality, kindness = rng.normal(3.4, 0.5, FILMS), rng.normal(0.0, 0.4, PEOPLE)
    given = np.rint(quality[film] + kindness[who] + rng.normal(0.0, 0.9, film.size))
    stars, days = np.zeros((FILMS, PEOPLE), np.int8), np.zeros((FILMS, PEOPLE), np.int16)
    stars[film, who] = np.clip(given, 1, STARS)
    days[film, who] = rng.integers(0, DAYS, film.size)
    return Ratings(stars, days)


@lru_cache(maxsize=2)
def _chosen(seed: int) -> Whole:
    """Eight ratings of each person, a row of films in random order."""
    rng = generator(seed, _STREAM, 1)
    keys = rng.random((FILMS, PEOPLE), dtype=np.float32)
    keys[ratings(seed).stars == 0] = 2.0
    nearest = np.argpartition(keys, MOST_KNOWN, axis=0)[:MOST_KNOWN]
    order = np.argsort(np.take_along_axis(keys, nearest, axis=0), axis=0)
    return np.ascontiguousarray(np.take_along_axis(nearest, order, axis=0).T)


@lru_cache(maxsize=4)
def known(seed: int, date_error: int, wrong: float) -> KnownRatings:
    """What is known of everybody: eight ratings each, of which some are wrong.

    A day is off by up to `date_error` either way, evenly, a star by one with probability `_OFF_BY_ONE`, and with
    probability `wrong` the rating is one that the person never gave. Arrays of shape (people, ratings known).
    [Narayanan & Shmatikov 2008.]
    """
    table, films = ratings(seed), _chosen(seed)
    rng = generator(seed, _STREAM, 2)
    shape, people = films.shape, np.arange(PEOPLE)[:, None]
    stars = table.stars[films, people].astype(np.int64)
    step = np.where(rng.random(shape) < 0.5, 1, -1)
    stars = np.where(rng.random(shape) < _OFF_BY_ONE, np.clip(stars + step, 1, STARS), stars)
    days = table.days[films, people] + np.rint(rng.uniform(-1, 1, shape) * date_error).astype(np.int64)
    false = rng.random(shape) < wrong
    films = np.where(false, rng.integers(0, FILMS, shape), films)
    stars = np.where(false, rng.integers(1, STARS + 1, shape), stars)
    days = np.where(false, rng.integers(0, DAYS, shape), days)
    return KnownRatings(films, stars.astype(np.int8), days.astype(np.int16))


@dataclass(frozen=True, eq=False)
class Attacks:
    """How attacks on some people went, knowing k = 0 … 8 ratings, a column each: whether each was right."""

    identified: Flags
    """The right person was named, at the first guess."""
    noticed: Flags
    """Whether the person is in the data at all, which a fair coin decided, was guessed right."""


_STAR_SCALE, _DAY_SCALE, _ECCENTRICITY = 1.5, 30.0, 1.5


def attack_table(table: Ratings, aux: KnownRatings, targets: Whole, rng: Generator) -> Attacks:
    """Scoreboard: the record with the highest Σ wᵢ (e^(−|Δstars|/1.5) + e^(−|Δdays|/30)) is named, over the known films
    that it has rated; it is held to be there if it leads the next by 1.5 standard deviations of all scores.

    [Narayanan & Shmatikov 2008, algorithm Scoreboard-RH, with their case study’s scales.]
    """
    by_star = np.exp(-np.arange(STARS + 1) / _STAR_SCALE).astype(np.float32)
    by_day = np.exp(-np.arange(DAYS) / _DAY_SCALE).astype(np.float32)  # beyond it is nearly 0
    rows = np.arange(targets.size)
    absent = rng.random((MOST_KNOWN + 1, targets.size)) < 0.5
    # Records that score alike are chosen between by chance; with nothing known all do.
    score = rng.random((targets.size, PEOPLE), dtype=np.float32) * np.float32(1e-6)
    identified, noticed = (np.empty((targets.size, MOST_KNOWN + 1), dtype=np.bool_) for _ in range(2))
    for k in range(MOST_KNOWN + 1):
        if k:
            film = aux.films[targets, k - 1]
            stars, days = table.stars[film], table.days[film]
            alike = np.take(by_star, np.abs(stars - aux.stars[targets, k - 1, None]))
            alike += np.take(by_day, np.abs(days - aux.days[targets, k - 1, None]), mode="clip")
            alike *= table.weights[film, None] * (stars > 0)
            score += alike
        identified[:, k] = np.argmax(score, axis=1) == targets
        noticed[:, k] = _claimed(score, rows, targets, absent[k]) != absent[k]
    return Attacks(identified, noticed)


def _claimed(score: Single, rows: Whole, targets: Whole, absent: Flags) -> Flags:
    """Whether the best record stands out, those of absent people taken away."""
    own = score[rows, targets].copy()
    score[rows, targets] = np.where(absent, np.float32(0), own)
    first = np.argmax(score, axis=1)
    best = score[rows, first].copy()
    score[rows, first] = -1
    lead = best - score.max(axis=1)
    score[rows, first] = best
    spread = np.sqrt(np.maximum(np.einsum("ij,ij->i", score, score) / PEOPLE - np.square(score.mean(axis=1)), 0))
    score[rows, targets] = own
    return np.asarray(lead > _ECCENTRICITY * spread)


def contributions(table: Ratings, people: Whole, most: int, rng: Generator) -> tuple[Whole, Whole]:
    """At most so many ratings of each person, chosen by chance: the person's place, and the cell film × stars."""
    keys = rng.random((people.size, FILMS), dtype=np.float32)
    keys[table.stars[:, people].T == 0] = 2.0
    films = np.argpartition(keys, min(most, FILMS) - 1, axis=1)[:, :most]
    rows = np.broadcast_to(np.arange(people.size)[:, None], films.shape)
    given = np.take_along_axis(keys, films, axis=1) < 1
    rows, films = rows[given], films[given]
    return rows, _cell(films, table.stars[films, people[rows]])


def _cell(films: Whole, stars: npt.NDArray[np.signedinteger]) -> Whole:
    return films * STARS + stars - 1


def attack_release(table: Ratings, aux: KnownRatings, targets: Whole, epsilon: float, most: int, rng: Generator
                   ) -> Attacks:
    """The same against how often each film was given each number of stars, with Laplace noise of scale most/ε.

    Everybody contributes at most so many ratings, so that the counts are ε-DP for one person with all that they rated.
    The attacker knows everything of everybody else, and so sees the bare noise, with the person's ratings or without.
    Of 2 000 people the one is named whose known ratings the counts exceed the most: Σ (|r| − |r − 1|), the privacy loss
    of the cells in units of ε/most. The person is held to be there if their own sum is above 0.
    """
    counts = rng.laplace(0.0, most / epsilon, (targets.size, FILMS * STARS))
    rows, cells = contributions(table, targets, most, rng)
    own = _cell(aux.films[targets], aux.stars[targets])
    with_nobody = np.take_along_axis(counts, own, axis=1)
    counts[rows, cells] += 1
    with_person = np.take_along_axis(counts, own, axis=1)
    told = _told(counts).astype(np.float32)
    candidates = _cell(aux.films, aux.stars).T
    score = rng.random((targets.size, PEOPLE), dtype=np.float32) * np.float32(1e-6)
    identified = np.empty((targets.size, MOST_KNOWN + 1), dtype=np.bool_)
    for k in range(MOST_KNOWN + 1):
        if k:
            score += told.take(candidates[k - 1], axis=1)
        identified[:, k] = np.argmax(score, axis=1) == targets

    there = rng.random((targets.size, MOST_KNOWN + 1)) < 0.5
    sums = [np.cumsum(np.pad(_told(seen), ((0, 0), (1, 0))), axis=1) for seen in (with_person, with_nobody)]
    toss = 1e-9 * (rng.random(there.shape) - 0.5)  # a sum of exactly 0 tells nothing
    return Attacks(identified, (np.where(there, *sums) + toss > 0) == there)


def _told(counts: Array) -> Array:
    """|r| − |r − 1|: what a noisy count tells for one more record, in units of the loss of one record."""
    return np.asarray(np.abs(counts) - np.abs(counts - 1))


def most_identified(epsilon: float) -> float:
    """1 − `least_missed`: no attack on an ε-DP release names the right one of 2 000 people more often."""
    return min(math.exp(min(epsilon, 700.0)) / PEOPLE, 1 - math.exp(-epsilon) * (1 - 1 / PEOPLE))


def least_missed(epsilon: float) -> float:
    """max(1 − e^ε/2 000, e^−ε (1 − 1/2 000)): any attack on an ε-DP release misses at least so large a share.

    Let q_u be the probability that u is named where nobody is there, so that Σ q_u ≤ 1. Where u is there, u is named
    with probability e^ε q_u at most, and anybody else or nobody with e^−ε (1 − q_u) at least. The lesser of the two
    bounds is concave in q_u, so their mean over all u is largest where every q_u is 1/2 000.
    [Dwork & Roth 2014, Definition 2.4.]
    """
    return max(1 - math.exp(min(epsilon, 700.0)) / PEOPLE, math.exp(-epsilon) * (1 - 1 / PEOPLE))
