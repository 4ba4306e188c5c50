"""What every mechanism says of itself: what it is called, and who proved it."""

from __future__ import annotations

from typing import Any, ClassVar

from dpstudio.core.declare import Declared, InvalidParameter
from dpstudio.core.sources import Source
from dpstudio.records import dataclass
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import DELTA, INSIDE_UNIT, PROBABILITY, variant

INSIDE_DELTA, SHARE = variant(DELTA, domain=INSIDE_UNIT), variant(PROBABILITY, domain=INSIDE_UNIT)
"""A δ, and a share of all answers, in (0, 1)."""


@dataclass(frozen=True)
class Mechanism(Declared):
    """Something that is released, described by its declared fields alone.

    `type(m)(**m.values())`, `m.replace(…)` and an unpickled copy are the same mechanism to the last bit, or are refused
    in one sentence. What a double cannot hold (a threshold, a loss, a probability near 1) is a further optional field.
    """

    name: ClassVar[str]
    """What a sentence calls it: “geometric”, “Laplace”."""
    title: ClassVar[str]
    """What a legend calls it: the name with a capital letter, unless the class says otherwise."""
    source: ClassVar[Source]
    needs_delta: ClassVar[bool] = False
    """Whether there is none without a δ."""

    def require_nearest(self, name: str, nearest: float, of: str) -> None:
        """Refuse a parameter that is another double than the nearest to what the others make of it."""
        if (given := getattr(self, name)) != nearest:
            raise InvalidParameter(name, f"{nearest!r}, {of}", given)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "name" in cls.__dict__ and "title" not in cls.__dict__:
            cls.title = begun(cls.name)
