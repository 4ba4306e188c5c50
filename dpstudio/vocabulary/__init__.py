"""Every quantity of the application, declared once, by subject; `v.EPSILON` is found here whatever file declares it.

A `Quantity` labels a control, a flag, an axis, a CSV header and a row of a report: they are the same object, so
they cannot drift apart. The keys are a promise to whoever reads our files: add, never rename.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpstudio.vocabulary.amounts import *  # noqa: F403
from dpstudio.vocabulary.audit import *  # noqa: F403
from dpstudio.vocabulary.composition import *  # noqa: F403
from dpstudio.vocabulary.decision import *  # noqa: F403
from dpstudio.vocabulary.files import *  # noqa: F403
from dpstudio.vocabulary.inference import *  # noqa: F403
from dpstudio.vocabulary.neighbours import *  # noqa: F403
from dpstudio.vocabulary.noise import *  # noqa: F403
from dpstudio.vocabulary.policy import *  # noqa: F403
from dpstudio.vocabulary.privacy import *  # noqa: F403
from dpstudio.vocabulary.quantity import *  # noqa: F403
from dpstudio.vocabulary.quantity import Quantity
from dpstudio.vocabulary.response import *  # noqa: F403
from dpstudio.vocabulary.simulation import *  # noqa: F403
from dpstudio.vocabulary.updating import *  # noqa: F403


def words() -> Sequence[Quantity]:
    """Every quantity of the vocabulary, in order of declaration."""
    return tuple(value for value in globals().values() if isinstance(value, Quantity))
