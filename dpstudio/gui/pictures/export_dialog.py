"""Asks how something leaves the window as a file, and how a picture does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from dpstudio.core.figure import Figure
from dpstudio.core.resources import whether
from dpstudio.documents import pictures
from dpstudio.documents.pictures import DPI, HEIGHT, RESOLUTION, WIDTH
from dpstudio.documents.session import Session
from dpstudio.gui.controls.style import Combo, in_column, in_row, prose, push, said_as, wanted_height
from dpstudio.gui.shell.questions import may_replace, shown, where_to
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.theme import Theme
from dpstudio.records import dataclass
from dpstudio.text.language import tr
from dpstudio.vocabulary import Interval

if TYPE_CHECKING:
    from dpstudio.gui.pictures.sliders import SlidersForm

LIVING = "html"
CARRIES = "The file carries its session: drop it on the window to come back here."
COLUMN, WIDTH_OF_TEXT, SLIDE, OWN = (
    "One column, 88 × 62 mm", "Text width, 160 × 100 mm", "Slide, 254 × 143 mm", "Own size")
SIZES = {COLUMN: (88, 62), WIDTH_OF_TEXT: (160, 100), SLIDE: (254, 143), OWN: None}
"""Each by its name in settings, which is what the window calls it in English."""


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What to write where; without a figure all of them, into a folder."""

    path: Path
    figure: str | None
    format: str
    size_mm: tuple[float, float]
    dpi: int
    hidden: frozenset[str] = frozenset()
    as_on_screen: bool = False
    exact_counts: bool = False
    """Whether exact counts of data go along."""
    over: tuple[str, ...] = ()
    """The values of the sliders of a living page, as the command line reads them."""


class ExportForm(QDialog):
    """In which format something leaves the window, to which file, and whether exact counts of data go along."""

    def __init__(self, formats: Mapping[str, str], chosen: str, settings: Settings, parent: QWidget | None,
                 exact_counts: bool | None, *, without: str, leave: str, browse: str, export: str) -> None:
        """`exact_counts` is whether exact counts of data go along, None where there are none; `without`
        says what stands there without them; `leave`, `browse` and `export` are the words of the buttons."""
        super().__init__(parent)
        self._settings = settings
        self.format = said_as(Combo(), tr("Format"))
        for key, words in formats.items():
            self.format.addItem(words, key)
        self.format.setCurrentIndex(max(0, self.format.findData(chosen)))
        self.exact_counts = said_as(QCheckBox(tr("Save exact counts of your data, which are sensitive")),
                                    tip=without)
        self.exact_counts.setChecked(bool(exact_counts))
        self.exact_counts.setVisible(exact_counts is not None)
        self.path, self.browse = said_as(QLineEdit(), tr("File")), push(browse, self._browse)
        self.note = prose(role="muted")
        self.buttons = QDialogButtonBox()
        self.close_button = self.buttons.addButton(leave, QDialogButtonBox.ButtonRole.RejectRole)
        self.export_button = self.buttons.addButton(export, QDialogButtonBox.ButtonRole.AcceptRole)
        self.export_button.setDefault(True)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    @property
    def file(self) -> Path:
        """Where to."""
        typed = Path(self.path.text().strip())
        try:
            return typed.expanduser()
        except RuntimeError:  # nobody of that name is known
            return typed

    def accept(self) -> None:
        """Go ahead, unless a file is in the way that is to stay; what was chosen is proposed the next time."""
        if folder := next((each for each in self.targets() if not each.name or whether(each.is_dir)), None):
            self.note.setText(tr("Name a file: {path} is a folder", path=shown(folder, whole=True)))
            return
        if may_replace(self, self.targets()):
            for key, value in self.remembered().items():
                self._settings.set_text(key, value)
            super().accept()

    def targets(self) -> list[Path]:
        """The files that would be written."""
        return [self.file]

    def remembered(self) -> Mapping[str, str]:
        """What is proposed the next time, by the names of settings."""
        raise NotImplementedError

    def _browse(self) -> None:
        raise NotImplementedError

    def _ask_file(self, title: str, ending: str) -> str:
        return where_to(self, title, self.path.text(), f"{ending.upper()} (*.{ending})")[0]


