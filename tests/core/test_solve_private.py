"""Whoever solves is never led to a less private value than need be, and what is said is true of what is taken."""

import math
import re
from dataclasses import replace

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from wants import FAST, known_wants

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import sign_of, stated
from dpstudio.core.solve.solver import solve
from dpstudio.core.solve.want import RELATIONS, Want
from dpstudio.studies import all_studies
from dpstudio.text.entry import read_number

STUDIES = all_studies()
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
    digits = len(re.sub(r"e.*|\.0*$|\.|^[-0.]+", "", repr(float(value)))) if value else 1
    step = 10.0 ** (math.floor(math.log10(abs(value))) - max(digits, 3) + 1) if value else 0.0
    found.add(value - towards * (1 if domain.integer else step))
    accepted = {domain.nearest(each) for each in found}
    return sorted(each for each in accepted if (value - each) * towards > 0)


def holds_about(known, want, parameter, value):
    """Whether it does it and so does all about it: a narrower stretch may be missed, as of what goes up and down."""
    wide = max(0.01 * abs(value), 3 if parameter.domain.integer else 0)
    return all(does_it(known, want, parameter.domain.nearest(value + part * wide)) for part in (0, -1, 1, -0.5, 0.3))


def less_private(parameter, value, limit):
    """Some values further from the private end than one: just beyond the limit that it was rounded from, and far."""
    domain, towards = parameter.domain, way(parameter)
    end = min(domain.high, 1e12) if towards > 0 else max(domain.low, -1e12)
    step = 1 if domain.integer else 1e-6 * abs(limit)
    found = {end, limit + towards * step, *(limit + part * (end - limit) for part in PARTS)}
    return sorted(each for each in map(domain.nearest, found) if (each - limit) * towards > 0 and each != value)


def other_wants(known, factor, relation):
    """What a known want asks, of another value: that all, some, or no values of the parameter do."""
    return Want(known.want.quantity, relation, known.want.value * factor, known.want.series)


WANTS = st.tuples(st.integers(0, 10**6), st.sampled_from((0.0, 0.1, 0.7, 1.0, 1.4, 10.0)), st.sampled_from(RELATIONS))


def drawn(key, seed, factor, relation):
    every = known_wants(STUDIES[key], 50, seed, **FAST.get(key, {}))
    known = next(one for one in every if not one.want.declared(one.kind).slow)
    want = other_wants(known, factor, relation)
    solution = solve(known.kind, known.explicit, [want], [known.name])
    # What lets the parameter matter is set with it, and stands also where another value of it is tried.
    beside = {name: value for name, value in solution.values.items() if name != known.name}
    return replace(known, explicit={**known.explicit, **beside}), want, solution


def check_private(known, want, solution):
    """Of a ceiling on what is spent no greater value keeps it but one said; of all else no more private one does it.

    Where every value keeps a ceiling, what is taken is no less private than what was before. Where nothing is defined
    at the private end, there is no most private value; where a ceiling is broken there, the most private that keeps it
    is taken.
    """
    parameter = known.kind.parameter(known.name)
    towards, taken = way(parameter), solution.values[known.name]
    before = getattr(known.kind(**known.explicit), known.name)
    if not solution.met or "makes no difference" in solution.says:
        return
    assert does_it(known, want, taken)
    end = parameter.domain.nearest(-math.inf if towards > 0 else math.inf) if towards else before
    if not towards:
        assert taken == before or not does_it(known, want, before)
    elif "of what is usual" in solution.says or (
            not want.limits(known.kind) and solution.says.startswith("The greatest" if towards > 0 else "The least")):
        assert reached(known, want, end) is None
    elif want.limits(known.kind) and (does_it(known, want, end) or not any(
            reached(known, want, value) is not None and not does_it(known, want, value)
            for value in more_private(parameter, taken))):
        assert (taken - before) * towards <= 0 or solution.limits, (known, want, solution.says)
        if solution.limits:
            beyond = less_private(parameter, taken, solution.limits[0][known.name])
            greater = [value for value in beyond if does_it(known, want, value)]
            assert not greater or solution.others, (known, want, solution.says, greater)
            assert solution.others or all(does_it(known, want, value) for value in more_private(parameter, taken)
                                          if reached(known, want, value) is not None)
    else:
        better = [value for value in more_private(parameter, taken) if holds_about(known, want, parameter, value)]
        assert not better, (known, want, solution.says, better)


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
        low, high = (read_number(each) for each in re.match(r".* from ([^ ]+) to ([^ ]+) does it", head).groups())
        between = [low, high, *(low + part * (high - low) for part in PARTS)]
        assert all(does_it(known, want, parameter.domain.nearest(each)) for each in between), solution.says
        head = head.partition("; ")[2] if "; the " in head else told
    numbers = re.findall(rf"{symbol} = ([−\d\u202f.e-]+?)(?=[.,] |[.,]?$)", head) or re.findall(
        rf"{symbol} = ([−\d\u202f.e-]+?)(?=[.,] )", solution.says)
    if "makes no difference" not in solution.says:
        assert read_number(numbers[0].replace("−", "-")) == solution.values[known.name], solution.says


