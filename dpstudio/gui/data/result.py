"""What was counted: N, how it came about, and the rows of each person."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from dpstudio.core.study import Study
from dpstudio.data import meaning
from dpstudio.data.cohort import Cohort
from dpstudio.data.counting import Count, bins
from dpstudio.gui.data.rows_picture import RowsPicture
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.sentences import grouped


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
