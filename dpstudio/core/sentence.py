"""A sentence is a claim: a text with places for values, and the condition under which it is said.

    SENTENCES: Sentences[NoiseAnswer, Drawn] = (
        (sentence("too_small", "σ = {noise_scale:printed|near} is too small: it keeps δ = {kept|up}.", when=exceeds,
                  kept=lambda a: a.value(v.TRUE_DELTA, f.PRINTED)),
         sentence("large_enough", "σ = {noise_scale:printed|near} is safe here.")),
        sentence("without_delta", "Gaussian noise needs δ > 0.", when=lambda a: a.study.delta == 0),
    )

They are said from the first on, each where its condition holds; of those in brackets the first that holds. A place
`{name|way}` is what the sentence declares under that name; else it is a parameter, `{epsilon}`, or a fact,
`{count_error_95}`, `{error_95:laplace}`, `{delay_seen:tree:low}`. `WAYS` of `text.sentences` are the ways to write a
number; without one it is written as a picture has it. `{name.one}` is an attribute of what is declared. Where another
language is spoken, the text is its translation, which has the same places in an order of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from itertools import islice
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar, Union

from dpstudio.core.results import Fact, stated
from dpstudio.text.language import phrase, speaking
from dpstudio.text.sentences import WAYS

A = TypeVar("A")
C = TypeVar("C")
Made = TypeVar("Made")
_PLACE = re.compile(r"\{([^{}|]+)(?:\|([^{}|]+))?\}")


class Spoken(str):
    """A sentence that was said: its key, and what stands in its places, also in those of its parts."""

    __slots__ = ("key", "places")
    key: str
    places: Mapping[str, str]

    def __new__(cls, text: str, key: str = "", places: Mapping[str, str] | None = None) -> Spoken:
        made = super().__new__(cls, text)
        made.key, made.places = key, places or {}
        return made


class Sentence(Generic[A, C]):
    """A text with places, said where its condition holds; where it is `drawn`, of an answer and what has been drawn."""

    def __init__(self, key: str, text: str, when: Callable[..., bool] | None, declared: Mapping[str, Filling],
                 *, drawn: bool = False) -> None:
        self.key, self.text, self.when, self.declared, self.drawn = key, text, when, declared, drawn
        unused = declared.keys() - {name.partition(".")[0] for name, _ in places_of(text)}
        assert not unused, f"{key} has no place for {', '.join(unused)}"
        self._read = {text: self._pieces(text)}

    def _pieces(self, text: str) -> Pieces:
        """What a text has between its places, and what fills them: of the sentence itself, and in other languages."""
        places = tuple((name, _source(name, self.declared), _way(way)) for name, way in places_of(text))
        return tuple(_PLACE.split(text)[::3]), places

    def said(self, *given: Any) -> Spoken | None:
        """The sentence of an answer, or of that and what has been drawn; None where its condition does not hold."""
        if self.when is not None and not self.when(*given):
            return None
        in_language = phrase(self.text)
        if (read := self._read.get(in_language)) is None:
            read = self._read[in_language] = self._pieces(in_language)
        between, sources = read
        text, places = [between[0]], dict[str, str]()
        for (name, source, way), after in zip(sources, between[1:], strict=True):
            found = source(*given)
            if found is not None:
                written = places[name] = way(found)
                if isinstance(found, Spoken):
                    places |= found.places
                text.append(written)
            text.append(after)
        return Spoken("".join(text), self.key, places)


Filling: TypeAlias = Union["Callable[..., object]", "Sentence[Any, Any]", "tuple[Sentence[Any, Any], ...]"]
"""What stands in a place: what is made there, None where nothing is; a part, where it holds; the first that holds."""
Fillings: TypeAlias = "Mapping[str, Filling]"
Pieces: TypeAlias = "tuple[tuple[str, ...], tuple[tuple[str, Callable[..., object], Callable[[Any], str]], ...]]"
"""The texts between places, and of each place its name, what finds its value and what writes it."""
NONE: Mapping[str, Any] = MappingProxyType({})
Sentences: TypeAlias = "tuple[Sentence[A, C] | tuple[Sentence[A, C], ...], ...]"
"""Sentences in the order in which they are said; of a tuple the first that holds."""


def sentence(key: str, text: str, shared: Fillings = NONE, /, *, when: Callable[[A], bool] | None = None,
             **places: Filling) -> Sentence[A, Any]:
    """A sentence of an answer; of the places that it shares with others those count that it has."""
    return Sentence(key, text, when, _needed(text, shared) | places)


def drawn_sentence(key: str, text: str, shared: Fillings = NONE, /, *, when: Callable[[A, C], bool] | None = None,
                   **places: Filling) -> Sentence[A, C]:
    """A sentence of an answer and of what has been drawn so far: not said before anything is."""
    return Sentence(key, text, when, _needed(text, shared) | places, drawn=True)


def part(text: str, /, *, when: Callable[..., bool] | None = None, **places: Filling) -> Sentence[Any, Any]:
    """A part of a sentence, said where its own condition holds; it is asked for as the whole is."""
    return Sentence("", text, when, places)


def sayings(table: Sentences[A, C], subject: A, seen: C | None = None, most: int | None = None) -> Iterator[Spoken]:
    """What is said, sentence by sentence, nothing computed before it is asked for; no more than `most`."""
    said = (first_said(each if isinstance(each, tuple) else (each,), subject, seen) for each in table)
    return islice((found for found in said if found is not None), most)


def first_said(alternatives: Iterable[Sentence[A, C]], subject: A, seen: C | None = None) -> Spoken | None:
    """The first that holds; None where none does. What is drawn waits until something is."""
    said = (one.said(subject, seen) if one.drawn else one.said(subject) for one in alternatives
            if seen is not None or not one.drawn)
    return next((found for found in said if found is not None), None)


def key_of(said: str) -> str:
    """The key of a sentence that was said; empty of other words."""
    return said.key if isinstance(said, Spoken) else ""


def keyed(said: Iterable[str], key: str) -> str:
    """The sentence of that key among some that were said; empty where it is none of them."""
    return next((each for each in said if key_of(each) == key), "")


def places_of(text: str) -> list[tuple[str, str]]:
    """The places of a text: the name of each, and how it is written, empty where as in a picture."""
    return _PLACE.findall(text)


def found_once(make: Callable[[A], Made]) -> Callable[[A], Made]:
    """A function of an answer, which keeps what it found, for each thing that may be decided for and language."""
    @wraps(make)
    def found(answer: A) -> Made:
        kept: dict[object, Any] = answer.kept  # type: ignore[attr-defined]
        place = found, answer.decided, speaking()  # type: ignore[attr-defined]
        return kept[place] if place in kept else kept.setdefault(place, make(answer))  # type: ignore[no-any-return]

    return found


def _needed(text: str, shared: Fillings) -> dict[str, Filling]:
    return {name: place for name, place in shared.items() if re.search(rf"\{{{name}[.|}}]", text)}


def _source(name: str, declared: Mapping[str, Filling]) -> Callable[..., object]:
    """What finds the value of a place."""
    if (place := declared.get(name)) is not None:
        if isinstance(place, Sentence):
            return place.said
        if isinstance(place, tuple):
            return lambda *given: next((found for one in place if (found := one.said(*given)) is not None), None)
        return place
    root, _, attribute = name.partition(".")
    if attribute and root in declared:
        whole, of = _source(root, declared), attrgetter(attribute)
        return lambda *given: of(whole(*given))
    return lambda subject, *seen: _there(subject.filling(name, *seen), name)


def _there(found: object, name: str) -> object:
    assert found is not None, f"{name} has no value at these settings"
    return found


def _way(name: str) -> Callable[[Any], str]:
    """What writes the value of a place."""
    if not name:
        return lambda found: stated(found) if isinstance(found, Fact) else str(found)
    way = WAYS[name]
    return lambda found: way(found.value if isinstance(found, Fact) else found)