@pytest.mark.parametrize("key", STUDIES)
def test_that_the_most_private_value_is_meant_and_what_is_said_is_true_of_it(key):
    @settings(max_examples=EXAMPLES.get(key, 8), phases=(Phase.generate,))
    @given(WANTS)
    def check(asked):
        known, want, solution = drawn(key, *asked)
        check_private(known, want, solution)
        check_said(known, want, solution)

    check()


@pytest.mark.parametrize(("key", "wants", "seed"), [("decision", 6, 2), ("mean", 18, 5), ("noise", 16, 3),
                                                    ("updating", 10, 5)])
def test_that_a_limit_does_it_and_what_is_taken_is_one_beyond_which_nothing_does(key, wants, seed):
    ended = 0
    for known in known_wants(STUDIES[key], wants, seed, **FAST.get(key, {})):  # of these enough have an end
        name, want, domain = known.name, known.want, known.kind.parameter(known.name).domain
        solution = solve(known.kind, known.explicit, [want], [name])
        limits = [limit[name] for limit in solution.limits]
        beside = [[does_it(known, want, domain.nearest(limit + side * (1 if domain.integer else 1e-6 * abs(limit))))
                   for side in (-1, 1)] for limit in limits]
        assert all(does_it(known, want, limit) for limit in limits)
        ended += sum(below != above for below, above in beside)
        if found := re.match(r"The (least|greatest) \S+ that does it: ", solution.says):
            taken, least = solution.values[name], found[1] == "least"
            assert taken == pytest.approx(limits[0], rel=1e-13, abs=0)
            assert limits[0] in (domain.low, domain.high) or not beside[0][not least], known
    assert ended >= 2


def test_that_of_what_every_value_does_the_most_private_is_taken_and_said():
    given_ = {"minimum": 100_000, "delta": 1e-9}
    want = [Want("acceptance", ">=", 0.0, "laplace")]
    for before in (0.003, 0.1, 5.0):
        every = solve(DECISION, given_ | {"epsilon": before}, want, ["epsilon"])
        assert (every.values, every.others, every.limits, every.leans) == ({"epsilon": 1e-6}, (), (), False)
        assert every.says.startswith("Every ε from 1e-6 to 20 does it; the most private is ε = 1e-6. ")
    between = solve(DECISION, given_, want, ["epsilon"], {"epsilon": (0.12345, 1.0)})
    assert between.values == {"epsilon": 0.12345}
    neither = solve(DECISION, given_, want, ["records"])
    assert neither.says.startswith("Every N from 0 to 1e12 does it; none is more private. It stays at N = "
                                   "100\u202f020. ")
    assert solve(DECISION, {}, want, ["records"], {"records": (2000, 3000)}).values == {"records": 2000}


def test_that_where_a_want_holds_from_the_private_end_up_to_an_edge_the_edge_is_said_and_can_be_chosen():
    want = [Want("acceptance", ">=", 0.3, "laplace")]
    found = solve(DECISION, {"minimum": 100_000, "delta": 1e-9, "records": 1020}, want, ["epsilon"])
    assert found.values == {"epsilon": 1e-6}
    assert found.others == ({"epsilon": pytest.approx(found.limits[0]["epsilon"], rel=1e-13)},)
    assert found.says.startswith("Every ε from 1e-6 to 5.16e-6 does it; the most private is ε = 1e-6. ")
    # e^(−ε(k − N))/2 below k, at p = ½ of N = 1020 and m = k = 100 000.
    assert found.limits[0]["epsilon"] == pytest.approx(-math.log(0.6) / 98_980, rel=1e-9)


