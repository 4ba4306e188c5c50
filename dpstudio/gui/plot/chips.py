"""Chips: what a study compares, over its large picture: a click decides for one, another takes it back.

They stand in the place of a legend: each has the colour and dash of its curves. What is not allowed has no button, and
says what it spends; what nobody can decide for is a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Literal, TypeAlias

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QToolButton, QWidget

from dpstudio.core.answer import Answer
from dpstudio.core.results import Series
from dpstudio.core.slow import NotYet, hurried
from dpstudio.core.update import Update
from dpstudio.gui.controls.style import Tool, said_as
from dpstudio.gui.plot.legend import LegendButton, sample_pen, width_of
from dpstudio.gui.shell.theme import Theme
from dpstudio.records import dataclass
from dpstudio.scene.legend import LegendEntry
from dpstudio.scene.palette import REFUSED, Style, style
from dpstudio.scene.scene import Scene
from dpstudio.text.language import tr

Standing: TypeAlias = Literal["choice", "name", "refused"]
SWATCH, PAD, GAP, HIGH = 24, 10, 4, 26
"""Pixels of a sample of a line, before and after the words, between chips, and of a chip's height."""
MORE = "⋯"
NOT_ALLOWED, TOO_WEAK = "not allowed:", "too weak to show it:"
"""Before what is refused: a release, or an account of many, of which another may show that they are allowed."""


@dataclass(frozen=True, slots=True)
class ChipEntry:
    """One thing that is compared, as a chip says it."""

    series: Series
    style: Style
    standing: Standing
    chosen: bool = False
    suggested: bool = False
    same: str = ""
    """What its curve lies on throughout the picture."""
    spends: str = ""
    """What it spends that is not allowed."""
    hidden: bool = False

    def words(self, brief: int) -> str:
        """What it says: with less room without what it coincides with, then without anything but its name."""
        parts = ["✓ " * self.chosen + tr(self.series.label)]
        if self.spends and brief < 2:
            parts.append(f" {self.spends}")
        if self.same and brief < 1:
            parts.append(tr(" (= {same} here)", same=self.same))
        if self.suggested and brief < 2:
            parts.append(tr(" · suggested"))
        return "".join(parts)


def chips_of(scene: Scene, coincident: Mapping[str, str], first: tuple[Series, ...], hidden: frozenset[str],
             folded: frozenset[str], suggested: str) -> tuple[tuple[ChipEntry, ...], tuple[Series, ...]]:
    """The chips of a picture's answer, and what else there is to show: the others that are compared or drawn.

    First what is seen first, in its order, then what somebody shows besides; what is not allowed at the end.
    """
    if not isinstance(scene.update, Update):
        return (), ()
    answer, drawn = scene.update.answer, {part.key for part in scene.parts if part.present}
    # By their keys: to compare series takes longer, and a hand may be moving something.
    every = {one.key: one for one in (*first, *answer.series(), *scene.figure.compared)}
    compared, choosable = ({one.key for one in some} for some in (answer.series(), answer.choosable()))
    there = [one for key, one in every.items() if (_is_there(answer, one) if key in compared else key in drawn)]
    decided, firsts = answer.decided.key if answer.decided else "", {one.key for one in first}
    seen = [one for one in there if one.key in firsts or one.key in (decided, suggested)
            or (one.key in compared and one.key not in folded)]
    labels = {key: tr(one.label) for key, one in every.items()}
    found = []
    for one in seen:
        refused = scene.refused.get(one.key, "")
        found.append(ChipEntry(
            one, style(one, scene.figure.compared),
            "name" if one.key not in choosable else "refused" if refused and one.key != decided else "choice",
            one.key == decided, one.key == suggested and not decided and not refused,
            labels.get(coincident.get(one.key, ""), ""), refused, one.key in hidden))
    last = [each for each in found if each.standing == "refused"]
    return (*(each for each in found if each.standing != "refused"), *last), tuple(
        one for one in there if one.key not in firsts)


def _is_there(answer: Answer[Any, Any, Any], one: Series) -> bool:
    with hurried(), suppress(NotYet):
        return answer.one(one) is not None
    return True


