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

from collections.abc import Sequence

from dpstudio.data.columns import Column, shown
from dpstudio.data.condition import tree
from dpstudio.data.condition.operands import Operands, a_kind
from dpstudio.data.condition.reader import COMPARISONS

_AFTER_VALUE = (*COMPARISONS, "+", "-", "*", "/", "between", "in", "is", "not")


def parse(text: str, columns: Sequence[Column]) -> tree.Condition:
    """The condition that a text states about these columns; raises InvalidCondition, which says what is wrong where."""
    return _Parser(text, columns).whole()


class _Parser(Operands):
    """Reads a condition; where a parenthesis may hold a value or a condition, what follows its end decides."""

    def whole(self) -> tree.Condition:
        if self._ended():
            raise self._refusal("it is empty")
        condition = self._condition()
        if not self._ended():
            raise self._refusal(f"{self._seen()} was not expected")
        return condition

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
        if self._now.sort == "sign" and self._now.text in COMPARISONS:
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
            raise self._refusal(f"{shown(operand.column.name)} is {a_kind(operand.kind)}, so a comparison must follow "
                                f"it, not {self._seen()}")
        raise self._refusal(f"a comparison was expected, not {self._seen()}")

    def _negated(self, condition: tree.Condition, negated: bool) -> tree.Condition:
        return tree.Not(condition) if negated else condition
