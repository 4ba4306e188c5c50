"""All mechanisms, found by walking the package, with examples of each and what they answer."""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil
from collections.abc import Callable, Iterator

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st
from newcomers import LogisticDecision, SecantNoise

import dpstudio.mechanisms
from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.mechanisms.composition import WorstReleases
from dpstudio.mechanisms.decision import (
    CentredDecision,
    Decision,
    DiscreteGaussianDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
    TargetedLaplaceDecision,
    TruncatedGeometricDecision,
)
from dpstudio.mechanisms.mechanism import Mechanism
from dpstudio.mechanisms.noise import CanonicalNoise, Noise, SnappedLaplace, StaircaseNoise
from dpstudio.mechanisms.response import CoinResponse, RandomizedResponse, SymmetricResponse
from dpstudio.mechanisms.shuffle import ShuffledResponse
from dpstudio.mechanisms.watch import Watch
from dpstudio.vocabulary import Switch


def found() -> list[type[Mechanism]]:
    """Every mechanism of the package that can be made."""
    classes = {}
    for module in pkgutil.walk_packages(dpstudio.mechanisms.__path__, dpstudio.mechanisms.__name__ + "."):
        for cls in vars(importlib.import_module(module.name)).values():
            if (inspect.isclass(cls) and issubclass(cls, Mechanism) and cls is not Mechanism
                    and not inspect.isabstract(cls)):
                classes[cls.__qualname__] = cls
    return [classes[name] for name in sorted(classes)]


CLASSES = found()
NEW: tuple[type[Mechanism], ...] = (LogisticDecision, SecantNoise)
"""Written as a newcomer writes them, beside the package: what is generic must hold for them too."""

epsilons = st.floats(-7, 3).map(math.exp)
deltas = st.sampled_from([0.0, 1e-9, 0.1, 0.7])
minimums = st.integers(0, 30)
tails = st.sampled_from([(0.5, None), (0.03, None), (0.97, None), (1 - 1e-9, 1e-9), (1.0, 1e-20), (1e-9, None)])
MADE: dict[type[Mechanism], st.SearchStrategy[Mechanism]] = {
    TargetedLaplaceDecision: st.builds(lambda e, m, t: LaplaceDecision.for_target(e, m, *t), epsilons, minimums, tails),
    CentredDecision: st.builds(GeneralizedDecision.centred, epsilons, deltas, minimums),
    GeneralizedDecision: st.builds(lambda e, d, m, t: GeneralizedDecision(e, d, m, *t), epsilons, deltas, minimums,
                                   tails),
    TruncatedGeometricDecision: st.builds(TruncatedGeometricDecision.reaching, epsilons, st.integers(0, 90), minimums),
    GaussianDecision: st.builds(lambda e, m, t: GaussianDecision(e, m, *t), epsilons, minimums, tails),
    DiscreteGaussianDecision: st.builds(lambda s, m, t: DiscreteGaussianDecision(1 / s, m, *t), epsilons, minimums,
                                        tails),
    SymmetricResponse: st.builds(RandomizedResponse.symmetric, st.floats(0, 60)),
    CoinResponse: st.builds(RandomizedResponse.two_coin, st.floats(0, 1), st.floats(0, 1)),
    SnappedLaplace: st.builds(SnappedLaplace, epsilons, st.floats(9, 20).map(math.exp), st.floats(0.1, 2)),
    # What is derived has no losses that are infinite, as those of noise that is cut off.
    CanonicalNoise: st.builds(CanonicalNoise, epsilons),
    # What is derived has no losses that fall, as at parts of a staircase's own Δ.
    StaircaseNoise: st.builds(StaircaseNoise, epsilons, st.just(1.0), st.none() | st.floats(0, 1)),
}
"""What named constructors make: plain values would not agree with each other."""


def plain_value(declared: Parameter) -> st.SearchStrategy:
    """Values of one parameter, None where it is optional."""
    if declared.optional:
        return st.none()
    domain = declared.domain
    if isinstance(domain, Switch):
        return st.booleans()
    low, high = max(domain.low, -40.0), min(domain.high, 40.0)
    if domain.integer:
        return st.integers(int(low), int(high))
    if domain.low_open and math.isinf(domain.high):
        return st.sampled_from([0.5, 1.0, 2.0]) | epsilons
    return st.floats(low, high, exclude_min=domain.low_open, exclude_max=domain.high_open)


def some(cls: type[Mechanism]) -> st.SearchStrategy[Mechanism]:
    """Mechanisms of a class: by its named constructor, or else of plain values of its fields."""
    if cls.__name__ == "SecantNoise":  # what is derived from densities has no losses above 690
        return epsilons.map(lambda epsilon: cls.for_guarantee(epsilon, 0.0, 1.0))
    return MADE[cls] if cls in MADE else plainly(cls)


EXAMPLE = {"epsilon": 0.3, "delta": 0.01, "threshold": 12.5, "minimum": 12, "target": 0.3, "mu": 0.3, "scale": 2.0,
           "sigma": 2.0, "sensitivity": 1, "bound": 1024.0, "share": 0.5, "monotone": True}


def example(cls: type[Mechanism]) -> Mechanism:
    """One mechanism of a class, the same every time."""
    if cls is TargetedLaplaceDecision:
        return LaplaceDecision.for_target(0.3, 12, 0.3)
    if cls is CentredDecision:
        return GeneralizedDecision.centred(0.3, 0.01, 12)
    if cls is TruncatedGeometricDecision:
        return TruncatedGeometricDecision.reaching(0.3, 7)
    return cls(*(EXAMPLE[declared.name] for declared in cls.parameters() if not declared.optional))


