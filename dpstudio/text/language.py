"""The language in which a window speaks: English text is the key, and names in files stay what they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from gettext import GNUTranslations

P = ParamSpec("P")
Step = TypeVar("Step")
ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}
"""What may be chosen, each as it calls itself."""

_spoken: list[GNUTranslations] = []
"""The catalogue of the process: none where English is spoken."""
SENTENCE = "sentence"
"""What a piece of a sentence about results is about: it may need other words than a label of the same text."""
POINT, DECIMAL_SIGN = ".", "decimal sign"
_english: ContextVar[bool] = ContextVar("english", default=False)


def speak(catalogue: Path | None) -> None:
    """Speak the language of a compiled catalogue from now on; English without one."""
    _spoken.clear()
    if catalogue is not None:
        from gettext import GNUTranslations  # whoever speaks English does not wait for it

        with catalogue.open("rb") as compiled:
            _spoken.append(GNUTranslations(compiled))


def tr(text: str, about: str = "", /, **values: object) -> str:
    """A text as it is shown, with values in its places; itself where nobody has translated it.

    `about` tells two meanings of one word apart.
    """
    said = text
    if text and not is_english():
        said = _spoken[0].pgettext(about, text) if about else _spoken[0].gettext(text)
    return said.format(**values) if values else said


def phrase(text: str, /, **values: object) -> str:
    """A piece of a sentence about results as it is said: what stands in a place of it."""
    return tr(text, SENTENCE, **values)


def counted(one: str, many: str, n: int, /, **values: object) -> str:
    """A text about `n` things, which its places know as {n}, in the form that the language has for so many."""
    said = one if n == 1 else many
    if not is_english():
        said = _spoken[0].ngettext(one, many, n)
    return said.format(n=n, **values)


def is_english() -> bool:
    """Whether what is shown now is English."""
    return not _spoken or _english.get()


def speaking() -> object:
    """The language that is spoken now, by which what was said in it is kept: None for English."""
    return None if is_english() else _spoken[0]


def decimal_sign() -> str:
    """What stands between whole numbers and their fraction where numbers are shown."""
    return tr(POINT, DECIMAL_SIGN)


@contextmanager
def in_english() -> Iterator[None]:
    """Whatever is shown meanwhile is English: what is written to a file, which others read."""
    before = _english.set(True)
    try:
        yield
    finally:
        _english.reset(before)


def steps_in_english(make: Callable[P, Iterator[Step]]) -> Callable[P, Iterator[Step]]:
    """A function that makes a file in steps, each of them in English; between them whoever waits speaks as before."""
    @wraps(make)
    def steps(*given: P.args, **named: P.kwargs) -> Iterator[Step]:
        under_way = make(*given, **named)
        while True:
            with in_english():
                try:
                    step = next(under_way)
                except StopIteration:
                    return
            yield step

    return steps
