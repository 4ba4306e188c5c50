"""What was counted: N, how it came about, and the rows of each person."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from dpstudio.core.study import Study
from dpstudio.data import meaning, meaning_of_lists
from dpstudio.data.amounts import Amounts
from dpstudio.data.bounds import FEW, Bounds, bounds_of, sentence
from dpstudio.data.cohort import Cohort
from dpstudio.data.counting import Bin, Count, bins
from dpstudio.data.groups import Groups
from dpstudio.gui.controls.style import in_column, only_scrolls, prose, said_as
from dpstudio.gui.shell.theme import Theme
from dpstudio.records import dataclass
from dpstudio.text.language import counted, tr
from dpstudio.text.sentences import grouped, significant

_FILL = 0.78
"""How much of its place a bar takes."""


class CountResult(QScrollArea):
    """N in large type, then one paragraph a sentence, which can be selected and copied."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, widgetResizable=True)
        said_as(only_scrolls(self), tr("What was counted"))
        self.number = prose(name="N", role="heading", selectable=True)
        self.told = prose(name=tr("How N was counted"), selectable=True)
        self.told.setFont(theme.font("label"))
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.picture = BarsPicture(theme, tr("Rows of each person"))
        self.bounds = BarsPicture(theme, tr("Error by the bound on the rows of each person"))
        """Stands where the bound is chosen."""
        inner = QWidget()
        in_column(self.number, self.picture, (self.told, 1), within=inner, gap=theme.px(6),
                  edges=(0, 0, theme.px(8), 0))
        self.setWidget(inner)

    def show_nothing(self, why: str = "") -> None:
        self.number.setText("")
        show_rows(self.picture, ())
        show_bounds(self.bounds, None)
        self.told.setText(why)

    def show_first(self, sentence: str) -> None:
        """Before all that is told of a count, why it cannot be used."""
        self.told.setText(f"{sentence[:1].upper()}{sentence[1:]}.\n\n{self.told.text()}")

    def show_cohort(self, cohort: Cohort, study: Study) -> None:
        """Symptoms in both arms and, at the ε of a study, what its guarantee is for a person."""
        sick = [tr("{counts} of {people}", counts=f" {tr('and')} ".join(map(grouped, counts)), people=grouped(people))
                for counts, people in zip(cohort.counts, cohort.people, strict=True)]
        self.number.setText(tr("Without: {without}\nWith: {treated}", without=sick[0], treated=sick[1]))
        told = list(meaning.cohort_sentences(cohort))
        show_rows(self.picture, bins(cohort.rows) if cohort.rows is not None else (), cohort.at_most)
        show_bounds(self.bounds, None)
        if cohort.rows is not None:
            told.insert(len(cohort.symptoms),
                        meaning.group_guarantee(*meaning.spent(study), cohort.at_most, cohort.rows.most))
        self.told.setText("\n\n".join((*told, meaning.SENSITIVE)))

    def show_count(self, counted: Count, at_most: int | None, study: Study) -> None:
        """The count under a bound and, at the ε and δ of a study, what its guarantee is for a person."""
        self.number.setText(f"N = {grouped(counted.records(at_most))}")
        told, people = list(meaning.sentences(counted, at_most)), counted.people
        spent = meaning.spent(study)
        show_rows(self.picture, bins(people.rows, people.qualifying) if people is not None else (), at_most)
        choice = bounds_of(counted, spent[0])
        show_bounds(self.bounds, choice, at_most)
        if people is not None:
            told.insert(1, meaning.group_guarantee(*spent, at_most, people.qualifying.most))
        if choice is not None:
            told.insert(2, sentence(choice, at_most))
        self.told.setText("\n\n".join((*told, meaning.SENSITIVE)))

    def show_groups(self, found: Groups) -> None:
        """How many groups there are and the counts of the first of them."""
        self.number.setText(tr("{groups}: {total} in all", groups=counted(
            "{number} group", "{number} groups", len(found.counts), number=grouped(len(found.counts))),
                               total=grouped(found.total)))
        spread = found.persons
        show_rows(self.picture, bins(spread) if spread is not None else (), of="groups")
        show_bounds(self.bounds, None)
        told = [f"{meaning_of_lists.first_groups(found)}.", *meaning_of_lists.group_sentences(found)]
        told.insert(2, meaning.groups_guarantee(spread is not None, found.at_most))
        self.told.setText("\n\n".join((*told, meaning.SENSITIVE)))

    def show_amounts(self, found: Amounts) -> None:
        """How many numbers there are, and how they lie."""
        self.number.setText(tr("{n} numbers, {different} different", n=grouped(found.size),
                               different=grouped(len(found.values))))
        show_rows(self.picture, ())
        show_bounds(self.bounds, None)
        told = [*meaning_of_lists.amount_sentences(found), meaning.AMOUNTS_GUARANTEE, meaning_of_lists.SENSITIVE_VALUES]
        self.told.setText("\n\n".join(told))


