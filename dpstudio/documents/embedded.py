"""A session inside another file: where each kind of file keeps words about itself, and how it gets in and out.

Files come from anywhere. Each is read by a reader that knows its format and stops at a bound, in time and memory
proportional to the file; whatever it does not like, the file carries no session.
"""

from __future__ import annotations

import html
import re
import struct
import zlib
from typing import Literal, NamedTuple, TypeAlias

from dpstudio.documents import from_pdf, from_svg
from dpstudio.documents.strict_json import LARGEST, LARGEST_SESSION

KEYWORD = b"DP Studio session"
SESSION = "session"
"""The key, or the word before the colon, under which numbers keep the session that they were computed in."""
MOST_CHUNKS = 20_000
"""Chunks of a PNG; ours have one for 64 kB of pixels."""
MOST_LINES = 1_000
"""Lines before the numbers of a CSV; ours have some dozens."""
LARGEST_FILE, LARGEST_DRAWING, LARGEST_PDF = 2**25, 2**22, 2**23
"""Bytes of any file, of an SVG, and of a PDF: the first is walked through, the others are read. Ours are smaller."""
_PNG, _PDF, _CSV, _PARQUET = b"\x89PNG\r\n\x1a\n", b"%PDF-", b"# DP Studio ", b"PAR1"
_SCRIPT = b'<script type="application/json" id="dpstudio-session">'
_HTML = re.compile(rb"\s{0,100}<(?:!doctype html|html)[\s>]", re.IGNORECASE)
_LINE = f"# {SESSION}: ".encode()
_LISTED = re.compile(rf"\n{SESSION}: ([ -~]{{1,{LARGEST}}})\n".encode())

TABLES = ("csv", "parquet")
"""Kinds that may be of any length: what ours say of themselves stands at their beginning, or they are none."""
Kind: TypeAlias = Literal["png", "pdf", "svg", "html", "csv", "parquet"]


class Carried(NamedTuple):
    """The text of a session that a file carries."""

    content: bytes
    whole: bool = False
    """Whether it is all of a session, as a report carries; else what a picture or numbers show."""


def kind_of(data: bytes) -> Kind | None:
    """What a file is that may carry a session, by its first bytes."""
    if data.startswith(_PNG):
        return "png"
    if data.startswith(_PDF):
        return "pdf"
    if data.startswith(_CSV):
        return "csv"
    if data.startswith(_PARQUET):
        return "parquet"
    start = data[:2048].removeprefix(b"\xef\xbb\xbf")
    if _HTML.match(start):
        return "html"
    return "svg" if b"<svg" in start and start.lstrip().startswith(b"<") else None


def most(kind: Kind) -> int:
    """Bytes that a file of this kind may have."""
    return LARGEST_DRAWING if kind == "svg" else LARGEST_PDF if kind == "pdf" else LARGEST_FILE


def extract(data: bytes) -> Carried | None:
    """The session's text in a file, or None where there is none."""
    match kind_of(data):
        case "png":
            found = _from_png(data)
        case "pdf":
            read = from_pdf.session(data)
            return Carried(*read) if read else None
        case "svg":
            drawn = from_svg.session(data)
            found = None if drawn is None else drawn.encode("utf-8", "replace")
        case "html":
            found = _from_html(data)
            return None if found is None else Carried(found, whole=True)
        case "csv":
            found = _from_csv(data)
        case "parquet":
            found = _from_parquet(data)
        case _:
            return None
    return None if found is None else Carried(found)


def into_png(data: bytes, session: str) -> bytes:
    """The PNG with an international text chunk before its end."""
    body = KEYWORD + b"\0\0\0\0\0" + session.encode()  # not compressed, no language, no translation
    chunk = struct.pack(">I", len(body)) + b"iTXt" + body + struct.pack(">I", zlib.crc32(b"iTXt" + body))
    end = data.rindex(b"IEND") - 4
    return data[:end] + chunk + data[end:]


def into_svg(data: bytes, session: str) -> bytes:
    """The SVG with a metadata element before its end."""
    element = f'<metadata id="{from_svg.ID}">{html.escape(session, quote=False)}</metadata>\n'
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


def _from_html(data: bytes) -> bytes | None:
    """What stands in the first element of ours; no “<” is in it, for JSON can state it by its number."""
    at = data.find(_SCRIPT)
    if at < 0:
        return None
    at += len(_SCRIPT)
    end = data.find(b"<", at, at + LARGEST_SESSION + 1)
    return data[at:end] if end >= 0 and data.startswith(b"</script>", end) else None


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
