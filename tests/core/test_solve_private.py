"""Whoever solves is never led to a less private value than need be, and what is said is true of what is taken."""

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wants import known_wants

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import sign_of, stated
from dpstudio.core.solve.solver import solve
from dpstudio.core.solve.want import RELATIONS, Want
from dpstudio.studies import all_studies
from dpstudio.text.entry import read_number

STUDIES = all_studies()
FAST = {"policy": {"symptoms": 1}, "posterior": {"people": 50}, "updating": {"batches": 50}, "watch": {"times": 5},
        "budget": {"plan_counts": 3, "plan_count_epsilon": 0.1}}
"""Settings at which a study's facts take a millisecond, not a hundred."""
EXAMPLES = {"decision": 4, "watch": 2, "audit": 3, "posterior": 4, "mean": 5}
"""Questions of the studies whose facts take longest."""
PREFERRED = ("more private", "spends less", "cheaper", "fewer people", "less noise")
DECISION, BUDGET = STUDIES["decision"], STUDIES["budget"]
PARTS = (0.0, 1e-12, 1e-6, 1e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99)


def way(parameter):
    """1 where smaller values are more private, or else preferred; −1 where greater ones are; 0 where neither are."""
    low, high = parameter.ends
    return 1 if low in PREFERRED else -1 if high in PREFERRED else 0


def reached(known, want, value):
    """The fact that is wanted where the parameter has that value; None where there is none."""
    try:
        return known.kind(**{**known.explicit, known.name: value}).answer().fact(want.quantity, want.series)
    except InvalidParameter:
        return None


def does_it(known, want, value):
    fact = reached(known, want, value)
    return fact is not None and want.met(want.miss(fact))


def more_private(parameter, value):
    """Some values nearer to the private end: over all of it, and the next of as few digits."""
    domain, towards = parameter.domain, way(parameter)
    end = max(domain.low, -1e12) if towards > 0 else min(domain.high, 1e12)
    found = {end, *(end + part * (value - end) for part in PARTS)}
    if min(end, value) > 0:
        found |= {end * (value / end) ** part for part in PARTS}
    digits = len(re.sub(r"e.*|\.|^[-0.]+", "", repr(float(value)))) if value else 1
    step = 10.0 ** (math.floor(math.log10(abs(value))) - max(digits, 3) + 1) if value else 0.0
    found.add(value - towards * (1 if domain.integer else step))
    accepted = {domain.nearest(each) for each in found}
    return sorted(each for each in accepted if (value - each) * towards > 0)


def other_wants(known, factor, relation):
    """What a known want asks, of another value: that all, some, or no values of the parameter do."""
    return Want(known.want.quantity, relation, known.want.value * factor, known.want.series)


WANTS = st.tuples(st.integers(0, 10**6), st.sampled_from((0.0, 0.1, 0.7, 1.0, 1.4, 10.0)), st.sampled_from(RELATIONS))


def drawn(key, seed, factor, relation):
    (known,) = known_wants(STUDIES[key], 1, seed, **FAST.get(key, {}))
    want = other_wants(known, factor, relation)
    return known, want, solve(known.kind, known.explicit, [want], [known.name])


def check_private(known, want, solution):
    """No more private value does it, or what is taken is no less private than what was before."""
    parameter = known.kind.parameter(known.name)
    if not solution.met or not way(parameter):
        return
    taken, before = solution.values[known.name], getattr(known.kind(**known.explicit), known.name)
    assert does_it(known, want, taken)
    if (taken - before) * way(parameter) > 0:  # it is less private than before
        better = [value for value in more_private(parameter, taken) if does_it(known, want, value)]
        assert not better, (known, want, solution.says)


def check_said(known, want, solution):
    """Every number of the sentence is that of what is taken."""
    parameter, fact = known.kind.parameter(known.name), reached(known, want, solution.values[known.name])
    if fact is None:
        return
    symbol = re.escape(parameter.quantity.symbol)
    head, _, told = solution.says.partition(". " if "makes no difference" not in solution.says else "it. ")
    sign = sign_of(fact)
    assert f"{want.label(known.kind)[1:]} is then {sign and f'{sign} '}{stated(fact)}; wanted: " in solution.says
    if solution.says.startswith("Every "):
        low, high = (read_number(each) for each in re.match(r".* from (\S+) to (\S+) does it", head).groups())
        between = [low, high, *(low + part * (high - low) for part in PARTS)]
        assert all(does_it(known, want, parameter.domain.nearest(each)) for each in between), solution.says
        head = told
    numbers = re.findall(rf"{symbol} = ([−\d\u202f.e-]+?)(?=[.,] |[.,]?$)", head) or re.findall(
        rf"{symbol} = ([−\d\u202f.e-]+?)(?=[.,] )", solution.says)
    if "makes no difference" not in solution.says:
        assert read_number(numbers[0].replace("−", "-")) == solution.values[known.name], solution.says


@pytest.mark.parametrize("key", STUDIES)
def test_that_the_most_private_value_is_meant_and_what_is_said_is_true_of_it(key):
    @settings(deadline=None, max_examples=EXAMPLES.get(key, 8))
    @given(WANTS)
    def check(asked):
        known, want, solution = drawn(key, *asked)
        check_private(known, want, solution)
        check_said(known, want, solution)

    check()


def test_that_what_every_value_does_moves_nothing_and_says_so():
    given_ = {"minimum": 100_000, "delta": 1e-9}
    want = [Want("acceptance", ">=", 0.0, "laplace")]
    every = solve(DECISION, given_, want, ["epsilon"])
    assert every.values == {"epsilon": 0.1}
    assert every.says.startswith("Every ε from 1e-6 to 20 does it; smaller is more private. It stays at ε = 0.1. ")
    assert solve(DECISION, given_ | {"epsilon": 0.003}, want, ["epsilon"]).values == {"epsilon": 0.003}
    neither = solve(DECISION, given_, want, ["records"])
    assert neither.says.startswith("Every N from 0 to 1e12 does it; none is more private. It stays at N = 1\u202f020. ")


@pytest.mark.parametrize(("before", "taken"), [(0.003, 0.003), (0.01, 0.01), (0.5, 0.01)])
def test_that_what_may_be_spent_at_most_is_never_spent_for_somebody(before, taken):
    """Σε = 100 ε ≤ 1: every ε up to 0.01 does it."""
    found = solve(BUDGET, {"epsilon": before}, [Want("total_epsilon", "<=", 1.0, "basic")], ["epsilon"])
    assert found.values == {"epsilon": taken}
    assert {"epsilon": 0.01} in (found.values, *found.others)
    assert found.limits == () if before == 0.01 else found.limits == ({"epsilon": 0.01},)
    assert found.leans == (before <= 0.01)


def test_that_whole_numbers_beyond_a_million_are_said_to_the_last_one():
    found = solve(DECISION, {"minimum": 123_456_789}, [Want("acceptance", ">=", 0.9, "laplace")], ["records"])
    assert found.values["records"] > 123_456_789
    assert f"{found.values['records']:,}".replace(",", "\u202f") in found.says
