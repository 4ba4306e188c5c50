"""Solving: what is found, put back, is as wanted, on the safe side, whatever the fact looks like."""

import json
import math
import re
from decimal import Decimal

import pytest
from wants import FAST, known_wants, wanted_fact

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.solve.along import Along, Sample, scan
from dpstudio.core.solve.solver import solve
from dpstudio.core.solve.want import Want, read_want
from dpstudio.core.trace import Numbers
from dpstudio.studies import all_studies
from dpstudio.text.entry import write_number
from dpstudio.text.numbers import said
from dpstudio.vocabulary import integers, reals

STUDIES = all_studies()
DECISION, MEAN, BUDGET, UPDATING = (STUDIES[key] for key in ("decision", "mean", "budget", "updating"))


def solved(kind, wants, *names, between=None, **explicit):
    return solve(kind, explicit, [read_want(kind, want) for want in wants], names, between)


def fact(kind, key, of=None, **values):
    return kind(**values).answer().fact(key, of).value


def along(miss, domain, usual=None):
    """A want that is missed by so much at each number; NaN where it is undefined."""
    def ask(x):
        found = miss(x)
        side = "nowhere" if math.isnan(found) else "met" if found <= 0 else "missed"
        return Sample(side, found <= 0, found, found)

    over = Numbers(domain)
    return Along(ask, over, scan(over, usual, ()))


def ends(line):
    number = line.over.number
    return [(number(each.low), number(each.high)) for each in line.stretches()]


# Along one number

@pytest.mark.parametrize(("miss", "low", "high"), [
    (lambda x: x - 3.7, 0.0, 3.7),
    (lambda x: 1e6 * (x - 3.7) ** 3, 0.0, 3.7),
    (lambda x: 1.0 if x > 3.7 else -1.0, 0.0, 3.7),                          # a jump
    (lambda x: math.inf if x > 3.7 else -1.0, 0.0, 3.7),                     # to infinity
    (lambda x: max(x - 3.7, 0.0), 0.0, 3.7),                                 # flat, then a kink
    (lambda x: 3.7 - x if x < 5 else -math.inf, 3.7, 1000.0),
])
def test_that_a_limit_is_found_to_the_last_double(miss, low, high):
    (found,) = ends(along(miss, reals(0, 1000)))
    assert found == (low, high)
    for end, beyond in ((low, -math.inf), (high, math.inf)):
        assert miss(end) <= 0
        assert end in (0.0, 1000.0) or miss(math.nextafter(end, beyond)) > 0


def test_that_every_stretch_is_found_where_a_fact_goes_up_and_down():
    found = ends(along(math.sin, reals(0, 20)))
    assert [pytest.approx(end, rel=1e-15) for end in (math.pi, 2 * math.pi)] == list(found[1])
    assert [round(low / math.pi) for low, _ in found] == [0, 1, 3, 5]


def test_that_a_narrow_stretch_between_the_places_looked_at_is_found():
    (low, high), = ends(along(lambda x: (x - 7.123456) ** 2 - 1e-14, reals(0, 1000)))
    assert low == pytest.approx(7.123456 - 1e-7, abs=1e-9)
    assert high == pytest.approx(7.123456 + 1e-7, abs=1e-9)


def test_that_values_beyond_all_measure_are_looked_at_in_silence():
    line = along(lambda x: 1e300 * (1 + abs(x - 4.2)), reals(0, 1000))
    assert not ends(line)
    assert line.over.number(line.nearest) == pytest.approx(4.2, rel=0.2)


def test_that_what_is_undefined_is_passed_over():
    (low, high), = ends(along(lambda x: math.nan if x < 2 or x > 400 else 3 - x, reals(0, 1000)))
    assert low == 3
    assert 390 < high <= 400


def test_that_whole_numbers_are_met_as_whole_numbers():
    assert ends(along(lambda n: 10.5 - n, integers(0, 10**12))) == [(11, 10**12)]
    assert ends(along(lambda n: n - 10.5, integers(0, 10**12))) == [(0, 10)]
    assert ends(along(lambda n: -1.0 if n == 123_457 else abs(n - 123_457.0), integers(0, 10**9))) == [(123457, 123457)]


