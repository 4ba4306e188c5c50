"""A session inside another file: where each kind of file keeps words about itself, and how it gets in and out.

Files come from anywhere. Each is read by a reader that knows its format and stops at a bound, in time and memory
proportional to the file; whatever it does not like, the file carries no session.
"""

from __future__ import annotations

import html
import io
import logging
import re
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from dpstudio.documents.strict_json import LARGEST, LARGEST_SESSION
from dpstudio.records import dataclass

if TYPE_CHECKING:
    from pypdf import PdfReader

KEYWORD = b"DP Studio session"
SESSION = "session"
"""The key, or the word before the colon, under which numbers keep the session that they were computed in."""
ID, ATTACHMENT = "dpstudio-session", "session.json"
"""Of the element of an SVG or of a page, and of the file in a PDF, that hold it."""
SHOWN = 'data-of="picture"'
"""Says of that element of a page that it holds what a picture shows, and not all of a session."""
MOST_CHUNKS = 20_000
"""Chunks of a PNG; ours have one for 64 kB of pixels."""
MOST_LINES = 1_000
"""Lines before the numbers of a CSV; ours have some dozens."""
MOST_ELEMENTS, DEEPEST = 200_000, 100
"""Elements and levels of an SVG; the largest of ours have some thousands, and six levels."""
MOST_ENTRIES, MOST_ATTACHED = 10_000, 20
"""Entries of a list of a PDF, and files attached; ours have some hundreds, and one."""
LARGEST_FILE, LARGEST_DRAWING, LARGEST_PDF = 2**25, 2**22, 2**23
"""Bytes of any file, of an SVG, and of a PDF: the first is walked through, the others are read. Ours are smaller."""
_PNG, _TAIL = b"\x89PNG\r\n\x1a\n", 1024
"""The first bytes of a PNG, and how many at its end a PDF must end in."""
_SCRIPT = f'<script type="application/json" id="{ID}"'.encode()
_REST: Mapping[bytes, bool] = {b">": True, f" {SHOWN}>".encode(): False}
"""How it goes on, and whether what follows is all of a session."""
_HTML = re.compile(rb"\s{0,100}<(?:!doctype html|html)[\s>]", re.IGNORECASE)
_LINE = f"# {SESSION}: ".encode()
_LISTED = re.compile(rf"\n{SESSION}: ([ -~]{{1,{LARGEST}}})\n".encode())


class Carried(NamedTuple):
    """The text of a session that a file carries."""

    content: bytes
    whole: bool = False
    """Whether it is all of a session, as a report carries; else what a picture or numbers show."""


@dataclass(frozen=True, slots=True)
class Carrier:
    """A kind of file that may carry a session."""

    found: Callable[[bytes], Carried | bytes | None]
    """The text of the session in one, or None where there is none."""
    called: str = "picture"
    most: int = LARGEST_FILE
    """Bytes that it may have."""
    endless: bool = False
    """Whether it may be of any length: what ours say of themselves stands at their beginning, or they are none."""


def carrier_of(data: bytes) -> Carrier | None:
    """What a file is that may carry a session, by its first bytes."""
    for begins, carrier in _CARRIERS.items():
        if data.startswith(begins):
            return carrier
    start = data[:2048].removeprefix(b"\xef\xbb\xbf")
    if _HTML.match(start):
        return _PAGE
    return _DRAWING if b"<svg" in start and start.lstrip().startswith(b"<") else None


def extract(data: bytes) -> Carried | None:
    """The session's text in a file, or None where there is none."""
    carrier = carrier_of(data)
    found = None if carrier is None else carrier.found(data)
    return Carried(found) if isinstance(found, bytes) else found


def into_png(data: bytes, session: str) -> bytes:
    """The PNG with an international text chunk before its end."""
    body = KEYWORD + b"\0\0\0\0\0" + session.encode()  # not compressed, no language, no translation
    chunk = struct.pack(">I", len(body)) + b"iTXt" + body + struct.pack(">I", zlib.crc32(b"iTXt" + body))
    end = data.rindex(b"IEND") - 4
    return data[:end] + chunk + data[end:]


def into_svg(data: bytes, session: str) -> bytes:
    """The SVG with a metadata element before its end."""
    element = f'<metadata id="{ID}">{html.escape(session, quote=False)}</metadata>\n'
    end = data.rindex(b"</svg>")
    return data[:end] + element.encode() + data[end:]


def _from_png(data: bytes) -> bytes | None:
    """The text of our chunk, walking from chunk to chunk."""
    at, begins = len(_PNG), b"iTXt" + KEYWORD + b"\0\0\0"
    for _ in range(MOST_CHUNKS):
        if at + 12 > len(data):
            return None
        (length,) = struct.unpack_from(">I", data, at)
        if data.startswith(begins, at + 4):
            body = data[at + 4 + len(begins) : at + 8 + length] if length <= LARGEST + len(begins) else b""
            words = body.split(b"\0", 2)  # the language, the keyword in that language, the text
            return words[2] if len(words) == 3 else None
        at += 12 + length
    return None


