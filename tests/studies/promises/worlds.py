"""For each study what is released, on neighbouring datasets: every series at one setting as pairs of vectors.

Built from the parameters, the densities and masses of noise, the probabilities of accepting, and from the words of the
neighbouring relation; never from what the project says of δ, errors or composition.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass, field
from functools import lru_cache, reduce

import numpy as np
from promises import pairs as by
from promises.pairs import Pairs
from scipy.optimize import brentq
from scipy.special import ndtr

from dpstudio.mechanisms import noise as kinds


@dataclass
class World:
    """All that is looked at of one release."""

    pairs: list[Pairs]
    complete: bool = False
    """Whether the worst pair is among them, so that what is exact must be equal."""
    off: float = 1e-9
    """What outcomes put together may hide, where the worst pair is there."""
    tiny: float = by.TINY
    units: tuple[str, ...] = field(default_factory=tuple)
    """The relations under which these are all neighbours: what a promise for this study must name."""


def rng_of(study):
    return np.random.default_rng(abs(hash(str(study))) % 2**32)


def moved(noise, distance, cells=1500):
    """One number with noise, and the same moved by a distance."""
    if not distance:
        return np.ones(1), np.ones(1)
    match noise:
        case kinds.LaplaceNoise():
            return by.moved_laplace(noise.scale, distance, cells)
        case kinds.GaussianNoise():
            return by.moved_gaussian(noise.sigma, distance, cells)
        case kinds.GeometricNoise():
            return by.moved_geometric(rate_of(noise), distance, max(cells, 4))
        case kinds.StaircaseNoise():
            return by.moved_staircase(noise.epsilon, noise._gamma, noise.sensitivity, distance)
        case kinds.DiscreteGaussianNoise():
            return by.moved_discrete_gaussian(noise.sigma, distance)
        case kinds.CanonicalNoise():
            halves = np.arange(-math.ceil(60 * noise.sd), math.ceil(60 * noise.sd) + 2) + 0.5
            ends = np.array([-noise.edge, noise.edge, distance - noise.edge, distance + noise.edge])
            bends = np.concatenate([halves, ends[np.isfinite(ends)]])
            return by.moved_smooth(noise.tail, 60 * noise.sd + 1, bends, distance, cells)
        case kinds.Noise() if not noise.is_whole:
            return by.moved_smooth(noise.tail, 60 * noise.sd, np.array([0.0, distance]), distance, cells)
    raise TypeError(noise)


def rate_of(noise):
    """−ln of how much rarer geometric noise is one further away."""
    return -float(math.log(noise.density(1.0) / noise.density(0.0)))


# Decisions

FULL = 3000
LARGEST = 600.0
"""A loss beyond which probabilities are no doubles."""
FAINT = 1e-280
"""What is less has no digits that could be compared."""


def decided(decision, minimum, epsilon, *, refusing):
    """Pairs N, N + 1 of a decision: all of them where they are few."""
    end = 2 * minimum + 60 / epsilon + 20
    complete = end <= FULL
    if complete:
        n = np.arange(0.0, math.ceil(end))
    else:
        near = minimum + np.concatenate([-np.geomspace(1, 60 / epsilon, 150), [0], np.geomspace(1, 60 / epsilon, 150)])
        n = np.unique(np.clip(np.concatenate([np.arange(0.0, 40), np.rint(near)]), 0, 2.0**52))
    f, g, after, beside = (np.asarray(made(at)) for at, made in (
        (n, decision.accept_probability), (n, decision.reject_probability),
        (n + 1, decision.accept_probability), (n + 1, decision.reject_probability)))
    if refusing:
        f[0], g[0] = 0.0, 1.0
    return n, by.binary(f, g), by.binary(after, beside), complete and bool(g[-1] < 1e-14)


def decision(study, key, one, promised):
    del promised
    inner = one.decision
    selecting = key.startswith("selection")
    refusing = study.zero_refused or selecting
    epsilon = one.study.epsilon
    n, fewer, more, complete = decided(inner, getattr(inner, "minimum", study.minimum) if selecting else study.minimum,
                                       epsilon, refusing=refusing)
    groups = study.partitions if selecting else 1
    if groups == 1:
        return World([Pairs(fewer, more)], complete, tiny=FAINT, units=("record",))
    # A person in up to κ groups, each of any number of others: products.
    rise = np.abs(more[:, 0] - fewer[:, 0])
    with np.errstate(divide="ignore", invalid="ignore"):
        told = [np.nan_to_num(np.log(a[:, j]) - np.log(b[:, j]), nan=0.0, posinf=0.0) for a, b, j in (
            (more, fewer, 0), (fewer, more, 1))]
    places = sorted({0, min(1, len(n) - 1), int(rise.argmax()), *(int(each.argmax()) for each in told),
                     int(np.searchsorted(fewer[:, 0], 0.5).clip(0, len(n) - 1))})
    found = []
    size = groups if groups <= 4 else 0
    if size:
        found.extend(Pairs(*by.together([(fewer[i], more[i]) for i in chosen]))
                     for chosen in itertools.combinations_with_replacement(places, size))
    found.extend(Pairs(*by.repeated((fewer[i], more[i]), groups)) for i in places)
    if groups > 1:
        half = groups // 2
        for i, j in itertools.combinations(places, 2):
            found.append(Pairs(*by.together([by.repeated((fewer[i], more[i]), half),
                                             by.repeated((fewer[j], more[j]), groups - half)])))
    return World(found, tiny=by.TINY, units=("groups",))


# Noise

def noise(study, key, one, promised):
    del key, promised
    rng = rng_of(study)
    l1, l2, d, kind = study.sensitivity, min(study.sensitivity_l2, study.sensitivity), study.dimension, one.noise
    farthest = min(l1, l2)
    near = 1 + 1e-12
    if kind.is_whole:
        if kind.sd > 2000:
            return None
        most = math.floor(farthest * near)
        moves = [(m,) for m in {most, most // 2} if m] + [
            move for move in ((1, 1), (1, 1, 1), (1, 1, 1, 1), (2, 1), (2, 2), (3, 1))
            if len(move) <= d and sum(move) <= l1 * near and math.hypot(*move) <= l2 * near]
        if not moves or max(map(max, moves)) > 3000:
            return None
    else:
        moves = [(farthest,), (farthest * rng.uniform(),)]
        for j in (2, 3, 5):
            if j <= d:
                moves.append((min(l1 / j, l2 / math.sqrt(j)),) * j)
        if d > 1:
            turn = rng.uniform(0, math.pi / 2)
            move = np.array([math.cos(turn), math.sin(turn)])
            moves.append(tuple(move * min(l2, l1 / move.sum())))
    found = [Pairs(*moved(kind, move[0])) if len(move) == 1 else
             Pairs(*by.together([moved(kind, each, 150) for each in move], 500)) for move in moves]
    attained = kind.is_whole or math.isclose(one.sensitivity, farthest, rel_tol=1e-9)
    whole = kind.is_whole and one.sensitivity == max(map(max, moves))
    return World(found, attained and (whole or not kind.is_whole), 1e-9 if kind.is_whole else 2e-3, units=("record",))


def answered(study, epsilon):
    """Pr[yes] and Pr[no] of a person whose truth is yes, and whose truth is no, from the parameters."""
    if study.design == "symmetric":
        return symmetric(epsilon)
    one, two = (0.5, 0.5) if study.design == "warner" else (study.theta1, study.theta2)
    chance = np.array([(1 - one) * two, (1 - one) * (1 - two)])
    return chance + np.array([one, 0.0]), chance + np.array([0.0, one])


def response(study, key, one, promised):
    del promised
    if key != "response":
        r = one.response  # the best of the same ε: its four probabilities
        pair = Pairs([r.yes_if_yes, r.no_if_yes], [r.yes_if_no, r.no_if_no])
        return World([pair], True, tiny=FAINT, units=("truth",))
    return World([Pairs(*answered(study, study.epsilon))], True, units=("truth",))


def symmetric(epsilon):
    right = 1 / (1 + math.exp(-epsilon))
    return np.array([right, math.exp(-epsilon) * right]), np.array([math.exp(-epsilon) * right, right])


def shuffled(local, people):
    """How many of n say yes, for all truths of the others: pairs of a person’s two truths."""
    right = 1 / (1 + math.exp(-local))
    wrong = math.exp(-local) * right
    answers = [np.array([right, wrong]), np.array([wrong, right])]  # of a no and of a yes: Pr[no], Pr[yes]
    law = [[reduce(np.convolve, [of] * n, np.ones(1)) for n in range(people)] for of in answers]
    found_yes, found_no = [], []
    for yes in range(people):
        others = np.convolve(law[1][yes], law[0][people - 1 - yes])
        found_yes.append(np.convolve(others, answers[1]))
        found_no.append(np.convolve(others, answers[0]))
    return Pairs(found_yes, found_no)


def mean(study, key, one, promised):
    del promised
    if key == "response":
        return World([Pairs(*symmetric(study.epsilon))], True, units=("counted",))
    if key == "shuffled":
        if study.people > 60:
            return None
        return World([shuffled(one.at_today, study.people)], units=("counted",))
    if one.noise.is_whole and one.noise.sd > 3000:
        return None
    return World([Pairs(*moved(one.noise, 1.0))], True, 1e-9 if one.noise.is_whole else 2e-3, units=("counted",))


def posterior(study, key, one, promised):
    del key, one, promised
    part = (by.moved_laplace(1 / study.epsilon, 1.0) if study.noise == "laplace" else
            by.moved_geometric(study.epsilon, 1))
    return World([Pairs(*part)], True, 2e-3 if study.noise == "laplace" else 1e-9, units=("counted",))


def neighbours(study, key, one, promised):
    del key, promised
    moves = (1, -1) if study.change == "swap" else (1,)
    part = moved(one.noise, 1, 400)
    return World([Pairs(*by.together([part if move > 0 else part[::-1] for move in moves]))],
                 study.change != "swap", 2e-3, units=("replaced",) if study.change == "swap" else ("record",))


# Batches

def nodes(batches):
    """(first, last) batch of every node that a running count is made of: t & (t − 1) < … ≤ t."""
    return [((t & (t - 1)) + 1, t) for t in range(1, batches + 1)]


def histories(who, batches, rng):
    """What one person adds to each batch count, and to each running count, beside a person who adds nothing."""
    if who == "once":
        for b in range(batches):
            counted = np.zeros(batches)
            counted[b] = 1
            yield counted
        return
    patterns = (itertools.product((0, 1), repeat=batches) if batches <= 6 else
                [*(rng.integers(0, 2, batches) for _ in range(20)), np.ones(batches), np.arange(batches) % 2,
                 np.arange(1, batches + 1) % 2])
    for pattern in patterns:
        x = np.asarray(pattern, dtype=float)
        yield np.diff(x, prepend=0) if who == "status" else x


def updating(study, key, one, promised):
    del promised
    q = study.batches
    if q > 200:
        return None
    rng = rng_of(study)
    scales = np.asarray(one.count.scale(np.arange(1.0, q + 1)))
    ranked = []
    for added in histories(study.who, q, rng):
        running = np.cumsum(added)
        parts = {"sequential": added, "tree": np.array([added[a - 1:b].sum() for a, b in nodes(q)])}.get(key, running)
        ranked.append((float((np.abs(parts) / scales).sum()), np.abs(parts) / scales))
    ranked.sort(key=lambda each: -each[0])
    assert ranked[0][0] <= study.epsilon * (1 + 1e-12), (key, ranked[0])
    found = []
    for _, shares in (ranked[0], ranked[int(rng.integers(len(ranked)))]):
        parts = [by.repeated(by.moved_laplace(1.0, float(share), 60), int(times), 600)
                 for share, times in zip(*np.unique(np.round(shares[shares > 0], 14), return_counts=True), strict=True)]
        if len(parts) > 12:
            continue
        found.append(Pairs(*by.together(parts, 600)))
    return World(found or [Pairs([1.0], [1.0])], key == "sequential" and study.who == "once", 0.02, units=("person",))


# Policies

def policy(study, key, one, promised):
    del one, promised
    counts = study.symptoms * (2 if study.arm_may_change else 1)
    parts = []
    if counts * study.epsilon + study.decision_epsilon > LARGEST:
        return None
    if key in ("laplace", "both"):
        parts.append(by.repeated(by.moved_laplace(1 / study.epsilon, 1.0, 60), counts, 600))
    if key in ("response", "both"):
        parts.append(answered(study, study.decision_epsilon))
    unit = {"laplace": "symptoms", "response": "own decision", "both": "person"}[key]
    return World([Pairs(*by.together(parts, 900))], key == "response", units=(unit,))


# Accounts

def budget(study, key, one, promised):
    del one
    e, d, k, q = study.epsilon, study.delta, study.releases, study.rate
    if k > 400 or k * e > LARGEST:
        return None
    if promised.rho is not None:
        alone = Pairs(*sampled(*worst_of(e, d), q))
        for order in (1.01, 1.5, 2.0, 5.0, 30.0):
            most = k * alone.renyi(order)
            assert most <= promised.rho * order * (1 + 1e-9) + 1e-12, f"ρ = {promised.rho} but its divergence is {most}"
    return World(releases(e, d, k, q, key == "gaussian"), promised.kind == "exact" and key in ("optimal", "gaussian"),
                 2e-3 if key == "gaussian" else 0.02 if k > 8 else 1e-9, units=("record",))


@lru_cache(maxsize=4)
def releases(epsilon, delta, times, rate, gaussian):
    """So many (ε, δ)-DP releases, the worst that there are and those with Gaussian noise, or these alone."""
    found = []
    if not gaussian:
        found.append(Pairs(*by.repeated(sampled(*worst_of(epsilon, delta), rate), times, 2000)))
    if delta > 0:
        mu = least_mu(epsilon, delta)
        if rate < 1:
            found.append(Pairs(*by.repeated(sampled(*by.moved_gaussian(1 / mu, 1.0, 300), rate), times, 400)))
        else:
            found.append(Pairs(*by.moved_gaussian(1 / (mu * math.sqrt(times)), 1.0)))
    return found


def worst_of(epsilon, delta):
    """With δ one knows all, else the answer of a response."""
    odds = math.exp(-epsilon)
    likely, rare = (1 - delta) / (1 + odds), (1 - delta) * odds / (1 + odds)
    return np.array([delta, likely, rare, 0.0]), np.array([0.0, rare, likely, delta])


def sampled(more, fewer, rate):
    """A record that is drawn into a release with so much probability, and the same without it."""
    return (1 - rate) * fewer + rate * more, fewer


def least_mu(epsilon, delta):
    """The largest μ of one release of Gaussian noise that is (ε, δ)-DP."""
    def over(mu):
        return ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu) - delta

    return brentq(over, 1e-9, 60.0, xtol=1e-14) * (1 - 1e-9)


# Watches

def watched(threshold, rates, times, minimum, presence, rng, *, one_sided=False, each=None, many=25):
    """First yes of histories of few times, with a record and without."""
    away = 30 / min(rates) if rates else 30 / each
    low, high = max(math.floor(threshold - away), 0), math.ceil(threshold + away)
    shapes = [np.array(each, dtype=float) for each in itertools.product(sorted({low, max(minimum - 1, 0), high}),
                                                                        repeat=min(times, 3))]
    found = []
    spread = max(3.0, 2 / (min(rates) if rates else each))
    while len(shapes) < many + 20:
        shapes.append(np.maximum(np.rint(threshold + rng.normal(0, spread, times)), 0))
    rows = [], []
    for counts in rng.permutation(np.array([np.resize(s, times) for s in shapes]))[:many]:
        if presence == "later":
            changes = [np.arange(times) >= times - 1]
        elif presence == "stays":
            changes = [np.arange(times) >= t for t in range(times)]
        else:
            changes = [np.array(c, dtype=bool) for c in itertools.product((0, 1), repeat=times) if any(c)]
            changes = changes if len(changes) < 8 else [changes[i] for i in rng.integers(0, len(changes), 8)]
        for change in changes:
            for row, now in zip(rows, (counts, counts + change), strict=True):
                row.append(first(now, threshold, rates, each, one_sided=one_sided))
    found.append(Pairs(*rows))
    return found


def first(counts, threshold, rates, each, *, one_sided):
    if rates:
        return by.first_yes(counts, threshold, *rates, one_sided=one_sided)
    x = (np.asarray(counts) - threshold) * each
    small = 0.5 * np.exp(-np.abs(x))
    yes, no = np.where(x < 0, small, 1 - small), np.where(x < 0, 1 - small, small)
    before = np.cumprod(np.append(1.0, no))
    return np.append(before[:-1] * yes, before[-1])


def watch(study, key, one, promised):
    del promised
    k, rng = study.times, rng_of(study)
    unit = ("stays",) if study.presence == "stays" else ("comes_and_goes",)
    if key == "tree":
        tree, found = one.tree, []
        for start in range(1, k + 1) if k <= 64 else (1,):
            moves = [1 for a, b in nodes(k) if a <= start <= b] if study.presence == "stays" else None
            if moves is None:  # it comes and goes: at worst every node
                moves = [1] * k
            if tree.gaussian:
                found.append(Pairs(*by.moved_gaussian(tree.gaussian, math.sqrt(len(moves)), 800)))
            else:
                scale = tree.node_sd / math.sqrt(2)
                found.append(Pairs(*by.repeated(by.moved_laplace(scale, 1.0, 80), len(moves), 700)))
            if k > 4 and start >= 3:
                break
        return World(found, units=unit)
    if k > 12:
        return None
    threshold = one.threshold
    if key in ("above", "exponential"):
        total = one.noise_epsilon
        rates = study.share * total, (1 - study.share) * total
        if min(rates) < 1e-3:
            return None
        found = watched(threshold, rates, k, study.minimum, study.presence, rng, one_sided=key == "exponential")
    else:
        found = watched(threshold, None, k, study.minimum, study.presence, rng, each=one.epsilon_asked)
    return World(found, tiny=1e-11, units=unit)


def first_of_tree(one, sigma):
    """First yes of a tree of two times, whose noises are independent, for all small counts and a record that stays."""
    rows = [], []
    for counts in itertools.product(range(0, 80, 2), repeat=2):
        for change in ((1, 1), (0, 1)):
            for row, now in zip(rows, (counts, np.add(counts, change)), strict=True):
                yes, later = ndtr((np.array(now) - one.threshold) / sigma)
                row.append([yes, (1 - yes) * later, (1 - yes) * (1 - later)])
    return Pairs(*rows)


# Tables

def named(key, counts, eta):
    """Which group is named, from the definition of each way: over a fine grid of what decides it."""
    gaps = eta * (counts.max() - counts)
    if key == "exponential":
        return np.exp(-gaps) / np.exp(-gaps).sum()
    nodes, weights = by.GAUSS
    if key == "permute_and_flip":
        t, step = (nodes + 1) / 2, weights / 2  # a polynomial of a low degree
        rest = 1 - np.outer(np.exp(-gaps), t)
        return np.array([math.exp(-gap) * float(np.prod(np.delete(rest, i, 0), axis=0) @ step)
                         for i, gap in enumerate(gaps)])
    ends = np.unique(np.concatenate([-gaps, -gaps.max() - np.arange(0, 60, 1.0), np.arange(0, 60, 1.0)]))
    v = (ends[:-1, None] + np.diff(ends)[:, None] * (nodes + 1) / 2).ravel()
    step = (np.diff(ends)[:, None] * weights / 2).ravel()
    x = v + gaps[:, None]
    small = 0.5 * np.exp(-np.abs(x))
    below = np.where(x < 0, small, 1 - small)
    found = np.array([float((small[i] * np.prod(np.delete(below, i, 0), axis=0)) @ step) for i in range(len(gaps))])
    return found / found.sum()


def table(study, key, one, promised):
    del promised
    rng, groups = rng_of(study), 5
    replaced = study.keys == "known" and study.change == "replace"
    most = 1 if study.keys == "secret" else study.rows
    size = len(one.cells.counts)
    m = min(size, study.per_person * (2 if replaced else 1))
    unit = ("record" if not replaced else "replaced") if study.per_person == most == 1 else (
        "groups_replaced" if replaced else "groups")
    if study.released == "largest":
        eta = study.epsilon / most / (2 if replaced else 1)
        rows = [], []
        for _ in range(12):
            x = rng.integers(0, 12, groups)
            both = min(study.per_person, groups if not replaced else groups // 2)
            chosen = rng.permutation(groups)
            y = x.copy()
            y[chosen[:both]] += rng.integers(0, most + 1, both) if rng.random() < 0.5 else most
            if replaced:
                x = x.copy()
                x[chosen[both:2 * both]] += most
            for row, now in zip(rows, (x, y), strict=True):
                row.append(named(key, now.astype(float), eta))
        return World([Pairs(*rows)], tiny=1e-11, units=(unit,))
    if one.noise.is_whole and (one.noise.sd > 1500 or most > 400):
        return None
    cells = 60 if key == "laplace" and m > 1 else 800 if key == "gaussian" and m > 1 else 1500
    part = moved(one.noise, most, cells)
    if not study.secret:
        law = (by.moved_gaussian(one.noise.sigma, most * math.sqrt(m)) if key == "gaussian" else
               by.repeated(part, m, 900))
        return World([Pairs(*law)], m == 1, 2e-3 if m == 1 and not one.noise.is_whole else 1e-9, units=(unit,))
    found = []
    for fresh in {0, 1, m // 2, m}:
        told = float(one.noise.tail(one.threshold - 1))
        alone = np.array([1 - told, told]), np.array([1.0, 0.0])
        rest = [by.moved_gaussian(one.noise.sigma, math.sqrt(m - fresh))] if key == "gaussian" and m > fresh else [
            by.repeated(part, m - fresh, 900)] * (m > fresh)
        found.append(Pairs(*by.together([*[by.repeated(alone, fresh)] * (fresh > 0), *rest], 900)))
    return World(found, units=(unit,))


# Audits

def test(study, key, one, promised):
    """A noisy count, moved by one; of the two-sided decision each pair of neighbouring counts."""
    del promised
    if one.noise is not None:
        if one.noise.sd > (3000 if key == "gaussian" else 100):
            return None
        return World([Pairs(*moved(one.noise, 1))], True, 1e-9 if key in ("laplace", "naive") else 2e-3,
                     units=("counted",))
    if study.people > 5000:
        return None
    phi = np.asarray(one.rejects(np.arange(study.people + 1.0)))
    return World([Pairs(by.binary(phi[:-1], 1 - phi[:-1]), by.binary(phi[1:], 1 - phi[1:]))], tiny=1e-13,
                 units=("counted",))


def audit(study, key, one, promised):
    del key, one
    name, e = study.mechanism, study.epsilon
    subject = study.answer()._built[0]
    rng = rng_of(study)
    if name in ("laplace_decision", "cutoff_decision", "generalized_decision", "gaussian_decision",
                "partition_selection"):
        one = subject.decision
        _, fewer, more, _ = decided(one, study.minimum, e, refusing=name == "partition_selection")
        return World([Pairs(fewer, more)], tiny=FAINT, units=("record",))
    if name == "response":
        return World([Pairs(*symmetric(e))], units=("truth",))
    if name in ("laplace_count", "gaussian_count", "geometric_count", "discrete_gaussian_count"):
        if subject.noise.sd > 3000 and subject.noise.is_whole:
            return None
        return World([Pairs(*moved(subject.noise, 1))], units=("record",))
    if name == "bounded_rows":
        return World([Pairs(*by.moved_laplace(subject.noise.scale, rows)) for rows in (1, 2)], units=("rows",))
    if name == "sampled_count":
        return World([Pairs(*sampled(*by.moved_laplace(1 / e, 1.0), study.rate))], units=("record",))
    if name == "shuffled_responses":
        people = study.records + 1
        return World([shuffled(subject.mechanism.local, people)], units=("counted",)) if people <= 60 else None
    if name == "above_threshold":
        if e < 2e-3:
            return None
        found = watched(float(study.minimum), (e / 2, e / 2), 2, study.minimum, "later", rng)
        return World(found, tiny=1e-11, units=("later",))
    if name == "snapped_count":
        found = []
        snapped = getattr(subject, "snapped", None) or next(
            value for value in vars(subject).values() if hasattr(value, "multiplier"))
        step, scale = snapped.grid, snapped.scale
        for n in (study.records, 0, math.ceil(step / 2) - 1, int(rng.integers(0, 10**4))):
            if not 0 <= n < 10**7:
                continue
            k = np.arange(math.floor((n - 40 * scale) / step), math.ceil((n + 1 + 40 * scale) / step) + 1)
            edges = (k[1:] - 0.5) * step
            laws = []
            for centre in (n, n + 1):
                x = edges - centre
                lower, upper = 0.5 * np.exp(-np.maximum(-x, 0) / scale), 0.5 * np.exp(-np.maximum(x, 0) / scale)
                under, over = np.where(x < 0, lower, 1 - upper), np.where(x > 0, upper, 1 - lower)
                inside = np.where(x[:-1] >= 0, -np.diff(over), np.diff(under))
                laws.append(np.concatenate([[under[0]], inside, [over[-1]]]))
            found.append(Pairs(*laws))
        return World(found, tiny=1e-12, units=("record",))
    raise AssertionError(name)


# Numbers

def number(study, key, one, promised):
    """A person with up to c rows, whose values are at the bounds or within, beside small data at the same places."""
    del promised
    low, high, rows, replaced = study.lower, study.upper, study.rows, study.change == "replace"
    units = ("rows_replaced" if rows > 1 else "replaced",) if replaced else ("rows" if rows > 1 else "record",)
    if rows > 3 or study.epsilon > 100:
        return None
    places = sorted({low, high, (low + high) / 2, *((0.0,) if low < 0 < high else ())})
    persons = [each for size in range(rows + 1) for each in itertools.combinations_with_replacement(places, size)]
    if replaced:
        persons = persons if rows > 1 else [(place,) for place in places]  # with several, the other may have none
    others = persons if replaced else [()]
    if key in ("laplace", "gaussian"):
        if study.statistic in ("median", "quantile"):
            moves = {(high - low, 0)}  # of all at L but one, who decides
        elif study.statistic == "mean" and study.count == "private" and not replaced:
            moves = {(sum(x - (low + high) / 2 for x in each), len(each)) for each in persons}
        else:
            moves = {(sum(each) - sum(other), 0) for each in persons for other in others}
        found = [Pairs(*by.together([moved(one.noise, abs(move), 400 if many else 1500),
                                     *([moved(one.count_noise, many, 400)] if many else [])]))
                 for move, many in sorted(moves, key=lambda each: abs(each[0]))[-8:]]
        return World(found, study.epsilon < 20, 2e-3, units=units)
    others_there = [each for size in range(3) for each in itertools.combinations_with_replacement(places, size)]
    found, rng = [], rng_of(study)
    for at in rng.permutation(len(others_there))[:6]:
        for i in rng.permutation(len(persons))[:4]:
            for j in rng.permutation(len(others))[:3]:
                x, y = (np.sort([*others_there[at], *each]) for each in (persons[i], others[j]))
                if replaced and study.rows == 1 and not len(x):
                    continue
                found.append(Pairs(*(drawn_rank if key == "exponential" else drawn_bound)(study, x, y)))
    return World(found, units=units)


def piece_chances(pieces, values, width, rank, epsilon):
    """Of pieces finer than the values, by how many values lie below each."""
    below = (values[:, None] <= pieces[:-1]).sum(axis=0) if values.size else np.zeros(len(pieces) - 1)
    logs = np.log(width) - epsilon / 2 * np.abs(below - rank)
    chance = np.exp(logs - logs.max())
    return chance / chance.sum()


def drawn_rank(study, x, y):
    q = 0.5 if study.statistic == "median" else study.quantile
    moved_by = study.rows * (1.0 if study.change == "replace" else max(q, 1 - q))
    pieces = np.unique(np.concatenate([[study.lower, study.upper], x, y]))
    return tuple(piece_chances(pieces, each, np.diff(pieces), q * len(each), study.epsilon / moved_by)
                 for each in (x, y))


def drawn_bound(study, x, y):
    first, second, rows = study.epsilon * study.bound_share, study.epsilon * (1 - study.bound_share), study.rows
    pieces = np.unique(np.concatenate([np.linspace(0, study.upper, 13), x, y]))
    laws = [piece_chances(pieces, each, np.diff(pieces), len(each) - rows / second, first / rows) for each in (x, y)]
    parts = []
    for i, upper in enumerate((pieces[:-1] + pieces[1:]) / 2):
        apart = np.minimum(x, upper).sum() - np.minimum(y, upper).sum()
        one, other = moved(kinds.LaplaceNoise(rows * upper / second), abs(apart), 40)
        parts.append((laws[0][i] * one, laws[1][i] * other))
    return tuple(np.concatenate(each) for each in zip(*parts, strict=True))


# Plans

def plan(study, key, one, promised):
    """All releases as they are written, each with the strength that it has, once for each time; groups by turns."""
    moving, before = study.change == "move", []
    groups, many = {"": []}, 0
    entries = [entry.rpartition(":")[2].split() for entry in study.releases.split(";")]
    for _, *numbers in [entry for entry in entries if entry[0] == "spent"]:
        given = {"delta": 0.0} | {name: float(text) for name, text in (each.split("=") for each in numbers)}
        before.append(worst_of(given["epsilon"], given["delta"]))
    wanted = [entry for entry in entries if entry[0] not in ("spent", "none")]
    for (kind, *numbers), noise, strength in zip(wanted, one.noises, one.strengths, strict=True):
        given = {name: float(text) for name, text in (each.split("=") for each in numbers)}
        times, group = int(given.get("times", 1)) * study.years, given.get("group", 0)
        parts = once_of(kind, noise, float(strength), given, moving)
        many += times * len(parts)
        groups.setdefault(f"{group:g}" if group else "", []).extend(parts * min(times, 60))
    if many > 60 or (one.pure or one.least) > 60:
        return None
    everybody = before + groups.pop("")
    alone = [everybody + parts for parts in groups.values()] or [everybody]
    if moving:
        alone += [one + other for one, other in itertools.combinations(groups.values(), 2)]
    complete = not before and many <= 8 and not moving and all(kind in ("count", "sum", "table") for kind, *_ in wanted)
    return World([Pairs(*by.together(parts)) for parts in alone], complete, 0.02, units=("person", "moving"))


def once_of(kind, noise, strength, given, moving):
    """Pairs of one time of a release, whose parts are independent."""
    if kind == "table":
        cells = int(min(given["groups"], given.get("most", 1) * (2 if moving else 1)))
        each = strength / (math.sqrt(cells) if noise == "gaussian" else cells)
        return [once_of("count", noise, each, given, moving)[0]] * cells
    if kind == "response" or kind == "selection":
        if noise == "gaussian":  # the strength is the μ of what is ε-private
            strength = math.log(ndtr(strength / 2) / ndtr(-strength / 2))
        if kind == "response":
            return [worst_of(strength, 0.0)]
        return [flipped(int(given.get("candidates", 2)), strength / (2 if moving else 1))]
    if noise == "gaussian":
        pair = by.moved_gaussian(1 / strength, 1.0, 300)
        return [pair] if kind != "decision" else [(binary_of(0.0), binary_of(strength))]
    if kind == "decision":
        likely = 1 / (1 + math.exp(-strength)) if noise == "geometric" else 0.5
        rare = 1 - likely if noise == "geometric" else 0.5 * math.exp(-strength)
        return [(np.array([likely, 1 - likely]), np.array([rare, 1 - rare]))]
    return [by.moved_geometric(strength, 1, 400) if noise == "geometric" else by.moved_laplace(1 / strength, 1.0, 300)]


def binary_of(shift):
    return np.array([ndtr(shift), ndtr(-shift)])


def flipped(candidates, rate):
    """Permute-and-flip where one candidate is as far ahead as one person moves it, or all are alike; None of many."""
    few = min(candidates, 4)
    if few < candidates:
        return np.ones(1), np.ones(1)
    return named_by([0.0] * few, rate), named_by([1.0] + [0.0] * (few - 1), rate)


def named_by(scores, rate):
    chances = [math.exp(rate * (score - max(scores))) for score in scores]
    found = np.zeros(len(scores))
    orders = list(itertools.permutations(range(len(scores))))
    for order in orders:
        silent = 1.0
        for i in order:
            found[i] += silent * chances[i] / len(orders)
            silent *= 1 - chances[i]
    return found


WORLDS = {each.__name__: each for each in (decision, noise, response, mean, posterior, neighbours, updating, policy,
                                           budget, watch, audit, number, table, test, plan)}


def number_of(relation):
    """How many rows or groups the words of a relation name; 1 where none."""
    found = re.search(r"(\d+) (?:rows|groups) at most", relation.unit)
    return int(found[1]) if found else 1
