"""Every series at the setting at which it is as good as one of them, or as private."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.match.choice import By, Matched, Matching, Profile, choices, solvable
from dpstudio.core.match.matching import steps
from dpstudio.core.results import Series
from dpstudio.documents.comparison import ComparedSide, FactLine, matched
from dpstudio.documents.session import Session
from dpstudio.documents.setting import Setting
from dpstudio.gui.compare.table import ComparedPage, chooser
from dpstudio.gui.controls.style import Combo, in_column, in_row, mark_refused, prose, push, refill, said_as
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.foreign import together
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Worker, failure
from dpstudio.records import dataclass
from dpstudio.text.entry import read_typed, write_number
from dpstudio.text.language import tr
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import NONNEGATIVE, Quantity

NOBODY = "At these settings there is nothing that could be matched."
UNDER_WAY = "Solving…"
SHOWN, BACK = "The frontier is shown in the place of another picture.", "Put that back"
HINT = "A click on a title matches the others to that series, a double-click takes its values."


@dataclass(frozen=True, slots=True)
class FoundMatches:
    """What was matched, and the facts of it beside each other."""

    matching: Matching
    sides: tuple[ComparedSide, ...]
    lines: tuple[FactLine, ...]


class MatchedPage(ComparedPage):
    """Asks again whenever the document or a choice changes; what is under way then is left."""

    reading = 150

    def __init__(self, desk: Desk, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(desk, theme, parent)
        self.hint.setText(tr(HINT))
        self._setting: Setting | None = None
        """What was asked last."""
        self._found: FoundMatches | None = None
        self._by: By | None = None
        self._decided: str | None = None
        """The key of what was decided for when all were matched to it."""
        self.by, self.parameter = Combo(), Combo()
        self.point = said_as(QLineEdit(maxLength=30), tr("ε′ of the privacy profile"))
        self.at = QLabel(tr("at ε′ ="))
        self.sentence = prose(name=tr("What was found"))
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse
                                              | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.pin_button = push(tr("Pin these settings"), self._pin,
                               tip=tr("Every series at its own setting stays on the pictures as a faint reference"))
        self.frontier_button = push(tr("Show on the frontier"), self._show_frontier)
        self.worker = Worker("matching", self)
        self._lay_out()
        self.set_theme(theme)
        self._connect()
        self._show_study()

    def _lay_out(self) -> None:
        row = in_row(*chooser(tr("Match"), self.reference), *chooser(tr("by"), self.by), self.at, self.point,
                     *chooser(tr("along"), self.parameter))
        below = in_row((self.hint, 1), self.frontier_button, self.pin_button)
        in_column(row, self.sentence, (self.table, 1), below, within=self, edges=(0, 8, 0, 0))

    def _connect(self) -> None:
        self.reference.activated.connect(self._follow)
        self.by.activated.connect(self._choose)
        self.parameter.activated.connect(self._follow)
        self.point.editingFinished.connect(self._point_at)
        heads = self.table.heads
        heads.sectionClicked.connect(self._choose_reference)
        heads.sectionDoubleClicked.connect(self._take_setting)

    @property
    def ready(self) -> bool:
        """Whether something was matched."""
        return self._found is not None

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.sentence.setFont(theme.font("title"))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def close_down(self) -> None:
        self.worker.close()

    # Asking

    def _show_study(self) -> None:
        self.worker.stop()  # what it finds is another study's
        study = self._desk.document.study
        index, first = study.answers().index(), study.level_one.series
        compared = [one for one in study.answers().series() if any(of == one.key for _, of in index)]
        self.reference.clear()
        self._decided = None
        refill(self.reference, ((tr(one.label), one) for one in sorted(
            compared, key=lambda one: first.index(one) if one in first else len(first))))
        self.by.clear()
        self._by = self._found = None
        self._list_parameters(solvable(study))
        self.frontier_button.setVisible(any(figure.key == "frontier" for figure in study.figures))
        self._show()
        self.refresh()

    def _follow_choice(self) -> None:
        """All are matched to what was decided for, until a hand names another."""
        decided = self._desk.document.state.chosen
        if decided != self._decided:
            self._decided = decided
            places = (i for i in range(self.reference.count()) if self.reference.itemData(i).key == decided)
            self.reference.setCurrentIndex(next(places, self.reference.currentIndex()))

    def _list_parameters(self, parameters: tuple[Parameter, ...]) -> None:
        def words(quantity: Quantity) -> str:
            label = tr(quantity.label)
            return label if quantity.symbol in quantity.label else f"{quantity.symbol}, {label}"

        refill(self.parameter, ((words(one.quantity), one.name) for one in parameters))

    def _refresh(self) -> None:
        if self._moving or not self.isVisible():
            return
        self._follow_choice()
        setting, reference, by = self._desk.document.state.setting, self.reference.currentData(), self._by
        self._list_parameters(solvable(setting.study))
        name = self.parameter.currentData()
        if reference is None or name is None:
            self.worker.stop()
            self._say(tr(NOBODY))
            return
        self._setting = setting
        if self._found is None:
            self.sentence.setText(tr(UNDER_WAY))
        self.worker.start(partial(_work, setting, reference, by, name), self._take,
                          told=lambda choice: self._list_choices(*choice),
                          failed=lambda error: self._say(
                              str(error) if isinstance(error, InvalidParameter) else failure(error, "matching")))

    def _take(self, found: FoundMatches | None) -> None:
        if found is None:
            self._say(tr(NOBODY))
        else:
            self._found = found
            self.sentence.setText(together(found.matching.says))
            self._show(found.sides, found.lines)

    def _show(self, sides: tuple[ComparedSide, ...] = (), lines: tuple[FactLine, ...] = ()) -> None:
        self.model.show(sides, lines, 0)
        for button in (self.pin_button, self.frontier_button):
            button.setEnabled(self.ready)
        self.filled.emit()

    def _list_choices(self, found: tuple[By, ...], chosen: By) -> None:
        refill(self.by, ((_label(by), by) for by in found))
        self.by.setCurrentIndex(self.by.findText(_label(chosen)))
        if isinstance(chosen, Profile) and not self.point.hasFocus():
            self.point.setText(write_number(chosen.epsilon))
        for part in (self.at, self.point):
            part.setVisible(isinstance(chosen, Profile))

    def _say(self, sentence: str) -> None:
        """Why nothing is matched."""
        self._found = None
        self.sentence.setText(f"{begun(sentence).removesuffix('.')}.")
        self._show()

    # What a hand does

    def _choose(self, i: int) -> None:
        self._by = self.by.itemData(i)
        self.refresh()

    def _point_at(self) -> None:
        """Another point of the profile; what is none is not taken, and the field says so."""
        number = read_typed(self.point.text())
        good = number is not None and NONNEGATIVE.accept(number) is not None
        mark_refused(self.point, not good)
        self.point.setToolTip("" if good else tr("ε′ must be {domain}", domain=NONNEGATIVE.phrase))
        if good and number is not None and isinstance(self._by or self.by.currentData(), Profile):
            self._by = Profile(float(number))
            self.refresh()

    def _at(self, section: int) -> Matched | None:
        found = self._found
        return found.matching.all[section - 1] if found and 0 < section <= len(found.matching.all) else None

    def _choose_reference(self, section: int) -> None:
        if one := self._at(section):
            self.reference.setCurrentIndex(self.reference.findText(tr(one.series.label)))
            self.refresh()

    def _take_setting(self, section: int) -> None:
        if (one := self._at(section)) and self._setting is not None:
            self._desk.take_setting(self._setting.found(one.handy))

    def _pin(self) -> None:
        """Every series that was matched, at its own setting."""
        if self._found is not None and self._setting is not None:
            setting = self._setting
            met = [one for one in self._found.matching.all if one.met]
            self._desk.pin_settings(tuple(setting.found(one.handy, one.series.key) for one in met))

    def _show_frontier(self) -> None:
        """Show it among the pictures, and say so there, with a way back."""
        desk, document = self._desk, self._desk.document
        kind, before = document.study_class, document.state.figures

        def put_back() -> None:
            document.show(Session.on, kind, Session.having, figures=before)
            desk.window.withdraw("")

        desk.panes.show_pictures()
        desk.frontier_wanted.emit()
        desk.window.tell(tr(SHOWN), [(tr(BACK), put_back)])

    def export(self) -> None:
        """Ask where to, and write all facts of all series where they match."""
        found = self._found
        if found is not None and self._setting is not None:
            self._desk.files.export_matching(self._setting, found.matching.reference.series.key, found.matching.by,
                                              next(iter(found.matching.reference.values)))


def _label(by: By) -> str:
    return tr("δ at a point of the profile") if isinstance(by, Profile) else by.label


def _work(setting: Setting, reference: Series, by: By | None, name: str
          ) -> Generator[tuple[tuple[By, ...], By] | None, None, FoundMatches | None]:
    """What there is to choose, with what is chosen; at last what was matched by it, None where nothing can be."""
    kind, offered = type(setting.study), choices(setting.study, reference.key)
    chosen = next((each for each in offered if by is not None and _label(each) == _label(by)), None)
    chosen = by if isinstance(by, Profile) and chosen else chosen
    if chosen is None and offered:
        chosen = offered[0]
    if chosen is None:
        return None
    yield offered, chosen
    for step in steps(kind, setting.explicit, reference.key, chosen, name):
        if isinstance(step, Matching):
            return FoundMatches(step, *matched(step, setting.origin))
        yield None
    return None
