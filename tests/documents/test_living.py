"""A picture with sliders as a page: it has what compute gives at each of their values, and its script shows that."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from living_kit import Page, points

from dpstudio.cli import main
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.resources import resource
from dpstudio.core.study import answer
from dpstudio.core.sweep import Over
from dpstudio.data.origin import Origin
from dpstudio.documents import living, session_file
from dpstudio.documents.living import Living, drawing, making, swept
from dpstudio.documents.noted import PictureNote
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies
from dpstudio.text.numbers import powered

pytestmark = pytest.mark.usefixtures("own_settings")
HOSTILE = "</script><script>alert(1)</script><!-- \u2028 & “x”"
PAGES = {
    "one exact": ("decision", "acceptance", ("epsilon=0.05:1:3:log",), {}),
    "two exact": ("decision", "acceptance", ("epsilon=0.1:1:2:log", "delta=1e-9,1e-3"), {"minimum": 200}),
    "whole numbers": ("noise", "densities", ("epsilon=0.5:2:3",), {"trials": 1000}),
    "bands": ("response", "posterior", ("epsilon=0.5:2:2",), {"trials": 100}),
    "bars": ("plan", "split", ("budget=0.5:2:2",), {}),
    "simulated": ("audit", "outcomes", ("epsilon=0.5:1:2",), {"trials": 20_000}),
    "drawn alone": ("noise", "released", ("epsilon=0.5:1:2",), {"trials": 1000, "seed": 3}),
    "infinite": ("budget", "total", ("epsilon=0.01:0.1:2",), {}),
}


def asked(name):
    key, figure, over, values = PAGES[name]
    kind = all_studies()[key]
    return Living(Session.of(kind, values), kind.figure(figure), swept(kind, over))


@cache
def page(name):
    return Page(living.made(asked(name)))


def places(found):
    return itertools.product(*(range(len(over["values"])) for over in found.data["over"]))


# The numbers are those of compute


@pytest.mark.parametrize("name", PAGES)
def test_that_every_cell_has_what_compute_writes_there_float_by_float(name, capsys):
    key, _, _, values = PAGES[name]
    found, simulated = page(name), asked(name).simulated
    for at in places(found):
        given = {**values, **{over["name"]: over["values"][i] for over, i in zip(found.data["over"], at, strict=True)}}
        settings = [word for each, value in given.items() for word in ("--set", f"{each}={value!r}")]
        assert main(["compute", key, *settings, *["--no-simulation"] * (not simulated), "--format", "json"]) == 0
        computed = json.loads(capsys.readouterr().out)
        figure = asked(name).figure
        table = computed["tables"][figure.table]
        columns = found.columns(*at)
        drawn = {layer.y.key for layer in figure.layers if hasattr(layer, "y")} & table.keys()
        assert drawn, "something is drawn"
        assert drawn <= columns.keys()
        for head, numbers in columns.items():
            assert list(map(repr, numbers)) == list(map(repr, table[head])), head
        known = {(fact["value"], fact["kind"], fact["low"], fact["high"]) for fact in computed["facts"]}
        told = {tuple(fact[2:]) for fact in found.facts(*at)}
        assert told
        assert told <= known
        assert found.said(*at) == powered(computed["verdicts"][0])


def test_that_the_facts_are_those_that_are_seen_first_with_their_kinds():
    first = all_studies()["decision"].level_one
    rows = [label for label, _ in page("one exact").cell(0)["facts"]]
    assert len(rows) == len(first.facts)
    assert len(page("one exact").cell(0)["facts"][0][1]) == len(first.series)
    assert {fact[3] for fact in page("one exact").facts(0)} == {"exact", "bound"}
    estimates = [fact for fact in page("simulated").facts(0) if fact[3] == "estimate"]
    assert estimates
    assert all(low <= value <= high for _, _, value, _, low, high in estimates)


def test_that_what_is_alike_in_several_cells_stands_there_once():
    columns = page("bands").data["columns"]
    assert len({json.dumps(each) for each in columns}) == len(columns)
    assert len(columns) < sum(len(cell["values"]) for cell in page("bands").data["cells"])
    across = page("bands").data["heads"][0][0]
    assert page("bands").columns(0)[across] == page("bands").columns(1)[across]


# The script


def test_that_the_script_shows_the_cell_at_which_the_sliders_stand():
    found = page("two exact")
    for at in places(found):
        state = found.run(*at, table=True)
        assert state["says"] == found.said(*at)
        assert [each[0] for each in state["at"]] == [over["said"][i] for over, i in zip(
            found.data["over"], at, strict=True)]
        assert all(words == valuetext for words, valuetext in state["at"])
        assert [row[1:] for row in state["facts"]] == [[fact[0] if fact else "–" for fact in row]
                                                       for _, row in found.cell(*at)["facts"]]
        heads, *rows = state["values"]
        columns = found.columns(*at)
        assert len(heads) == len(columns)
        assert [float(cell) for cell in rows[5]] == [float(numbers[5]) for numbers in columns.values()]
        assert len(rows) == len(columns["records"])
        assert state["shown"]
        assert [path for _, path in state["paths"]] == [
            found.data["paths"][place] if place >= 0 else "" for place in found.cell(*at)["paths"]]


def test_that_the_facts_of_what_is_not_allowed_are_told_from_those_of_what_is():
    kind = all_studies()["decision"]
    found = Page(living.made(Living(Session.of(kind), kind.figure("acceptance"), swept(kind, ("delta=1e-6,0.2",)))))
    names = [series.key for series in kind.level_one.series]
    for at, refused in ((0, {"cutoff"}), (1, set())):
        state = found.run(at)
        assert {name for name, faint in zip(names, state["heads"], strict=True) if faint} == refused
        rows = [row for row in state["refused"] if len(row) > 2]
        assert all(row[1:] == state["heads"] for row in rows)
        assert rows
    still = [attributes["class"].split() for tag, attributes, _ in found.with_class("of-series")]
    assert ["refused" in each for each in still] == [name == "cutoff" for name in names]


@pytest.mark.parametrize("at", [0, 2])
def test_that_a_curve_is_drawn_where_its_values_lie(at):
    found, one = page("one exact"), asked("one exact")
    path = next(d for look, d in found.run(at)["paths"] if look.split()[1] == "line" and d)  # Laplace stands first
    across, up = found.axis("wide", "left"), found.axis("", "top")
    size = drawing.UNITS + 2 * drawing.EDGE
    seen = None
    for seen in living.cells.stretch(one):  # noqa: B007
        pass
    study = type(one.study)(epsilon=found.data["over"][0]["values"][at])
    table = answer(study, simulate=False, views={"records": seen}).tables["records"]
    columns = {column.key: values for column, values in table.items()}
    x = np.array([across(value) for value in columns["records"]])
    y = np.array([up(value) * size / drawing.UNITS - drawing.EDGE for value in columns["acceptance_laplace"]])
    corners = points(path)
    assert len(corners) > 10
    assert up(1) < up(0), "more is further up"
    assert across(900) < across(1000)
    assert corners[0, 0] == pytest.approx(0, abs=4), "over all of the axis, not the stretch of its own setting alone"
    assert corners[-1, 0] == pytest.approx(drawing.UNITS, abs=4)
    ends = np.abs(corners[:, None, :] - np.stack([x, y], axis=1)).max(axis=2).min(axis=1)
    assert ends.max() < 4, "every corner is a value, to four ten-thousandths of the picture"
    step = 4 + drawing.WITHIN
    beside = np.interp(x, corners[:, 0], corners[:, 1])
    sideways = np.interp(-y, -corners[:, 1], corners[:, 0]) if np.all(np.diff(corners[:, 1]) <= 0) else x
    assert (np.minimum(np.abs(beside - y), np.abs(sideways - x)) < step).all(), "and every value lies on the curve"


def test_that_the_axes_stay_and_hold_every_cell():
    found = page("one exact")
    for at in places(found):
        for look, path in found.run(*at)["paths"]:
            if look.split()[1] == "line" and path:
                corners = points(path)
                assert corners.min() >= -1
                assert corners.max() <= drawing.UNITS + 1
    assert len(found.with_class("grid")) == 1


def test_that_what_is_not_allowed_is_drawn_fainter_and_says_what_it_spends():
    state = page("one exact").run(2)
    refused = [look for look, path in state["paths"] if "refused" in look and path]
    assert refused
    assert any("spends δ" in words for words in state["legend"])


def test_that_infinite_values_are_arrows_and_nothing_is_drawn_to_them():
    session = Session.of(all_studies()["decision"], {})
    figure = session.study_class.figure("loss")
    found = Page(living.made(Living(session, figure, swept(session.study_class, ("epsilon=0.1:1:2",)))))
    arrows = [look for words, look, _, _ in found.run(0)["labels"] if "rises" in look]
    assert arrows
    assert all("inf" not in path for path in found.data["paths"])


def test_that_a_setting_that_the_study_refuses_says_so_and_has_no_curve():
    kind = all_studies()["number"]
    session = Session.of(kind, {"upper": 100_000.0})
    found = Page(living.made(Living(session, kind.figure("released"), swept(kind, ("lower=0,200000",)))))
    state = found.run(1, table=True)
    assert state["says"].startswith("Upper must be") or state["says"].startswith("Lower must be")
    assert not any(path for _, path in state["paths"])
    assert not state["facts"]
    assert not state["legend"]
    assert any(path for _, path in found.run(0)["paths"])


def test_that_every_setting_refused_is_a_refusal():
    kind = all_studies()["number"]
    session = Session.of(kind, {"upper": 100_000.0})
    with pytest.raises(InvalidParameter, match="over must be a setting at least that the study takes"):
        living.made(Living(session, kind.figure("released"), swept(kind, ("lower=200000,300000",))))


# The page


def test_that_nothing_runs_but_the_script_and_nothing_is_fetched():
    found = page("one exact")
    digest = base64.b64encode(hashlib.sha256(found.script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in found.policy
    assert found.policy.startswith("default-src 'none'")
    assert found.script == resource("living/page.js").read_text("utf-8")
    assert len(found.script) < 8_000
    for word in ("innerHTML", "eval", "Function", "fetch", "XMLHttp", "import(", "document.write", "localStorage"):
        assert word not in found.script
    assert set(re.findall(r"https?://[^\s\"'<)]+", found.content)) == {"http://www.w3.org/2000/svg"}
    for _, attributes, _ in found.elements:
        assert not {"src", "action", "href"} & attributes.keys() or attributes["href"].startswith("#")
        assert not any(name.startswith("on") for name in attributes)


def test_that_the_page_is_read_without_scripts():
    found = page("two exact")
    assert all("hidden" not in attributes for _, attributes, _ in found.with_class("still"))
    assert all("hidden" in attributes for _, attributes, _ in found.with_class("live"))
    session = asked("two exact").session
    update = answer(session.study, simulate=False)
    assert found.by_id("says")[2] == powered(update.verdicts[0])
    assert "Neighbours differ by one record of one person" in found.content
    assert "DP Studio 0" in found.content
    assert "m = 200" in found.content
    assert "ε = 0.1" in found.by_id("setting")[2]
    rows = len(update.tables["records"].columns[next(iter(update.tables["records"]))])
    assert found.content.count("<tr><td>") == rows
    still = next(each for tag, each, _ in found.elements if tag == "svg" and each.get("role") == "img")
    assert still["aria-labelledby"] == "p1-title"


def test_that_sliders_have_names_and_begin_where_the_session_stands():
    found = page("one exact")
    slider = found.by_id("slide0")[1]
    label = next(each for each in found.elements if each[0] == "label")
    assert (label[1]["for"], label[2]) == ("slide0", "Privacy loss ε")
    assert slider["type"] == "range"
    assert (slider["min"], slider["max"], slider["value"]) == ("0", "2", "0")  # 0.1 is nearest to 0.05
    assert slider["aria-valuetext"] == "0.05"


def test_that_it_carries_its_session_as_a_picture_does(tmp_path):
    path = tmp_path / "a.html"
    path.write_bytes(living.made(asked("two exact")))
    opened = session_file.open_file(path)
    assert not opened.whole
    assert not opened.its_own
    assert opened.session.explicit["minimum"] == 200


def test_that_the_same_request_gives_the_same_bytes_and_so_does_the_command_line(tmp_path):
    session, _, over, _ = asked("two exact").session, *PAGES["two exact"][1:]
    first = living.made(asked("two exact"))
    words = [word for text in over for word in ("--over", text)]
    assert main(["render", "decision", "--set", "minimum=200", *words, "--output", str(tmp_path / "a.html")]) == 0
    assert (tmp_path / "a.html").read_bytes() == first
    session_file.save(tmp_path / "a.dpstudio", session)
    assert main(["render", str(tmp_path / "a.dpstudio"), *words, "--output", str(tmp_path / "b.html")]) == 0
    assert main(["render", str(tmp_path / "a.html"), *words, "--output", str(tmp_path / "c.html")]) == 0
    assert (tmp_path / "b.html").read_bytes() == first
    assert (tmp_path / "c.html").read_bytes() == first


def test_that_hostile_words_are_words(tmp_path):
    session = Session.of(all_studies()["decision"], {}).pin().having(
        note=HOSTILE, picture_notes=(PictureNote("acceptance", HOSTILE, (900.0, 0.5)),))
    session = session.keep(HOSTILE[:90])
    made = living.made(Living(session, session.study_class.figure("acceptance"), swept(session.study_class, (
        "epsilon=0.1,1",))))
    found = Page(made)
    assert [tag for tag, *_ in found.elements].count("script") == 3
    assert "<!--" not in found.content
    assert "alert(1)" in found.content
    assert "<script>alert" not in found.content
    (tmp_path / "a.html").write_bytes(made)
    assert session_file.load(tmp_path / "a.html").state().note == HOSTILE
    assert found.run(0)["shown"]


def test_that_hostile_names_in_a_list_are_words():
    kind = all_studies()["plan"]
    session = Session.of(kind, {"releases": "</script><b>x: count within=30; <!-- y: count within=20"})
    found = Page(living.made(Living(session, kind.figure("split"), swept(kind, ("budget=0.5,1",)))))
    assert [tag for tag, *_ in found.elements].count("script") == 3
    assert not any(tag == "b" for tag, *_ in found.elements)
    assert "</script><b>x" in "".join(text for _, _, text in found.elements)
    assert found.run(1)["shown"]


def test_that_hostile_words_among_the_values_of_a_slider_are_words():
    kind = all_studies()["plan"]
    over = Over("releases", ("count within=10", "</script><b>x: count within=20"))
    found = Page(living.made(Living(Session.of(kind), kind.figure("split"), (over,))))
    assert [tag for tag, *_ in found.elements].count("script") == 3
    assert not any(tag == "b" for tag, *_ in found.elements)
    assert "</script><b>x" in found.data["over"][0]["values"][1]


def test_that_hidden_curves_are_left_out_and_pinned_ones_are_faint():
    kind = all_studies()["decision"]
    session = Session.of(kind, {"epsilon": 0.3}).pin().set("epsilon", 0.1).having(hidden=frozenset({"gaussian"}))
    found = Page(living.made(Living(session, kind.figure("acceptance"), swept(kind, ("epsilon=0.1,1",)))))
    state = found.run(0)
    assert "Gaussian" not in state["legend"]
    assert not any(tag == "text" and text == "Gaussian" for tag, _, text in found.elements), "nor in the still picture"
    assert any(tag == "text" and text == "Laplace" for tag, _, text in found.elements)
    assert any("faint" in look and path for look, path in state["paths"])
    assert state["legend"][-1] == "ε = 0.3"


def test_that_a_parameter_that_follows_another_follows_it_in_every_cell():
    kind = all_studies()["decision"]
    found = Page(living.made(Living(Session.of(kind), kind.figure("acceptance"), swept(kind, ("minimum=500,1000",)))))
    assert "c = 500" in found.run(0)["setting"]
    assert "c = 1\u202f000" in found.run(1)["setting"] or "c = 1000" in found.run(1)["setting"]


# Bounds


def test_that_a_page_too_large_is_refused_and_says_the_limit(monkeypatch):
    monkeypatch.setattr(making, "LARGEST", 100_000)
    counted, one = [], making.cell
    monkeypatch.setattr(making, "cell", lambda *given: counted.append(given) or one(*given))
    kind = all_studies()["decision"]
    with pytest.raises(InvalidParameter, match=r"over must be so few settings .* 0 MB, about \d of these, got 40"):
        living.made(Living(Session.of(kind), kind.figure("acceptance"), swept(kind, ("epsilon=0.01:10:40:log",))))
    assert len(counted) < 15, "no more is computed than is needed to know it"


@pytest.mark.parametrize(("over", "told"), [
    (("epsilon=0.1:1:2501",), "at most 2\u202f500 settings, got 2501"),
    (("epsilon=0.1:1:51", "delta=0:0.1:50"), "at most 2\u202f500 settings, got 2550"),
    (("epsilon=0.1:1:1000000000",), "at most 2\u202f500 settings"),
    (("epsilon=-1,1",), "epsilon must be in"),
    (("nothing=1,2",), "nothing"),
])
def test_that_what_cannot_be_swept_is_refused_before_anything_is_computed(over, told):
    with pytest.raises(InvalidParameter, match=re.escape(told)):
        swept(all_studies()["decision"], over)


@pytest.mark.parametrize(("words", "told"), [
    ([], "--over is missing"),
    (["--over", "epsilon=0.1,1", "--size", "100x100mm"], "--size is for pictures on paper"),
    (["--over", "epsilon=0.1,1", "--dpi", "100"], "--dpi is for pictures on paper"),
    (["--over", "epsilon=0.1,1", "--all"], "--all is for pictures on paper"),
    (["--over", "epsilon=0.1,1", "--published"], "--published is for pictures on paper"),
    (["--over", "epsilon=0.1,1", "--set", "epsilon=1"], "epsilon is given by --set and by --over"),
    (["--over", "epsilon=0.1,1", "--over", "epsilon=0.1,1"], "two different parameters"),
    (["--over", "epsilon=0.1,1"] * 3, "--over is given once or twice"),
    (["--over", "epsilon=0.1,1", "--figure", "nope"], "unknown figure"),
    (["--over", "epsilon=0.1,1", "--figure", "risk_people"], "a picture with axes"),
])
def test_that_the_command_line_refuses_in_one_line_and_writes_nothing(words, told, tmp_path, capsys):
    target = tmp_path / "a.html"
    assert main(["render", "decision", *words, "--output", str(target)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert told in err
    assert err.count("\n") == 1
    assert not target.exists()


def test_that_over_belongs_to_a_living_page(tmp_path, capsys):
    assert main(["render", "decision", "--over", "epsilon=0.1,1", "--output", str(tmp_path / "a.svg")]) == 2
    assert "--over is for a living page" in capsys.readouterr().err


def test_that_size_and_time_are_about_what_is_said():
    one = asked("one exact")
    one = replace(one, over=swept(type(one.study), ("epsilon=0.05:1:12:log",)))
    guessing = living.estimate(one)
    while True:
        try:
            next(guessing)
        except StopIteration as end:
            found = end.value
            break
    assert 0.5 < found.size / len(living.made(one)) < 2
    assert found.seconds > 0


# Own counts


ORIGIN = Origin("quillwort.csv", "0" * 64, "zygomatic >= 6", "brontide", 2)
COUNT = 7_654_321


@pytest.mark.parametrize("exact", [False, True])
def test_that_a_count_goes_along_only_where_that_is_said(exact):
    session = Session.of(all_studies()["decision"], {}).take({"records": COUNT}, ORIGIN).leaving(exact)
    made = living.made(Living(session, session.study_class.figure("acceptance"), swept(
        session.study_class, ("epsilon=0.1,1",)))).decode().replace("\u202f", "").replace(",", "")
    assert (str(COUNT) in made) == exact
    assert ("quillwort" in made) == exact
    assert ("counted in people’s data is left out" in made) != exact


def test_that_a_count_that_is_said_to_be_left_out_and_stands_there_is_refused():
    session = Session.of(all_studies()["decision"], {}).take({"records": COUNT}, ORIGIN)
    with pytest.raises(ValueError, match="is said to be left out"):
        living.made(Living(session, session.study_class.figure("acceptance"), swept(
            session.study_class, ("epsilon=0.1,1",))))
