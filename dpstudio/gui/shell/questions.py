"""What the window asks before something would be lost, and how it names files in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from dpstudio.core.resources import whether
from dpstudio.gui.shell.settings import NAME
from dpstudio.text.language import counted, tr

LONGEST = 60
"""Signs of a file's name that a sentence shows."""


def ask(parent: QWidget | None, question: str, explanation: str, *choices: str) -> str:
    """The choice, or nothing where the person would rather not; the first choice is what Return takes.

    Choices are given and returned in English, and shown in the language of the window.
    """
    box = QMessageBox(QMessageBox.Icon.NoIcon, NAME, question, QMessageBox.StandardButton.NoButton, parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(explanation)
    buttons = {box.addButton(tr(words), QMessageBox.ButtonRole.ActionRole): words for words in choices}
    cancel = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(next(iter(buttons)))
    box.setEscapeButton(cancel)
    box.exec()
    chosen: str = buttons.get(box.clickedButton(), "")  # type: ignore[call-overload]
    box.deleteLater()
    return chosen


def where_to(parent: QWidget | None, title: str, proposed: Path | str, kinds: str) -> tuple[str, str]:
    """The file that is to be written and its kind, as a person chooses; nothing where they would rather not.

    Whether one that is there may be replaced is asked later, by `may_replace`, once its name is complete.
    """
    return QFileDialog.getSaveFileName(parent, title, str(proposed), kinds,
                                       options=QFileDialog.Option.DontConfirmOverwrite)


def may_replace(parent: QWidget | None, paths: Sequence[Path]) -> bool:
    """Whether files may be written: those that are there already are replaced only where the person says so."""
    there = [path for path in paths if whether(path.exists) or whether(path.is_symlink)]
    if not there:
        return True
    what = tr("{path} exists already.", path=shown(there[0])) if len(paths) == 1 else counted(
        "{n} of these {whole} files exist already.", "{n} of these {whole} files exist already.", len(there),
        whole=len(paths))
    named = "" if len(paths) == 1 else " " + ", ".join(map(shown, there[:5])) + (", …" if len(there) > 5 else "")
    return ask(parent, what, tr("In {folder}.", folder=shown(there[0].parent, whole=True)) + named,
               "Replace") == "Replace"


def shown(path: Path, *, whole: bool = False) -> str:
    """A file's name as a sentence shows it: on one line, of bounded length, and with a sign for what is no text."""
    text = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}"
                   for sign in (str(path) if whole else path.name))
    return text if len(text) <= LONGEST else f"{text[:LONGEST // 2]}…{text[-LONGEST // 2 + 1:]}"
