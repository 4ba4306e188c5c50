"""From a text to a condition, by a grammar of our own; nothing of the text itself reaches the database.

    condition  = all {"or" all}            all = single {"and" single}
    single     = "not" single | "(" condition ")" | yes-or-no column
               | sum ("=" | "!=" | "<" | "<=" | ">" | ">=") sum
               | sum ["not"] "between" sum "and" sum | sum ["not"] "in" "(" constant {"," constant} ")"
               | sum "is" ["not"] "missing"
    sum        = product {("+" | "-") product}      product = value {("*" | "/") value}
    value      = constant | column | "any column" | "-" value | "(" sum ")"
    constant   = ["-"] number | 'text' | true | false

A comparison with a missing value is neither true nor false, and so is its negation: such a row does not qualify.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias, TypeVar

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.columns import KEYWORDS, FileColumn, find, shown, unknown
from dpstudio.data.condition import tree
from dpstudio.records import dataclass
from dpstudio.text.given import HALF

LONGEST = 10_000
DEEPEST = 60
"""Parentheses and negations inside each other, and terms of a sum; nobody reads as many."""
_LARGEST = 10**37
"""Whole numbers beyond are no integers of the database."""
_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
_AFTER_VALUE = (*_COMPARISONS, "+", "-", "*", "/", "between", "in", "is", "not")
_TRUTHS = ("true", "false")

_Sort: TypeAlias = Literal["number", "text", "column", "name", "sign", "end"]
_OTHER_SIGNS = {"≤": "<=", "≥": ">=", "≠": "!=", "<>": "!=", "==": "=", "×": "*", "−": "-"}
_TOKEN = re.compile(r"""
      (?P<number> (?:\d+(?:\.\d*)?|\.\d+) (?:[eE][+-]?\d+)? )
    | '(?P<text> (?:[^']|'')* )'
    | "(?P<column> (?:[^"]|"")+ )"
    | `(?P<ticked> [^`]+ )`
    | (?P<name> [^\W\d]\w* )
    | (?P<refused> -- | /\* | \*/ | ; )
    | (?P<sign> <= | >= | <> | != | == | [-=<>≤≥≠+*/×−(),] )
    """, re.VERBOSE)
_T = TypeVar("_T")


class InvalidCondition(InvalidParameter):
    """A text that is no condition on these columns, and why not."""

    def __init__(self, given: str, why: str, name: str = "where") -> None:
        super().__init__(name, "a condition on the columns", given, why)


def parse(text: str, columns: Sequence[FileColumn]) -> tree.Condition:
    """The condition that a text states about these columns; raises InvalidCondition, which says what is wrong where."""
    return _Parser(text, columns).whole()


@dataclass(frozen=True, slots=True)
class _Token:
    """A word or sign (keywords are signs), and the place in the text where it begins, counted from 1."""

    sort: _Sort
    text: str
    at: int


def _tokens(text: str) -> Iterator[_Token]:
    """The tokens of a condition in order, and an end; whatever is none is refused where it stands."""
    if len(text) > LONGEST:
        raise InvalidCondition(text, f"it has more than {LONGEST} characters")
    if half := HALF.search(text):
        raise InvalidCondition(text, f"{shown(half[0])} at {half.start() + 1} is no text")
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found = _TOKEN.match(text, at)
        if found is None:
            raise InvalidCondition(text, f"the quote at {at + 1} is never closed" if text[at] in "'\"`" else
                                   f"{shown(text[at])} at {at + 1} has no meaning in a condition")
        if found["number"] and text[found.end():found.end() + 1].isidentifier():
            raise InvalidCondition(text, f"{shown(text[at:found.end() + 1])} at {at + 1} is no number")
        if sign := found["refused"]:
            why = "is one condition, and ';' has no meaning in it" if sign == ";" else "has no comments"
            raise InvalidCondition(text, f"a condition {why}, at {at + 1}")
        yield _token(found, at + 1)
        at = found.end()
    yield _Token("end", "", len(text) + 1)