@pytest.mark.parametrize("number", [0.0, 1e-300, -1e-300, 5e-324, 1.0, -1.5, 1e300, 2.0**53])
def test_that_numbers_have_places_in_their_order(number):
    over = Numbers(reals(-1e301, 1e301))
    place = over.place(number)
    assert over.number(place) == number
    assert over.number(place + 1) == math.nextafter(number, math.inf)
    assert over.number(place - 1) == math.nextafter(number, -math.inf)


# Of studies

@pytest.mark.parametrize("key", STUDIES)
def test_that_what_was_made_from_known_parameters_is_met(key):
    for known in known_wants(STUDIES[key], 6, 1, **FAST.get(key, {})):
        solution = solve(known.kind, known.explicit, [known.want], [known.name])
        assert solution.met, (known, solution.says)
        values = json.loads(json.dumps(dict(solution.values)))
        found = wanted_fact(known, values)
        miss = known.want.miss(found)
        assert abs(miss) <= 1e-9 * abs(known.want.value) if known.want.relation == "=" else miss <= 0, known
        assert found.value == solution.facts[0].value
        for other in solution.others:
            assert known.want.met(known.want.miss(wanted_fact(known, other))), known


NUMBER = r"(−?[\d\u202f]+(?:\.\d+)?(?:e-?\d+)?)"


def test_that_of_a_fact_that_jumps_the_first_place_that_does_it_is_found():
    given = {"epsilon": 0.0145, "rows_law": "rand"}
    least = solved(STUDIES["mean"], ["rule_bound@laplace = 5"], "fraction", **given)
    (limit,) = least.limits
    fraction = limit["fraction"]
    assert least.says.startswith("Every π from 0.02595 to 1 does it; none is more private. It stays at π = 0.3. ")
    for part, expected in ((fraction, 5), (math.nextafter(fraction, 0), 4), (1.0, 5)):
        assert STUDIES["mean"](fraction=part, **given).answer().fact("rule_bound", "laplace").value == expected


def test_that_the_examples_of_the_help_are_solved():
    band = solved(DECISION, ["band_width@laplace <= 500"], "epsilon", delta=1e-9)
    assert fact(DECISION, "band_width", "laplace", delta=1e-9, epsilon=band.values["epsilon"]) <= 500
    assert band.values == {"epsilon": pytest.approx(2 * math.log(50) / 500, rel=1e-12)}
    sd = solved(MEAN, ["population_error@laplace <= 0.01"], "people")
    assert fact(MEAN, "population_error", "laplace", people=sd.values["people"]) <= 0.01
    assert fact(MEAN, "population_error", "laplace", people=sd.values["people"] - 1) > 0.01
    assert solved(BUDGET, ["total_epsilon@basic <= 1"], "epsilon").values == {"epsilon": 0.01}
    assert solved(BUDGET, ["total_epsilon@basic <= 1"], "releases").values == {"releases": 10}


def test_that_several_solutions_are_all_said_and_the_best_is_named():
    tree = solved(UPDATING, ["end_sd@tree <= 100"], "batches")
    found = sorted(limit["batches"] for limit in tree.limits)
    assert (tree.values, len(tree.others)) == ({"batches": 10}, len(found)), "what it is now does it"
    sds = {n: fact(UPDATING, "end_sd", "tree", batches=n) for n in range(1, 50)}
    changes = [n for n in range(1, 49) if (sds[n] <= 100) != (sds[n + 1] <= 100) or (
        n > 1 and (sds[n] <= 100) != (sds[n - 1] <= 100))]
    assert found == [n for n in changes if sds[n] <= 100]
    for n in found:
        assert str(n) in tree.says


