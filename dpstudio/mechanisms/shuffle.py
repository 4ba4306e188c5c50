"""Between local and central: everybody randomizes their answer, and a shuffler hides who gave which.

Each of n people answers by `RandomizedResponse.symmetric` with ε₀; what is published is how many say yes. The liars
among the others then hide a person, and the published number keeps an (ε, δ) with ε far below ε₀. It holds where the
shuffler is honest and n people answer as they should: of n of whom c tell an attacker what they said, n − c are left.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincc, ndtri

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter, parameter
from dpstudio.core.sources import BBGN19
from dpstudio.core.special import deviance, log_binomial, stirling_error
from dpstudio.mechanisms.mechanism import Mechanism
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import DELTA, EPSILON, EPSILON_PRIME, LOCAL_EPSILON, OTHERS_YES, PEOPLE

_REACH = 40
"""Standard deviations to either side of a mean, beyond which no probability is a double."""
_STEP = 0.1
"""Numbers of coins or clones are taken together where their roots lie so near: a fifth of a standard deviation."""
_FAR = 4.5
"""A root further than this from that of the mean, nine standard deviations, has a probability of less than 1e-18."""
_MOST_LOG = 1500.0
_TINY = 1e-300
_WIDER = 1.2
"""What the sd of a proven account may be of that of all alike, to begin with."""
_STEPS = 100
_NEAR = 1e-3
_BEFORE = 1 - 1e-15
"""What brings a double before what it was rounded from."""


@dataclass(frozen=True)
class ShuffledResponse(Mechanism):
    """How many of n people say “yes”, each by a randomized response of ε₀ = `local`."""

    name = "shuffled response"
    source = BBGN19

    local: float = parameter(LOCAL_EPSILON)
    people: float = parameter(PEOPLE)

    @cached_property
    def response(self) -> RandomizedResponse:
        """The answer of one person."""
        return RandomizedResponse.symmetric(self.local)

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """A δ with which the number of yes is (ε, δ)-DP; ε in [0, ∞), of any shape. See `coins_delta`."""
        return coins_delta(self.local, self.people, epsilon)

    def epsilon_at(self, delta: float) -> float:
        """The smallest ε at which `delta_at` is δ at most; δ in [0, 1]."""
        d = parameter_value(DELTA, delta, "delta")
        if not d or float(coins_delta(self.local, self.people, 0.0)) <= d:
            return 0.0 if d else self.local

        def straight(epsilon: Array, _: object) -> tuple[Array, Array]:
            return _straight(np.asarray(coins_delta(self.local, self.people, epsilon))), np.full(1, np.nan)

        ends = np.zeros(1), np.array([self.local])
        return float(_first_below(straight, *ends, np.array([d]), ends[1] / 2, ends[1])[0])

    def pair_delta(self, others_yes: int, epsilon: npt.ArrayLike) -> float | Array:
        """The smallest δ at ε of one pair, exactly: `others_yes` of the others are a yes, and a person is one or not.

        Both directions; ε in [0, ∞), of any shape. Time grows with the square of the standard deviation of the number.
        """
        t, e = parameter_value(OTHERS_YES, others_yes), numbers_in(epsilon, EPSILON_PRIME, "epsilon")
        others = self.people - 1
        if t > others:
            raise InvalidParameter("others_yes", f"at most {others:g}, the number of the others", others_yes)
        truth, lie = self.response.yes_if_yes, self.response.yes_if_no
        # Liars among those with a no less liars among those with a yes: the number of yes but for t and the person.
        mass = np.convolve(_law(others - t, lie, truth), _law(t, lie, truth)[::-1])
        gain, price = -np.expm1(np.minimum(e - self.local, 0.0)) * truth, np.expm1(e)
        found = np.zeros(e.shape)
        for law in (mass, mass[::-1]):
            beyond = np.append(np.cumsum(law[::-1])[-2::-1], 0.0)
            found = np.maximum(found, (np.multiply.outer(gain, law) - np.multiply.outer(price, beyond)).max(axis=-1))
        return shaped(found)

    def sample(self, yes_count: npt.ArrayLike, size: int | tuple[int, ...] | None, rng: np.random.Generator
               ) -> npt.NDArray[np.int64] | int:
        """How many say “yes” where `yes_count` are one: two binomials, however many people."""
        return self.response.sample_yes(yes_count, self.people, size, rng)


def coins_delta(local: npt.ArrayLike, people: npt.ArrayLike, epsilon: npt.ArrayLike) -> float | Array:
    """A δ with which the number of yes of n people who randomize with ε₀ is (ε, δ)-DP, whatever the truths are.

    To lie with probability q = 1/(1 + e^ε₀) is to answer by a fair coin with probability 2q, and with the truth else.
    Whoever knows which of the others threw coins, and all truths, still sees Bin(C, ½) and the person together, C of
    Bin(n − 1, 2q). With w the law of Bin(C, ½) and p = 1 − q that needs the mean over C of the largest

        (p − e^ε q) w(j) − (e^ε − 1) Pr[W > j],

    for the ratio of both datasets only rises with j; whoever knows less can tell no more. Fewer coins hide less, so
    each stretch of neighbouring C counts as its least. ε₀ > 0, ε in [0, ∞), of any shapes that broadcast.
    [Balle, Bell, Gascón & Nissim 2019, section 3; the coins are those of Cheu et al. 2019.]
    """
    return _hidden(local, people, epsilon, _share_of_coins)


def alike_delta(local: npt.ArrayLike, people: npt.ArrayLike, epsilon: npt.ArrayLike) -> float | Array:
    """The smallest δ of one pair, exactly, all others being alike: no account of all groups says less.

    Where all others are a yes, j counts n − 1 less l liars, l of Bin(n − 1, q), and the person's yes against their no
    has the best l at ⌈m − 1⌉, m = n e^−2ε₀ (e^(ε₀ − ε) − 1)/(1 − e^−2ε₀), where the form passes from rising to falling;
    their no against their yes, with Pr[L > l], at ⌊nr/(1 + r)⌋, r = e^−ε₀ (1 + (e^ε − 1)/(p − e^ε q)).
    """
    e0, n, e = np.broadcast_arrays(*(np.asarray(given, dtype=np.float64) for given in (local, people, epsilon)))
    return shaped(_alike(e0, n, e)[0])


def _alike(e0: Array, n: Array, e: Array) -> tuple[Array, Array]:
    """That δ, and how fast it rises with ε₀; of arrays of one shape."""
    others, odds = n - 1, np.exp(-e0)
    truth = 1 / (1 + odds)
    lie = odds * truth
    with np.errstate(all="ignore"):
        gain, price = -np.expm1(np.minimum(e - e0, 0.0)) * truth, np.expm1(e)
        turn = n * odds * odds * np.expm1(np.maximum(e0 - e, 0.0)) / -np.expm1(-2 * e0)
        share = odds * (1 + price / gain)
        liars = np.stack([np.ceil(turn - 1), np.floor(n / (1 + 1 / share))])
        liars = np.minimum(np.maximum(liars, 0.0), others)
        fewer = np.where(liars[0] > 0, betaincc(np.maximum(liars[0], _TINY), others - liars[0] + 1, lie), 0.0)
        more = np.where(liars[1] < others, betainc(liars[1] + 1, np.maximum(others - liars[1], 0.5), lie), 0.0)
        mass = np.exp(_log_mass(liars, others, lie, truth))
        excess = gain * mass - price * np.stack([fewer, more])
        # d/dq of w(l) is w(l) (l/q − (n − 1 − l)/p), of Pr[L < l] −w(l) l/q, of Pr[L > l] w(l) (n − 1 − l)/p; q falls
        # by pq.
        beyond = np.stack([liars[0] * truth, (liars[1] - others) * lie])
        rise = mass * (truth * lie * (2 + price) - gain * (liars * truth - (others - liars) * lie) - price * beyond)
        first = excess[0] >= excess[1]
        return (np.where(e < e0, np.clip(np.where(first, *excess), 0.0, gain), 0.0), np.where(first, *rise))


def cheu_epsilon(coins: Array, people: Array, delta: Array) -> Array:
    """The ε of n shuffled responses beside δ by the theorem of Cheu et al., for λ = 2n/(1 + e^ε₀) random answers.

    √(32 ln(4/δ)/s) (1 − s/n) with s = λ − √(2λ ln(2/δ)), for λ from 14 ln(4/δ) on: λ = `coins` is the number of people
    expected to throw a fair coin instead of telling the truth. [Cheu et al. 2019, section 4.1.]
    """
    sure = coins - np.sqrt(2 * coins * np.log(2 / delta))
    return np.asarray(np.sqrt(32 * np.log(4 / delta) / sure) * (1 - sure / people))


def closed_epsilon(local: Array, people: Array, delta: Array) -> Array:
    """The ε of n shuffled answers of any ε₀-DP kind beside δ, in closed form, for ε₀ ≤ ln(n/(16 ln(2/δ))).

    ln(1 + tanh(ε₀/2)(8√(e^ε₀ ln(4/δ)/n) + 8e^ε₀/n)). [Feldman et al. 2021, Theorem 3.1.]
    """
    each = np.exp(local) / people
    return np.asarray(np.log1p(np.tanh(local / 2) * (8 * np.sqrt(each * np.log(4 / delta)) + 8 * each)))


def clones_delta(local: npt.ArrayLike, people: npt.ArrayLike, epsilon: npt.ArrayLike) -> float | Array:
    """A δ with which n shuffled answers of any ε₀-DP kind are (ε, δ)-DP, ε in [0, ∞), of any shapes.

    Each of the others is with probability e^−ε₀ a clone of the person, of either truth alike: there are C clones, C of
    Bin(n − 1, e^−ε₀). Of them Bin(C, ½) have one truth, and the person has their own with p = e^ε₀/(1 + e^ε₀), so δ is
    the mean over C of the largest (p − e^ε q) w(j) − (e^ε − 1) Pr[W > j], w the law of Bin(C, ½). Fewer clones hide
    less: where C can be many numbers, each stretch of them counts as its least. [Feldman et al. 2021, Theorem 3.2.]
    """
    return _hidden(local, people, epsilon, _share_of_clones)


def _share_of_coins(local: Array) -> Array:
    odds = np.exp(-local)
    return np.asarray(2 * odds / (1 + odds))


def _share_of_clones(local: Array) -> Array:
    return np.asarray(np.exp(-local))


def _hidden(local: npt.ArrayLike, people: npt.ArrayLike, epsilon: npt.ArrayLike, share: Callable[[Array], Array]
            ) -> float | Array:
    own, among = numbers_in(local, LOCAL_EPSILON, "local"), numbers_in(people, PEOPLE)
    e0, n, e = np.broadcast_arrays(own, among, numbers_in(epsilon, EPSILON_PRIME, "epsilon"))
    one = own.size == among.size == 1  # whose law is the same at every ε
    e0_, n_ = own.reshape(-1) if one else e0.reshape(-1), among.reshape(-1) if one else n.reshape(-1)
    return shaped(_hidden_among(e0_, n_, e.reshape(-1), share).reshape(e.shape))


def _hidden_among(e0: Array, n: Array, e: Array, share_of: Callable[[Array], Array]) -> Array:
    """The mean δ over C of Bin(n − 1, share) that are a yes or a no alike, for vectors; ε₀ and n may be one for all.

    The stretches of C begin at squares of multiples of a step, whatever the law, so that δ moves with ε₀ evenly.
    """
    e0, others, e = e0[:, None], n[:, None] - 1, e[:, None]
    odds, share = np.exp(-e0), share_of(e0)
    gain = -np.expm1(np.minimum(e - e0, 0.0)) / (1 + odds)
    first = np.maximum(np.floor((np.sqrt(others * share) - _FAR) / _STEP), 0.0)
    of = np.minimum(np.floor(np.square(_STEP * (first + np.arange(math.ceil(2 * _FAR / _STEP) + 2)))), others)
    with np.errstate(all="ignore"):
        # Pr[C < c] of each; nobody hides whoever has fewer than the first.
        fewer = np.where(of > 0, betaincc(np.maximum(of, _TINY), others - of + 1, share), 0.0)
        turn = (of + 1) * (1 + np.tanh(e / 2) / np.tanh(e0 / 2)) / 2
        at = np.minimum(np.floor(turn), of)
        beyond = np.where(at < of, betainc(at + 1, np.maximum(of - at, 0.5), 0.5), 0.0)
        mass = np.exp(_log_mass(at, of, np.float64(0.5), np.float64(0.5)))
    # From ε₀ on nothing is needed, and e^ε may be beyond any double.
    deltas = np.clip(gain * mass - np.expm1(np.minimum(e, e0)) * beyond, 0.0, gain)
    total = (np.diff(fewer, axis=1, append=1.0) * deltas).sum(axis=1) + fewer[:, 0] * gain[:, 0]
    return np.asarray(np.where(e < e0, np.minimum(total[:, None], gain), 0.0)[:, 0])


# The largest ε₀ that keeps (ε, δ)

def most_local(people: npt.ArrayLike, epsilon: npt.ArrayLike, delta: npt.ArrayLike) -> float | Array:
    """The largest ε₀ with `coins_delta` ≤ δ, to 1e-9 of the sd that it makes; ε > 0, δ in (0, 1), of any shapes."""
    return _most_hidden(people, epsilon, delta, _share_of_coins)


def most_local_by_clones(people: npt.ArrayLike, epsilon: npt.ArrayLike, delta: npt.ArrayLike) -> float | Array:
    """The largest ε₀ with `clones_delta` ≤ δ, to 1e-9 of e^(ε₀/2), or ε where that is no more; of any shapes."""
    return _most_hidden(people, epsilon, delta, _share_of_clones)


def _most_hidden(people: npt.ArrayLike, epsilon: npt.ArrayLike, delta: npt.ArrayLike,
                 share: Callable[[Array], Array]) -> float | Array:
    given = _wanted(people, epsilon, delta)
    n, e, d = (np.ravel(one) for one in given)

    def straight(y: Array, among: npt.NDArray[np.intp]) -> tuple[Array, Array]:
        root = _straight(_hidden_among(_of_root_sd(y), n[among], e[among], share))
        return root, root / y  # where δ is that of a normal number

    guess = _root_sd(_most_alike(n, e, d)) * _WIDER
    y = _first_below(straight, *_ends(n, e, d), d, guess, _root_sd(e))
    return shaped(np.maximum(_of_root_sd(y) * _BEFORE, e).reshape(given[0].shape))


def most_local_alike(people: npt.ArrayLike, epsilon: npt.ArrayLike, delta: npt.ArrayLike) -> float | Array:
    """The largest ε₀ with `alike_delta` ≤ δ, to 1e-9 of the sd: no account of all groups can allow more."""
    given = _wanted(people, epsilon, delta)
    return shaped(_most_alike(*(np.ravel(one) for one in given)).reshape(given[0].shape))


def _most_alike(n: Array, e: Array, d: Array) -> Array:
    def straight(y: Array, among: npt.NDArray[np.intp]) -> tuple[Array, Array]:
        e0 = _of_root_sd(y)
        found, rise = _alike(e0, n[among], e[among])
        with np.errstate(all="ignore"):
            root = np.sqrt(np.minimum(-np.log(found), _MOST_LOG))
            return root, np.where(found > 0, rise * np.tanh(e0 / 2) / (found * root * y), np.nan)

    # Of Gaussian noise: Φ(−z) = δ, and half of μ² and zμ are ε.
    z = -ndtri(np.minimum(d, 0.4))
    guess = 1.1 / (np.sqrt(z * z + 2 * e) - z) / np.sqrt(n)
    y = _first_below(straight, *_ends(n, e, d), d, guess, _root_sd(e))
    return np.maximum(_of_root_sd(y) * _BEFORE, e)


def most_local_by_cheu(people: npt.ArrayLike, epsilon: npt.ArrayLike, delta: npt.ArrayLike) -> float | Array:
    """The largest ε₀ that the theorem of `cheu_epsilon` allows, ε where it allows no more than that."""
    n, e, d = _wanted(people, epsilon, delta)
    fewest = 14 * np.log(4 / d)
    with np.errstate(all="ignore"):
        coins = _halved(lambda x: cheu_epsilon(x, n, d) <= e, np.minimum(fewest, n), n)
        allowed = np.where((fewest <= n) & (cheu_epsilon(coins, n, d) <= e), np.log(2 * n / coins - 1), 0.0)
    return shaped(np.maximum(allowed, e))


def most_local_by_form(people: npt.ArrayLike, epsilon: npt.ArrayLike, delta: npt.ArrayLike) -> float | Array:
    """The largest ε₀ that `closed_epsilon` allows, ε where it allows no more than that."""
    n, e, d = _wanted(people, epsilon, delta)
    with np.errstate(all="ignore"):
        most = np.maximum(np.log(n / (16 * np.log(2 / d))), 0.0)
        allowed = -_halved(lambda x: closed_epsilon(-x, n, d) <= e, -most, np.zeros(n.shape))
    return shaped(np.maximum(allowed, e))


def _wanted(people: npt.ArrayLike, epsilon: npt.ArrayLike, delta: npt.ArrayLike) -> list[Array]:
    return list(np.broadcast_arrays(numbers_in(people, PEOPLE), numbers_in(epsilon, EPSILON), _inside(delta)))


def _inside(delta: npt.ArrayLike) -> Array:
    d = numbers_in(delta, DELTA, "delta")
    if (bad := (d <= 0) | (d >= 1)).any():
        raise InvalidParameter("delta", "in (0, 1)", float(d[bad].flat[0]))
    return d


def _ends(people: Array, epsilon: Array, delta: Array) -> tuple[Array, Array]:
    """1/(2 sinh(ε₀/2)) where hardly anybody lies, and where each answer alone is (ε, δ)-DP."""
    most = delta * (1 - 4e-9)  # which no rounding passes
    alone = epsilon + np.log1p(most * np.exp(-epsilon)) - np.log1p(-most)
    return _root_sd(alone + np.log(100 * people)), _root_sd(alone)


def _root_sd(local: Array) -> Array:
    """1/(2 sinh(ε₀/2))."""
    return np.asarray(np.exp(-local / 2) / -np.expm1(-local))


def _of_root_sd(y: Array) -> Array:
    return np.asarray(2 * np.arcsinh(0.5 / y))


def _law(people: float, lie: float, truth: float) -> Array:
    """The probabilities of all numbers of liars among so many that have one which is a double."""
    half = _REACH * math.sqrt(people * lie * truth) + 300
    low, high = max(0.0, math.floor(people * lie - half)), min(people, math.ceil(people * lie + half))
    count = np.arange(low, high + 1)
    return np.exp(log_binomial(count, people, lie, truth)) if people else np.ones(1)


def _log_mass(x: Array, n: Array, p: Array | np.float64, q: Array | np.float64) -> Array:
    """`log_binomial` of arrays of n and p."""
    rest = n - x
    both, means = np.stack([x, rest]), np.stack([np.broadcast_to(n * each, x.shape) for each in (p, q)])
    with np.errstate(divide="ignore", invalid="ignore"):
        errors, off = stirling_error(both), deviance(both, means)
        parts = stirling_error(n) - errors[0] - errors[1] - off[0] - off[1]
        found = parts - 0.5 * np.log(2 * math.pi * x * (rest / n))
        return np.asarray(np.where(x <= 0, n * np.log1p(-p), np.where(rest <= 0, n * np.log(p), found)))


def _halved(holds: Callable[[Array], npt.NDArray[np.bool_]], low: Array, high: Array) -> Array:
    """The least x between two ends from which on something holds, to a double's last digits; `high` if nowhere."""
    for _ in range(60):
        middle = (low + high) / 2
        there = holds(middle)
        low, high = np.where(there, low, middle), np.where(there, middle, high)
    return high


