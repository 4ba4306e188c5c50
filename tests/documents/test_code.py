"""A setting handed over as text is that setting."""

from __future__ import annotations

import shlex

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from settings_kit import accepted, inside

from dpstudio.cli.request import requested
from dpstudio.documents.code.command import command_line
from dpstudio.studies import all_studies

WAITING = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)


@st.composite
def asked(draw, keys=None):
    """A study and the values that were set."""
    kind = all_studies()[draw(st.sampled_from(sorted(keys or all_studies())))]
    of = {each.name: each for each in kind.parameters()}
    values = {name: draw(inside(of[name])) for name in sorted(draw(st.sets(st.sampled_from(sorted(of)), max_size=4)))}
    study = accepted(kind, values)
    return study, {name: getattr(study, name) for name in values}


@WAITING
@given(asked())
def test_that_the_command_gives_the_same_values_and_no_others(one):
    study, explicit = one
    words = shlex.split(command_line(study, explicit, "render", "--figure", "a b"))
    assert words[:3] + words[-2:] == ["dpstudio", "render", study.key, "--figure", "a b"]
    found, now, _, _ = requested(words[2], words[4:-2:2], None)
    assert (found, now) == (study, explicit)