def _token(found: re.Match[str], at: int) -> _Token:
    group = found.lastgroup or ""
    said = found[group]
    match group:
        case "number":
            return _Token("number", said, at)
        case "text":
            return _Token("text", said.replace("''", "'"), at)
        case "column":
            return _Token("column", said.replace('""', '"'), at)
        case "ticked":
            return _Token("column", said, at)
        case "name" if said.lower() not in KEYWORDS:
            return _Token("name", said, at)
    return _Token("sign", _OTHER_SIGNS.get(said, said.lower()), at)


class _Parser:
    """One pass over the tokens from left to right; a method for each line of the grammar."""

    def __init__(self, text: str, columns: Sequence[FileColumn]) -> None:
        self._text, self._columns = text, columns
        self._tokens = list(_tokens(text))
        self._at = self._depth = 0

    def whole(self) -> tree.Condition:
        if self._ended():
            raise self._refusal("it is empty")
        condition = self._condition()
        if not self._ended():
            raise self._refusal(f"{self._seen} was not expected")
        return condition

    def _condition(self) -> tree.Condition:
        parts = self._listed(self._all, "or")
        return parts[0] if len(parts) == 1 else tree.Any(parts)

    def _all(self) -> tree.Condition:
        parts = self._listed(self._single, "and")
        return parts[0] if len(parts) == 1 else tree.Every(parts)

    def _single(self) -> tree.Condition:
        if self._take("not"):
            return tree.Not(self._deeper(self._single))
        if self._is("(") and self._encloses_condition():
            self._at += 1
            inner = self._deeper(self._condition)
            self._expect(")")
            return inner
        left = self._sum()
        if self._is(*_COMPARISONS):
            return self._comparison(left)
        if self._take("is"):
            return self._missing(left)
        negated = self._take("not")
        if self._take("between"):
            condition = self._between(left)
        elif self._take("in"):
            condition = self._among(left)
        elif negated:
            raise self._refusal(f"after “not” stands “in” or “between” here, not {self._seen}")
        else:
            return self._by_itself(left)
        return tree.Not(condition) if negated else condition

    def _encloses_condition(self) -> bool:
        """Whether the parenthesis that opens here holds a condition, not a value: what follows its end decides."""
        depth = 0
        for i in range(self._at, len(self._tokens)):
            if self._is("(", ")", at=i):
                depth += 1 if self._tokens[i].text == "(" else -1
                if depth == 0:
                    return not self._is(*_AFTER_VALUE, at=i + 1)
        raise self._refusal(f"the parenthesis at {self._now.at} is never closed")

    def _comparison(self, left: tree.Operand) -> tree.Condition:
        sign = self._next().text
        return tree.Compare(sign, *self._alike(left, self._sum()))

    def _missing(self, operand: tree.Operand) -> tree.Condition:
        negated = self._take("not")
        if not (self._take("missing") or self._take("null")):
            raise self._refusal(f"after “is” stands “missing” or “not missing”, not {self._seen}")
        self._need_column(operand)
        return tree.Not(tree.Missing(operand)) if negated else tree.Missing(operand)

    def _between(self, operand: tree.Operand) -> tree.Condition:
        low = self._sum()
        if not self._take("and"):
            raise self._refusal(f"between has two ends with “and” between them, not {self._seen}")
        return tree.Between(*self._alike(operand, low, self._sum()))

    def _among(self, operand: tree.Operand) -> tree.Condition:
        self._need_column(operand)
        self._expect("(")
        values = self._listed(self._constant, ",")
        self._expect(")")
        first, *rest = self._alike(operand, *values)
        return tree.Among(first, tuple(value for value in rest if isinstance(value, tree.Literal)))

    def _by_itself(self, operand: tree.Operand) -> tree.Condition:
        if not isinstance(operand, tree.Name):
            raise self._refusal(f"a comparison was expected, not {self._seen}")
        if operand.kind == "yes or no":
            return tree.Holds(operand)
        raise self._refusal(f"{tree.named(operand)} is {tree.a_kind(operand)}, so a comparison must follow it, not "
                            f"{self._seen}")

    def _sum(self) -> tree.Operand:
        return self._chain(("+", "-"), lambda: self._chain(("*", "/"), self._value))

    def _chain(self, signs: Sequence[str], part: Callable[[], tree.Operand]) -> tree.Operand:
        left, terms = part(), 0
        while self._is(*signs):
            sign, right = self._next().text, part()
            self._need_number(left, sign)
            self._need_number(right, sign)
            left = tree.Arithmetic(sign, left, right)
            terms += 1
            if terms > DEEPEST:
                raise self._refusal(f"a sum has at most {DEEPEST} terms")
        return left

    def _value(self) -> tree.Operand:
        if self._take("-"):
            inner = self._deeper(self._value)
            self._need_number(inner, "−")
            if isinstance(inner, tree.Literal) and isinstance(inner.value, int | float):
                return tree.Literal(-inner.value)
            return tree.Arithmetic("-", tree.Literal(0), inner)
        if self._take("("):
            inner = self._deeper(self._sum)
            self._expect(")")
            return inner
        if self._now.sort in ("number", "text") or self._is(*_TRUTHS):
            return self._constant()
        if self._now.sort not in ("name", "column"):
            raise self._refusal(f"a column or a value was expected, not {self._seen}")
        return self._column()

    def _column(self) -> tree.Operand:
        compared = self._at > 0 and self._is(*_COMPARISONS, at=self._at - 1)
        token = self._next()
        if token.sort == "name" and self._is("("):
            raise self._refusal(f"a condition calls no functions, and {shown(token.text + '(')} at {token.at} would be "
                                "one")
        column = find(token.text, self._columns)
        if column is None:
            quotable = compared and len(token.text) <= 30 and token.text.isprintable()
            quotes = f"; a text stands in single quotes: '{token.text}'" if quotable else ""
            raise self._refusal(unknown(token.text, self._columns) + quotes)
        return tree.Name(column)

    def _constant(self) -> tree.Literal:
        minus = self._take("-")
        if self._now.sort == "number":
            number = self._number(self._next().text)
            return tree.Literal(-number if minus else number)
        if minus or not (self._now.sort == "text" or self._is(*_TRUTHS)):
            raise self._refusal(f"a value was expected, not {self._seen}")
        token = self._next()
        return tree.Literal(token.text if token.sort == "text" else token.text == "true")

    def _number(self, text: str) -> int | float:
        if text.isdecimal() and len(text) <= 38 and int(text) <= _LARGEST:
            return int(text)
        number = float(text)
        if math.isinf(number):
            raise self._refusal(f"{shown(text)} is too large for a number")
        return number

    def _alike(self, *operands: tree.Operand) -> tuple[tree.Operand, ...]:
        """The operands of a comparison, as values of one kind."""
        self._need_column(*operands)
        try:
            return tree.alike(operands)
        except tree.Mismatch as mismatch:
            raise self._refusal(str(mismatch)) from None

    def _need_column(self, *operands: tree.Operand) -> None:
        if not any(map(tree.names_column, operands)):
            raise self._refusal("a comparison must name a column")

    def _need_number(self, operand: tree.Operand, sign: str) -> None:
        if operand.kind != "number":
            raise self._refusal(f"{tree.named(operand)} is {tree.a_kind(operand)}, and {sign} is for numbers")

    def _listed(self, part: Callable[[], _T], between: str) -> tuple[_T, ...]:
        parts = [part()]
        while self._take(between):
            parts.append(part())
        return tuple(parts)

    def _deeper(self, part: Callable[[], _T]) -> _T:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._refusal(f"it is nested deeper than {DEEPEST} times")
        made = part()
        self._depth -= 1
        return made

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _next(self) -> _Token:
        token = self._now
        self._at += token.sort != "end"
        return token

    def _is(self, *signs: str, at: int | None = None) -> bool:
        """Whether one of these signs or keywords stands here, or at another place among the tokens."""
        token = self._tokens[self._at if at is None else at]
        return token.sort == "sign" and token.text in signs

    def _take(self, sign: str) -> bool:
        """Step over a sign or keyword if it is the next one; whether it was."""
        taken = self._is(sign)
        self._at += taken
        return taken

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise self._refusal(f"“{sign}” was expected, not {self._seen}")

    def _ended(self) -> bool:
        return self._now.sort == "end"

    @property
    def _seen(self) -> str:
        return "the end" if self._ended() else f"{shown(self._now.text)} at {self._now.at}"

    def _refusal(self, why: str) -> InvalidCondition:
        return InvalidCondition(self._text, why)
