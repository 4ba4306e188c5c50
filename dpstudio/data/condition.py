"""From a text to a condition, by a grammar of our own; nothing of the text itself reaches the database.

    condition  = all {"or" all}            all = single {"and" single}
    single     = "not" single | "(" condition ")" | yes-or-no column
               | sum ("=" | "!=" | "<" | "<=" | ">" | ">=") sum
               | sum ["not"] "between" sum "and" sum | sum ["not"] "in" "(" value {"," value} ")"
               | sum "is" ["not"] "missing"
    sum        = product {("+" | "-") product}      product = value {("*" | "/") value}
    value      = ["-"] number | 'text' | column | "any column" | true | false | "(" sum ")"

A comparison with a missing value is neither true nor false, and so is its negation: such a row does not qualify.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from dpstudio.data import tree
from dpstudio.data.columns import Column, find, shown, unknown
from dpstudio.data.matching import Mismatch, matched
from dpstudio.data.tokens import InvalidCondition, Token, tokens

T = TypeVar("T")
DEEPEST = 60
"""Parentheses and negations inside each other; nobody reads as many."""
_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
_AFTER_VALUE = (*_COMPARISONS, "+", "-", "*", "/", "between", "in", "is", "not")
_TRUTHS = ("true", "false")
_LARGEST = 10**37
"""Whole numbers beyond are no integers of the database."""


def parse(text: str, columns: Sequence[Column]) -> tree.Condition:
    """The condition that a text states about these columns; raises InvalidCondition, which says what is wrong where."""
    return _Parser(text, columns).whole()


class _Parser:
    """One pass over the tokens, from left to right; where a parenthesis may be either, both readings are tried."""

    def __init__(self, text: str, columns: Sequence[Column]) -> None:
        self._text, self._columns = text, columns
        self._tokens = list(tokens(text))
        self._at = 0
        self._depth = 0

    def whole(self) -> tree.Condition:
        if self._ended():
            raise self._refusal("it is empty")
        condition = self._condition()
        if not self._ended():
            raise self._refusal(f"{self._seen()} was not expected")
        return condition

    # Conditions

    def _condition(self) -> tree.Condition:
        parts = [self._all()]
        while self._take("keyword", "or"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else tree.Any(tuple(parts))

    def _all(self) -> tree.Condition:
        parts = [self._single()]
        while self._take("keyword", "and"):
            parts.append(self._single())
        return parts[0] if len(parts) == 1 else tree.Every(tuple(parts))

    def _single(self) -> tree.Condition:
        if self._take("keyword", "not"):
            return tree.Not(self._deeper(self._single))
        if self._now.sort == "sign" and self._now.text == "(" and self._encloses_condition():
            self._at += 1
            inner = self._deeper(self._condition)
            self._expect(")")
            return inner
        return self._comparison()

    def _encloses_condition(self) -> bool:
        """Whether the parenthesis that opens here holds a condition, not a value: what follows its end decides."""
        depth = 0
        for i in range(self._at, len(self._tokens)):
            token = self._tokens[i]
            if token.sort == "sign" and token.text in "()":
                depth += 1 if token.text == "(" else -1
                if depth == 0:
                    after = self._tokens[i + 1]
                    return after.sort not in ("sign", "keyword") or after.text not in _AFTER_VALUE
        raise self._refusal(f"the parenthesis at {self._now.at} is never closed")

    def _comparison(self) -> tree.Condition:
        left = self._sum()
        if self._now.sort == "sign" and self._now.text in _COMPARISONS:
            sign = self._next().text
            right = self._sum()
            self._need_column(left, right)
            first, second = self._matched(left, right)
            return tree.Compare(sign, first, second)
        if self._take("keyword", "is"):
            negated = self._take("keyword", "not")
            if not (self._take("keyword", "missing") or self._take("keyword", "null")):
                raise self._refusal(f"after “is” stands “missing” or “not missing”, not {self._seen()}")
            self._need_column(left)
            return self._negated(tree.Missing(left), negated)
        negated = self._take("keyword", "not")
        if self._take("keyword", "between"):
            low = self._sum()
            if not self._take("keyword", "and"):
                raise self._refusal(f"between has two ends with “and” between them, not {self._seen()}")
            high = self._sum()
            self._need_column(left, low, high)
            left, low, high = self._matched(left, low, high)
            return self._negated(tree.Between(left, low, high), negated)
        if self._take("keyword", "in"):
            return self._negated(self._among(left), negated)
        if negated:
            raise self._refusal(f"after “not” stands “in” or “between” here, not {self._seen()}")
        return self._by_itself(left)

    def _among(self, operand: tree.Operand) -> tree.Among:
        self._need_column(operand)
        self._expect("(")
        values = [self._constant()]
        while self._take("sign", ","):
            values.append(self._constant())
        self._expect(")")
        first, *rest = self._matched(operand, *values)
        literals = tuple(value for value in rest if isinstance(value, tree.Literal))
        return tree.Among(first, literals)

    def _by_itself(self, operand: tree.Operand) -> tree.Condition:
        if isinstance(operand, tree.Name) and operand.kind == "yes or no":
            return tree.Holds(operand)
        if isinstance(operand, tree.Name):
            raise self._refusal(f"{shown(operand.column.name)} is {_a(operand.kind)}, so a comparison must follow it, "
                                f"not {self._seen()}")
        raise self._refusal(f"a comparison was expected, not {self._seen()}")

    def _negated(self, condition: tree.Condition, negated: bool) -> tree.Condition:
        return tree.Not(condition) if negated else condition

    # Values

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
                    raise self._refusal(f"{self._words(operand)} is {_a(operand.kind)}, and {sign} is for numbers")
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
                raise self._refusal(f"{self._words(inner)} is {_a(inner.kind)}, and − is for numbers")
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

    # Kinds

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

    # Tokens

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
        return before is not None and before.sort == "sign" and before.text in _COMPARISONS

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


def _a(kind: str) -> str:
    return {"number": "a number", "text": "text", "date": "a date", "time": "a time",
            "other": "of a type that cannot be compared"}.get(kind, kind)
