"""Light, dark or as the system, and large type for a class: one place that switches the whole application."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from dpstudio.gui.shell import theme
from dpstudio.gui.shell.settings import Settings


class Appearance(QObject):
    """The theme in force; tells everybody when it changes."""

    changed = Signal(object)

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._presentation = False
        self.theme = theme.first_theme(settings.theme)
        _application().setPalette(theme.palette(self.theme))

    def settle(self) -> None:
        """Dress the application wholly, and follow the system from now on: what the first frame does without."""
        self.theme = theme.resolve(self.choice, self._presentation)
        theme.apply(_application(), self.theme)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_changed)

    @property
    def choice(self) -> theme.ThemeChoice:
        return self._settings.theme

    @property
    def presentation(self) -> bool:
        return self._presentation

    def choose(self, choice: theme.ThemeChoice) -> None:
        self._settings.theme = choice
        self._apply()

    def set_presentation(self, presentation: bool) -> None:
        self._presentation = presentation
        self._apply()

    def _system_changed(self) -> None:
        if self.choice == "system":
            self._apply()

    def _apply(self) -> None:
        resolved = theme.resolve(self.choice, self._presentation)
        if resolved != self.theme:
            self.theme = resolved
            theme.apply(_application(), resolved)
            self.changed.emit(resolved)


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
