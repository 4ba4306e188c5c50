"""What the test study compares: tests of a share that reject from a threshold of a count with noise."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import field
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from dpstudio.core.arrays import numbers_in, shaped
from dpstudio.core.declare import Array
from dpstudio.core.facts import Said
from dpstudio.core.guarantee import Guarantee, Law
from dpstudio.mechanisms.laws import Claim
from dpstudio.mechanisms.noise import Noise
from dpstudio.models.testing.naive import critical_values
from dpstudio.models.testing.rises import Rise, parted
from dpstudio.models.testing.two_sided import Tails, unbiased_tails
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import test as f
from dpstudio.vocabulary import EPSILON_PRIME

MOST = 10**9
"""More people are not asked for."""
LOOKED = 2048
"""So many numbers of people are looked at one by one where more people may find less often."""
_BLOCK = 48
_NEAR = np.array([0.97, 1.0, 1.03])
_FARTHER = np.array([1.2, 3.0, 1e3])
_AROUND = np.array([-1.0, 0.0, 1.0, 2.0])
NOTHING = Claim(math.inf, 1.0)


@dataclass(frozen=True)
class Rule:
    """How a test finds its thresholds, by noise: real ones of exactly its level, or whole ones of no more than that."""

    rise: Rise
    critical: Rise | None = None
    """Of whole critical values: the noise that the test knows of."""
    unbiased: bool = False
    """Whether it is the most powerful unbiased test of either side; else it has two tails alike, or one."""

    def place(self, n: Array, share: float, level: float, less: bool) -> tuple[Array, Array]:
        """c and t of one tail for each n, of noes where `less`; kept, as powers at other shares need the same."""
        return _placed(self, tuple(n.tolist()), share, level, less)

    def both(self, n: int, share: float, level: float) -> Tails:
        """The two tails of the unbiased test."""
        return _unbiased(self.rise, n, share, level)

    def rejecting(self, n: Array, share: float, level: float, side: str, truth: npt.ArrayLike) -> Array:
        """How likely the test of each n, a vector, rejects at a true share each, to full relative accuracy."""
        p = np.broadcast_to(np.asarray(truth, dtype=np.float64), n.shape)
        if self.unbiased:
            return np.array([self.both(int(each), share, level).mean(*(np.array([x]) for x in (each, one, 1 - one)))[0]
                             for each, one in zip(n, p, strict=True)])
        found = np.zeros(n.shape)
        for less, part in tails_of(side, level):
            c, t = self.place(n, share, part, less)
            here, rest = (1 - p, p) if less else (p, 1 - p)
            # Who takes a noisy count beyond n for n does not reject from n + 1 on.
            never = np.zeros(n.shape, dtype=np.bool_) if self.critical in (None, self.rise) else c > n
            found = found + np.where(never, 0.0, self.rise.mean(n, here, rest, c, t))
        return np.minimum(found, 1.0)


def tails_of(side: str, level: float) -> tuple[tuple[bool, float], ...]:
    """Whether each tail is of smaller shares, and its level."""
    if side == f.TWO:
        return (False, level / 2), (True, level / 2)
    return ((side == f.LESS, level),)


@lru_cache(maxsize=256)
def _placed(rule: Rule, people: tuple[float, ...], share: float, level: float, less: bool) -> tuple[Array, Array]:
    n = np.array(people)
    p, q = ((1 - share, share) if less else (share, 1 - share))
    given = n, np.full(n.shape, p), np.full(n.shape, q)
    if rule.critical is None:
        return rule.rise.place(*given, np.full(n.shape, level))
    return critical_values(rule.critical, *given, level), np.ones(n.shape)


@lru_cache(maxsize=2048)
def _unbiased(rise: Rise, n: int, share: float, level: float) -> Tails:
    return unbiased_tails(rise, n, share, level)


@dataclass(frozen=True)
class Compared:
    """One of the tests, with what it promises of the people."""

    study: f.Test
    rule: Rule
    noise: Noise | None
    """That of what is released; None where only a decision is told."""
    promised: Guarantee | None
    whole: bool = False
    """Whether what is released is a whole number."""
    tested: bool = True
    """Whether the study's level is kept."""
    floor: Rule | None = field(default=None, kw_only=True)
    """A rule that finds no less often with as many people."""

    @property
    def guarantee(self) -> Guarantee | None:
        """What it promises of one person's yes or no; None where nothing is."""
        return self.promised

    @property
    def loose(self) -> str:
        """Why what is said of an attack is a bound; empty where it is exact."""
        return "; of a noisy count from which it could be decided" if self.noise is None and self.promised else ""

    @property
    def _law(self) -> Law:
        return NOTHING if self.promised is None else self.promised.law

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """The smallest δ at each ε; 1 where nothing is promised."""
        if self.promised is None:
            return shaped(np.ones(np.shape(numbers_in(epsilon, EPSILON_PRIME, "epsilon"))))
        return self._law.delta_at(epsilon)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """The smallest type II error at each type I error; 0 where nothing is promised."""
        return shaped(np.zeros(np.shape(alpha))) if self.promised is None else self._law.trade_off(alpha)

    # The test of n people

    def at(self, people: npt.ArrayLike, truth: npt.ArrayLike) -> Array:
        """How likely the test of so many people rejects at a true share, vectors or numbers."""
        s = self.study
        n, p = np.broadcast_arrays(np.atleast_1d(np.asarray(people, dtype=np.float64)), np.atleast_1d(truth))
        if n.size > 1 and n.min() == n.max():
            return self._of_one(n, p)
        return self.rule.rejecting(n, s.share, s.level, s.side, p)

    def _of_one(self, n: Array, p: Array) -> Array:
        """The same of one number of people, whose thresholds are found once."""
        if self.rule.unbiased:
            return np.asarray(self.rule.both(int(n[0]), self.study.share, self.study.level).mean(n, p, 1 - p))
        found = np.zeros(n.shape)
        for less, c, t in self._tails:
            here, rest = (1 - p, p) if less else (p, 1 - p)
            found = found + self.rule.rise.mean(n, here, rest, np.full(n.shape, c), np.full(n.shape, t))
        return np.minimum(found, 1.0)

    @cached_property
    def _tails(self) -> tuple[tuple[bool, float, float], ...]:
        """Of each tail that can reject whether it is of noes, and c and t."""
        s, one = self.study, np.array([float(self.study.people)])
        if self.rule.unbiased:
            both = self.rule.both(s.people, s.share, s.level)
            return (False, *both.more), (True, *both.fewer)
        found = []
        for less, level in tails_of(s.side, s.level):
            c, t = (float(each[0]) for each in self.rule.place(one, s.share, level, less))
            if self.rule.critical in (None, self.rule.rise) or c <= s.people:
                found.append((less, c, t))
        return tuple(found)

    @cached_property
    def size(self) -> float:
        """How likely it rejects what is true."""
        return float(self.at(self.study.people, self.study.share)[0])

    @cached_property
    def power(self) -> float:
        """How likely it finds the alternative."""
        return float(self.at(self.study.people, self.study.alternative)[0])

    def rejects(self, count: Array) -> Array:
        """φ at true counts, a vector: how likely it rejects."""
        n = self.study.people
        if self.rule.unbiased:
            return np.asarray(self.rule.both(n, self.study.share, self.study.level).at(count))
        found = [self.rule.rise.at(n - count if less else count, c, t) for less, c, t in self._tails]
        return np.minimum(np.sum(found, axis=0) if found else np.zeros(count.shape), 1.0)

    def edge(self, less: bool) -> float | None:
        """From which noisy count on it rejects, or up to which; None where it has no such tail."""
        for of_noes, c, t in self._tails:
            if of_noes == less:
                m = c if self.whole else c + 0.5 - t
                return self.study.people - m if less else m
        return None

    def drawn(self, truth: float, size: int, rng: np.random.Generator) -> int:
        """How many of so many simulated tests reject at a true share."""
        n, x = self.study.people, rng.binomial(self.study.people, truth, size)
        if self.noise is None:
            return int((rng.random(size) < self.rejects(x.astype(np.float64))).sum())
        z = x + np.asarray(self.noise.sample(size, rng))
        if not self.tested:
            z = np.clip(z, 0, n)
        no = [z <= edge for edge in (self.edge(True),) if edge is not None]
        yes = [z >= edge for edge in (self.edge(False),) if edge is not None]
        return int(np.any([*yes, *no], axis=0).sum()) if yes or no else 0

    # One released noisy count

    def p_values(self, z: Array) -> Array:
        """How likely a noisy count lies so far on the tested side if p₀ is true, for each z."""
        s = self.study
        n, p = np.full(z.shape, float(s.people)), np.full(z.shape, s.share)

        def tail(at: Array, here: Array, rest: Array) -> Array:
            c, t = (np.ceil(at), np.ones(at.shape)) if self.whole else parted(np.floor(at), at - np.floor(at))
            return np.minimum(self.rule.rise.mean(n, here, rest, c, t), 1.0)

        sides = [tail(n - z, 1 - p, p) if less else tail(z, p, 1 - p) for less, _ in tails_of(s.side, s.level)]
        return np.asarray(np.minimum(np.min(sides, axis=0) * len(sides), 1.0))

    # How many people

    @cached_property
    def people(self) -> Said | None:
        """The fewest people with whom it finds the alternative as often as is wanted, or a number that is enough.

        ∞ where 10⁹ are not enough, None of what does not keep its level.
        """
        s = self.study
        if not self.tested:
            return None
        if not s.found:
            return self._people_by_chance
        return _people(self.rule, self.floor, s.share, s.alternative, s.level, s.power, s.side)


    @property
    def _people_by_chance(self) -> Said:
        """The same of a share that the test is not for: it rejects there no more often than at p₀ and, but where its
        level varies, the more people the more seldom."""
        s, none = self.study, "no number of people finds what the test is not for"
        if s.power > s.level:
            return Said(math.inf, none)
        last, ends = 1.0, True
        if self.floor is not None:
            looked = np.unique(np.rint(np.geomspace(1, LOOKED, 24)))
            falling = self.floor.rejecting(looked, s.share, s.level, s.side, s.alternative) < s.power
            last, ends = float(looked[falling.argmax() if falling.any() else -1]), bool(falling.any())
        for n in _blocks(1.0, last, last):
            enough = n[self.at(n, s.alternative) >= s.power]
            if enough.size:
                return Said(float(enough[0]))
        return Said(math.inf, none, kind="exact" if ends else "bound")


