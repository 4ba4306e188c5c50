"""The help beside the pictures: wide enough to read, searched, left and closed by mouse and keyboard."""

from __future__ import annotations

import re

import pytest
from answers_kit import Asked
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_kit import answered

from dpstudio.documents import help
from dpstudio.documents.help import FOLD, MORE, THEOREMS, WORDS, folded, found, is_below_fold, sections
from dpstudio.gui.help.page import HelpPlace
from dpstudio.studies import all_studies
from dpstudio.vocabulary.glossary import GLOSSARY, term_of


@pytest.fixture
def helped(bench, qtbot):
    """The workbench with its help open and the keyboard in it."""
    bench.window_.activateWindow()
    bench.menus.actions["Help on this study"].setChecked(True)
    qtbot.waitUntil(lambda: "You have data and a minimum" in bench.help.toPlainText())
    QApplication.processEvents()
    return bench


def press(bench, key):
    QTest.keyClick(bench.window_.windowHandle(), key)


def search(bench, words):
    bench.help_card.inside.search.setFocus()
    bench.help_card.inside.search.selectAll()
    QTest.keyClicks(bench.help_card.inside.search, words)


def test_that_the_help_says_the_last_answer_as_soon_as_it_is_opened(bench, qtbot):
    answered(qtbot, bench)
    assert "inside" not in vars(bench.help_card), "nobody looks at it"
    bench.answers.close()  # no further answer tells it
    bench.show_help(True)
    assert "You have data and a minimum" in bench.help.toPlainText()


def test_that_a_line_of_the_help_has_sixty_letters(helped, qtbot):
    def letters():
        full = []
        for block in helped.help._blocks():
            if not block.blockFormat().leftMargin() and not block.blockFormat().headingLevel() and not block.textList():
                lines = [block.layout().lineAt(i) for i in range(block.layout().lineCount())]
                full += [line.textLength() for line in lines[:-1]]
        return full

    for size in ((1280, 720), (1920, 1080)):
        for presentation in (False, True):
            helped.appearance.set_presentation(presentation)
            helped.window_.resize(*size)
            QApplication.processEvents()
            assert helped.help.isVisible()
            assert len(full := letters()) > 10
            assert sum(full) / len(full) >= 60
            assert (helped.window_.width(), helped.window_.height()) == size
            assert helped.help.horizontalScrollBar().maximum() == 0


def test_that_the_pictures_stand_beside_the_help_where_there_is_room(helped, qtbot):
    assert helped.pictures.isVisible()
    assert helped.pictures.width() >= 300
    helped.appearance.set_presentation(True)
    qtbot.waitUntil(lambda: not helped.pictures.isVisible())
    assert helped.window_.width() == 1280
    helped.menus.actions["Help on this study"].setChecked(False)
    assert helped.pictures.isVisible()


def test_that_the_help_is_closed_by_its_button_and_by_escape_and_the_menu_knows(helped):
    shown, acceptance = helped.menus.actions["Help on this study"], helped.pictures.large
    assert helped.window_.focusWidget() is helped.help
    press(helped, Qt.Key.Key_Escape)
    assert not helped.help_card.isVisible()
    assert helped.window_.focusWidget() is acceptance.canvas
    shown.setChecked(True)
    QApplication.processEvents()
    QTest.mouseClick(helped.help_card.inside.close_button, Qt.MouseButton.LeftButton)
    assert not helped.help_card.isVisible()
    assert not shown.isChecked()
    assert not helped.settings.help_shown
    shown.setChecked(True)
    acceptance.enlarge_requested.emit()
    helped.help.setFocus()
    press(helped, Qt.Key.Key_Escape)
    assert not helped.help_card.isVisible()
    assert helped.pictures.is_enlarged(), "an enlarged picture stays as it is"


