"""A file from anywhere costs no more than its length is worth: work and memory are counted, at two sizes."""

from __future__ import annotations

import json
import random
import struct
import sys
import tracemalloc
import zlib

import pytest

from dpstudio.documents import embedded, pictures, session_file, tables
from dpstudio.documents.codec import SessionError
from dpstudio.documents.session import Session
from dpstudio.documents.strict_json import LARGEST, LARGEST_SESSION
from dpstudio.studies import all_studies

SMALL, TIMES, LARGE = 5_000, 4, 100_000
ROOT = b"2 0 obj\n<< /Type /Catalog >>\nendobj\n"
BEGIN = b'<svg xmlns="http://www.w3.org/2000/svg"><metadata id="dpstudio-session">'
END = b"startxref\n9\n%%EOF\n"
PAGE, SCRIPT = b"<!doctype html>", b'<script type="application/json" id="dpstudio-session">'
PNG = b"\x89PNG\r\n\x1a\n"


def pdf(body, trailer=b"<< /Size 3 /Info 1 0 R /Root 2 0 R >>"):
    """A PDF whose table of objects is right, whatever the first of them is."""
    data = b"%PDF-1.4\n" + ROOT + b"1 0 obj\n" + body + b"\nendobj\n"
    places = b"0000000000 65535 f \n%010d 00000 n \n0000000009 00000 n \n" % (9 + len(ROOT))
    return data + b"xref\n0 3\n" + places + b"trailer\n%s\nstartxref\n%d\n%%%%EOF\n" % (trailer, len(data))


def attached(tree, stream=b""):
    """A PDF whose attachments are what the tree says; object 3 is a packed stream."""
    places, data = [], b"%PDF-1.4\n"
    packed = zlib.compress(stream, 9)
    for number, body in enumerate((tree, b"<< /Type /Catalog /Names << /EmbeddedFiles 1 0 R >> >>",
                                   b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (
                                       len(packed), packed)), 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % each for each in places)
    return data + b"xref\n0 4\n0000000000 65535 f \n%strailer\n<< /Size 4 /Root 2 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        table, len(data))


OURS = b"(session.json) << /EF << /F 3 0 R >> >>"


def sections(size):
    data, before = bytearray(b"%PDF-1.4\n"), b""
    while len(data) < size:
        at = len(data)
        data += b"xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 3%s >>\n" % before
        before = b" /Prev %d" % at
    return bytes(data) + b"startxref\n%d\n%%%%EOF\n" % at


def bomb(size):
    packed = zlib.compress(b"\0" * (1000 * size), 9)
    return (b"%%PDF-1.5\n1 0 obj\n<< /Type /XRef /Size %d /W [1 2 1] /Root 2 0 R /Info 2 0 R /Filter /FlateDecode "
            b"/Length %d >>\nstream\n" % (250 * size, len(packed))) + packed + b"\nendstream\nendobj\n" + END


