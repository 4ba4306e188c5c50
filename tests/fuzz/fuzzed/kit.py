"""What every door of the program has in common: what comes in, what may come of it, and how inputs are changed."""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dpstudio.cli.talk import Refused
from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.codec import SessionError

REFUSALS = (InvalidParameter, Refused, SessionError)
LONGEST_REFUSAL = 1_000
"""Signs of a sentence that refuses."""
_SPACES = re.compile("[\u00a0\u2009\u202f]")
"""What may set thousands apart."""
Mutator = Callable[[bytes, random.Random, Sequence[bytes]], bytes]


@dataclass(frozen=True)
class Door:
    """A way in, by which anything may come: `check` raises where what comes of it is not as it has to be."""

    name: str
    what: str
    check: Callable[[bytes], None]
    seeds: Callable[[], Sequence[bytes]]
    mutated: Mutator
    """An input made of another one, further than bytes that are turned over would come."""
    longest: int = 4_096
    """Bytes of an input."""
    seconds: float = 1.0
    """Of the processor, that an input may take."""
    computes: bool = False
    """Whether what is asked may be long work, which is broken off after these seconds and no finding."""
    tokens: Sequence[bytes] = field(default=(), repr=False)

    @cached_property
    def sown(self) -> tuple[bytes, ...]:
        return tuple(each[:self.longest] for each in self.seeds())


class Broken(AssertionError):
    """What came of an input is not as it has to be."""


def need(good: object, why: str) -> None:
    if not good:
        raise Broken(why)


@contextmanager
def refusing(*further: type[Exception]) -> Iterator[None]:
    """Lets refusals pass, each of which must be one printable sentence that is not too long."""
    try:
        yield
    except (*REFUSALS, *further) as error:
        sentence(str(error))


def sentence(said: str) -> None:
    need(said.strip(), "a refusal says nothing")
    need(_SPACES.sub(" ", said).isprintable(), f"a refusal is no printable line: {said[:300]!r}")
    need(len(said) <= LONGEST_REFUSAL, f"a refusal has {len(said)} signs: {said[:300]!r}")
    need("internal error" not in said, said)


def text_of(data: bytes) -> str:
    """The text that a command line makes of bytes: halves of signs for what is no UTF-8."""
    return data.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


# Ways to change an input

SIGNS = ("\0", "\ud800", "\u202e", "\u2066", "\u200b", "\ufeff", "\u00a0", "\u0300", "\U0001f468\u200d\U0001f469", "é",
         "ﬀ", "½", "٣", "−", "'", '"', "`", "\\", "\n", "\r", "\t", "\x1b[31m", "\x85", "\u2028", ";", ",", ":", "=",
         "@",
         "(", ")", "[", "]", "{", "}", "<", ">", "&", "%", "#", "*", "/", "|", "~", "$", "^", "_", "+", "-", ".", "0",
         "9",
         "1e999", "-0", "1e-320", "nan", "inf", "NaN", "9" * 20, "9" * 400, "0" * 400, "1" * 5_000, "a" * 5_000,
         " " * 2_000, "(" * 2_000, "1,000", "1_000", "1 000", "none", "null", "true", "x", "×", "../", "/dev/zero",
         "=cmd()", "<script>", "&amp;", "</svg>", "]]>", "-->", "%s", "{0}", "${x}", "#eval", "*/", "--", "/*")
PIECES = tuple(each.encode("utf-8", "surrogatepass") for each in SIGNS)


def in_pieces(data: bytes, chance: random.Random, tokens: Sequence[bytes] = ()) -> bytes:
    """Pieces taken out, doubled, moved, and strange ones or words of the door put in."""
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5))):
        at = chance.randint(0, len(made))
        upto = min(len(made), at + chance.choice((0, 0, 1, 1, 2, 4, 16, 200)))
        how = chance.randrange(7)
        if how == 0:
            del made[at:upto]
        elif how == 1:
            made[at:at] = made[at:upto] * chance.choice((1, 2, 50))
        elif how == 2:
            there = chance.randint(0, len(made))
            piece = bytes(made[at:upto])
            made[there:there] = piece
        elif how == 3:
            made[at:upto] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 4)))
        else:
            made[at:upto] = chance.choice(tokens if tokens and how < 6 else PIECES)
    return bytes(made)


def in_json(data: bytes, chance: random.Random, tokens: Sequence[bytes] = ()) -> bytes:
    """A value of JSON changed somewhere inside; what is no JSON is changed as pieces."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return in_pieces(data, chance, tokens)
    if chance.random() < 0.1:
        return in_pieces(data, chance, tokens)
    for _ in range(chance.choice((1, 1, 2, 4))):
        document = _changed(document, chance, [text_of(each) for each in tokens])
    try:
        return json.dumps(document, ensure_ascii=chance.random() < 0.7).encode("utf-8", "surrogatepass")
    except (RecursionError, ValueError):
        return data


_ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 0.5, -0.0, 1e308, 1e-320, float("nan"), float("inf"), 10**400, 2**53 + 1, 2**63, [],
    {},
    "", [[]], {"": ""}, [0, 0], [1, 0], [1e308, 1e309], "none", "gone", "\ud800", "\0", "\u202eabc", "x" * 20_000,
    ["a", "a"], {"values": {}})


def _changed(document: Any, chance: random.Random, words: Sequence[str]) -> Any:
    places = [place for place in _places(document) if place]
    if not places or chance.random() < 0.02:
        return _value(document, chance, words)
    *way, last = chance.choice(places)
    at = document
    for key in way:
        at = at[key]
    how = chance.randrange(8)
    if how == 0:
        del at[last]
    elif how == 1 and isinstance(at, list):
        at[last:last] = [at[last]] * chance.choice((1, 1, 2, 30))
    elif how == 2 and isinstance(at, dict):
        at[chance.choice((*at, *words, "", "gone"))] = _value(at[last], chance, words)
    elif how == 3:
        other = chance.choice(places)
        there = document
        for key in other:
            there = there[key]
        if len(json.dumps(there, skipkeys=True)) < 20_000:
            at[last] = json.loads(json.dumps(there))
    else:
        at[last] = _value(at[last], chance, words)
    return document


def _places(document: Any, start: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if len(start) > 40:
        return
    yield start
    keys = document if isinstance(document, dict) else range(len(document)) if isinstance(document, list) else ()
    for key in list(keys):
        yield from _places(document[key], (*start, key))


def _value(before: Any, chance: random.Random, words: Sequence[str]) -> Any:
    how = chance.randrange(4)
    if how == 0 and isinstance(before, str):
        return text_of(in_pieces(before.encode("utf-8", "surrogatepass"), chance)[:30_000])
    if how == 0 and isinstance(before, int | float) and not isinstance(before, bool) and abs(before) < 1e300:
        return chance.choice((before + 1, -before, before * 2, before / 2, before * 1e9, float(before), int(before)))
    if how == 1 and words:
        return chance.choice(words)
    if how == 2:
        return chance.choice(SIGNS)
    return json.loads(json.dumps(chance.choice(_ODD)))


def printable(text: str) -> bool:
    """Whether no sign of a text is a control or turns a line round."""
    return all(unicodedata.category(sign) not in ("Cc", "Cs")
               and sign not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067"
               "\u2068\u2069" for sign in text)