def test_that_words_are_found_in_every_page_and_lead_there(helped, qtbot):
    search(helped, "staircase" if any(found("staircase", help.titles())) else "calibr")
    results = helped.help._text
    keys = re.findall(r"\]\(([a-z]+):(\d+)\)", results)
    assert keys
    page, number = next((page, int(number)) for page, number in keys if page != "decision")
    helped.help.anchorClicked.emit(QUrl(f"{page}:{number}"))
    assert f"**{help.titles()[page]}**" in helped.help._text
    assert "{" not in help.usual(page) if page in all_studies() else True
    title = sections(page)[number].title
    seen = helped.help.cursorForPosition(helped.help.viewport().rect().topLeft()).block()
    near = [seen.text(), seen.next().text(), seen.next().next().text()]
    at_end = helped.help.verticalScrollBar().value() == helped.help.verticalScrollBar().maximum()
    assert title in near or at_end


def test_that_back_returns_to_where_the_page_was_left(helped):
    card, bar = helped.help_card.inside, helped.help.verticalScrollBar()
    assert not card.back.isEnabled()
    bar.setValue(200)
    helped.help.show_theorems(True)
    assert card.back.isEnabled()
    assert bar.value() == 0
    QTest.mouseClick(card.back, Qt.MouseButton.LeftButton)
    assert "You have data and a minimum" in helped.help.toPlainText()
    assert bar.value() == 200
    assert not card.back.isEnabled()


def test_that_a_search_is_one_step_back_however_many_letters_it_took_and_so_is_clearing_it(helped):
    card = helped.help_card.inside
    search(helped, "zzz_<b>")
    assert "0 sections with “zzz_<b>”" in helped.help.toPlainText()
    search(helped, "loss")
    card.search.selectAll()
    QTest.keyClick(card.search, Qt.Key.Key_Delete)
    assert "You have data and a minimum" in helped.help.toPlainText()
    search(helped, "privacy loss")
    assert helped.help.toPlainText().count("Found") == 1
    press(helped, Qt.Key.Key_Escape)
    assert card.isVisible()
    assert card.search.text() == ""
    assert "You have data and a minimum" in helped.help.toPlainText()
    press(helped, Qt.Key.Key_Escape)
    assert not card.isVisible()


def test_that_the_keyboard_reaches_all_of_the_help_and_no_link_leads_outside(helped):
    before = helped.help.place
    for outside in ("https://example.org", "file:///etc/passwd"):
        helped.help.anchorClicked.emit(QUrl(outside))
    assert helped.help.place == before
    card, met = helped.help_card.inside, set()
    card.search.setFocus()
    helped.help.show_theorems(True)
    parts = {card.back, card.search, card.close_button, card.pane}
    for _ in range(120):
        met.add(helped.window_.focusWidget())
        press(helped, Qt.Key.Key_Tab)
        if parts <= met:
            break
    assert parts <= met
    assert all(part.accessibleName() for part in parts)


def test_that_what_stands_below_the_fold_is_shown_when_it_is_asked_for_or_looked_for(helped):
    pane, below = helped.help, "What (ε, δ) demands"
    assert below not in pane.toPlainText()
    assert "More on this page ▸" in pane.toPlainText()
    pane.anchorClicked.emit(QUrl(MORE))
    assert below in pane.toPlainText()
    assert "More on this page ▾" in pane.toPlainText()
    assert pane.place == HelpPlace(), "it is the same page"
    pane.anchorClicked.emit(QUrl(MORE))
    assert below not in pane.toPlainText()
    number = next(section.number for section in sections("decision") if section.title.startswith(below))
    assert not is_below_fold("decision", number - 1)
    pane.turn(HelpPlace("decision", heading=number))
    assert below in pane.toPlainText(), "a section that was found is shown"


@pytest.mark.parametrize("key", [key for key in help.titles() if key != WORDS])
def test_that_what_is_read_first_of_a_page_has_at_most_nine_hundred_words(key):
    assert 100 < len(help.page(key).partition(f"\n{FOLD}\n")[0].split()) <= 900


@pytest.mark.parametrize("key", [key for key in help.titles() if FOLD in help.page(key)])
def test_that_a_page_has_one_fold_and_what_is_above_it_has_no_link(key):
    above, _, below = help.page(key).partition(f"\n{FOLD}\n")
    assert FOLD not in below
    assert folded(help.page(key), unfolded=False).startswith(above)
    assert folded(help.page(key), unfolded=True).endswith(below)
    assert folded(above, unfolded=False) == above