@dataclass(frozen=True, slots=True)
class ResultBar:
    """A wide bar with a narrow one before it."""

    label: str
    wide: float
    narrow: float | None
    said: str
    bold: bool = False


class BarsPicture(QWidget):
    """Bars under a caption, what each is worth over it."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.bars: tuple[ResultBar, ...] = ()
        self.line: int | None = None
        """Behind so many bars stands a line."""
        self._caption = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(theme.font("label"))
        self.setAccessibleName(name)
        self.hide()

    def show_bars(self, bars: tuple[ResultBar, ...], caption: str, told: str, line: int | None = None) -> None:
        """Show them, or nothing where there are none; what they say in words is for who cannot see them."""
        self.bars, self.line, self._caption = bars, line, caption
        self.setAccessibleDescription(told)
        self.setToolTip(caption)
        self.setVisible(bool(bars))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(220), self._theme.px(132))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        if not self.bars:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, metrics = self._theme, QFontMetricsF(self.font())
        bold, light = theme.font("label", bold=True), self.font()
        height = metrics.height()
        plot = QRectF(0, 2 * height, self.width(), self.height() - 3 * height - theme.px(4))
        step = plot.width() / len(self.bars)
        largest = max(max(each.wide, each.narrow or 0) for each in self.bars) or 1
        painter.setPen(QColor(theme.muted))
        painter.drawText(QPointF(0, metrics.ascent()),
                         metrics.elidedText(self._caption, Qt.TextElideMode.ElideRight, self.width()))
        for i, each in enumerate(self.bars):
            middle = plot.left() + step * (i + 0.5)
            for worth, width, colour in ((each.wide, _FILL, theme.line), (each.narrow, _FILL / 2, theme.accent)):
                tall = plot.height() * (worth or 0) / largest
                painter.fillRect(QRectF(middle - step * width / 2, plot.bottom() - tall, step * width, tall),
                                 QColor(colour))
            painter.setFont(bold if each.bold else light)
            wide = QFontMetricsF(painter.font())
            painter.setPen(QColor(theme.text))
            _write(painter, wide, each.label, QPointF(middle, plot.bottom() + theme.px(2) + metrics.ascent()))
            top = plot.bottom() - plot.height() * max(each.wide, each.narrow or 0) / largest
            if wide.horizontalAdvance(each.said) < step:
                painter.setPen(QColor(theme.text if each.bold else theme.muted))
                _write(painter, wide, each.said, QPointF(middle, top - metrics.descent()))
        painter.setPen(QPen(QColor(theme.outline), 1))
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())
        if self.line is not None and 0 < self.line < len(self.bars):
            painter.setPen(QPen(QColor(theme.text), 1, Qt.PenStyle.DashLine))
            x = plot.left() + step * self.line
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))


def show_rows(picture: BarsPicture, found: tuple[Bin, ...], at_most: int | None = None, of: str = "rows") -> None:
    """A bar for each number of rows, the line behind the last that a bound lets in; nothing where all have one."""
    if not any(each.persons and (each.low > 1 or each.open) for each in found):
        found = ()
    bars = tuple(ResultBar(each.label, each.persons, each.qualifying, grouped(each.persons)) for each in found)
    narrow = any(each.qualifying is not None for each in found)
    heading = tr("Persons by rows; narrow: by qualifying rows") if narrow else (
        tr("Persons by rows") if of == "rows" else tr("Persons by groups"))
    picture.show_bars(bars, heading,
                      "; ".join(tr(
                          "{persons} persons have {label} rows" if of == "rows" else
                          "{persons} persons have {label} groups", persons=grouped(each.persons), label=each.label)
                                for each in found),
                      None if at_most is None or not found else at_most - found[0].low + 1)


def show_bounds(picture: BarsPicture, bounds: Bounds | None, at_most: int | None = None) -> None:
    """A bar for the error under each bound, before it the rows lost, the best in bold; nothing without a choice."""
    if bounds is None:
        picture.show_bars((), "", "")
        return
    best = bounds.best
    found = bounds.of(at=bounds.spaced(FEW, *(() if at_most is None else (at_most,))))
    errors = [(int(bound), float(typical), float(lost))
              for bound, typical, lost in zip(found.bound, found.typical, found.lost, strict=True)]
    picture.show_bars(tuple(ResultBar(str(bound), typical, lost, significant(typical), bold=bound == best)
                            for bound, typical, lost in errors),
                      tr("Error (sd) of a count of rows by bound, Laplace noise for ε = {epsilon}; narrow: rows lost",
                         epsilon=significant(bounds.epsilon)),
                      "; ".join(tr("at most {bound}: off by {typical}, {lost} rows lost", bound=bound,
                                   typical=significant(typical), lost=grouped(lost))
                                for bound, typical, lost in errors))


def _write(painter: QPainter, metrics: QFontMetricsF, text: str, middle: QPointF) -> None:
    painter.drawText(QPointF(middle.x() - metrics.horizontalAdvance(text) / 2, middle.y()), text)
