"""A session inside a picture: where each kind of file keeps words about itself."""

from __future__ import annotations

import html
import re
import struct
import zlib

KEYWORD = b"DP Studio session"
_PNG = b"\x89PNG\r\n\x1a\n"
_SVG = re.compile(rb'<metadata id="dpstudio-session">([^<]*)</metadata>')
_PDF = re.compile(rb"/Keywords \(((?:[^()\\]|\\.)*)\)", re.DOTALL)


def is_picture(data: bytes) -> bool:
    """Whether the first bytes are those of a PNG, a PDF or an SVG."""
    return data.startswith((_PNG, b"%PDF-")) or _is_svg(data)


def extract(data: bytes) -> bytes | None:
    """The session's text in a picture, or None where there is none."""
    if data.startswith(_PNG):
        return _from_png(data)
    if _is_svg(data):
        found = _SVG.search(data)
        return html.unescape(found[1].decode("utf-8", "replace")).encode() if found else None
    found = _PDF.search(data)
    return re.sub(rb"\\(.)", rb"\1", found[1], flags=re.DOTALL) if found else None


def into_png(data: bytes, session: str) -> bytes:
    """The PNG with an international text chunk before its end."""
    body = KEYWORD + b"\0\0\0\0\0" + session.encode()  # not compressed, no language, no translation
    chunk = struct.pack(">I", len(body)) + b"iTXt" + body + struct.pack(">I", zlib.crc32(b"iTXt" + body))
    end = data.rindex(b"IEND") - 4
    return data[:end] + chunk + data[end:]


def into_svg(data: bytes, session: str) -> bytes:
    """The SVG with a metadata element before its end."""
    element = f'<metadata id="dpstudio-session">{html.escape(session, quote=False)}</metadata>\n'
    end = data.rindex(b"</svg>")
    return data[:end] + element.encode() + data[end:]


def _is_svg(data: bytes) -> bool:
    return b"<svg" in data[:2048] and data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _from_png(data: bytes) -> bytes | None:
    """The text of our chunk, walking from chunk to chunk."""
    at = len(_PNG)
    while at + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        body = data[at + 8 : at + 8 + length]
        if data[at + 4 : at + 8] == b"iTXt" and body.startswith(KEYWORD + b"\0\0\0"):
            return body[len(KEYWORD) + 3 :].split(b"\0", 2)[-1]
        at += 12 + length
    return None