def test_that_a_page_of_another_study_has_the_numbers_of_its_defaults(helped, qtbot):
    helped.help.turn(HelpPlace("noise"))
    assert "The numbers are those of the defaults." in helped.help.toPlainText()
    assert "{" not in helped.help.toPlainText()
    helped.desk.open_study("noise")
    answered(qtbot, helped)
    helped.help.turn(HelpPlace("noise"))
    qtbot.waitUntil(lambda: "The numbers are those of the defaults." not in helped.help.toPlainText())


def test_that_every_page_leads_to_the_words_and_they_say_what_each_means(helped, qtbot):
    pane = helped.help
    pane.anchorClicked.emit(QUrl(WORDS))
    text = pane.toPlainText()
    assert all(term.word in text and term.says in text for term in GLOSSARY)
    pane.anchorClicked.emit(QUrl(THEOREMS))
    assert "Words" in pane.toPlainText()


def test_that_the_words_a_page_lists_are_explained_by_the_glossary(monkeypatch, tmp_path):
    (tmp_path / "a.md").write_text("# A\n\n<!-- words: uncertain band; guarantee -->\n", "utf-8")
    (tmp_path / "b.md").write_text("<!-- words: no such word -->", "utf-8")
    monkeypatch.setattr(help, "resource", lambda name: tmp_path / name.removeprefix("help/"))
    assert all(term_of(word).says in help.page("a").replace("\\", "") for word in ("uncertain band", "guarantee"))
    with pytest.raises(KeyError, match="no such word"):
        help.page("b")


@pytest.mark.parametrize("key", all_studies())
def test_that_the_page_of_each_study_says_whom_one_fears_before_its_sources(key):
    text = help.page(key)
    assert text.count("## Whom you fear") == 1
    assert text.index("## Whom you fear") < text.index("## Sources")
    study = all_studies()[key](false_alarms=0.0123)
    assert "is the share, 0.0123 today, of" in help.filled(text, study, lambda *_: None)


def test_that_sections_are_those_of_the_page_in_order():
    for key in help.titles():
        headings = re.findall(r"^#+ +(.*)$", help.page(key), re.MULTILINE)
        assert [section.number for section in sections(key)] == list(range(len(headings)))
        assert not any("{" in section.text and "fact:" in section.text for section in sections(key))


def test_that_all_words_are_wanted_whatever_their_case_and_headings_come_first():
    pages = help.titles()
    hits = [section for section, _ in found("LAPLACE noise", pages)]
    assert hits
    assert all("laplace" in f"{pages[hit.page]} {hit.title} {hit.text}".casefold() for hit in hits)
    assert all("noise" in f"{pages[hit.page]} {hit.title} {hit.text}".casefold() for hit in hits)
    in_heading = ["noise" in hit.title.casefold() or "laplace" in hit.title.casefold() for hit in hits]
    assert in_heading == sorted(in_heading, reverse=True)
    assert not list(found("", pages))
    assert not list(found("laplace zzzz", pages))


def test_that_an_excerpt_shows_the_word_that_was_looked_for():
    for section, excerpt in found("attacker", help.titles()):
        if "attacker" in section.text.casefold():
            assert "attacker" in excerpt.casefold()
        assert len(excerpt) < 200


def test_that_sections_are_counted_in_plain_words(monkeypatch):
    every = list(found("laplace", help.titles()))
    for count, head in ((0, "# 0 sections with “"), (1, "# 1 section with “laplace”"), (2, "# 2 sections with “")):
        monkeypatch.setattr(help, "found", lambda words, pages, count=count: iter(every[:count]))
        assert help.results("laplace").startswith(head)


def test_that_theorems_are_told_at_usual_numbers_where_a_study_has_none():
    assert "ε = 1 and δ = 1e-6" in help.theorems(Asked()).replace("\\", "")
    assert "ε = 0.3 and δ = 1e-6" in help.theorems(all_studies()["response"](epsilon=0.3)).replace("\\", "")


def test_that_a_power_is_not_read_as_a_product():
    assert any("e^gε" in section.text for section in sections("budget"))
