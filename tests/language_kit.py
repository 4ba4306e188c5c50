"""Languages that are made up, in which what was not looked up stands out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from dpstudio.core.resources import resource
from dpstudio.text.language import DECIMAL_SIGN, speak


@contextmanager
def spoken(folder: Path, say: Callable[[str], str]) -> Iterator[None]:
    """Whatever the window says is said like this meanwhile; numbers as in English."""
    catalog = Catalog(locale="de")  # its plurals are the English ones
    for each in read_po(BytesIO(resource("languages/dpstudio.pot").read_bytes())):
        if each.id and each.context != DECIMAL_SIGN:
            said = tuple(map(say, each.id)) if isinstance(each.id, tuple) else say(each.id)
            catalog.add(each.id, said, context=each.context)
    file = folder / "made_up.mo"
    with file.open("wb") as out:
        write_mo(out, catalog)
    speak(file)
    try:
        yield
    finally:
        speak(None)


@contextmanager
def german() -> Iterator[None]:
    """The window speaks German meanwhile."""
    speak(resource("languages/de.mo"))
    try:
        yield
    finally:
        speak(None)
