"""Doors of sessions: their JSON in formats of all times, inside every file that carries one, and entries as YAML."""

from __future__ import annotations

import json
import random
import runpy
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from dpstudio.core.attacker import Attacker
from dpstudio.documents import embedded, session_file
from dpstudio.documents.codec import DATA, ONLY, keys_of
from dpstudio.documents.noted import Cover, PictureNote, Solved, SweepAsked
from dpstudio.documents.report import registry
from dpstudio.documents.session import Session
from dpstudio.documents.state import Snapshot, StudyState
from dpstudio.documents.strict_json import LARGEST
from dpstudio.studies import all_studies
from fuzzed.kit import Door, bytes_of, in_json, in_pieces, need, refusing

PROJECT = Path(__file__).parents[3]
OLD = PROJECT / "tests" / "documents" / "sessions"
PNG, DRAWING = b"\x89PNG\r\n\x1a\n", b'<svg xmlns="http://www.w3.org/2000/svg"></svg>'
_LEAST_PNG = PNG + b"\0\0\0\0IEND\xaeB`\x82"


def sessions(data: bytes) -> None:
    """A session that is read is written, and read again, as itself; and without its counts, in every file."""
    with refusing():
        session = session_file.read(data)
        again = session_file.read(session_file.text(session, again=True))
        if json.loads(data.decode("utf-8-sig")).get("format") != 1:  # which states a digest that is not written again
            need(again == session, "it comes back as another")
        left = session.leaving(exact=False)
        told = session_file.text(left)
        need(session_file.text(session_file.read(told).leaving(exact=False)) == told, "left out once, more is left out")
        need(not left.counts(), "a count is left")
        session.without_words().texts()
        carried = session_file.text(left.carried())
        if len(carried) <= LARGEST:
            for name, made in carrying(carried).items():
                found = embedded.extract(made)
                need(found is not None and json.loads(found.content) == json.loads(carried),
                     f"in a {name} it is not found again")


def carrying(session: str) -> dict[str, bytes]:
    """The text of a session in the smallest file of every kind."""
    marked = "".join({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}.get(sign, sign) for sign in session)
    page = f'<!DOCTYPE html><html><script type="application/json" id="{embedded.ID}">{marked}</script></html>'
    return {"PNG": embedded.into_png(_LEAST_PNG, session), "SVG": embedded.into_svg(DRAWING, session),
            "PDF": attached(session.encode()), "CSV": f"# DP Studio 0\n# session: {session}\n1,2\n".encode(),
            "Parquet": f"PAR1\nsession: {session}\nPAR1".encode(),
            "page": page.encode()}


def attached(session: bytes) -> bytes:
    """A PDF to which a session is attached."""
    return _pdf(b"<< /Names [(session.json) << /EF << /F 3 0 R >> >>] >>",
                b"<< /Type /Catalog /Names << /EmbeddedFiles 1 0 R >> >>", _stream(session))


def keyworded(session: bytes) -> bytes:
    """A PDF that has a session among its keywords."""
    words = session.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return _pdf(b"<< /Keywords (" + words + b") >>", b"<< /Type /Catalog >>", b"<< >>", b" /Info 1 0 R")


def _stream(content: bytes) -> bytes:
    packed = zlib.compress(content, 9)
    return b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(packed), packed)


def _pdf(one: bytes, two: bytes, three: bytes, further: bytes = b"") -> bytes:
    places, made = [], b"%PDF-1.4\n"
    for number, body in enumerate((one, two, three), 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % each for each in places)
    return made + \
        b"xref\n0 4\n0000000000 65535 f \n%strailer\n<< /Size 4 /Root 2 0 R%s >>\nstartxref\n%d\n%%%%EOF\n" % (
        table, further, len(made))


@cache
def old_sessions() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(OLD.glob("*.dpstudio")))


@cache
def _of_each() -> tuple[bytes, ...]:
    return tuple(session_file.text(Session.of(kind)).encode() for kind in all_studies().values())