@pytest.mark.parametrize(("before", "says"), [(0.2, "from 0 to 0.4999"), (0.7, "from 0.5001 to 1")])
def test_that_the_end_of_a_stretch_at_which_there_is_no_such_fact_is_not_said_as_part_of_it(before, says):
    given_, want = {"design": "coins"}, [Want("people_sure", ">=", 1000.0, "best")]
    assert STUDIES["response"](**given_, theta2=0.5).answer().fact("people_sure", "best") is None
    found = solve(STUDIES["response"], {**given_, "theta2": before}, want, ["theta2"])
    assert found.says.startswith(f"Every θ₂ {says} does it; none is more private. It stays at θ₂ = {before}. ")


def test_that_where_there_is_no_most_private_value_none_that_nobody_sets_is_taken():
    want = [Want("acceptance", ">=", 0.0, "gaussian")]
    for before, taken in ((1e-6, 1e-12), (1e-15, 1e-15)):
        found = solve(DECISION, {"delta": before}, want, ["delta"])
        assert found.values == {"delta": taken}
        assert f"the most private of what is usual is δ = {'1e-12' if taken == 1e-12 else '1e-15'}. " in found.says
    assert DECISION(delta=0).answer().fact("acceptance", "gaussian") is None


@pytest.mark.parametrize("before", [0.003, 0.01, 0.5])
@pytest.mark.parametrize(("key", "relation", "value"), [("total_epsilon", "<=", 1.0), ("left", ">=", 4.0)])
def test_that_a_ceiling_on_what_is_spent_asks_how_much_may_be(key, relation, value, before):
    """Σε = 100 ε ≤ 1: every ε up to 0.01 does it; of an allowed 5 then 4 are left."""
    found = solve(BUDGET, {"epsilon": before}, [Want(key, relation, value, "basic")], ["epsilon"])
    assert found.values == {"epsilon": 0.01}
    assert found.limits == ({"epsilon": pytest.approx(0.01, rel=1e-15)},)
    assert (found.others, found.leans) == ((), False)
    assert re.match(r"The greatest ε that does it: ε = 0\.01\. ", found.says)


@pytest.mark.parametrize("before", [0.003, 0.01, 0.5, 20.0])
def test_that_a_ceiling_that_every_value_keeps_makes_nothing_less_private(before):
    want = [Want("guarantee_epsilon", "<=", 50.0, "laplace")]
    found = solve(DECISION, {"epsilon": before}, want, ["epsilon"])
    assert (found.values, found.limits, found.leans) == ({"epsilon": before}, (), True)
    assert found.says.startswith("Every ε from 1e-6 to 20 does it; the ceiling sets no limit. It stays at ε = ")
    part = solve(DECISION, {"epsilon": before}, want, ["epsilon"], {"epsilon": (0.005, 1.0)})
    assert part.values == {"epsilon": min(max(before, 0.005), 1.0)}


def test_that_a_ceiling_beside_another_want_is_met_by_the_most_private_value():
    wants = [Want("band_width", "<=", 500.0, "laplace"), Want("guarantee_epsilon", "<=", 1.0, "laplace")]
    found = solve(DECISION, {"delta": 1e-9}, wants, ["epsilon"])
    assert found.values == {"epsilon": pytest.approx(2 * math.log(50) / 500, rel=1e-12)}
    assert {"epsilon": 1.0} in found.others


def test_that_of_two_parameters_both_are_the_most_private_that_do_it_or_the_most_that_may_be_spent():
    found = solve(DECISION, {"delta": 1e-9}, [Want("acceptance", ">=", 0.0, "generalized")], ["epsilon", "delta"])
    assert found.values == {"epsilon": 1e-6, "delta": 0.0}
    ceilings = [Want("guarantee_epsilon", "<=", 0.5, "generalized"), Want("guarantee_delta", "<=", 1e-7, "generalized")]
    found = solve(DECISION, {}, ceilings, ["epsilon", "delta"])
    assert (found.values["epsilon"], found.values["delta"]) == (0.5, pytest.approx(1e-7, rel=0.01))
    assert found.values["delta"] <= 1e-7
    alone = solve(DECISION, {"delta": 1e-9}, [Want("band_width", "<=", 500.0, "laplace")], ["epsilon", "delta"])
    assert alone.values == {"epsilon": pytest.approx(2 * math.log(50) / 500, rel=1e-9), "delta": 1e-9}


def test_that_whole_numbers_beyond_a_million_are_said_to_the_last_one():
    found = solve(DECISION, {"minimum": 123_456_789}, [Want("acceptance", ">=", 0.9, "laplace")], ["records"])
    assert found.values["records"] > 123_456_789
    assert f"{found.values['records']:,}".replace(",", "\u202f") in found.says
