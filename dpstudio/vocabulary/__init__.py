"""Every quantity of the application, declared once, by subject; `v.EPSILON` is found here whatever file declares it.

A `Quantity` labels a control, a flag, an axis, a CSV header and a row of a report: they are the same object, so
they cannot drift apart. The keys are a promise to whoever reads our files: add, never rename.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpstudio.vocabulary.amounts import *
from dpstudio.vocabulary.audit import *
from dpstudio.vocabulary.composition import *
from dpstudio.vocabulary.contributions import *
from dpstudio.vocabulary.decision import *
from dpstudio.vocabulary.files import *
from dpstudio.vocabulary.inference import *
from dpstudio.vocabulary.neighbours import *
from dpstudio.vocabulary.noise import *
from dpstudio.vocabulary.number import *
from dpstudio.vocabulary.plan import *
from dpstudio.vocabulary.policy import *
from dpstudio.vocabulary.privacy import *
from dpstudio.vocabulary.quantity import *
from dpstudio.vocabulary.quantity import Quantity
from dpstudio.vocabulary.response import *
from dpstudio.vocabulary.risk import *
from dpstudio.vocabulary.simulation import *
from dpstudio.vocabulary.table import *
from dpstudio.vocabulary.testing import *
from dpstudio.vocabulary.updating import *
from dpstudio.vocabulary.values import *
from dpstudio.vocabulary.watch import *
from dpstudio.vocabulary.written import *
from dpstudio.vocabulary.written_records import *


def words() -> Sequence[Quantity]:
    """Every quantity of the vocabulary, in order of declaration."""
    return tuple(value for value in globals().values() if isinstance(value, Quantity))
