"""JSON without its liberties: no key twice, no NaN, no nesting without end; and one sentence for a refusal."""

from __future__ import annotations

import json
from typing import Any, NoReturn


class NotJson(ValueError):
    """Text that is no strict JSON: half a sentence, beginning with “it”."""


def parse(content: bytes | str) -> Any:
    """What the JSON says; raises NotJson."""
    try:
        decoded = content if isinstance(content, str) else content.decode("utf-8-sig")
        return json.loads(decoded, object_pairs_hook=_unique, parse_constant=_no_constant)
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


def quoted(given: object) -> str:
    """What a file said, on one line and of bounded length."""
    text = repr(given)
    return text if len(text) <= 60 else text[:57] + "…"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise NotJson(f"it has {quoted(twice)} twice")
    return made


def _no_constant(name: str) -> NoReturn:
    raise NotJson(f"it has {name}, which is no number")
