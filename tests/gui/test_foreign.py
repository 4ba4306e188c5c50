"""Text that others wrote is shown as it stands and widens nothing: notices, status, tooltips, title, recent files."""

from __future__ import annotations

import pytest
from PySide6.QtGui import Qt, QTextDocument
from PySide6.QtWidgets import QApplication, QLabel

from dpstudio.gui.shell import foreign

WORD = "w" * 100_000
MARKUP = "<b>bold</b><img src='/etc/passwd'>&amp;"


def fits(bench, width=1280):
    QApplication.processEvents()
    window = bench.window_
    return window.width() == width and window.minimumSizeHint().width() <= width and window.height() == 720


def as_shown(tip: str) -> str:
    """What a tooltip reads like."""
    document = QTextDocument()
    document.setHtml(tip) if Qt.mightBeRichText(tip) else document.setPlainText(tip)
    return document.toPlainText().replace("\u200b", "")


def test_that_notice_and_status_say_any_words_as_they_stand_and_keep_the_window_s_size(bench):
    notice, status = bench.window_.notice, bench.status
    for text in (WORD, "word " * 20_000, "w" * 70 + "\n" * 500, "\u202e" + WORD, MARKUP):
        bench.window_.report(text, "Act", lambda: None)
        assert notice.isVisible(), text[:80]
        assert fits(bench), text[:80]
        assert notice.height() < 300, text[:80]
        assert notice.dismiss.visibleRegion().boundingRect() == notice.dismiss.rect(), text[:80]
        assert notice.label.textFormat() is Qt.TextFormat.PlainText
        notice.hide()
    assert notice.label.text() == MARKUP
    status.say(WORD)
    assert fits(bench)
    assert len(status.message) <= foreign.PARAGRAPH
    assert len(status._said.toolTip()) < 2 * foreign.PARAGRAPH
    status.say(f"Saved {MARKUP}.dps")
    assert status.message == f"Saved {MARKUP}.dps"
    assert status._said.textFormat() is Qt.TextFormat.PlainText
    assert as_shown(status._said.toolTip()) == f"Saved {MARKUP}.dps"


def test_that_recent_files_and_the_title_have_plain_names_of_bounded_length(bench, tmp_path, monkeypatch):
    strange = "<b>b & c<br>"
    paths = (f"/somewhere/{strange}", f"/{WORD}/{WORD}", "/a\tb\nc")
    monkeypatch.setattr(type(bench.settings), "recent", property(lambda _: paths))
    menu = bench.menus._recent
    menu.aboutToShow.emit()
    first, second, third = menu.actions()[:3]
    assert first.text() == "<b>b && c<br>"
    assert as_shown(first.toolTip()) == f"/somewhere/{strange}"
    assert len(second.text()) <= foreign.LINE
    assert menu.sizeHint().width() < 1280
    assert third.text() == "a b c"
    bench.files.path = tmp_path / ("[*]" + "n" * 200 + ".dps")
    bench.show_title()
    title = bench.window_.windowTitle()
    assert title.startswith("[*][*]nnn"), "no change that there is not"
    assert len(title) < 120
    assert fits(bench)


def test_that_a_long_word_in_the_verdict_is_broken(bench, qtbot):
    bench.page.sentences.verdict._set((f"Counted in {WORD}.",))
    label = next(each for each in bench.page.sentences.verdict.findChildren(QLabel) if not each.isHidden())
    qtbot.waitUntil(lambda: label.width() <= bench.page.sentences.verdict.width())
    assert label.minimumSizeHint().width() < bench.page.sentences.verdict.width()
    assert fits(bench)


@pytest.mark.parametrize("most", [10, 80, 600])
@pytest.mark.parametrize("length", [0, 1, 9, 10, 11, 80, 81, 599, 600, 601, 5_000, 100_000])
def test_that_bounded_text_keeps_both_ends(most, length):
    text = ("abcdefghij" * (length // 10 + 1))[:length]
    short = foreign.bounded(text, most)
    assert len(short) == min(length, most)
    if length <= most:
        assert short == text
    else:
        head, _, tail = short.partition("…")
        assert text.startswith(head)
        assert text.endswith(tail)
        assert head
        assert tail


def test_that_only_long_words_are_broken():
    assert foreign.breakable("counted in people.csv where age ≥ 65") == "counted in people.csv where age ≥ 65"
    assert foreign.breakable("x" * 24) == "x" * 24
    assert foreign.breakable("x" * 49) == "x" * 24 + "\u200b" + "x" * 24 + "\u200b" + "x"


@pytest.mark.parametrize(("said", "kept"), [
    ("at ε = 0.1 and δ ≤ 1e-6", "at ε~=~0.1 and δ~≤~1e-6"),
    ("95 % of all, at most 53 : 47", "95~% of all, at most 53~:~47"),
    ("0.405 ± 0.137 after all: nothing", "0.405~±~0.137 after all: nothing"),
    ("no relation in - this : one", "no relation in - this : one"),
    ("1 − 4.53 × 10⁻⁵, within 2 points (1.96 sd)", "1 − 4.53~×~10⁻⁵, within 2 points (1.96~sd)"),
    ("that of the sum 2Q/ε² is 2 000, of 1/2", "that of the sum 2Q/^ε² is 2 000, of 1/2"),
])
def test_that_no_line_ends_within_a_relation_a_share_odds_a_power_or_a_fraction(said, kept):
    assert foreign.together(said) == kept.replace("~", "\u00a0").replace("^", "\u2060")
    assert foreign.together(said).replace("\u00a0", " ").replace("\u2060", "") == said
