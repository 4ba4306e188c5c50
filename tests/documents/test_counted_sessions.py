"""What was counted in data leaves only where that was chosen; a session says how to count it again, and never a row."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from settings_kit import held

from dpstudio.core.study import answer
from dpstudio.data.meaning import groups_guarantee
from dpstudio.data.origin import Origin
from dpstudio.documents import pictures, session_file, tables, words
from dpstudio.documents.codec import SessionError
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies

pytestmark = pytest.mark.usefixtures("own_settings")

DECISION = all_studies()["decision"]
ORIGIN = Origin("people.csv", "ab" * 32, "age >= 65 and note = '=cmd()'", "id", 2, ("", "NA"))
EXACT = 7_654_321
EXPLICIT = {"epsilon": 0.2, "records": EXACT}
GOOD = session_file.text(Session.of(DECISION, EXPLICIT, ORIGIN), again=True)
SHARED = session_file.text(Session.of(DECISION, EXPLICIT, ORIGIN))


def read_back(origin):
    """The origin as a session gives it back: the digest as it was written."""
    return replace(origin, sha256="", kept_digest=origin.digest)


def changed(content=None, **changes):
    document = json.loads(content or GOOD)
    document["studies"]["decision"]["data"] |= changes
    return json.dumps(document)


def with_data(data):
    document = json.loads(GOOD)
    document["studies"]["decision"]["data"] = data
    return json.dumps(document)


def test_that_an_exact_count_is_left_out_and_how_to_count_it_again_is_not(tmp_path):
    session_file.save(tmp_path / "a.dpstudio", Session.of(DECISION, EXPLICIT, ORIGIN))
    assert str(EXACT) not in (tmp_path / "a.dpstudio").read_text()
    kept = session_file.load(tmp_path / "a.dpstudio")
    assert (kept.study_class, kept.explicit, kept.data) == (DECISION, {"epsilon": 0.2}, read_back(ORIGIN))
    assert held(session_file.load(tmp_path / "a.dpstudio")) == (DECISION, {"epsilon": 0.2})


def test_that_an_exact_count_goes_along_where_that_was_chosen(tmp_path):
    session_file.save(tmp_path / "a.dpstudio", Session.of(DECISION, EXPLICIT, replace(ORIGIN, exact=True)))
    kept = session_file.load(tmp_path / "a.dpstudio")
    assert (kept.explicit, kept.data.exact) == (EXPLICIT, True)


def test_that_what_is_read_from_the_data_besides_is_never_written():
    assert session_file.text(Session.of(DECISION, EXPLICIT, replace(ORIGIN, at_most=None, most=987))) \
        == session_file.text(Session.of(DECISION, EXPLICIT, replace(ORIGIN, at_most=None)))


def test_that_a_session_without_data_is_written_as_ever():
    assert "data" not in json.loads(session_file.text(Session.of(DECISION, EXPLICIT)))["studies"]["decision"]
    assert session_file.read(session_file.text(Session.of(DECISION, EXPLICIT))).data is None


@pytest.mark.parametrize(("content", "why"), [
    (changed(rows=[[1, 2]]), "unknown key"), (changed(file="/home/me/people.csv"), "data file must be a file name"),
    (changed(file="..\\people.csv"), "a file name"), (changed(file=""), "a file name"),
    (changed(file=1), "a file name"),
    (changed(digest="AB" * 32), "data digest must be a digest"), (changed(digest=1), "data digest"),
    (changed(sha256="ab" * 32), "unknown key 'sha256'|unknown key"), (changed(SHARED, persons=1), "data persons"),
    (changed(SHARED, where="x"), "unknown key"), (changed(SHARED, persons=False), "beside a"),
    (changed(SHARED, at_most=None, persons=None), "data persons"), (changed(where=7), "data where must be a condition"),
    (changed(where="\ud800"), "which is no text"), (changed(person=[]), "data person"),
    (changed(at_most=0), "data at_most"),
    (changed(at_most=1.5), "data at_most"), (changed(at_most=True), "data at_most"), (changed(person=None), "beside a"),
    (changed(missing="NA"), "data missing"), (changed(missing=[1]), "data missing"),
    (changed(counts=[]), "data counts"),
    (changed(counts=["speed"]), "data counts"), (changed(counts=[{}]), "data counts"), (changed(exact=1), "data exact"),
    (changed(by="city"), "data by must be at most 2 different columns"), (changed(by=[1]), "data by"),
    (changed(by=["a", "b", "c"]), "data by"), (changed(by=["a", "a"]), "data by"), (changed(of=1), "data of"),
    (changed(by=["a"], of="b"), "data of must be a column, and none beside by"), (changed(of=None), "data of"),
    (changed(by=[""]), "data by"), (changed(where=""), "data where must be a condition"),
    (changed(where="", by=[]), "data where"), (changed(SHARED, by=["a"]), "unknown key"),
    (changed(SHARED, of="a"), "unknown key"), (changed(action=1), "data action"),
    (changed(further="x"), "data further"), (changed(further=[1]), "data further"),
    (GOOD.replace('"missing"', '"missed"'), "unknown key"),
    (with_data(None), "data must be an object"),
    (with_data({}), "counts is missing"),
    (GOOD.replace('"epsilon": 0.2', '"epsilon": 0.2, "records": 5'), "says that records is left out, and holds it")])
def test_that_any_other_origin_is_refused_in_one_sentence(content, why):
    with pytest.raises(SessionError, match=why) as refusal:
        session_file.read(content)
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 350


@pytest.mark.parametrize("asked", [{"by": ("city",)}, {"by": ("city", "sex"), "where": ""}, {"of": "pay", "where": ""}])
def test_that_columns_come_back_from_a_session_and_leave_in_nothing_else(asked):
    origin = replace(ORIGIN, **asked)
    text = session_file.text(Session.of(DECISION, EXPLICIT, origin), again=True)
    assert session_file.read(text).data == read_back(origin)
    shared = session_file.text(Session.of(DECISION, EXPLICIT, origin))
    assert not any(name in shared for name in ("city", "sex", "pay"))
    assert "by" not in json.loads(GOOD)["studies"]["decision"]["data"], "only where it says something"
    exact = replace(origin, exact=True)
    text = session_file.text(Session.of(DECISION, EXPLICIT, exact), again=True)
    assert session_file.read(text).data == read_back(exact)


def test_that_a_note_says_which_columns_were_counted():
    told = replace(ORIGIN, by=("city", "a\nb"), where="", exact=True).note
    assert told == ("records: exact and sensitive, counted in 'people.csv' by 'city' and 'a\\nb', at most 2 rows of "
                    "each 'id'")
    told = replace(ORIGIN, of="pay", where="x > 1", person=None, at_most=None).sentence
    assert told == "counted in 'pay' of 'people.csv' where x > 1"


def left(data=None):
    """The session of what stands in for a count."""
    return Session.of(DECISION, {"epsilon": 0.2}, data)


@pytest.fixture(scope="module")
def stand_in():
    study = DECISION(epsilon=0.2)
    return study, answer(study, simulate=False)


def test_that_numbers_say_what_was_left_out(stand_in):
    _, update = stand_in
    document = json.loads(tables.json_text(left(ORIGIN), update))
    assert document["data"].keys() == {"counts", "exact", "at_most", "persons", "note"}
    assert "left out as sensitive" in document["data"]["note"]
    exact = tables.csv_text(Session.of(DECISION, {"epsilon": 0.2}, replace(ORIGIN, exact=True)), update)
    assert "# data: records: exact and sensitive, counted in 'people.csv' where age >= 65" in exact
    told = ("# data:", "# person:", "# session:")
    assert [line for line in tables.csv_text(left(), update).splitlines() if not line.startswith(told)] == [
        line for line in exact.splitlines() if not line.startswith(told)]


def test_that_numbers_say_what_a_guarantee_is_for_a_person_of_several_records(stand_in):
    one, two, unbounded = (json.loads(tables.json_text(left(replace(ORIGIN, at_most=bound, most=987)), stand_in[1]))
                           ["verdicts"] for bound in (1, 2, None))
    assert two[1:] == unbounded[1:] == one
    assert two[0].startswith("One person is up to 2 records of the count, so ε = 0.2 and δ = ")
    assert "ε = 0.4" in two[0]
    assert "one record is meant" in two[0]
    assert unbounded[0].startswith("Nothing bounds the rows of a person")
    assert "987" not in unbounded[0], "it was read from the data"
    assert "# person: One person is up to 2 records" in tables.csv_text(left(ORIGIN), stand_in[1])


@pytest.mark.parametrize(("bound", "records"), [(1, "1 record"), (2, "2 records")])
def test_that_files_say_of_groups_that_nothing_bounds_in_how_many_a_person_is_whatever_the_bound(bound, records):
    study = all_studies()["table"](cells="3,4,5", epsilon=0.2)
    origin = replace(ORIGIN, by=("city",), at_most=bound, counts=("cells",), exact=True)
    session, update = Session.of(type(study), study.values(), origin), answer(study, simulate=False)
    for data in (origin, origin.leaving):
        told, = tables.of_a_person(study, data)
        assert told == groups_guarantee(True, bound)
        assert words.counted(study, data).endswith(f"; one person may be up to {records} in each of several groups")
    assert json.loads(tables.json_text(session, update))["verdicts"][0] == told
    assert f"# person: {told}" in tables.csv_text(session, update)


def test_that_a_cohort_comes_back_with_all_its_conditions():
    further = replace(ORIGIN, action="sex = 'f'", further=("ill > 1",))
    content = session_file.text(Session.of(DECISION, EXPLICIT, further), again=True)
    assert session_file.read(content).data == read_back(further)
    assert "where age >= 65 and note = '=cmd()'; ill > 1, in the arms" in further.sentence


def test_that_no_line_of_a_file_breaks_a_header(stand_in):
    odd = replace(ORIGIN, file="a\n=cmd().csv", where="x = '\n=1+1'", person="\r@x", exact=True)
    lines = tables.csv_text(Session.of(DECISION, {"epsilon": 0.2}, odd), stand_in[1]).splitlines()
    assert sum(line.startswith("# data:") for line in lines) == 1
    assert not [line for line in lines if line.startswith(("=", "@"))]


@pytest.mark.parametrize("ending", pictures.FORMATS)
def test_that_a_picture_says_it_and_carries_no_more(stand_in, ending, tmp_path):
    study, update = stand_in
    path = tmp_path / f"a.{ending}"
    pictures.write(path, left(ORIGIN), update, study.figures[0], dpi=60)
    kept = session_file.load(path)
    assert (kept.explicit, kept.data) == ({"epsilon": 0.2}, ORIGIN.leaving)
    if ending == "svg":
        assert "what was counted in people’s data is left out" in path.read_text()


def test_that_nothing_is_made_of_a_count_that_is_said_to_be_left_out(stand_in):
    kept, update = Session.of(DECISION, {"epsilon": 0.2}).take({"records": EXACT}, ORIGIN), stand_in[1]
    pin = kept.pin().reset("records")
    for made in (lambda: tables.json_text(kept, update), lambda: tables.csv_text(kept, update),
                 lambda: pictures.picture("svg", kept, update, DECISION.figures[0]),
                 lambda: pictures.picture("svg", pin, update, DECISION.figures[0])):
        with pytest.raises(ValueError, match="records is said to be left out, and stands there"):
            made()
