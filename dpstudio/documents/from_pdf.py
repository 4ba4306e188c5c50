"""The session in a PDF: the keywords of a picture, the attachment of a report; by a library that is held to bounds."""

from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING

from dpstudio.documents.strict_json import LARGEST, LARGEST_SESSION

if TYPE_CHECKING:
    from pypdf import PdfReader

ATTACHMENT = "session.json"
_TAIL, MOST_ENTRIES, MOST_ATTACHED = 1024, 10_000, 20
"""Bytes at the end in which a PDF must end, entries of a list, and files attached; ours have some hundreds, and one."""


def session(data: bytes) -> tuple[bytes, bool] | None:
    """The session and whether it is attached, or None where there is none or the file is not what it should be."""
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
                return content, True
            about = reader.metadata
            words = about.get("/Keywords") if about is not None else None
    except (PyPdfError, ValueError, TypeError, LookupError, AttributeError, RecursionError, OSError, ArithmeticError,
            AssertionError, NotImplementedError):  # it trusts a damaged file in many places
        return None
    return (words.encode("utf-8", "replace"), False) if isinstance(words, str) and len(words) <= LARGEST else None


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
