"""What a solution would look like, through the windows of what is in view."""

from __future__ import annotations

from dpstudio.core.slow import NOTHING
from dpstudio.core.update import Update
from dpstudio.gui.solve.preview import SolutionPreview
from dpstudio.studies.decision import Decision
from dpstudio.studies.posterior import Posterior
from dpstudio.studies.updating import Updating


def previewed(qtbot, looked, held, study):
    preview = SolutionPreview(lambda: NOTHING)
    try:
        preview.look(Update(looked.answer()), held)
        with qtbot.waitSignal(preview.shown, timeout=20_000):
            preview.show_study(study)
        return preview.pinned.update.views
    finally:
        preview.close()


def test_that_what_is_in_view_of_another_study_is_not_asked_of_the_one_that_is_previewed(qtbot):
    assert previewed(qtbot, Posterior(), {"densities": (0.0, 0.5)}, Updating(seed=45)) == {}


def test_that_a_study_is_previewed_as_it_is_in_view_and_through_no_window_of_another(qtbot):
    name, window = next(iter(Update(Decision().answer()).windows.items()))
    held = window[0], sum(window) / 2
    views = previewed(qtbot, Decision(), {name: held, "densities": (0.0, 0.5)}, Decision(epsilon=0.5))
    assert views[name] == held
    assert "densities" not in views
