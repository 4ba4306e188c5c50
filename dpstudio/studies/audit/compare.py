"""The mechanism that is audited, cut into cells, with what its exact law says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from dpstudio.models.auditing.cells import Cells
from dpstudio.models.auditing.certificate import Needed, draws_needed, is_false
from dpstudio.models.auditing.looks import look_error
from dpstudio.models.auditing.processing import Processing, processing
from dpstudio.studies.audit.mechanisms import MECHANISMS, Claim, Entry
from dpstudio.text.numbers import short

if TYPE_CHECKING:
    from dpstudio.studies.audit import Audit as Study


@dataclass(frozen=True, eq=False)
class Audited:
    """What is drawn from, after post-processing and before it, and the claim."""

    entry: Entry
    cells: Cells
    raw: Cells
    claim: Claim
    last_error: float
    """The probability with which the last look may fail."""

    @cached_property
    def epsilon(self) -> float:
        """ε of the pair beside the claimed δ, exactly."""
        return self.cells.exactly.epsilon(self.claim[1])

    @cached_property
    def raw_epsilon(self) -> float:
        """The same without post-processing; no event of processed outcomes shows more than one of raw ones."""
        return max(self.raw.exactly.epsilon(self.claim[1]), self.epsilon)

    @cached_property
    def delta(self) -> float:
        """δ that the pair needs at the claimed ε."""
        return self.cells.exactly.delta(self.claim[0])

    @cached_property
    def false(self) -> bool:
        """Whether this pair breaks the claim."""
        return is_false(self.cells, self.claim)

    @cached_property
    def needed(self) -> Needed:
        """Draws on each dataset that a certificate takes."""
        return draws_needed(self.cells, self.claim, self.last_error)

    @cached_property
    def alike(self) -> bool:
        """Whether every outcome is as likely on one dataset as on the other."""
        return self.cells.exactly.log_delta(0.0) == -math.inf

    def words(self, event: int) -> str:
        """The event as a sentence says it: “a noisy count of at least 1”, “the answer “yes””."""
        low, high = self.cells.stretch(event)
        if self.cells.number == 2 and self.cells.lattice == 1:
            return "the answer “yes”" if math.isinf(high) else "the answer “no”"
        if math.isinf(high):
            return f"{self.entry.outcome} of at least {short(low)}"
        if math.isinf(low):
            return f"{self.entry.outcome} below {short(high)}"
        return f"{self.entry.outcome} from {short(low)} to below {short(high)}"


def audited(study: Study) -> Audited:
    entry = MECHANISMS[study.mechanism]
    subject, claim = entry.build(study)
    process = processing(study.processing, study.processing_at)
    error = look_error(1, study.trials, study.trials, 1 - study.confidence)
    return Audited(entry, Cells(subject, process), Cells(subject, Processing()), claim, error)
