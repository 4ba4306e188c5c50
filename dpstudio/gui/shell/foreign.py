"""Text that comes from files and from people, made fit for the window: plain, on one line, and never too wide."""

from __future__ import annotations

import re
from html import escape

from dpstudio.text import sentences

LINE, PARAGRAPH = 80, 600
"""Characters of a name in a menu or a title, and of a sentence."""
_WORD = 24
"""Characters after which a word may be broken; our own words are shorter."""
_LONG = re.compile(rf"\S{{{_WORD}}}(?=\S)")
_BREAK = "\u200b"
_OVER = re.compile(r"(?<=\S)/(?=[^\s\d])")
"""A fraction of symbols, after whose line a text may not end either."""
_UNSEEN = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
"""Control characters, ends of lines and what turns the direction of reading."""


def bounded(text: str, most: int) -> str:
    """The text on one line, and its middle left out where it has more than so many characters: both ends tell most."""
    text = _UNSEEN.sub(" ", text[:4 * most] + text[-4 * most:] if len(text) > 8 * most else text)
    if len(text) <= most:
        return text
    head = most * 2 // 3
    return f"{text[:head]}…{text[head + 1 - most:]}"


def breakable(text: str) -> str:
    """The text with places to break inside long words, so that no word makes a window wider."""
    return _LONG.sub(lambda found: found[0] + _BREAK, text)


def together(text: str) -> str:
    """The text with “ε = 0.1”, “95 %”, “2Q/ε²” and “53 : 47” each on one line, whatever is said around them."""
    return _OVER.sub("/\u2060", sentences.together(text))


def sentence(text: str) -> str:
    """A sentence for a label that breaks lines, of bounded length."""
    return breakable(bounded(text, PARAGRAPH))


def tip(text: str) -> str:
    """A tooltip that shows the text as it stands: Qt would take what looks like markup for markup."""
    return f"<qt>{escape(sentence(text))}</qt>" if text else ""


def entry(text: str) -> str:
    """The words of a menu's entry: “&” would mark a key, a tabulator begin the column of shortcuts."""
    return bounded(text, LINE).replace("&", "&&")


def title(text: str) -> str:
    """The name of a document in a window's title, where “[*]” would be the mark of changes."""
    return bounded(text, LINE).replace("[*]", "[*][*]")