@cache
def session_tokens() -> tuple[bytes, ...]:
    kinds = all_studies().values()
    keys = {*session_file.KEYS, *session_file.ONE_KEYS, "values", DATA, ONLY, *Attacker.by_name(), *all_studies(),
            *(each.key for held in (StudyState, PictureNote, Solved, SweepAsked, Cover, Snapshot)
              for each in keys_of(held).values()),
            *(each.name for kind in kinds for each in kind.parameters()),
            *(each.key for kind in kinds for each in kind.answers().series()),
            *(each.key for kind in kinds for each in kind.figures),
            *(option for kind in kinds for each in kind.parameters() for option in getattr(each.domain, "options", ())),
            "epsilon=0.1:1:5", "epsilon=1,2", "acceptance@laplace <= 0.5", "2026-11-22", "counts", "exact", "follows",
            "moved", "file", "where", "person", "persons", "at_most", "missing", "action", "further", "by", "of",
            "Oslo:12,Bergen:5", "48317 people in Oslo"}
    return tuple(map(bytes_of, sorted(keys)))


# Files as they are


def carriers(data: bytes) -> None:
    """A file from anywhere carries a session or none, and a session that is one or is refused."""
    with refusing():
        carrier = embedded.carrier_of(data)
        found = embedded.extract(data)
        need(found is None or carrier is not None, "what is no file of such a kind carries a session")
        content = data if carrier is None else found.content if found else b"{}"
        session_file._of_json(content)


def _carrier_seeds() -> Sequence[bytes]:
    one = old_sessions()[2]
    fixtures = [path.read_bytes() for path in sorted(OLD.iterdir()) if path.suffix in (".pdf", ".html", ".csv",
                                                                                       ".json")]
    pictures = [_without_pixels(path.read_bytes()) for path in sorted(OLD.glob("*.png"))]
    drawings = [_without_drawing(path.read_bytes()) for path in sorted(OLD.glob("*.svg"))]
    return [*carrying(one.decode()).values(), keyworded(one), *pictures, *drawings, *old_sessions(),
            *(each for each in fixtures if len(each) < 50_000)]


def _without_pixels(data: bytes) -> bytes:
    at, kept = len(PNG), PNG
    while at + 12 <= len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        if data[at + 4:at + 8] != b"IDAT":
            kept += data[at:at + 12 + length]
        at += 12 + length
    return kept


def _without_drawing(data: bytes) -> bytes:
    return data[:data.index(b"<svg")] + DRAWING.removesuffix(b"</svg>") + data[data.rindex(b"<metadata id="):]


def damaged(data: bytes, chance: random.Random, tokens: Sequence[bytes]) -> bytes:
    """The session inside changed as JSON and put back, or the file as bytes."""
    found = embedded.extract(data) if len(data) < 20_000 and chance.random() < 0.5 else None
    if found is not None:
        changed = in_json(found.content, chance, session_tokens()).decode("utf-8", "replace")
        if len(changed) < 20_000:
            made = carrying(changed) | {"keywords": keyworded(changed.encode())}
            return made[chance.choice(sorted(made))]
    return in_pieces(data, chance, tokens)


