"""Words that a person wrote go along with what leaves counts out only where that was said, once for each text."""

from __future__ import annotations

from dpstudio.data.origin import Origin
from dpstudio.documents import session_file
from dpstudio.documents.noted import PictureNote
from dpstudio.documents.session import Session

COUNT = 48_317
ORIGIN = Origin("quillwort.csv", "", "zygomatic >= 6", "brontide", 2)
OUT, ALONG = "Leave these words out", "Let them go along"


def test_that_a_session_asks_what_becomes_of_words_and_names_where_they_stand(bench, questions, tmp_path):
    document, files, path = bench.document, bench.files, tmp_path / "mine.dpstudio"
    document.do("Count", Session.take, {"records": COUNT}, ORIGIN)
    document.show(Session.having, note="we have 48.3k of them")
    document.do("Note on picture", Session.swap, "picture_notes", None, PictureNote("acceptance", "here", (COUNT, 0.5)))
    files.path = path
    questions.expect("Cancel")
    assert not files.save()
    assert not path.exists()
    assert "Counts of data are left out, and words that you wrote may tell them." in questions.asked[-1]
    assert "the note (Decision) and a text on a picture (Decision)" in questions.asked[-1]
    assert "“48.3k” in the note (Decision) is near a count" in questions.asked[-1]
    questions.expect(OUT)
    assert files.save()
    assert session_file.load(path).texts() == ()
    assert document.state.note == "we have 48.3k of them", "it stays in the window"
    assert files.save(), "the same texts are not asked about again"
    document.show(Session.having, note="they are many")
    questions.expect(ALONG)
    assert files.save()
    assert [text for _, text in session_file.load(path).texts()] == ["they are many", "here"]
    assert str(COUNT) not in path.read_text()


def test_that_nothing_is_asked_where_no_count_stood_or_counts_go_along(bench, tmp_path):
    document, files, path = bench.document, bench.files, tmp_path / "mine.dpstudio"
    document.show(Session.having, note="agreed on 0.5")
    files.path = path
    assert files.save()
    document.do("Count", Session.take, {"records": COUNT}, ORIGIN)
    files.set_exact_counts(True)
    assert files.save()
    assert session_file.load(path).state().note == "agreed on 0.5"


def test_that_a_solved_value_has_a_tag_that_says_what_it_follows_from(bench):
    document = bench.document
    document.do("Count", Session.take, {"records": COUNT}, ORIGIN)
    document.solve({"minimum": COUNT}, wants=["acceptance@laplace = 0.5"])
    tag = bench.page.parameters.control("minimum").tag
    assert tag.text() == "follows from a count in quillwort.csv"
    assert "can be computed" in tag.toolTip()
    left = document.leaving(False)
    assert left.state().setting.set_here == {}
    assert left.state().solved == ()
    tag.own.trigger()
    assert document.leaving(False).state().setting.set_here == {"minimum": COUNT}
    document.undo()
    assert document.leaving(False).state().setting.set_here == {}