@lru_cache(maxsize=1024)
def _people(rule: Rule, floor: Rule | None, share: float, other: float, level: float, power: float, side: str) -> Said:
    def power_at(n: Array) -> Array:
        return rule.rejecting(n, share, level, side, other)

    if floor is None:
        found = fewest(power_at, power, guessed(rule, share, other, level, power, side))
        # Of two tails alike it is not proved that more people never find less often.
        alike = side == f.TWO and not rule.unbiased
        return Said(found, "found by halving; so many are enough" if alike else "", kind="bound" if alike else "exact")
    at_first = _people(floor, None, share, other, level, power, side)
    start, kind = at_first.value, at_first.kind
    for n in _blocks(start, min(MOST, start + LOOKED), MOST):
        enough = n[power_at(n) >= power]
        if enough.size:
            return Said(float(enough[0]), kind=kind)
    if math.isinf(start):
        return Said(math.inf)
    n = np.unique(np.minimum(np.rint(start + np.geomspace(LOOKED, MOST, 40)), MOST))
    enough = n[power_at(n) >= power]
    return Said(float(enough[0]), "so many are enough", kind="bound") if enough.size else Said(math.inf)


def _blocks(first: float, last: float, end: float) -> Iterator[Array]:
    """Whole numbers in growing blocks, the first of which is soon looked through; a block begins no later than at the
    last of them, and none goes beyond an end."""
    block = _BLOCK
    while first <= last:
        yield np.arange(first, min(first + block, end + 1))
        first, block = first + block, 2 * block