class ExportDialog(ExportForm):
    """One form: which picture, which format and size, and where to."""

    def __init__(self, study_key: str, figures: Sequence[Figure], chosen: str | None, settings: Settings,
                 parent: QWidget | None = None, *, exact_counts: bool | None = None,
                 session: Session | None = None, theme: Theme | None = None) -> None:
        """With a `session` whose pictures these are, one may also leave as a living page."""
        living = {LIVING: tr("HTML, living page with sliders")} if session is not None and theme is not None else {}
        formats = {"svg": tr("SVG, drawing"), "pdf": tr("PDF, drawing"), "png": tr("PNG, pixels")}
        super().__init__(formats | living, settings.text("format", "svg"), settings, parent, exact_counts,
                         without=tr("Without them a default stands in their place, and the file says so"),
                         leave=tr("Cancel"), browse=tr("Browse…"), export=tr("Export"))
        self.setWindowTitle(tr("Export picture") if chosen else tr("Export all pictures"))
        self._study_key, self._figures = study_key, tuple(figures)
        self.figure = Combo()
        if len(self._figures) > 1:
            self.figure.addItem(tr("All pictures"), None)
        for figure in figures:
            self.figure.addItem(tr(figure.title), figure.key)
        self.on_screen = QCheckBox(tr("As on screen, with zoom and theme"))
        self._counts = exact_counts is not None
        self.size_choice = Combo()
        for key, words in zip(SIZES, (tr(COLUMN), tr(WIDTH_OF_TEXT), tr(SLIDE), tr(OWN)), strict=True):
            self.size_choice.addItem(words, key)
        self.width_mm, self.height_mm = _whole(WIDTH, " mm", tr("Width")), _whole(HEIGHT, " mm", tr("Height"))
        self.dpi = _whole(RESOLUTION, " dpi", tr("Resolution"))
        self.path.setMinimumWidth(300)
        self.note.setText(tr(CARRIES))
        self.sliders: SlidersForm | None = None
        if session is not None and theme is not None:
            from dpstudio.gui.pictures.sliders import SlidersForm  # rarely needed

            self.sliders = SlidersForm(session, theme)
            self.sliders.changed.connect(self._enable)

        form = self._form = QFormLayout(labelAlignment=Qt.AlignmentFlag.AlignRight)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.addRow(tr("Picture"), self.figure)
        form.addRow(tr("Format"), self.format)
        form.addRow("", self.on_screen)
        if self._counts:
            form.addRow("", self.exact_counts)
            self.exact_counts.toggled.connect(self._suggest)
        form.addRow(tr("Size"), self.size_choice)
        own_size = in_row((self.width_mm, 1), QLabel("×"), (self.height_mm, 1), gap=8)
        form.addRow("", own_size)
        form.addRow(tr("Resolution"), self.dpi)
        self._of_paper = (self.on_screen, self.size_choice, own_size, self.dpi)
        """What a living page has not."""
        if self.sliders is not None:
            form.addRow(self.sliders)
        form.addRow(tr("File"), in_row((self.path, 1), self.browse, gap=8))
        in_column(form, self.note, self.buttons, within=self, gap=16, edges=(24, 24, 24, 16))

        self.figure.setCurrentIndex(max(0, self.figure.findData(chosen)))
        self.size_choice.setCurrentIndex(max(0, self.size_choice.findData(settings.text("size", WIDTH_OF_TEXT))))
        self.dpi.setValue(int(settings.text("dpi", str(DPI))))
        self.figure.currentIndexChanged.connect(self._suggest)
        self.format.currentIndexChanged.connect(self._suggest)
        self.size_choice.currentIndexChanged.connect(self._sized)
        self.on_screen.toggled.connect(self._suggest)
        self.path.textChanged.connect(self._enable)
        self._folder = settings.folder("export")
        self._sized()
        self._suggest()

    def request(self, hidden: frozenset[str] = frozenset()) -> ExportRequest:
        """What was asked for."""
        return ExportRequest(self.file, self.figure.currentData(), self._format(),
                             (self.width_mm.value(), self.height_mm.value()), self.dpi.value(), hidden,
                             self.on_screen.isChecked() and self.on_screen.isEnabled(), self.exact_counts.isChecked(),
                             self.sliders.over if self.sliders is not None and self._living else ())

    def remembered(self) -> Mapping[str, str]:
        return {"format": str(self.format.currentData()), "size": str(self.size_choice.currentData()),
                "dpi": str(self.dpi.value())}

    def targets(self) -> list[Path]:
        request = self.request()
        return [request.path] if request.figure else pictures.files_of(request.path, self._study_key, self._figures,
                                                                       request.format)

    @property
    def _living(self) -> bool:
        return self._format() == LIVING

    def done(self, result: int) -> None:
        if self.sliders is not None:
            self.sliders.close_down()
        super().done(result)

    def _format(self) -> str:
        return "png" if self.on_screen.isChecked() and self.on_screen.isEnabled() else str(self.format.currentData())

    def _sized(self) -> None:
        size = SIZES[self.size_choice.currentData()]
        if size:
            self.width_mm.setValue(size[0])
            self.height_mm.setValue(size[1])
        self._enable()

    def _suggest(self) -> None:
        """A name that says what is in it, beside the last export."""
        key = self.figure.currentData()
        name = self._study_key if key is None else f"{self._study_key}-{key}.{self._format()}"
        self.path.setText(str(self._folder / name))
        self._enable()

    def _enable(self) -> None:
        # What the screen shows cannot be left out of a picture of the screen.
        living, figure = self._living, self.figure.currentData()
        self.on_screen.setEnabled(self.figure.currentData() is not None
                                  and (self.exact_counts.isChecked() or not self._counts))
        printed = not (self.on_screen.isChecked() and self.on_screen.isEnabled())
        own = SIZES[self.size_choice.currentData()] is None
        self.format.setEnabled(printed)
        self.size_choice.setEnabled(printed)
        self.width_mm.setEnabled(printed and own)
        self.height_mm.setEnabled(printed and own)
        self.dpi.setEnabled(printed and self._format() == "png")
        wrong = ""
        if self.sliders is not None:
            for row in self._of_paper:
                self._form.setRowVisible(row, not living)
            self._form.setRowVisible(self.sliders, living)
            if living:
                wrong = self._wrong(figure, self.sliders)
                self.note.setText(wrong or f"{self.sliders.told} {tr(CARRIES)}".strip())
            else:
                self.note.setText(tr(CARRIES))
        self.export_button.setEnabled(bool(self.path.text().strip()) and not wrong)
        if self.isVisible():
            self._make_room()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Be as high as what is asked needs: sliders and what is said of them come and go."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.resize(self.width(), max(self.height(), wanted_height(layout, self.width())))

    def _wrong(self, figure: str | None, sliders: SlidersForm) -> str:
        """Why no page can be written, if none can."""
        if figure is None:
            return tr("A living page is of one picture: choose which.")
        if self.file.suffix.lower() != f".{LIVING}":
            return tr("The file’s name must end in .{ending}.", ending=LIVING)
        sliders.ask(next(each for each in self._figures if each.key == figure))
        return sliders.wrong

    def _browse(self) -> None:
        if self.figure.currentData() is None:
            path = QFileDialog.getExistingDirectory(self, tr("Folder for the pictures"), str(self._folder))
        else:
            path = self._ask_file(tr("Export picture"), self._format())
        if path:
            self.path.setText(path)


def _whole(domain: Interval, unit: str, name: str) -> QSpinBox:
    return said_as(QSpinBox(minimum=int(domain.low), maximum=int(domain.high), suffix=unit), name)
