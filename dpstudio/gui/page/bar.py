"""The bar over the page of a study: the way to the first page and to other studies, and what is done most."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QMenu, QSizePolicy, QToolButton, QWidget

from dpstudio.core.study import Study
from dpstudio.documents.in_view import FACTS
from dpstudio.gui.controls.style import Push, Tool, in_row, said_as, spaced
from dpstudio.gui.page.pictures import BESIDE, PERSON, PICTURE
from dpstudio.gui.shell.theme import Theme
from dpstudio.studies import all_studies
from dpstudio.text.language import tr

HIGH = 28
"""Pixels at normal size of type."""
PANELS = {PICTURE: "Picture", BESIDE: "Beside", FACTS: "Facts", PERSON: "Person"}


class QuestionButton(Push):
    """The question in view, which drops down as the list of all; its title alone where there is no room."""

    def __init__(self) -> None:
        super().__init__()
        self._words, self._brief = "", ""
        said_as(self, tip=tr("Another question"), role="list")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def show_words(self, words: str, brief: str) -> None:
        if (words, brief) == (self._words, self._brief):  # to set the same again has the whole page laid out anew
            return
        self._words, self._brief = words, brief
        self.setAccessibleName(tr("Question: {words}", words=words))
        self.updateGeometry()
        self.fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(4 * self.fontMetrics().height(), super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        wide = self.fontMetrics().horizontalAdvance(self._words) + 2 * self.fontMetrics().height()
        return QSize(wide, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Say as much as there is room for, in the present type."""
        self.ensurePolished()
        room, metrics = self.width() - 2 * self.fontMetrics().height() + 4, self.fontMetrics()
        words = self._words if metrics.horizontalAdvance(self._words) <= room else self._brief
        self.setText(metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(room, 0)))


class Bar(QWidget):
    """Start, the question with the other studies, what opens beside it, and a menu with everything."""

    start_wanted = Signal()
    study_wanted = Signal(str)
    panel_wanted = Signal(str)

    def __init__(self, titles: Mapping[str, str], everything: QMenu, actions: Mapping[str, QAction], theme: Theme,
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._titles = titles
        self.start = self._button(tr("‹ Start"), self.start_wanted.emit, tr("What do you want to know? (Alt+Home)"))
        self.question = QuestionButton()
        self.question.setMenu(QMenu(self.question, toolTipsVisible=True))
        self.question.menu().aboutToShow.connect(self._list_studies)
        self.panels = QWidget()
        group = QButtonGroup(self.panels)
        self.panel = {}
        for key, words in PANELS.items():
            self.panel[key] = button = self._button(tr(words), partial(self.panel_wanted.emit, key),
                                                     tr("Show this: {words}", words=tr(words)))
            button.setCheckable(True)
            group.addButton(button)
        self._panels = in_row(*self.panel.values(), within=self.panels)
        self.panels.hide()
        self.wide = QWidget()
        self._wide = in_row(*(self._of(actions, name, words) for name, words in (
            ("Help on this study", tr("Help")), ("Compare…", tr("Compare")), ("Sweep…", tr("Sweep")))),
            within=self.wide)
        self.code = self._of(actions, "Copy as code…", tr("Code"), "outlined")
        self.report = self._of(actions, "Report…", tr("Report"), "primary")
        self.more = self._button("⋯", None, tr("Everything else"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(everything)
        self._row = in_row(self.start, self.question, None, self.panels, self.wide, self.code, self.report, self.more,
                           within=self)
        self.set_theme(theme)

    def _button(self, words: str, act: Callable[[], object] | None, tip: str, role: str = "bar") -> QToolButton:
        button = said_as(Tool(), words.strip("‹⋯ ") or tip, tip, role)
        button.setText(words)
        if act is not None:
            button.clicked.connect(lambda: act())
        return button

    def _of(self, actions: Mapping[str, QAction], name: str, words: str, role: str = "bar") -> QToolButton:
        """A button that does what a command does, and shows whether it is on."""
        action = actions[name]
        keys = action.shortcut().toString()
        button = self._button(words, None, f"{action.toolTip()} ({keys})" if keys else action.toolTip(), role)
        if action.isCheckable():
            button.setCheckable(True)
            button.setChecked(action.isChecked())
            action.toggled.connect(button.setChecked)
        button.clicked.connect(lambda: action.trigger())
        return button

    def show_study(self, study: type[Study]) -> None:
        self.question.show_words(tr(study.question), tr(study.title))
        self._chosen = study.key

    def show_panel(self, panel: str) -> None:
        """Offer the panels one at a time, this one in view; none where all are."""
        self.panels.setVisible(bool(panel))
        self.wide.setVisible(not panel)
        if panel:
            self.panel[panel].setChecked(True)

    def _list_studies(self) -> None:
        """The studies by their titles, with their questions."""
        menu = self.question.menu()
        menu.clear()
        for key, title in self._titles.items():
            action = menu.addAction(f"{tr(title)}: {tr(all_studies()[key].question)}",
                                    partial(self.study_wanted.emit, key))
            action.setCheckable(True)
            action.setChecked(key == self._chosen)

    def set_theme(self, theme: Theme) -> None:
        self.setFixedHeight(theme.px(HIGH))
        self.question.fit()
        for row in (self._row, self._panels, self._wide):
            spaced(row, theme, 4)
        spaced(self._row, theme, 6, (4, 0, 4, 0))
