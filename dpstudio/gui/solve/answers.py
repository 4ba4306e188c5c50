"""The answers of Wanted: a button for each series, the one that Enter takes first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QLineF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from dpstudio.core.results import Series
from dpstudio.gui.controls.style import Tool, restyle, said_as
from dpstudio.gui.plot.header import ElidedLabel
from dpstudio.gui.plot.legend import sample_pen
from dpstudio.gui.shell.foreign import tip
from dpstudio.gui.shell.theme import Theme
from dpstudio.records import dataclass
from dpstudio.scene.palette import style
from dpstudio.text.language import tr

SWATCH = 18
GAP = 4
USUAL = "the most private first"
"""The order that need not be said where there is little room."""


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """What stands on one button."""

    series: Series | None
    text: str
    """“0.01565”, “ε = 0.1, p = 0.5”, “…” while it is under way, “at no ε”."""
    tells: str
    """The whole answer, in sentences."""
    ready: bool
    """Whether it can be taken."""
    there: bool = False
    """Whether it is set already."""

    @property
    def words(self) -> str:
        name = tr(self.series.label) if self.series else ""
        return f"{'✓ ' * self.there}{name}{'  ' if name else ''}{self.text}"


class AnswerButton(QToolButton):
    """One answer: the look of its series, its name and the value that would be taken."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.choice: ShownAnswer | None = None
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def fitted(self, room: int) -> int:
        """Say the name as far as there is room beside the value, which is never cut; returns the pixels taken."""
        assert self.choice is not None
        series, cut = self.choice.series, self.sizeHint().width() - room
        if series is not None and cut > 0:
            wide, label = self.fontMetrics().horizontalAdvance, tr(series.label)
            shorter = (f"{label[:kept].rstrip()}…" for kept in range(len(label) - 1, 0, -1))
            name = next((each for each in shorter if wide(each) <= wide(label) - cut), f"{label[0]}…")
            self.setText(self.choice.words.replace(label, name, 1).replace("&", "&&"))
        return room

    def show_choice(self, choice: ShownAnswer, compared: Sequence[Series], theme: Theme, *, first: bool) -> None:
        self.choice = choice
        self.setText(choice.words.replace("&", "&&"))
        said_as(self, choice.words, tip(choice.tells))
        self.setAccessibleDescription(choice.tells)
        self.setEnabled(choice.ready)
        self.setIcon(swatch(choice.series, compared, theme, self.devicePixelRatioF()) if choice.series else QIcon())
        self.setIconSize(QSize(theme.px(SWATCH) + GAP, theme.px(8)))
        role = "first" if first else ""
        if (self.property("role") or "") != role:
            self.setProperty("role", role)
            restyle(self)


class AnswerStrip(QWidget):
    """The answers as far as there is room, the others in a list; or a sentence where there are none."""

    taken = Signal(int)
    """Which of the answers was pressed."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.choices: tuple[ShownAnswer, ...] = ()
        self._shown: tuple[Sequence[Series], str, bool] = (), "", False
        self._said: tuple[str, bool] | None = None
        self.buttons: list[AnswerButton] = []
        self.says = said_as(ElidedLabel("muted", self), tr("Answer"))
        self.order = said_as(QLabel(self), tr("Order of the answers"), role="muted")
        self.more = Tool(self, popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(QMenu(self.more))
        self.more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.more.setStyleSheet("QToolButton::menu-indicator { image: none }")
        self.more.hide()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def say(self, sentence: str, *, refused: bool = False) -> None:
        """A sentence in the place of answers: what to do, or why there are none."""
        if (sentence, refused) == self._said and not self.choices:
            return  # while a slider moves
        self._said = sentence, refused
        self.show_choices((), ())
        role = "danger" if refused else "muted"
        if self.says.property("role") != role:
            self.says.setProperty("role", role)
            restyle(self.says)
        self.says.setText(sentence)
        self.says.setToolTip(tip(sentence))
        self.says.show()

    def show_choices(self, choices: Sequence[ShownAnswer], compared: Sequence[Series], *, order: str = "",
                     sure: bool = False) -> None:
        """Offer these in an order that has words; once they are `sure` the first is marked: Enter takes it."""
        self.choices, self._shown = tuple(choices), (compared, order, sure)
        self.order.setText(f"{order}:" if order != USUAL and sure and len(choices) > 1 else "")
        self.setToolTip(tip(tr("In order: {order}. Enter takes the first.", order=order)) if order else "")
        self.says.setVisible(not choices)
        for at in range(len(self.buttons), len(choices)):
            self.buttons.append(AnswerButton(self))
            self.buttons[at].clicked.connect(lambda _=False, at=at: self.taken.emit(at))
        for i, choice in enumerate(choices):
            self.buttons[i].show_choice(choice, compared, self._theme, first=i == 0 and choice.ready and sure)
        self._arrange()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        compared, order, sure = self._shown
        self.show_choices(self.choices, compared, order=order, sure=sure)

    def sizeHint(self) -> QSize:
        height = self.more.sizeHint().height()
        return QSize(sum(self.buttons[i].sizeHint().width() + GAP for i in range(len(self.choices))), height)

    def minimumSizeHint(self) -> QSize:
        widest = max((self.buttons[i].sizeHint().width() for i in range(min(len(self.choices), 1))), default=0)
        return QSize(max(widest + self.more.sizeHint().width() + GAP, self._theme.px(120)), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put the buttons side by side; those that have no room go into the list at the end."""
        self.says.setGeometry(self.rect())
        for i, choice in enumerate(self.choices):
            self.buttons[i].setText(choice.words.replace("&", "&&"))
        widths = [self.buttons[i].sizeHint().width() for i in range(len(self.choices))]
        height = min(self.more.sizeHint().height(), self.height())
        top = (self.height() - height) // 2
        words = self.order.sizeHint().width() + 2 * GAP if self.order.text() else 0
        self.order.setGeometry(QRect(0, top, words, height))
        whole = words + sum(widths) + GAP * (len(widths) - 1) <= self.width()
        self.more.setText(f"+{len(widths)}")
        room = self.width() if whole else self.width() - self.more.sizeHint().width() - GAP
        x, shown = words, 0
        for i, width in enumerate(widths):
            if x + width > room and i:
                break
            width = self.buttons[i].fitted(min(width, max(room - x, 0)) if not i else width)
            self.buttons[i].setGeometry(QRect(x, top, width, height))
            x, shown = x + width + GAP, i + 1
        for i, button in enumerate(self.buttons):
            button.setVisible(i < shown)
        left = self.choices[shown:]
        self.more.setVisible(bool(left))
        if left:
            menu = self.more.menu()
            menu.clear()
            for i, choice in enumerate(left, start=shown):
                menu.addAction(choice.words, partial(self.taken.emit, i)).setEnabled(choice.ready)
            self.more.setText(f"+{len(left)}")
            said_as(self.more, tr("{n} more answers", n=len(left)), tr(
                "Answers for which there is no room beside the first"))
            self.more.setGeometry(QRect(x, top, self.more.sizeHint().width(), height))


def swatch(series: Series, compared: Sequence[Series], theme: Theme, ratio: float) -> QIcon:
    """A stroke as the pictures draw the series."""
    look, wide, high = style(series, compared), theme.px(SWATCH), theme.px(8)
    image = QPixmap(round((wide + GAP) * ratio), round(high * ratio))
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setPen(sample_pen(look, theme, wide, look.width * theme.scale))
    painter.drawLine(QLineF(0, high / 2, wide, high / 2))
    painter.end()
    icon = QIcon(image)
    icon.addPixmap(image, QIcon.Mode.Disabled)
    return icon