class Chip(QAbstractButton):
    """One of them: a sample of its line, and words."""

    hide_wanted = Signal(str)
    plan_wanted = Signal(str)

    def __init__(self, entry: ChipEntry, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme, self.brief = theme, 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # also of what cannot be chosen: its menu hides its curves
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._offer)
        self.set_entry(entry)

    def set_entry(self, entry: ChipEntry) -> None:
        self.entry = entry
        can = entry.standing == "choice"
        whole = entry.words(0)
        self.setText(whole)
        how = tr("click again to decide for nothing" if entry.chosen else "click to decide for it")
        hides = tr("Shift+click hides its curves")
        self.setToolTip(f"{whole}: {how}; {hides}" if can else f"{whole}; {hides}")
        self.setAccessibleName(tr("Decide for {whole}", whole=whole) if can else
                               tr("Not allowed: {whole}", whole=whole) if entry.spends else whole)
        self.setAccessibleDescription(tr("chosen") if entry.chosen else "")
        self.setCursor(Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor)
        self.update()

    def width_at(self, brief: int) -> int:
        """Pixels that it takes with so much left out."""
        edges = (2 if self.entry.standing == "choice" else 1) * PAD
        words = QFontMetricsF(self.theme.font("label", bold=self.entry.chosen)).horizontalAdvance(
            self.entry.words(brief))
        return int(self.theme.px(edges + SWATCH + 6) + words + 2)

    def sizeHint(self) -> QSize:
        return QSize(self.width_at(self.brief), self.theme.px(HIGH))

    def _offer(self, point: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        words = tr("Show its curves") if self.entry.hidden else tr("Hide its curves")
        menu.addAction(words, lambda: self.hide_wanted.emit(self.entry.series.key))
        if self.entry.standing != "name":
            menu.addAction(tr("Add to plan"), lambda: self.plan_wanted.emit(self.entry.series.key))
        menu.popup(self.mapToGlobal(point))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and event.button() == Qt.MouseButton.LeftButton:
            self.setDown(False)
            self.hide_wanted.emit(self.entry.series.key)
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme, entry = QPainter(self), self.theme, self.entry
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        button, left = entry.standing == "choice", theme.px(PAD / 2)
        if button:
            self._frame(painter)
            left = theme.px(PAD)
        elif self.hasFocus():
            self._ring(painter, theme.accent, 2)
        colour = QColor(entry.style.colour(dark=theme.dark) if not entry.hidden else theme.outline)
        colour.setAlphaF(REFUSED if entry.spends else 1.0)
        painter.setPen(sample_pen(entry.style, theme, theme.px(SWATCH), entry.style.width * theme.scale, colour))
        middle = self.height() / 2
        painter.drawLine(QLineF(QPointF(left, middle), QPointF(left + theme.px(SWATCH), middle)))
        font = theme.font("label", bold=entry.chosen)
        font.setStrikeOut(entry.hidden)
        painter.setFont(font)
        painter.setPen(QColor(theme.muted if entry.hidden or not button else theme.text))
        left += theme.px(SWATCH + 6)
        painter.drawText(QRectF(left, 0, self.width() - left, self.height()), Qt.AlignmentFlag.AlignVCenter,
                         entry.words(self.brief))

    def _frame(self, painter: QPainter) -> None:
        theme, entry = self.theme, self.entry
        edge = (theme.danger if entry.chosen and entry.spends else theme.accent
                if entry.chosen or entry.suggested or self.hasFocus() else theme.muted
                if self.underMouse() else theme.outline)
        painter.setBrush(QColor(theme.selection if entry.chosen else theme.surface))
        self._ring(painter, edge, 2 if self.hasFocus() else 1.5 if entry.chosen or entry.suggested else 1)

    def _ring(self, painter: QPainter, colour: str, width: float) -> None:
        painter.setPen(QPen(QColor(colour), width))
        radius = self.height() / 2 - 1
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)


