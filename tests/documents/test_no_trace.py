"""What was counted in data leaves no trace in any file that says that counts are left out: not itself, not a neighbour
of it, not the table's name, not the condition, not a digest. Every kind of file is unpacked and searched."""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import replace

import pytest

from dpstudio.cli import main
from dpstudio.core.study import answer
from dpstudio.data.origin import Origin
from dpstudio.documents import living, pictures, session_file, tables
from dpstudio.documents.living import Living, swept
from dpstudio.documents.noted import Cover, PictureNote
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies

pytestmark = pytest.mark.usefixtures("own_settings")
DECISION = all_studies()["decision"]
TABLE = b"id,zygomatic\n1,7\n"
PLAIN = hashlib.sha256(TABLE).hexdigest()
COUNT = 7_654_321
FULL = {"epsilon": 0.2, "records": COUNT}
ORIGIN = Origin("quillwort.csv", PLAIN, "zygomatic >= 6", "brontide", 2, ("", "xyster"), action="woubit = 1",
                further=("kankedort",), most=987_654)
NAMES = ("quillwort", "zygomatic", "brontide", "xyster", "woubit", "kankedort")
NUMBERS = tuple(form for each in (COUNT - 1, COUNT, COUNT + 1, ORIGIN.most)
                for form in (f"{each}", f"{each:,}", f"{each:,}".replace(",", "\u202f"), f"{each:e}"[:8]))


@pytest.fixture(scope="module")
def answers():
    """The session as it may leave, with the count and without, and the answer."""
    counted = Session.of(DECISION, {"epsilon": 0.2}).take({"records": COUNT}, ORIGIN).pin()
    counted = counted.having(picture_notes=(PictureNote("acceptance", f"N is {COUNT}", (float(COUNT), 0.5)),))
    return {exact: (left, answer(left.study, simulate=False)) for exact in (True, False)
            for left in (counted.having(note=f"{COUNT:,} of them").leaving(exact),)}


def unpacked(content):
    """The bytes, and those of every stream that is packed in them, as text; escapes of JSON and PDF undone."""
    texts = [content]
    for found in re.finditer(rb"stream\r?\n|IDAT|zTXt[^\0]*\0\0", content):
        packed = zlib.decompressobj()
        try:
            texts.append(packed.decompress(content[found.end():]))
        except zlib.error:
            continue
    joined = b"\n".join(texts).replace(b"\\", b"")
    return joined.decode("latin-1") + joined.decode("utf-8", "ignore") + joined.decode("utf-16-be", "ignore")


def every_output(folder, session, update):
    """Every kind of file that can leave, but for a session that is saved in order to count again."""
    study = session.study
    tables.write_json(folder / "a.json", session, update)
    tables.write_all_csv(folder / "tables", session, update)
    for ending in pictures.FORMATS:
        for figure in study.figures[:1]:
            pictures.write(folder / f"a.{ending}", session, update, figure, dpi=40)
    page = Living(session, study.figures[0], swept(type(study), ("epsilon=0.1,0.2",)))
    (folder / "a.html").write_bytes(living.made(page))
    (folder / "carried.json").write_text(session_file.text(session))
    return sorted(path for path in folder.rglob("*") if path.is_file() and "settings" not in path.parts)


def hits(text, words):
    return [word for word in words if word in text]


def test_that_a_count_left_out_leaves_no_trace_in_any_output(tmp_path, answers):
    written = every_output(tmp_path, *answers[False])
    assert len(written) >= 9
    for path in written:
        text = unpacked(path.read_bytes())
        assert not hits(text, NAMES + NUMBERS), path.name
        assert not re.search(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", text), f"{path.name} has a digest"


def test_that_the_search_finds_what_goes_along(tmp_path, answers):
    for path in every_output(tmp_path, *answers[True]):
        text = unpacked(path.read_bytes())
        assert str(COUNT) in text.replace(",", "").replace("\u202f", ""), path.name
        assert "quillwort" in text, path.name
        assert not hits(text, (PLAIN, str(ORIGIN.most))), path.name


def test_that_a_session_to_count_again_has_neither_the_count_nor_a_plain_digest(tmp_path):
    session_file.save(tmp_path / "a.dpstudio", Session.of(DECISION, FULL, ORIGIN))
    text = (tmp_path / "a.dpstudio").read_text()
    assert not hits(text, (*NUMBERS, PLAIN))
    assert hits(text, NAMES) == list(NAMES)
    assert hashlib.sha256(PLAIN.encode()).hexdigest() not in text, "a digest of the digest can be guessed as well"


@pytest.mark.parametrize("exact", [False, True])
def test_that_the_command_line_hands_on_no_more_than_goes_along(tmp_path, capsys, exact):
    session_file.save(tmp_path / "a.dpstudio", Session.of(DECISION, FULL, replace(ORIGIN, exact=exact)))
    kept = ("--session", str(tmp_path / "a.dpstudio"))
    assert main(["compute", *kept, "--no-simulation"]) == 0
    assert main(["compute", *kept, "--no-simulation", "--format", "csv"]) == 0
    for ending in pictures.FORMATS:
        assert main(["render", *kept, "--dpi", "40", "--output", str(tmp_path / f"a.{ending}")]) == 0
    out, err = capsys.readouterr()
    texts = [out, err, *(unpacked((tmp_path / f"a.{ending}").read_bytes()) for ending in pictures.FORMATS)]
    for text in texts:
        assert bool(hits(text, NAMES + NUMBERS)) == exact
        assert PLAIN not in text


def test_that_counting_on_the_command_line_states_no_digest(tmp_path, capsys):
    (tmp_path / "quillwort.csv").write_bytes(TABLE)
    assert main(["count", str(tmp_path / "quillwort.csv"), "--where", "zygomatic >= 6"]) == 0
    assert main(["count", str(tmp_path / "quillwort.csv"), "--symptom", "zygomatic > 6", "--action", "id = 1"]) == 0
    out, _ = capsys.readouterr()
    assert "quillwort" in out
    assert not re.search("[0-9a-f]{64}", out)
    assert not (tmp_path / "settings").exists(), "it makes no key either"


def test_that_the_command_line_says_that_words_stand_there_and_leaves_them_out_where_it_is_told_to(tmp_path, capsys):
    session = Session.of(DECISION, FULL, ORIGIN).having(note="some seven million", cover=Cover(reason="because"))
    session_file.save(tmp_path / "a.dpstudio", session)
    asked = ("compute", str(tmp_path / "a.dpstudio"), "--no-simulation", "--format", "json")
    assert main([*asked]) == 0
    out, err = capsys.readouterr()
    assert "some seven million" in out
    assert ("the note (Decision) and the reason on the cover (Decision): words of a person, which may tell what is "
            "left out; --no-words leaves them out") in err
    assert main([*asked, "--no-words"]) == 0
    out, err = capsys.readouterr()
    assert "seven" not in out
    assert "words" not in err
    assert main(["report", str(tmp_path / "a.dpstudio"), "--no-words", "--output", str(tmp_path / "a.html")]) == 0
    assert "some seven million" not in (tmp_path / "a.html").read_text()