def _from_html(data: bytes) -> Carried | None:
    """What stands in the first element of ours; no “<” is in it, for JSON can state it by its number."""
    at = data.find(_SCRIPT)
    if at < 0:
        return None
    at += len(_SCRIPT)
    rest = next((each for each in _REST if data.startswith(each, at)), None)
    if rest is None:
        return None
    at += len(rest)
    end = data.find(b"<", at, at + LARGEST_SESSION + 1)
    return Carried(data[at:end], _REST[rest]) if end >= 0 and data.startswith(b"</script>", end) else None


def _from_csv(data: bytes) -> bytes | None:
    """The line of the session among those before the numbers."""
    at = 0
    for _ in range(MOST_LINES):
        end = data.find(b"\n", at, at + len(_LINE) + LARGEST + 2)
        if end < 0 or not data.startswith(b"#", at):
            return None
        if data.startswith(_LINE, at):
            return data[at + len(_LINE):end].rstrip(b"\r")
        at = end + 1
    return None


def _from_parquet(data: bytes) -> bytes | None:
    """The line of the session in what is said of the file at its end."""
    found = _LISTED.search(data[-2 * LARGEST:])
    return found[1] if found else None


class _Enough(Exception):
    """The session is whole, or the file is none of ours."""


class _Reader:
    """Collects the text of our element, and counts all else."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.found = False
        self._elements = self._depth = self._length = self._within = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        self._depth += 1
        if self._elements > MOST_ELEMENTS or self._depth > DEEPEST or self._within:
            raise _Enough
        if tag.rpartition("}")[2] == "metadata" and attributes.get("id") == ID:
            self._within = self._depth

    def data(self, words: str) -> None:
        if self._within:
            self._length += len(words)
            if self._length > LARGEST:
                raise _Enough
            self.words.append(words)

    def end(self, _: str) -> None:
        if self._within == self._depth:
            self.found = True
            raise _Enough
        self._depth -= 1


def _from_svg(data: bytes) -> bytes | None:
    """The text of our element, by an XML reader that knows no entities but XML's own; None where the file is no
    well-formed XML up to it."""
    from defusedxml.ElementTree import XMLParser  # rarely needed

    target = _Reader()
    try:
        # In one piece: given a file in pieces, expat before 2.6 reads an unfinished word anew with each.
        XMLParser(target=target).feed(data)
    except _Enough:
        return "".join(target.words).encode("utf-8", "replace") if target.found else None
    except (SyntaxError, ValueError, LookupError):  # what is no XML, entities, an encoding that is not known
        return None
    return None


def _from_pdf(data: bytes) -> Carried | None:
    """The keywords of a picture, the attachment of a report, by a library that is held to bounds; None where the file
    is not what it should be."""
    if b"%%EOF" not in data[-_TAIL:] or b"startxref" not in data[-_TAIL:]:
        return None  # else the library would look for the end in all of it
    import pypdf  # rarely needed
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        with pypdf.apply_configuration(
                zlib_maximum_output_length=LARGEST, lzw_maximum_output_length=LARGEST,
                run_length_maximum_output_length=LARGEST, maximum_declared_stream_length=LARGEST,
                array_maximum_element_count=MOST_ENTRIES):
            reader = pypdf.PdfReader(io.BytesIO(data), strict=True)
            if (content := _attached(reader)) is not None:
                return Carried(content, whole=True)
            about = reader.metadata
            words = about.get("/Keywords") if about is not None else None
    except (PyPdfError, ValueError, TypeError, LookupError, AttributeError, RecursionError, OSError, ArithmeticError,
            AssertionError, NotImplementedError):  # it trusts a damaged file in many places
        return None
    return Carried(words.encode("utf-8", "replace")) if isinstance(words, str) and len(words) <= LARGEST else None


def _attached(reader: PdfReader) -> bytes | None:
    """The file of our name that is attached, where it is among the first; the library's own search has no bound."""
    import pypdf

    tree = reader.root_object
    for key in ("/Names", "/EmbeddedFiles"):
        if key not in tree:
            return None
        tree = tree[key]  # type: ignore[assignment]
    kids = tree["/Kids"][:MOST_ATTACHED] if "/Kids" in tree else []  # type: ignore[index]
    for leaf in (tree, *kids):
        branch = leaf.get_object()
        names = branch["/Names"][:2 * MOST_ATTACHED] if "/Names" in branch else []
        for name, file in zip(names[::2], names[1::2], strict=False):
            if name.get_object() == ATTACHMENT:
                # Of all that is packed in the file, this alone may be as large as a session.
                with pypdf.apply_configuration(zlib_maximum_output_length=LARGEST_SESSION,
                                               maximum_declared_stream_length=LARGEST_SESSION):
                    content = file.get_object()["/EF"]["/F"].get_data()
                return content if isinstance(content, bytes) and len(content) <= LARGEST_SESSION else None
    return None

_PAGE, _DRAWING = Carrier(_from_html, "page"), Carrier(_from_svg, most=LARGEST_DRAWING)
_CARRIERS = {_PNG: Carrier(_from_png), b"%PDF-": Carrier(_from_pdf, most=LARGEST_PDF),
             b"# DP Studio ": Carrier(_from_csv, "table", endless=True),
             b"PAR1": Carrier(_from_parquet, "table", endless=True)}
"""By their first bytes."""