class Chips(QWidget):
    """All of them in one row; what has no room, and what is not seen first, is in a menu at its end."""

    decided = Signal(object)
    """A hand decided: the key of a series, or None where it took that back."""
    plan_wanted = Signal(str)
    """A hand adds a series to the plan: its key."""
    hidden_changed = Signal(object)
    """A hand chose which curves are hidden: their keys."""
    shown_changed = Signal(object)
    """A hand chose which of the further curves are shown: their keys, where before none were."""

    def __init__(self, theme: Theme, first: tuple[Series, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("What is compared"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.theme, self.first = theme, first
        self.hidden: frozenset[str] = frozenset()
        self.folded: frozenset[str] = frozenset()
        self.suggested = ""
        self.entries: tuple[ChipEntry, ...] = ()
        self.chips: list[Chip] = []
        self._others: tuple[Series, ...] = ()
        self._explained: list[LegendButton] = []
        """What explains the picture, in the room that is left."""
        self._words_at = -1
        self.refusing = tr(NOT_ALLOWED)
        self.more = said_as(Tool(self), tr("More that is compared"), tr("More that is compared"), "quiet")
        self.more.setText(MORE)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(QMenu(self.more))
        self.more.menu().aboutToShow.connect(self._list)
        self.set_theme(theme)

    def show_scene(self, scene: Scene, coincident: Mapping[str, str]) -> None:
        """Stand for what this picture's answer compares."""
        entries, self._others = chips_of(scene, coincident, self.first, self.hidden, self.folded, self.suggested)
        if entries == self.entries:
            return
        if isinstance(scene.update, Update):
            refusing = tr(TOO_WEAK if scene.update.answer.study.several else NOT_ALLOWED)
            if refusing != self.refusing:
                self.refusing = refusing
                self.update()
        same = [each.series for each in entries] == [each.series for each in self.entries]
        self.entries = entries
        if same:
            for chip, entry in zip(self.chips, entries, strict=True):
                if entry != chip.entry:
                    chip.set_entry(entry)
        else:
            focused = next((chip.entry.series for chip in self.chips if chip.hasFocus()), None)
            for chip in self.chips:
                chip.hide()
                chip.setParent(None)
                chip.deleteLater()
            self.chips = [self._made(entry) for entry in entries]
            again = next((chip for chip in self.chips if chip.entry.series == focused), None)
            if focused is not None:
                (again or self.chips[0] if self.chips else self).setFocus()
        self._arrange()

    def explain(self, entries: tuple[LegendEntry, ...]) -> bool:
        """Say after the chips what explains the picture; whether there is room for all of it."""
        if entries != tuple(each.entry for each in self._explained):
            for each in self._explained:
                each.hide()
                each.setParent(None)
                each.deleteLater()
            self._explained = [LegendButton(entry, self.theme, self) for entry in entries]
            self._arrange()
        return all(not each.isHidden() for each in self._explained)

    def _made(self, entry: ChipEntry) -> Chip:
        chip = Chip(entry, self.theme, self)
        chip.clicked.connect(partial(self._decide, chip))
        chip.hide_wanted.connect(self._hide)
        chip.plan_wanted.connect(self.plan_wanted)
        chip.installEventFilter(self)
        return chip

    @property
    def choices(self) -> list[Chip]:
        """Those that can be decided for and are in view."""
        return [chip for chip in self.chips if chip.entry.standing == "choice" and not chip.isHidden()]

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.setFixedHeight(theme.px(HIGH))
        self.more.setFixedSize(theme.px(28), theme.px(HIGH - 4))
        self.more.setStyleSheet("QToolButton { padding: 0; min-height: 0; }"
                                "QToolButton::menu-indicator { image: none; }")
        for chip in self.chips:
            chip.theme = theme
            chip.update()
        for each in self._explained:
            each.theme = theme
            each.update()
        self.update()
        self._arrange()

    def take_keyboard(self) -> None:
        """Give the keyboard to the chosen one, else the suggested, else the first."""
        choices = self.choices
        best = next((chip for chip in choices if chip.entry.chosen), None) or next(
            (chip for chip in choices if chip.entry.suggested), choices[0] if choices else None)
        if best is not None:
            best.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Arrow keys lead from chip to chip."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and isinstance(watched, Chip):
            step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}.get(
                Qt.Key(event.key()), 0)
            seen = [chip for chip in self.chips if not chip.isHidden()]
            if step and watched in seen and not event.modifiers():
                seen[(seen.index(watched) + step) % len(seen)].setFocus(Qt.FocusReason.OtherFocusReason)
                return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def _decide(self, chip: Chip) -> None:
        if chip.entry.standing == "choice":
            self.decided.emit(None if chip.entry.chosen else chip.entry.series.key)

    def _hide(self, key: str) -> None:
        self.hidden_changed.emit(self.hidden ^ {key})

    def _list(self) -> None:
        """What has no chip in view, and every further curve."""
        menu = self.more.menu()
        menu.clear()
        for chip in self.chips:
            if chip.isHidden():
                action = menu.addAction(chip.entry.words(0).replace("&", "&&"), partial(self._decide, chip))
                action.setCheckable(True)
                action.setChecked(chip.entry.chosen)
                action.setEnabled(chip.entry.standing == "choice")
        if not menu.isEmpty():
            menu.addSeparator()
        for one in self._others:
            action = menu.addAction(tr("Show {label}", label=tr(one.label).replace("&", "&&")))
            action.setCheckable(True)
            action.setChecked(one.key not in self.folded and one.key not in self.hidden)
            action.toggled.connect(partial(self._show_other, one.key))

    def _show_other(self, key: str, shown: bool) -> None:
        if self.folded:
            self.shown_changed.emit(frozenset({key}))
        else:
            self.hidden_changed.emit(self.hidden - {key} if shown else self.hidden | {key})

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """All that fits, in as many words as there is room for; words are never cut."""
        theme, gap = self.theme, self.theme.px(GAP)
        label = QFontMetricsF(theme.font("label")).horizontalAdvance(self.refusing) + 2 * gap
        refused = [chip for chip in self.chips if chip.entry.standing == "refused"]
        others = [chip for chip in self.chips if chip.entry.standing != "refused"]

        def wide(brief: int, chips: list[Chip], lead: float) -> float:
            return sum(chip.width_at(brief) + gap for chip in chips) + (lead if chips else 0.0)

        room = self.width() - (self.more.width() + gap if self._others else 0)
        fits = next(((brief, some) for brief, some in ((0, refused), (1, refused), (0, []), (1, []), (2, []))
                     if (others or some) and wide(brief, others, 0) + wide(brief, some, label) <= room), None)
        brief, some = fits or (2, [] if others else refused)
        needs_more = bool(self._others) or len(some) < len(refused) or fits is None
        room = self.width() - (self.more.width() + gap if needs_more else 0)
        # What was decided for, or is suggested, is in view whatever stands before it.
        kept = next((chip for chip in others if chip.entry.chosen or chip.entry.suggested), None)
        x, words_at = 0.0, -1
        for chip in self.chips:
            changed, chip.brief = chip.brief != brief, brief
            lead = label if chip in some and chip is some[0] else 0.0
            width = chip.width_at(brief)
            after = kept.width_at(brief) + gap if kept in self.chips[self.chips.index(chip) + 1:] else 0.0
            seen = (chip in others or chip in some) and x + lead + width + after <= room + 0.5
            chip.setVisible(seen)
            if seen:
                if lead:
                    words_at = round(x + gap)
                chip.setGeometry(round(x + lead), 0, width, self.height())
                x += lead + width + gap
                if changed:
                    chip.update()
        self.more.setVisible(needs_more)
        self.more.move(round(min(x, self.width() - self.more.width())), (self.height() - self.more.height()) // 2)
        self._place_explained(x + (self.more.width() + gap if needs_more else 0))
        if words_at != self._words_at:  # all that lies behind it would be painted, too
            self._words_at = words_at
            self.update()

    def _place_explained(self, left: float) -> None:
        """What explains, where all of it has room."""
        wide = [width_of(each.entry, self.theme) for each in self._explained]
        fits = left + sum(wide) + self.theme.px(GAP) * len(wide) <= self.width()
        for each, width in zip(self._explained, wide, strict=True):
            each.setVisible(fits)
            each.setGeometry(round(left), 0, width, self.height())
            left += width + self.theme.px(GAP)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._words_at >= 0:
            painter = QPainter(self)
            painter.setFont(self.theme.font("label"))
            painter.setPen(QColor(self.theme.muted))
            painter.drawText(QRectF(self._words_at, 0, self.width(), self.height()), Qt.AlignmentFlag.AlignVCenter,
                             self.refusing)
