"""JSON without its liberties: no key twice, no NaN, nothing without end; and one sentence for a refusal."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from dpstudio.text.given import HALF, shown

LARGEST, LARGEST_SESSION = 2**20, 16 * 2**20
"""Bytes or characters of a text, unless another bound is given, and of all of a session: what a person notes of one
study fits into the first, and what one notes of eleven into the second."""
DEEPEST = 20
"""Levels of lists and objects inside each other; ours have seven."""


class NotJson(ValueError):
    """Text that is no strict JSON: half a sentence, beginning with “it”."""


def parse(content: bytes | str, most: int = LARGEST) -> Any:
    """What the JSON says, in time and memory proportional to its length; raises NotJson."""
    if len(content) > most:
        raise NotJson("it is far too large")
    try:
        decoded = content if isinstance(content, str) else content.decode("utf-8-sig")
        made = json.loads(decoded, object_pairs_hook=_unique, parse_constant=_no_constant)
    except NotJson:
        raise
    except UnicodeDecodeError:
        raise NotJson("it is no UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise NotJson(f"it is no JSON ({error.msg} at line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise NotJson("it is nested too deeply") from None
    except ValueError:  # Python reads no more than some thousand digits
        raise NotJson("it has a number that is too long") from None
    _check(made)
    return made


def _check(made: object) -> None:
    """Refuse what JSON can state and nobody can use: many levels, and halves of a sign, which no file can hold."""
    level, depth = [made], 0
    while level:
        depth += 1
        inner: list[object] = []
        for each in level:
            if isinstance(each, str) and HALF.search(each):
                raise NotJson(f"it has {shown(each)}, which is no text")
            if isinstance(each, dict):
                inner += each.keys()
                inner += each.values()
            elif isinstance(each, list):
                inner += each
        if depth > DEEPEST + 1:
            raise NotJson("it is nested too deeply")
        level = inner


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise NotJson(f"it has {shown(key)} twice")
            seen.add(key)
    return made


def _no_constant(name: str) -> NoReturn:
    raise NotJson(f"it has {name}, which is no number")