def test_that_of_two_parameters_the_first_is_the_most_private():
    """f(900) ≤ 0.01 and 1 − f(1100) ≤ 0.02 of Laplace, in closed form: both bind where ε is least."""
    wants = ["acceptance@laplace at records=900 <= 0.01", "rejection@laplace at records=1100 <= 0.02"]
    solution = solved(DECISION, wants, "target", "epsilon")
    (limit, *_), values = solution.limits, solution.values
    epsilon, target = limit["epsilon"], limit["target"]
    # f(n) = e^(−ε(k − n))/2 below k, 1 − e^(−ε(n − k))/2 above: ε(k − 900) = ln 50, ε(1100 − k) = ln 25.
    assert epsilon == pytest.approx((math.log(50) + math.log(25)) / 200, rel=1e-9)
    k = 900 + math.log(50) / epsilon
    assert target == pytest.approx(math.exp(-epsilon * (k - 1000)) / 2, rel=1e-6)
    for key, n, most in (("acceptance", 900, 0.01), ("rejection", 1100, 0.02)):
        assert fact(DECISION, key, "laplace", epsilon=epsilon, target=target, records=n) <= most
        assert fact(DECISION, key, "laplace", records=n, **values) <= most
    assert values == pytest.approx(limit, rel=1e-12)
    equal = solved(DECISION, [want.replace("<=", "=") for want in wants], "epsilon", "target")
    assert equal.limits[0]["epsilon"] == pytest.approx(epsilon, rel=1e-8)


def test_that_what_is_printed_of_two_parameters_holds_together():
    wants = ["acceptance@gaussian at records=900 <= 0.01", "rejection@gaussian at records=1100 <= 0.02"]
    says = solved(DECISION, wants, "epsilon", "target").says
    epsilon, target = (float(said(text)) for text in re.search(rf"ε = {NUMBER}, p = {NUMBER}\.", says).groups())
    for key, n, most in (("acceptance", 900, 0.01), ("rejection", 1100, 0.02)):
        assert fact(DECISION, key, "gaussian", epsilon=epsilon, target=target, records=n) <= most


def test_that_several_wants_of_one_parameter_hold_together():
    solution = solved(DECISION, ["acceptance@laplace at records=900 <= 0.01", "band_width@laplace <= 300"], "epsilon")
    assert solution.values == {"epsilon": pytest.approx(math.log(50) / 100, rel=1e-12)}
    neither = solved(DECISION, ["band_width@laplace <= 300", "band_width@laplace >= 400"], "epsilon")
    assert not neither.met


def test_that_the_nearest_is_said_where_nothing_does():
    solution = solved(DECISION, ["band_width@laplace <= 0.1"], "epsilon")
    assert not solution.met
    assert solution.values == {"epsilon": 20.0}
    off = fact(DECISION, "band_width", "laplace", epsilon=20.0) - 0.1
    assert solution.says.startswith("No ε from 1e-6 to 20 does it. The nearest is ε = 20.")
    assert float(re.search(r"misses it by ([\d.]+)\.$", solution.says)[1]) == pytest.approx(off, rel=0.01)


@pytest.mark.parametrize("apart", [100, 1e-1, 1e-4, 1e-7])
def test_that_what_comes_nearest_is_in_as_few_digits_as_leave_it_as_near_but_for_a_thousandth(apart):
    lower, upper = 350 - apart / 2, 350 + apart / 2
    solution = solved(DECISION, [f"band_width@laplace <= {lower!r}", f"band_width@laplace >= {upper!r}"], "epsilon")
    assert not solution.met
    least = math.log(upper / lower) / 2

    def misses(epsilon):
        width = fact(DECISION, "band_width", "laplace", epsilon=epsilon)
        return max(math.log(width / lower), math.log(upper / width))

    epsilon = solution.values["epsilon"]
    assert misses(epsilon) <= 1.001 * least
    digits = len(Decimal(repr(epsilon)).normalize().as_tuple().digits)
    assert digits == 6 or misses(float(f"{epsilon:.{digits - 2}e}")) > 1.001 * least


def test_that_of_what_holds_only_below_what_is_usual_the_nearest_to_that_is_meant():
    noise = STUDIES["noise"]
    explicit = {"epsilon": 0.05, "sensitivity_l2": 1.25, "dimension": 1}
    wanted = 1.3 * fact(noise, "noise_scale", "gaussian", **explicit, delta=1e-100)
    solution = solved(noise, [f"noise_scale@gaussian >= {wanted!r}"], "delta", **explicit)
    delta = solution.values["delta"]
    assert solution.says.startswith(f"The greatest δ that does it: δ = {write_number(delta)}. ")
    assert fact(noise, "noise_scale", "gaussian", **explicit, delta=delta) >= wanted
    assert fact(noise, "noise_scale", "gaussian", **explicit, delta=(1 + 1e-9) * delta) < wanted


