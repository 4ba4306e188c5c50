"""A plan as a script of a library: what it is for, constants, functions, an example."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from dpstudio.documents.code.plan import Function, NamedValue, Release
from dpstudio.records import dataclass

WIDTH = 100
"""Signs of a line of comment."""


@dataclass(frozen=True)
class Script:
    """What a library adds to a plan: how it makes the noise, and how it accounts for it."""

    plan: Release
    """As this library can do it: perhaps what is nearest."""
    imports: tuple[str, ...]
    made: tuple[str, ...]
    """The lines that make what the functions use."""
    account: tuple[str, ...]
    """What `accounted()` says of itself, and its lines; empty where the library has none for it."""
    constants: tuple[NamedValue, ...] = ()
    functions: tuple[Function, ...] | None = None
    """In the place of those of the plan."""
    says: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """What differs, the nearest first."""
        return (*((self.plan.nearest,) if self.plan.nearest else ()), *self.plan.says, *self.says)


def text_of(script: Script, name: str, header: Iterable[str]) -> str:
    """The whole text; `name` is the library's own, and the header is said in comments."""
    plan = script.plan
    constants: list[NamedValue] = [("EPSILON", plan.epsilon, f"{plan.of}, as DP Studio states it"),
                                   ("DELTA", plan.delta, "the same"), *script.constants, *plan.constants]
    lines = [*comments(header), "", *script.imports, "", *map(_constant, constants), "", *script.made, ""]
    for function in script.functions or plan.functions:
        lines += ["", *_function(function), ""]
    account = 'print("DP Studio: epsilon =", EPSILON, "and delta =", DELTA)'
    main = [*plan.example, account]
    if script.account:
        sentence, *body = script.account
        lines += ["", *_function(Function("accounted", "", sentence, tuple(body))), ""]
        main.append(f'print("{name}: epsilon = {{}} and delta = {{}}".format(*accounted()))')
    lines += ["", 'if __name__ == "__main__":', *(f"    {line}" for line in main)]
    return "\n".join(lines) + "\n"


def comments(paragraphs: Iterable[str]) -> Iterator[str]:
    """Paragraphs as comments, each on lines of its own; one that begins with $ is a command, and stays one line."""
    for paragraph in paragraphs:
        if paragraph.startswith("$ "):
            yield f"#   {paragraph}"
        elif not paragraph:
            yield "#"
        else:
            yield from textwrap.wrap(paragraph, WIDTH, initial_indent="# ", subsequent_indent="#   ",
                                     break_long_words=False, break_on_hyphens=False)


def _constant(constant: NamedValue) -> str:
    name, value, comment = constant
    return f"{name} = {value!r}" + (f"  # {comment}" if comment else "")


def _function(function: Function) -> list[str]:
    doc = textwrap.wrap(f'"""{function.sentence}', WIDTH - 4, break_on_hyphens=False)
    quoted = [*doc[:-1], f'{doc[-1]}"""'] if len(doc) == 1 else [*doc, '"""']
    return [f"def {function.name}({function.takes}):", *(f"    {line}" for line in (*quoted, *function.lines))]