def guessed(rule: Rule, share: float, other: float, level: float, power: float, side: str) -> float:
    """About how many people are needed, by normal laws."""
    upper, lower = -float(ndtri(level / (2 if side == f.TWO else 1))), float(ndtri(power))
    n, apart, extra = 1.0, abs(other - share), min(rule.rise.spread, 1e150) ** 2
    for _ in range(100):
        needed = (upper * math.sqrt(n * share * (1 - share) + extra)
                  + lower * math.sqrt(n * other * (1 - other) + extra)) / max(apart, 1e-300)
        n, before = min(max(needed, 1.0), float(MOST)), n
        if abs(n - before) <= 1e-3 * n:
            break
    return n


def fewest(power_at: Callable[[Array], Array], wanted: float, guess: float) -> float:
    """The smallest number of people with a power that never falls, near a guess; ∞ where 10⁹ have less.

    Between two numbers the next ones are where a normal law would have it.
    """
    low, high, before, after = 0.0, math.inf, math.nan, math.nan
    n = np.unique(np.clip(np.rint(guess * _NEAR), 1, MOST))
    for turn in itertools.count():
        found = power_at(n)
        enough = found >= wanted
        if not enough.all():
            low, before = float(n[~enough][-1]), float(found[~enough][-1])
        if enough.any():
            high, after = float(n[enough][0]), float(found[enough][0])
        if high - low <= 1 or low >= MOST:
            return high
        if math.isinf(high):
            n = np.rint(low * _FARTHER) + 1
        elif low == 0:
            n = np.floor(np.geomspace(1, high, 4))
        else:
            first, last, here = (float(ndtri(min(max(each, 1e-300), 1 - 1e-16))) for each in (
                before, after, wanted))
            part = (here - first) / (last - first) if turn % 3 != 2 and first < last else 0.5
            root = (math.sqrt(low) + part * (math.sqrt(high) - math.sqrt(low))) ** 2
            n = np.floor(root) + _AROUND * max(1.0, (high - low) / 500)
        n = np.unique(np.clip(np.rint(n), low + 1, min(high - 1, MOST)))
    raise AssertionError
