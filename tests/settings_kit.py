"""Settings of any study, drawn from its declarations, and what a session holds."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter


def inside(parameter):
    """A strategy over a parameter's whole domain, its ends included."""
    domain = parameter.domain
    if isinstance(domain, v.Choice):
        return st.sampled_from(domain.options)
    if isinstance(domain, v.Switch):
        return st.booleans()
    if isinstance(domain, v.Listed):
        return listings(domain)
    if isinstance(domain, v.Pairs):
        return st.lists(st.floats(1e-9, 1 - 1e-9), max_size=2 * domain.most, unique=True).map(paired)
    if isinstance(domain, v.Written):
        return st.sampled_from(domain.examples)
    if domain.integer:
        return st.integers(int(domain.low), int(domain.high))
    return st.floats(domain.low, domain.high, exclude_min=domain.low_open, exclude_max=domain.high_open)


def paired(numbers):
    """Caps of priors from such numbers, each prior below all that come later."""
    rising = [float(f"{number:.6g}") for number in sorted(numbers)]
    pairs = [(low, high) for low, high in zip(rising[::2], rising[1::2], strict=False) if 0 < low < high < 1]
    rises = all(one[0] < other[0] for one, other in pairwise(pairs))
    return ",".join(f"{low!r}:{high!r}" for low, high in pairs) if pairs and rises else "none"


def listings(domain):
    """A strategy over lists of numbers: of one or many, each once or often, with and without names."""
    low, high = (max(domain.low, -1e12), min(domain.high, 1e12))
    number = st.integers(int(low), int(high)) if domain.whole else st.floats(low, high)
    name = st.sampled_from(("", "", "Oslo:", "b c:")) if domain.named else st.just("")
    entry = st.builds("{}{}{}".format, name, number, st.sampled_from(("", "", "", "×2", "x 100")))
    return st.one_of(st.just("none"), st.lists(entry, min_size=1, max_size=12).map(", ".join))


def accepted(study, values):
    """The study with these values, less those that it refuses beside others: by name, and in one line."""
    while True:
        try:
            return study(**values)
        except InvalidParameter as error:
            refusal = error
        assert str(refusal).startswith(f"{refusal.name} must be at most ")
        assert "\n" not in str(refusal)
        del values[refusal.name]


def held(session):
    """The study in view and its values."""
    return session.study_class, session.explicit