_CARRIER_TOKENS = (
    b"iTXt", b"IDAT", b"IEND", b"tEXt", embedded.KEYWORD, b"\0\0\0\0\0", b"%PDF-1.4", b"xref\n0 4\n", b"trailer",
    b"startxref\n",
    b"%%EOF", b"obj", b"endobj", b"stream\n", b"endstream", b"/Keywords (", b"/Names [", b"/Kids [",
    b"/EF << /F 3 0 R >>", b"<<",
    b">>", b"[", b"]", b"/Prev 9", b"/Prev -1", b"/Filter /FlateDecode", b"/Filter /LZWDecode",
    b"/Filter [/ASCIIHexDecode]",
    b"/Filter /ASCII85Decode", b"/Filter /RunLengthDecode", b"/DecodeParms << /Predictor 12 /Columns 5 >>",
    b"/Type /XRef",
    b"/Type /ObjStm /N 1 /First 4", b"/W [1 2 1]", b"/Index [0 3]", b"/Size 4", b"/Size 999999999", b"/Root 1 0 R",
    b"/Encrypt 1 0 R",
    b"/Info 1 0 R", b"/Length 3 0 R", b"/Length -1", b"(session.json)", b"<feff0041>", b"\\101", b"%", b"null", b"R",
    b"f ",
    b"<svg", b"<metadata id=\"dpstudio-session\">", b"</metadata>", b"<![CDATA[", b"]]>", b"<!--", b"&#0;",
    b"&#xd800;", b"&lt;",
    b"<?xml version='1.0' encoding='utf-16'?>", b"<!DOCTYPE svg [<!ENTITY a 'x'>]>", b"&a;", b"xmlns:a='b'",
    b"<!DOCTYPE html>",
    f'<script type="application/json" id="{embedded.ID}">'.encode(), b"</script>", b"# DP Studio 1\n", b"# session: ",
    b"PAR1",
    b"\nsession: ", b'"session": ', b"\xef\xbb\xbf", b"\xff\xfe")


# Entries of the registry of deployments, in and out


@cache
def _deployments() -> dict[str, object]:
    return runpy.run_path(str(PROJECT / "packaging" / "deployments.py"), run_name="deployments")


def entries(data: bytes) -> None:
    """An entry of the registry is read, or refused in one sentence; what we write is read back as it was."""
    import yaml

    script = _deployments()
    try:
        document = yaml.safe_load(data.decode("utf-8"))
    except (UnicodeDecodeError, yaml.YAMLError, ValueError, RecursionError, OverflowError):
        document = None
    if document is not None:
        with refusing(script["Unreadable"]):  # type: ignore[arg-type]
            script["entry"](document, "a.yaml")  # type: ignore[operator]
    text = data.decode("utf-8", "replace").replace("\ud800", "")
    from dpstudio.documents.about import FIELDS

    with refusing():
        words = {key: text[:400] for key, each in FIELDS.items() if each.is_words}
        session = Session.of(all_studies()["decision"]).having(about={**words, "published": "2026-11-22"})
        entry = registry.entry_of(session.decide("laplace").state())
        need(yaml.safe_load(registry.written(entry)) == entry.content, "it is read back as another")


def _entry_seeds() -> Sequence[bytes]:
    return [f"""\
url_slug: trips-somewhere-2024
status: Draft
tier: 2
deployment:
  basic: {{name: Trips, data_curators: [Somebody, Somebody else], description: "x", data_product_type: Dataset,
    publication_date: "2024-05-06"}}
  dp_variant: {{variant_name: Approximate DP, unprotected_quantities: "- N/A"}}
  privacy_loss: {{privacy_unit: {unit}, privacy_unit_details: '\\\\(\\epsilon_c\\\\)',
    privacy_parameters: {{epsilon: {epsilon}, delta: {delta}, rho: null}}}}
  deployment_model: {{model_name: Local, release_type: Many releases, release_type_details: Daily}}
  administrative: {{sources: "- https://example.org/a_(2024).", notes: x}}
""".encode() for unit, epsilon, delta in (("User-day-level", 1.25, 3e-08), ("Household", "'1e-7'", "n^{(-\\epsilon)}"))]


DOORS = (
    Door("sessions", "sessions as JSON, of every format", sessions, lambda: (*old_sessions(), *_of_each()), in_json,
         40_000,
         tokens=session_tokens()),
    Door("carriers", "files that carry a session: PNG, SVG, PDF, HTML, CSV, JSON, Parquet", carriers, _carrier_seeds,
         damaged,
         50_000, tokens=_CARRIER_TOKENS),
    Door("entries", "entries of the registry of deployments as YAML", entries, _entry_seeds, in_pieces, 4_000),
)
