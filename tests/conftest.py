"""How closely is looked, and that what takes longest begins first."""

from __future__ import annotations

import gc
import os
import sys

import pytest
from hypothesis import HealthCheck, settings

LONGEST = ("test_contributing.py", "test_layers.py", "test_cluster.py", "test_agreement.py", "test_every_study.py")
OF_FRONTIERS = ("test_frontiers.py", "test_frontier_view.py", "test_risk_frontiers.py", "test_who_is_ahead.py")
"""What states how exact a frontier is."""
OF_ATTACKS = ("test_neighbours_study.py", "test_claims.py")
"""What states how often attacks succeed."""

# Others may be busy beside it: nothing is timed. `--hypothesis-profile=thorough` looks longer, at night or after an
# idea is written anew; `repeatable` has the same examples each time, by which what is built elsewhere is judged.
settings.register_profile("usual", settings(), deadline=None, max_examples=40, suppress_health_check=[
    HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large])
settings.register_profile("thorough", settings.get_profile("usual"), max_examples=1000)
settings.register_profile("repeatable", settings.get_profile("usual"), derandomize=True)
settings.load_profile("usual")

# What one process compiles, or rewrites to say more of an assertion, the others read, also where Python is told to
# write no bytecode: that is half of what a worker needs before its first test.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Nothing of what is collected is garbage, and it stays to the end: nobody need look through it, then or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items) -> None:
    """At the end no core waits for one that has just begun something long."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))


@pytest.fixture(scope="module", autouse=True)
def frontiers_of_few_points(request):
    """What a frontier is used for is true of any points it has, and wherever someone is ahead.

    With few of them, and that found to a tenth, it is there in a fourth of the time.
    """
    if request.path.name in OF_FRONTIERS:
        yield
        return
    from answers_kit import rough_frontiers

    with rough_frontiers():
        yield


@pytest.fixture(scope="module", autouse=True)
def attacks_on_few(request):
    """What is counted in attacks is used alike however many they are."""
    if request.path.name in OF_ATTACKS:
        yield
        return
    from answers_kit import few_attacks

    with few_attacks():
        yield