def test_that_a_range_is_kept_to():
    solution = solved(DECISION, ["band_width@laplace <= 100"], "epsilon", between={"epsilon": (1.0, 2.0)})
    assert solution.met
    assert solution.says.startswith("Every ε from 1 to 2 does it")
    assert not solved(DECISION, ["band_width@laplace <= 100"], "epsilon", between={"epsilon": (0.01, 0.02)}).met


def test_that_what_changes_nothing_is_said_to():
    for want, met in (("band_width@laplace <= 500", True), ("band_width@laplace <= 50", False)):
        solution = solved(DECISION, [want], "seed", seed=7)
        assert solution.met is met
        assert solution.values == {"seed": 7}, "it stays as it is"
        assert solution.says.startswith("seed makes no difference")


def test_that_what_is_never_defined_has_no_solution():
    solution = solved(DECISION, ["mu@laplace <= 1"], "epsilon")
    assert not solution.met
    assert solution.says == "For no ε from 1e-6 to 20 there is a value of mu@laplace."


def test_that_a_followed_default_follows_while_it_is_solved():
    free = solved(DECISION, ["prior_below <= 0.4"], "minimum", prior="poisson")
    fixed = solved(DECISION, ["prior_below <= 0.4"], "minimum", prior="poisson", prior_centre=1000.0)
    assert free.values["minimum"] < 30 < 900 < fixed.values["minimum"]  # the centre is m itself, or 1000


def test_that_an_enclosed_fact_is_met_with_its_whole_interval():
    class Enclosed:
        value, low, high, kind = 5.0, 4.0, 6.0, "estimate"

    assert Want("x", "<=", 5.5).miss(Enclosed) == 0.5
    assert Want("x", ">=", 4.5).miss(Enclosed) == 0.5
    assert Want("x", "=", 4.5).miss(Enclosed) == 0.5
    assert Want("x", "<=", 6.0).met(Want("x", "<=", 6.0).miss(Enclosed))


@pytest.mark.parametrize(("text", "refusal"), [
    ("", "want must be"), ("band_width@laplace", "want must be"), ("band_width@laplace <=", "what is wanted must be"),
    ("band_width@laplace < 5", "relation must be one of <=, >=, ="), ("band_width@laplace <= five", "finite number"),
    ("band_width@laplace <= inf", "finite number"), ("band_width@nobody <= 5", "series must be one of laplace"),
    ("band <= 5", "fact must be one of acceptance"), ("band_width <= 5", "series must be one of"),
    ("band_width@laplace at records <= 5", "NAME=VALUE"), ("band_width@laplace at record=5 <= 5", "parameter must be"),
    ("band_width@laplace at records=-1 <= 5", "records must be an integer"),
    ("accepted_fraction@laplace <= 0.5", "draws estimate it: ask for acceptance"),
])
def test_that_a_bad_want_is_refused_in_a_sentence(text, refusal):
    with pytest.raises(InvalidParameter) as refused:
        read_want(DECISION, text)
    assert refusal in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", [
    "band_width@laplace<=500", "band_width@laplace ≤ 500", " band_width @laplace <= 5e2".replace(" @", "@"),
    "band_width@laplace at records=900, target=0.1 >= 0,5", "acceptance@laplace = 0.1%"])
def test_that_a_want_reads_as_it_is_written(text):
    want = read_want(DECISION, text)
    assert read_want(DECISION, str(want)) == want


@pytest.mark.parametrize(("names", "refusal"), [
    ((), "one parameter, or two"), (("epsilon", "epsilon"), "one parameter, or two"), (("prior",), "is no number"),
    (("epsilon", "target", "delta"), "one parameter, or two"), (("eps",), "parameter must be one of minimum")])
def test_that_what_cannot_be_solved_for_is_refused(names, refusal):
    with pytest.raises(InvalidParameter, match=re.escape(refusal)):
        solved(DECISION, ["band_width@laplace <= 500"], *names)
