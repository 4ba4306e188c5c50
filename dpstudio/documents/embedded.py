"""A session inside a picture: where each kind of file keeps words about itself, and how it gets in and out.

Pictures come from anywhere. Each is read by a reader that knows its format and stops at a bound, in time and memory
proportional to the file; whatever it does not like, the picture carries no session.
"""

from __future__ import annotations

import html
import struct
import zlib

from dpstudio.documents import from_pdf, from_svg
from dpstudio.documents.strict_json import LARGEST

KEYWORD = b"DP Studio session"
MOST_CHUNKS = 20_000
"""Chunks of a PNG; ours have one for 64 kB of pixels."""
LARGEST_PICTURE, LARGEST_DRAWING = 2**25, 2**22
"""Bytes of a PNG, which is walked through, and of an SVG or PDF, which is read; the largest of ours have a tenth."""
_PNG, _PDF = b"\x89PNG\r\n\x1a\n", b"%PDF-"


def is_picture(data: bytes) -> bool:
    """Whether the first bytes are those of a PNG, a PDF or an SVG."""
    return data.startswith((_PNG, _PDF)) or _is_svg(data)


def most(data: bytes) -> int:
    """Bytes that a picture of this kind may have."""
    return LARGEST_PICTURE if data.startswith(_PNG) else LARGEST_DRAWING


def extract(data: bytes) -> bytes | None:
    """The session's text in a picture, or None where there is none."""
    if data.startswith(_PNG):
        return _from_png(data)
    found = from_svg.session(data) if _is_svg(data) else from_pdf.session(data) if data.startswith(_PDF) else None
    return found.encode("utf-8", "replace") if found is not None else None


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


def _is_svg(data: bytes) -> bool:
    return b"<svg" in data[:2048] and data[:2048].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


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
