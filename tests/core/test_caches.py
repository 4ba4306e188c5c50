"""What is remembered has an end: whatever a hand does for days, no cache grows with it."""

from __future__ import annotations

import inspect
import pkgutil
from functools import _lru_cache_wrapper
from importlib import import_module

import dpstudio
from dpstudio.core.attacker import Attacker
from dpstudio.documents.print.fonts import width
from dpstudio.documents.state import untouched
from dpstudio.studies import all_studies

DECLARED = {
    "core.declare": {"_by_name", "_parameters", "_usual"}, "core.facts": {"_entries", "_index", "_of_one"},
    "core.figure": {"_names"}, "core.frontier.curves": {"at_risk"}, "core.quadrature": {"gauss_legendre"},
    "core.resources": {"resource"}, "core.risk_figures": {"_outcome"}, "core.solve.among": {"_named"},
    "core.study": {"_answers", "_drawn", "_foremost"}, "documents.codec": {"keys_of"},
    "documents.help": {"sections", "usual"}, "documents.in_view": {"folded"},
    "documents.print.fonts": {"_covered"}, "documents.setting": {"_bare"},
    "mechanisms.decision.precise": {"_pi", "_root_two_pi"},
    "models.histograms": {"_steps", "enumerated_sensitivity"}, "scene.palette": {"_ink"},
}
"""By module the functions that remember all that they were ever asked, for that is declared: studies, their facts and
figures, files of the program, colours, numbers of digits, points and kinds."""


def test_that_nothing_is_remembered_without_end_but_what_is_asked_of_what_is_declared():
    endless = {}
    for found in pkgutil.walk_packages(dpstudio.__path__, "dpstudio."):
        if found.name.endswith("__main__"):
            continue
        for name, each in vars(import_module(found.name)).items():
            if isinstance(each, _lru_cache_wrapper) and each.cache_info().maxsize is None \
                    and each.__module__ == found.name and inspect.signature(each).parameters:
                endless.setdefault(found.name.removeprefix("dpstudio."), set()).add(name)
    assert endless == DECLARED


def test_that_studies_as_they_come_are_kept_of_few_attackers_and_widths_of_few_texts():
    for i in range(200):
        attacker = Attacker(presence_prior=0.1 + i / 1000)
        assert {untouched(kind, attacker).setting.study.presence_prior for kind in all_studies().values()} == {
            attacker.presence_prior}
    assert untouched.cache_info().currsize <= 64
    for i in range(5000):
        width(f"{i}", 9.0)
    assert width.cache_info().currsize <= 4096
