"""Values of a condition: columns, numbers and texts, and sums of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from dpstudio.data.columns import find, shown, unknown
from dpstudio.data.condition import tree
from dpstudio.data.condition.matching import Mismatch, matched
from dpstudio.data.condition.reader import DEEPEST, Reader
from dpstudio.data.condition.tokens import InvalidCondition, Token

_TRUTHS = ("true", "false")
_LARGEST = 10**37
"""Whole numbers beyond are no integers of the database."""


class Operands(Reader):
    """Reads what stands on either side of a comparison."""

    def _sum(self) -> tree.Operand:
        return self._chain(("+", "-"), lambda: self._chain(("*", "/"), self._value))

    def _chain(self, signs: Sequence[str], part: Callable[[], tree.Operand]) -> tree.Operand:
        left = part()
        terms = 0
        while self._now.sort == "sign" and self._now.text in signs:
            sign = self._next().text
            right = part()
            for operand in (left, right):
                if operand.kind != "number":
                    raise self._refusal(f"{self._words(operand)} is {a_kind(operand.kind)}, and {sign} is for numbers")
            left = tree.Arithmetic(sign, left, right)
            terms += 1
            if terms > DEEPEST:
                raise self._refusal(f"a sum has at most {DEEPEST} terms")
        return left

    def _value(self) -> tree.Operand:
        if self._take("sign", "-"):
            inner = self._deeper(self._value)
            if isinstance(inner, tree.Literal) and isinstance(inner.value, int | float) and inner.kind == "number":
                return tree.Literal(-inner.value)
            if inner.kind != "number":
                raise self._refusal(f"{self._words(inner)} is {a_kind(inner.kind)}, and − is for numbers")
            return tree.Arithmetic("-", tree.Literal(0), inner)
        if self._take("sign", "("):
            inner = self._deeper(self._sum)
            self._expect(")")
            return inner
        if self._now.sort in ("number", "text") or (self._now.sort == "keyword" and self._now.text in _TRUTHS):
            return self._constant()
        if self._now.sort not in ("name", "column"):
            raise self._refusal(f"a column or a value was expected, not {self._seen()}")
        token = self._next()
        if token.sort == "name" and self._take("sign", "("):
            raise self._refusal(f"a condition calls no functions, and {shown(token.text + '(')} at {token.at} would be "
                                "one")
        column = find(token.text, self._columns)
        if column is None:
            quotes = f"; a text stands in single quotes: '{token.text}'" if self._after_comparison() else ""
            raise self._refusal(unknown(token.text, self._columns) + (quotes if len(token.text) <= 30 else ""))
        return tree.Name(column)

    def _constant(self) -> tree.Literal:
        minus = self._take("sign", "-")
        token = self._next()
        if token.sort == "number":
            number = self._number(token)
            return tree.Literal(-number if minus else number)
        if not minus and token.sort == "text":
            return tree.Literal(token.text)
        if not minus and token.sort == "keyword" and token.text in _TRUTHS:
            return tree.Literal(token.text == "true")
        self._at -= 1
        raise self._refusal(f"a value was expected, not {self._seen()}")

    def _number(self, token: Token) -> int | float:
        if token.text.isdecimal() and len(token.text) <= 38 and int(token.text) <= _LARGEST:
            return int(token.text)
        number = float(token.text)
        if math.isinf(number):
            raise self._refusal(f"{shown(token.text)} is too large for a number")
        return number

    def _matched(self, *operands: tree.Operand) -> tuple[tree.Operand, ...]:
        try:
            return matched(operands)
        except Mismatch as mismatch:
            raise InvalidCondition(self._text, str(mismatch)) from None

    def _need_column(self, *operands: tree.Operand) -> None:
        if not any(map(tree.names_column, operands)):
            raise self._refusal("a comparison must name a column")

    def _words(self, operand: tree.Operand) -> str:
        match operand:
            case tree.Name():
                return shown(operand.column.name)
            case tree.Literal():
                return shown(str(operand.value))
        return "a sum"


def a_kind(kind: str) -> str:
    return {"number": "a number", "text": "text", "date": "a date", "time": "a time",
            "other": "of a type that cannot be compared"}.get(kind, kind)
