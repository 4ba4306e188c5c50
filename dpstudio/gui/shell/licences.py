"""The terms of all that the program is made of: a list, and the whole text of what is chosen in it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QPlainTextEdit, QSplitter, QWidget

from dpstudio.documents.licences import licences
from dpstudio.gui.controls.style import in_column, said_as
from dpstudio.text.language import tr


def shown(parent: QWidget) -> QDialog:
    """Every part of the program with its version, and its terms beside."""
    found = licences()
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(tr("Licences"))
    parts = said_as(QListWidget(), tr("Parts of the program"))
    terms = said_as(QPlainTextEdit(readOnly=True), tr("Terms"))
    parts.ensurePolished()  # else rows are as high as they would be without the theme
    parts.addItems([f"{each.name} {each.version}".strip() for each in found])
    parts.currentRowChanged.connect(lambda row: terms.setPlainText(found[row].text))
    both = QSplitter(Qt.Orientation.Horizontal)
    both.addWidget(parts)
    both.addWidget(terms)
    both.setSizes([280, 580])
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.close)
    in_column(both, buttons, within=dialog, edges=(24, 24, 24, 16))
    dialog.resize(880, 560)
    parts.setCurrentRow(0)
    return dialog
