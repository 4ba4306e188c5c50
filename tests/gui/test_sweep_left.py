"""What a sweep that is left has done is computed no second time, and how long it takes is said of what is left."""

from __future__ import annotations

import math

import pytest

from dpstudio.core.sweep import Over, Plan
from dpstudio.core.workers import Here
from dpstudio.gui.sweep import keeping, running
from dpstudio.studies import all_studies


@pytest.mark.parametrize("counted", [False, True])
def test_that_what_is_there_is_computed_no_second_time_kept_or_not(own_home, counted, monkeypatch):
    grid = tuple(Over(name, tuple(values)) for name, values in (("epsilon", (0.1, 0.2, 0.3)), ("minimum", (500, 900))))
    plan = Plan(all_studies()["decision"](), grid, (("band_width", "laplace"),))
    computed = []

    class Noted(Here):
        def run(self, task, jobs):
            while (job := jobs.take(0.0, 1)) is not None:
                computed.extend(range(job.begin, job.end))
                yield job, task(job)

    monkeypatch.setattr(running, "Here", Noted)
    monkeypatch.setattr(running, "local", lambda *_, **__: Noted())

    def ended(begun, leave_at=math.inf):
        leaving = running.Leaving()
        steps = running.sweeping(running.Request(plan, plan.total, counted=counted, begun=begun), leaving, True)
        while True:
            try:
                leaving.asked = next(steps).progress.done >= leave_at
            except StopIteration as last:
                return last.value.swept

    some = ended(None, leave_at=2)
    assert (some.done, computed) == (3, [0, 1, 2])
    whole = ended(some)
    assert (whole.whole, computed) == (True, list(range(6)))
    assert bool(list(keeping.folder().glob("*"))) is not counted


def test_that_a_sweep_is_long_by_what_is_left_of_it(own_home, monkeypatch):
    plan = Plan(all_studies()["decision"](), (Over("epsilon", (0.1, 0.2, 0.3)),), (("band_width", "laplace"),))
    monkeypatch.setattr(running, "pace", lambda _: running.LONG / 2.5)
    long = running.sweeping(running.Request(plan, plan.total), running.Leaving())
    with pytest.raises(StopIteration) as told:
        next(long)
    assert isinstance(told.value.value, running.Long)
    assert told.value.value.sentence.startswith("3 cells take one process about ")
    shorter = running.sweeping(running.Request(plan, plan.total, done=1), running.Leaving())
    assert isinstance(next(shorter), running.News)
    shorter.close()