def _straight(delta: Array) -> Array:
    """√(−ln δ), which is nearly straight where δ is that of a normal number."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.sqrt(np.minimum(-np.log(delta), _MOST_LOG)))


def _first_below(straight: Callable[[Array, npt.NDArray[np.intp]], tuple[Array, Array]], low: Array, high: Array,
                 delta: Array, guess: Array, top: Array, close: float = 1e-9) -> Array:
    """The least y at which a falling δ is at most what is wanted, too large by `close` of it at most.

    `straight` gives √(−ln δ) at some y of those whose places it is told, and its slope, NaN where that is not known.
    By Newton's first step and those along secants; where they lead out, by his step for ln δ about ln(top − y), as δ
    goes with a power near the top, where it ends, or by false position, where an end that stays twice counts for half.
    """
    goal = _straight(delta)
    low, high, y = low.copy(), high.copy(), np.clip(guess, low, high)
    below, above = np.full(y.shape, np.nan), np.full(y.shape, np.nan)
    before, left, stayed = np.full(y.shape, np.nan), np.full(y.shape, np.nan), np.zeros(y.shape, dtype=np.int64)
    open_ = np.flatnonzero(high > low)
    for step in range(1, _STEPS):
        if not open_.size:
            break
        i, at = open_, y[open_]
        root, slope = straight(at, i)
        excess, safe = root - goal[i], root >= goal[i]
        with np.errstate(all="ignore"):
            secant = (excess - left[i]) / (at - before[i])
            newton = at - excess / np.where(secant > 0, secant, slope)
            done = safe & (np.abs(at - newton) <= close * at) & (excess < _NEAR)
            below[i] = np.where(safe, np.where(stayed[i] > 0, below[i] / 2, below[i]), excess)
            above[i] = np.where(safe, excess, np.where(stayed[i] < 0, above[i] / 2, above[i]))
            low[i], high[i], stayed[i] = np.where(safe, low[i], at), np.where(safe, at, high[i]), np.where(safe, 1, -1)
            found = newton * (1 + close / 4)
            other = low[i] - below[i] * (high[i] - low[i]) / (above[i] - below[i])
            room = top[i] - at
            powered = top[i] - room * np.exp((root - goal[i]) * (root + goal[i]) / (2 * root * slope * room))
            for following in (powered, other, (low[i] + high[i]) / 2):
                found = np.where((found > low[i]) & (found < high[i]) & (step % 12 > 0), found, following)
        y[i], before[i], left[i] = found, at, excess
        open_ = i[~done & (high[i] - low[i] > close * high[i])]
    return high