HOSTILE = {
    "keywords of escapes": lambda n: pdf(b"<< /Keywords (" + b"\\)" * (n // 2) + b") >>"),
    "keywords of octal numbers": lambda n: pdf(b"<< /Keywords (" + b"\\101" * (n // 4) + b") >>"),
    "a string that never ends": lambda n: pdf(b"<< /Keywords (" + b"a" * n),
    "many strings that never end": lambda n: pdf(b"<< " + b"/Keywords (" * (n // 11)),
    "parentheses": lambda n: pdf(b"<< /Keywords " + b"(" * n),
    "lists in lists": lambda n: pdf(b"<< /Keywords " + b"[" * n),
    "dictionaries in dictionaries": lambda n: pdf(b"<< /a " * (n // 6)),
    "a long list": lambda n: pdf(b"<< /a [" + b"1 " * (n // 2) + b"] >>"),
    "many keys": lambda n: pdf(b"<< " + b"".join(b"/a%d 1 " % i for i in range(n // 10)) + b">>"),
    "many objects": lambda n: pdf(b"<< >>\nendobj\n" + b"9 0 obj 1 endobj\n" * (n // 17)),
    "zeros": lambda n: pdf(b"\0" * n),
    "a long trailer": lambda n: pdf(b"<< >>", b"<< /Size 3 /Info 1 0 R /x (" + b"\\(" * (n // 2) + b") >>"),
    "many tables": sections,
    "a table that is packed": bomb,
    "ampersands": lambda n: BEGIN + b"&amp" * (n // 4) + b"</metadata></svg>",
    "entities of XML": lambda n: BEGIN + b"&amp;" * (n // 5) + b"</metadata></svg>",
    "elements": lambda n: b"<svg>" + b"<a/>" * (n // 4) + b"</svg>",
    "elements in elements": lambda n: b"<svg>" + b"<a>" * (n // 3),
    "an attribute that never ends": lambda n: b'<svg a="' + b"x" * n,
    "attributes": lambda n: b"<svg " + b" ".join(b'a%d=""' % i for i in range(n // 10)) + b"/>",
    "sessions in sessions": lambda n: BEGIN * (n // len(BEGIN)),
    "comments": lambda n: b"<svg>" + b"<!--x-->" * (n // 8) + b"</svg>",
    "sections": lambda n: BEGIN + b"<![CDATA[x]]>" * (n // 13) + b"</metadata></svg>",
    "an empty head": lambda n: b"\n" * n + b"<svg/>",
    "files attached": lambda n: attached(b"<< /Names [" + b"(a) 1 0 R " * (n // 10) + b"] >>"),
    "branches of files attached": lambda n: attached(
        b"<< /Kids [" + b"1 0 R " * (n // 12) + b"] /Names [" + b"null " * (n // 10) + b"] >>"),
    "sessions in a page": lambda n: PAGE + SCRIPT * (n // len(SCRIPT)),
    "a session in a page that never ends": lambda n: PAGE + SCRIPT + b"x" * n,
    "a page of nothing": lambda n: PAGE + b"<" * n,
    "lines": lambda n: b"# DP Studio 1\n" + b"# session:\n" * (n // 11),
    "a line that never ends": lambda n: b"# DP Studio 1\n# session: " + b"x" * n,
    "sessions in a table": lambda n: b"PAR1" + b"\nsession: x" * (n // 11),
    "a session in a table that never ends": lambda n: b"PAR1\nsession: " + b"x" * n,
    "chunks": lambda n: PNG + b"\0\0\0\0tEXt0000" * (n // 12),
    "chunks that are nearly ours": lambda n: PNG + (b"\0\0\0\x14iTXt" + embedded.KEYWORD + b"\0\0x0000") * (n // 32),
}


def calls_for(data):
    """Calls that it takes to find no session, or one."""
    calls = 0

    def count(*_):
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        embedded.extract(data)
    finally:
        sys.setprofile(None)
    return calls


def memory_for(data):
    tracemalloc.start()
    try:
        embedded.extract(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_that_work_and_memory_grow_no_faster_than_the_file(make):
    small, large, largest = make(SMALL), make(TIMES * SMALL), make(LARGE)
    calls_for(make(100))  # what is imported or made at the first time is no part of it
    calls, more_calls = calls_for(small), calls_for(large)
    assert more_calls < 1.3 * TIMES * calls + 2000
    assert more_calls < 30 * len(large) + 5000
    assert memory_for(largest) < 40 * len(largest) + 2**20


def test_that_chunks_elements_and_levels_are_bounded():
    session_ = session_file.text(Session.of(all_studies()["decision"], {})).encode()
    chunk = struct.pack(">I", len(session_) + 22) + b"iTXt" + embedded.KEYWORD + b"\0" * 5 + session_ + b"0000"
    tiny = b"\0\0\0\0tEXt0000"
    assert embedded.extract(PNG + tiny * (embedded.MOST_CHUNKS - 1) + chunk).content == session_
    assert embedded.extract(PNG + tiny * embedded.MOST_CHUNKS + chunk) is None
    ours = b'<metadata id="dpstudio-session">x</metadata>'
    for before, most in ((b"<a/>", embedded.MOST_ELEMENTS - 2), (b"<a>", embedded.DEEPEST - 2)):
        assert embedded.extract(b"<svg>" + before * most + ours).content == b"x"
        assert embedded.extract(b"<svg>" + before * (most + 1) + ours) is None
    assert embedded.extract(b'<svg><metadata id="dpstudio-session">x<a/>y</metadata></svg>') is None
    assert embedded.extract(pdf(b"<< /Keywords (x) /a [" + b"1 " * embedded.MOST_ENTRIES + b"] >>")).content == b"x"
    assert embedded.extract(pdf(b"<< /Keywords (x) /a [" + b"1 " * (embedded.MOST_ENTRIES + 1) + b"] >>")) is None
    long = b'<svg><metadata id="dpstudio-session">' + b"x" * 2**20
    assert embedded.extract(long + b"</metadata></svg>") is not None
    assert embedded.extract(long + b"y</metadata></svg>") is None


def test_that_a_report_holds_a_session_and_no_more():
    """As an attachment, however well it is packed, and in a page."""
    for read in (lambda words: embedded.extract(attached(b"<< /Names [(a) null " + OURS + b"] >>", words)),
                 lambda words: embedded.extract(PAGE + SCRIPT + words + b"</script>" + SCRIPT + b"y</script>")):
        assert read(b"x" * LARGEST_SESSION) == (b"x" * LARGEST_SESSION, True)
        assert read(b"x" * (LARGEST_SESSION + 1)) is None
    assert memory_for(attached(b"<< /Names [" + OURS + b"] >>", b"x" * 4 * LARGEST_SESSION)) < 8 * LARGEST_SESSION
    others = b"(a) null " * (embedded.MOST_ATTACHED - 1)
    for tree, there in ((others + OURS, True), (others + b"(a) null " + OURS, False),
                        (OURS.replace(b"s", b"S"), False)):
        for form in (b"<< /Names [%s] >>", b"<< /Kids [<< >> << /Names [%s] >>] >>"):
            assert (embedded.extract(attached(form % tree, b"x")) == (b"x", True)) is there
    kids = b"<< >> " * embedded.MOST_ATTACHED
    assert embedded.extract(attached(b"<< /Kids [" + kids + b"<< /Names [" + OURS + b"] >>] >>", b"x")) is None


def test_that_a_table_of_any_length_tells_its_session_at_its_beginning(tmp_path):
    with (tmp_path / "a.csv").open("wb") as file:
        file.write(f"# DP Studio 1\n# session: {session_file.text(Session.of(all_studies()['noise']))}\n".encode())
        file.truncate(embedded.LARGEST_FILE + 2)
    assert session_file.load(tmp_path / "a.csv").study_class is all_studies()["noise"]


def test_that_a_session_in_a_session_is_none(tmp_path):
    one = session_file.as_json(Session.of(all_studies()["noise"]))
    for document in (one | {"session": one}, {"session": {"session": one}}, {"session": []}):
        (tmp_path / "a.json").write_text(json.dumps(document))
        with pytest.raises(SessionError, match=r"unknown key 'session'|does not say that|no JSON object"):
            session_file.load(tmp_path / "a.json")


@pytest.mark.parametrize("page", [
    b"<p>" + SCRIPT + b"x</script>", PAGE + SCRIPT.replace(b'"', b"'") + b"x</script>",
    PAGE + SCRIPT.replace(b"-session", b"-other") + b"x</script>", PAGE + SCRIPT + b"x<!-- --></script>",
    PAGE + SCRIPT + b"x</SCRIPT>", b" " * 101 + PAGE + SCRIPT + b"x</script>"])
def test_that_no_other_page_has_a_session(page):
    assert embedded.extract(page) is None


def test_that_a_page_may_begin_with_a_mark_and_in_any_letters():
    for start in (b"\xef\xbb\xbf\n<HTML lang=en>", b"<!DOCTYPE HTML>", b"<html>"):
        assert embedded.extract(start + b"<svg>" + SCRIPT + b"{}</script>") == (b"{}", True)


def test_that_numbers_hold_their_session_before_the_first_of_them():
    line, head = b"# session: ", b"# DP Studio 1\n"
    assert embedded.extract(head + line + b"x" * LARGEST + b"\r\n1,2") == (b"x" * LARGEST, False)
    assert embedded.extract(head + line + b"x" * (LARGEST + 2) + b"\n1,2") is None
    assert embedded.extract(head + b"1,2\n" + line + b"x\n") is None
    assert embedded.extract(head + line + b"x") is None
    assert embedded.extract(head + b"#\n" * (embedded.MOST_LINES - 2) + line + b"x\n") == (b"x", False)
    assert embedded.extract(head + b"#\n" * (embedded.MOST_LINES - 1) + line + b"x\n") is None
    assert embedded.extract(b"PAR1\nsession: x\nrequest: y" + b"z" * LARGEST) == (b"x", False)
    assert embedded.extract(b"PAR1\nsession: x\nrequest: y" + b"z" * 2 * LARGEST) is None


def test_that_a_session_with_a_million_pins_is_refused_in_a_sentence():
    for pin in ("{}", '{"values": {"epsilon": 0.3}}'):
        document = session_file.as_json(Session.of(all_studies()["decision"]))
        document["studies"]["decision"]["pins"] = []
        content = json.dumps(document).replace("[]", "[" + f"{pin}," * 999_999 + pin + "]")
        why = r"^(pins must be at most 9 of one study, got 1000000|it is far too large)$"
        with pytest.raises(SessionError, match=why):
            session_file.read(content)


@pytest.mark.parametrize("declared", [
    b'<!ENTITY a "x">', b'<!ENTITY a SYSTEM "file:///etc/hostname">', b'<!ENTITY % a SYSTEM "http://localhost/"> %a;'])
def test_that_no_entity_is_followed(declared):
    data = b"<!DOCTYPE svg [" + declared + b"]>" + BEGIN + b"&a;</metadata></svg>"
    assert embedded.extract(data) is None


def test_that_a_drawing_may_be_smaller_than_a_picture_of_pixels(tmp_path):
    for start, most in ((b"<svg>", embedded.LARGEST_DRAWING), (b"%PDF-1.4", embedded.LARGEST_PDF),
                        (PNG, embedded.LARGEST_FILE)):
        with (tmp_path / "a").open("wb") as file:
            file.write(start)
            file.truncate(most)
        with pytest.raises(SessionError, match="carries none"):
            session_file.load(tmp_path / "a")
        with (tmp_path / "a").open("ab") as file:
            file.write(b"\0")
        with pytest.raises(SessionError, match="far too large"):
            session_file.load(tmp_path / "a")


def test_that_the_library_is_left_as_it_was():
    import pypdf

    before = pypdf.get_configuration() if hasattr(pypdf, "get_configuration") else None
    embedded.extract(pdf(b"<< /Keywords (x) >>"))
    assert before is None or pypdf.get_configuration() == before
    assert embedded.extract(pdf(b"<< /Keywords (x\\)\\\\) >>")).content == b"x)\\"


def test_that_damaged_files_do_no_more_than_be_refused(sample, sample_session, sample_update, tmp_path):
    chance = random.Random(7)
    whole = [pictures.picture(kind, sample_session, sample_update, sample.figures[0], dpi=36)
             for kind in pictures.FORMATS]
    ours = session_file.text(sample_session).encode()
    whole += [tables.csv_text(sample_session, sample_update).encode(), PAGE + SCRIPT + ours + b"</script>",
              tables.json_text(sample_session, sample_update).encode(), attached(b"<< /Names [" + OURS + b"] >>", ours)]
    whole.append(session_file.text(Session.of(all_studies()["decision"], {"epsilon": 0.2})).encode())
    pieces = [b"(", b"\\", b"<<", b"[", b"/Prev 9", b"obj", b"&", b"<", b"\0", b"\xff", b'"', b"{", b"1e999", b"xref"]
    for i in range(400):
        damaged = bytearray(whole[i % len(whole)])
        for _ in range(chance.randint(1, 6)):
            # Where a file keeps words about itself, as often as anywhere.
            at = chance.choice((chance.randrange(len(damaged)), max(0, len(damaged) - chance.randrange(2000))))
            damaged[at:at + chance.choice((0, 1, 1, 4, 300))] = chance.choice(pieces) * chance.choice((1, 1, 50))
        data = bytes(damaged)
        refusal = ""
        try:
            carried = embedded.extract(data)
            session_file.read(carried.content if carried else b"{}" if embedded.carrier_of(data) else data)
        except SessionError as error:
            refusal = str(error)
        assert len(refusal) < 350
        assert refusal.isprintable()
