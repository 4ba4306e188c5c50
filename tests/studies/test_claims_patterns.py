"""Every sentence that a study says is true of its answer: recomputed at random settings, form by form."""

from __future__ import annotations

from collections import Counter

import pytest
from claims.patterns import accepted, module_of, settings_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpstudio.core.study import answer
from dpstudio.studies import all_studies

STUDIES = [study for study in all_studies().values() if hasattr(module_of(study), "CLAIMS")]
every_study = pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.key)
LONGEST, LONGEST_HEADLINE = 330, 200
"""Characters of a sentence: two lines of the headline, and five of the column beside the pictures."""


def judged(asked, simulate):
    """The forms of the sentences of an answer; fails where one is unknown, or its claim is false."""
    claims = module_of(type(asked)).CLAIMS
    update = answer(asked, simulate=simulate)
    forms = []
    assert update.verdicts
    assert len(update.verdicts[0]) <= LONGEST_HEADLINE, update.verdicts[0]
    for sentence in update.verdicts:
        assert sentence.endswith("."), sentence
        assert len(sentence) <= LONGEST, sentence
        found = [(claim, said) for claim in claims if (said := claim.matched(asked, update, sentence))]
        assert len(found) == 1, (f"{len(found)} forms", sentence)
        claim, said = found[0]
        assert claim.check(said) is not False, (sentence, asked)
        forms.append(claim.pattern)
    return forms


@every_study
@settings(max_examples=75, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_that_every_sentence_is_of_a_known_form_and_its_claim_holds_when_recomputed(study, data):
    judged(data.draw(settings_of(study)), simulate=False)


@every_study
def test_that_every_form_of_a_sentence_is_said_somewhere_and_true_there(study):
    said = Counter()
    examples = [{}, *(preset.values for preset in study.presets), *module_of(study).EXAMPLES]
    for values in examples:
        said.update(judged(accepted(study, values), simulate=True))
    never = [claim.pattern for claim in module_of(study).CLAIMS if not said[claim.pattern]]
    assert not never
