"""What was counted: N, how it came about, and the rows of each person."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from dpstudio.core.study import Study
from dpstudio.data import meaning
from dpstudio.data.cohort import Cohort
from dpstudio.data.counting import Bin, Count, bins
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.sentences import grouped

_FILL = 0.78
"""How much of its place a bar takes."""



class Result(QScrollArea):
    """N in large type, then one paragraph a sentence, which can be selected and copied."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, widgetResizable=True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setAccessibleName("What was counted")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.number = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.number.setProperty("role", "heading")
        self.number.setAccessibleName("N")
        self.told = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.told.setFont(theme.font("label"))
        self.told.setAccessibleName("How N was counted")
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        for label in (self.number, self.told):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, theme.px(8), 0)
        column.setSpacing(theme.px(6))
        self.picture = RowsPicture(theme)
        column.addWidget(self.number)
        column.addWidget(self.picture)
        column.addWidget(self.told, 1)
        self.setWidget(inner)

    def show_nothing(self, why: str = "") -> None:
        self.number.setText("")
        self.picture.show_bins(())
        self.told.setText(why)

    def show_cohort(self, cohort: Cohort, study: Study) -> None:
        """Symptoms in both arms and, at the ε of a study, what its guarantee is for a person."""
        sick = [f"{' and '.join(map(grouped, counts))} of {grouped(people)}"
                for counts, people in zip(cohort.counts, cohort.people, strict=True)]
        self.number.setText(f"Without: {sick[0]}\nWith: {sick[1]}")
        told = list(meaning.cohort_sentences(cohort))
        self.picture.show_bins(bins(cohort.rows) if cohort.rows is not None else (), cohort.at_most)
        if cohort.rows is not None:
            told.insert(len(cohort.symptoms),
                        meaning.group_guarantee(*meaning.spent(study), cohort.at_most, cohort.rows.most))
        self.told.setText("\n\n".join((*told, meaning.SENSITIVE)))

    def show_count(self, counted: Count, at_most: int | None, study: Study) -> None:
        """The count under a bound and, at the ε and δ of a study, what its guarantee is for a person."""
        self.number.setText(f"N = {grouped(counted.records(at_most))}")
        told, people = list(meaning.sentences(counted, at_most)), counted.people
        self.picture.show_bins(bins(people.rows, people.qualifying) if people is not None else (), at_most)
        if people is not None:
            told.insert(1, meaning.group_guarantee(*meaning.spent(study), at_most, people.qualifying.most))
        self.told.setText("\n\n".join((*told, meaning.SENSITIVE)))


class RowsPicture(QWidget):
    """A bar for each number of rows: wide for all rows, narrow and dark for those that qualify; a line at the bound."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.bins: tuple[Bin, ...] = ()
        self.bound: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(theme.font("label"))
        self.setAccessibleName("Rows of each person")
        self.hide()

    def show_bins(self, bins: tuple[Bin, ...], bound: int | None = None) -> None:
        """Show them, or nothing where every person has one row."""
        self.bins, self.bound = bins, bound
        told = "; ".join(f"{grouped(each.persons)} persons have {each.label} rows" for each in bins)
        self.setAccessibleDescription(told)
        self.setToolTip(self._caption)
        self.setVisible(any(each.persons and (each.low > 1 or each.open) for each in bins))
        self.update()

    @property
    def _caption(self) -> str:
        dark = any(each.qualifying is not None for each in self.bins)
        return "Persons by rows; dark: by qualifying rows" if dark else "Persons by rows"

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(220), self._theme.px(132))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        if not self.bins:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, metrics = self._theme, QFontMetricsF(self.font())
        line = metrics.height()
        plot = QRectF(0, 2 * line, self.width(), self.height() - 3 * line - theme.px(4))
        step = plot.width() / len(self.bins)
        largest = max(max(each.persons, each.qualifying or 0) for each in self.bins) or 1
        painter.setPen(QColor(theme.muted))
        painter.drawText(QPointF(0, metrics.ascent()),
                         metrics.elidedText(self._caption, Qt.TextElideMode.ElideRight, self.width()))
        for i, each in enumerate(self.bins):
            middle = plot.left() + step * (i + 0.5)
            for persons, width, colour in ((each.persons, _FILL, theme.line),
                                           (each.qualifying, _FILL / 2, theme.accent)):
                height = plot.height() * (persons or 0) / largest
                painter.fillRect(QRectF(middle - step * width / 2, plot.bottom() - height, step * width, height),
                                 QColor(colour))
            painter.setPen(QColor(theme.text))
            _write(painter, metrics, each.label, QPointF(middle, plot.bottom() + theme.px(2) + metrics.ascent()))
            top = plot.bottom() - plot.height() * max(each.persons, each.qualifying or 0) / largest
            said = grouped(each.persons)
            if metrics.horizontalAdvance(said) < step:
                painter.setPen(QColor(theme.muted))
                _write(painter, metrics, said, QPointF(middle, top - metrics.descent()))
        painter.setPen(QPen(QColor(theme.outline), 1))
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())
        self._paint_bound(painter, plot, step)

    def _paint_bound(self, painter: QPainter, plot: QRectF, step: float) -> None:
        """A line behind the last number of rows that the bound lets in."""
        place = None if self.bound is None else self.bound - self.bins[0].low + 1
        if place is None or not 0 < place < len(self.bins):
            return
        x = plot.left() + step * place
        painter.setPen(QPen(QColor(self._theme.text), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))


def _write(painter: QPainter, metrics: QFontMetricsF, text: str, middle: QPointF) -> None:
    painter.drawText(QPointF(middle.x() - metrics.horizontalAdvance(text) / 2, middle.y()), text)
