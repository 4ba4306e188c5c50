"""The signs of a condition one after the other, and the refusal of what was not expected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from dpstudio.data.columns import Column, shown
from dpstudio.data.condition.tokens import InvalidCondition, Token, tokens

T = TypeVar("T")
DEEPEST = 60
"""Parentheses and negations inside each other, and terms of a sum; nobody reads as many."""
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


class Reader:
    """One pass over the signs of a text about columns, from left to right."""

    def __init__(self, text: str, columns: Sequence[Column]) -> None:
        self._text, self._columns = text, columns
        self._tokens = list(tokens(text))
        self._at = 0
        self._depth = 0

    def _ended(self) -> bool:
        return self._now.sort == "end"

    @property
    def _now(self) -> Token:
        return self._tokens[self._at]

    def _next(self) -> Token:
        token = self._now
        self._at += token.sort != "end"
        return token

    def _take(self, sort: str, text: str) -> bool:
        taken = self._now.sort == sort and self._now.text == text
        self._at += taken
        return taken

    def _expect(self, sign: str) -> None:
        if not self._take("sign", sign):
            raise self._refusal(f"“{sign}” was expected, not {self._seen()}")

    def _after_comparison(self) -> bool:
        before = self._tokens[self._at - 2] if self._at >= 2 else None
        return before is not None and before.sort == "sign" and before.text in COMPARISONS

    def _deeper(self, part: Callable[[], T]) -> T:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._refusal(f"it is nested deeper than {DEEPEST} times")
        made = part()
        self._depth -= 1
        return made

    def _seen(self) -> str:
        return "the end" if self._ended() else f"{shown(self._now.text)} at {self._now.at}"

    def _refusal(self, why: str) -> InvalidCondition:
        return InvalidCondition(self._text, why)
