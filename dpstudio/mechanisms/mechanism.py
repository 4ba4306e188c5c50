"""What every mechanism says of itself: what it is called, who proved it, and what it promises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from dpstudio.core.declare import Declared
from dpstudio.core.sources import Source
from dpstudio.text.sentences import safely


@dataclass(frozen=True)
class Mechanism(Declared, ABC):
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

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "name" in cls.__dict__ and "title" not in cls.__dict__:
            cls.title = cls.name[:1].upper() + cls.name[1:]

    @property
    @abstractmethod
    def promise(self) -> str:
        """Its guarantee in one sentence, with its numbers."""


def promised(epsilon: float, delta: float, who: str = "One record more or less") -> str:
    """The sentence of an (ε, δ) guarantee, its numbers rounded up."""
    rest = f" plus {safely(delta)}" if delta else ""
    return f"{who} raises the probability of no set of outcomes above e^{safely(epsilon)} times its former value{rest}."