@st.composite
def plainly(draw: st.DrawFn, cls: type[Mechanism]) -> Mechanism:
    values = {declared.name: draw(plain_value(declared)) for declared in cls.parameters()}
    try:
        return cls(**values)
    except InvalidParameter:
        reject()


N = np.array([0, 1, 2, 5, 9, 10, 11, 20, 31, 1000, 10**6])
UNIT = np.array([0.0, 1e-12, 0.01, 0.4, 0.5, 0.6, 0.99, 1.0])
EPSILON = np.array([0.0, 1e-6, 0.3, 1.0, 7.0])
COUNTS = np.array([0, 3, 9, 9, 12, 14])
X = np.array([-30.0, -3.0, -0.5, 0.0, 0.4, 1.0, 2.0, 60.0])


def answers(mechanism: Mechanism) -> Iterator[tuple[str, object]]:
    """What a mechanism answers to a sample of arguments, by the name of the method; a refusal is an answer."""
    rng = np.random.default_rng
    asked: dict[str, Callable[[], object]] = {"name": lambda: mechanism.name}
    match mechanism:
        case Decision():
            for name in ("accept_probability", "reject_probability", "log_accept", "log_reject", "loss_accept",
                         "loss_reject"):
                asked[name] = lambda name=name: getattr(mechanism, name)(N)
            asked |= {name: lambda name=name: getattr(mechanism, name)(UNIT)
                      for name in ("trade_off", "smallest_n", "smallest_n_refusing")}
            asked |= {"delta_at": lambda: mechanism.delta_at(EPSILON, zero_refused=True),
                      "band": lambda: [mechanism.band(0.01).low, mechanism.band(0.3).width],
                      "sample": lambda: mechanism.sample(N, None, rng(1)),
                      "particulars": lambda: [each.value for each in mechanism.particulars(0.01, 1e-6)],
                      "epsilon_after": lambda: mechanism.epsilon_after(3, 0.1)}
        case Noise():
            asked |= {name: lambda name=name: getattr(mechanism, name)(X)
                      for name in ("density", "cdf", "tail", "log_tail", "tail_loss", "loss")}
            asked |= {name: lambda name=name: getattr(mechanism, name)(UNIT)
                      for name in ("quantile", "error_quantile", "trade_off")}
            asked |= {"delta_at": lambda: mechanism.delta_at(EPSILON), "sd": lambda: mechanism.sd,
                      "mean_error": lambda: mechanism.mean_error, "crossing": lambda: mechanism.crossing(0.2),
                      "sample": lambda: mechanism.sample(5, rng(1))}
        case SnappedLaplace():
            asked |= {name: lambda name=name: getattr(mechanism, name)(X, 0.3)
                      for name in ("probability", "tail", "below", "log_tail", "log_below")}
            asked |= {name: lambda name=name: getattr(mechanism, name)(2.5) for name in ("mean_error", "rms_error")}
            asked |= {"delta_at": lambda: mechanism.delta_at(EPSILON), "grid": lambda: mechanism.grid,
                      "error_quantile": lambda: mechanism.error_quantile(0.95, 2.5),
                      "sample": lambda: mechanism.sample(2.5, 5, rng(1))}
        case RandomizedResponse():
            asked |= {name: lambda name=name: getattr(mechanism, name) for name in
                      ("epsilon", "loss_yes", "loss_no", "no_if_yes", "no_if_no", "difference")}
            asked |= {"delta_at": lambda: mechanism.delta_at(EPSILON), "trade_off": lambda: mechanism.trade_off(UNIT),
                      "answer_probability": lambda: mechanism.answer_probability(UNIT),
                      "posterior": lambda: mechanism.posterior(UNIT[1:-1], True),
                      "estimate": lambda: mechanism.estimate([0, 4, 7], 9),
                      "estimator_sd": lambda: mechanism.estimator_sd(UNIT, 9),
                      "delta_after": lambda: mechanism.delta_after(3, EPSILON),
                      "epsilon_after": lambda: mechanism.epsilon_after(3, UNIT),
                      "sample_yes": lambda: mechanism.sample_yes(3, 9, 5, rng(1))}
        case ShuffledResponse():
            asked |= {"delta_at": lambda: mechanism.delta_at(EPSILON), "epsilon_at": lambda: mechanism.epsilon_at(0.01),
                      "pair_delta": lambda: mechanism.pair_delta(mechanism.people - 1, EPSILON),
                      "sample": lambda: mechanism.sample(mechanism.people, 5, rng(1))}
        case WorstReleases():
            asked |= {"delta_at": lambda: mechanism.delta_at(EPSILON), "trade_off": lambda: mechanism.trade_off(UNIT),
                      "loss_exceeds": lambda: mechanism.loss_exceeds(0.3)}
        case Watch():
            asked |= {name: lambda name=name: getattr(mechanism, name)(COUNTS)
                      for name in ("first_yes", "log_first_yes", "never", "waiting", "ever")}
            asked["sample"] = lambda: mechanism.sample(COUNTS, 5, rng(1))
        case _:
            raise AssertionError(f"what {mechanism} can be asked is not known here")
    for name, ask in asked.items():
        try:
            yield name, ask()
        except InvalidParameter as refusal:
            yield name, str(refusal)
