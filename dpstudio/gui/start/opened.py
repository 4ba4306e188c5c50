"""A door that is open: its study at the values of the session, with what is asked and fixed there."""

from __future__ import annotations

from dataclasses import replace

from dpstudio.core.figure import Figure, Mark
from dpstudio.core.level import Door
from dpstudio.core.study import Study
from dpstudio.documents.session import Session
from dpstudio.vocabulary import Value


class OpenDoor:
    """What somebody typed at one door, until it is taken; the session is left alone."""

    def __init__(self, kind: type[Study]) -> None:
        assert kind.door is not None
        self.kind, self.door = kind, kind.door
        self.typed: dict[str, Value] = {}
        """Values of what is asked, as far as they were given here."""
        self.dragged: set[str] = set()
        """Those of them that were found on the picture, whose axes follow what they show."""

    def give(self, name: str, value: Value, *, on_picture: bool = False) -> None:
        """Take a value of what is asked."""
        self.typed[name] = value
        (self.dragged.add if on_picture else self.dragged.discard)(name)

    def taken(self, session: Session) -> Session:
        """The session with the study in view, and of its values those that are otherwise here.

        Raises InvalidParameter for values that the study refuses together.
        """
        turned = session.turn(self.kind)
        other = {name: value for name, value in {**self.door.fixed, **self.typed}.items()
                 if getattr(turned.study, name) != value}
        found = {name: other.pop(name) for name in self.dragged & other.keys()}
        turned = turned.find(found) if found else turned
        return turned.put(other) if other else turned

    def forget(self) -> None:
        """Begin again with the values of the session."""
        self.typed.clear()
        self.dragged.clear()


def pictured(kind: type[Study], door: Door) -> Figure:
    """The large picture of a study, without what moves a parameter that its door does not ask for."""
    figure, asked = kind.figure(kind.level_one.large), {each.parameter for each in door.asks}
    return replace(figure, layers=tuple(each for each in figure.layers if not (
        isinstance(each, Mark) and each.draggable and each.parameter not in asked)))
