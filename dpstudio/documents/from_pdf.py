"""The session in a PDF: the keywords of its description, read by a library that is held to bounds."""

from __future__ import annotations

import io
import logging

from dpstudio.documents.strict_json import LARGEST

_TAIL, MOST_ENTRIES = 1024, 10_000
"""Bytes at the end in which a PDF must end, and entries of a list; ours have some hundreds."""


def session(data: bytes) -> str | None:
    """The keywords, or None where there are none or the file is not what it should be."""
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
            about = pypdf.PdfReader(io.BytesIO(data), strict=True).metadata
            words = about.get("/Keywords") if about is not None else None
    except (PyPdfError, ValueError, TypeError, LookupError, AttributeError, RecursionError, OSError, ArithmeticError,
            AssertionError, NotImplementedError):  # it trusts a damaged file in many places
        return None
    return str(words) if isinstance(words, str) and len(words) <= LARGEST else None
