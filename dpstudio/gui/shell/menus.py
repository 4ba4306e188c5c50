"""Every command of the window, once: its words, its keys and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from string import ascii_uppercase
from types import ModuleType
from typing import Protocol, get_args

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from dpstudio.core.study import Study
from dpstudio.documents.session import Session
from dpstudio.documents.setting import title
from dpstudio.gui.page.pictures import Pictures
from dpstudio.gui.pictures.outgoing import Outgoing
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell import foreign, theme
from dpstudio.gui.shell.desk import Desk, counted_hint
from dpstudio.records import dataclass
from dpstudio.studies import all_studies, doors, study_titles
from dpstudio.text.language import LANGUAGES, tr
from dpstudio.text.sentences import begun

Standard = QKeySequence.StandardKey
Keys = QKeySequence.StandardKey | str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Command:
    """One entry of a menu; without words it is a line between entries."""

    text: str = ""
    act: Callable[..., object] | str = ""
    """What it does, or which window it opens."""
    keys: Keys = ""
    tip: str = ""
    on: bool | None = None
    """Whether it is on, if it is switched on and off: what it does is told then."""
    anywhere: bool = False
    """Whether it is of use on the first page, too."""


LINE = Command()
LETTERS = frozenset(shift + letter for letter in ascii_uppercase for shift in ("", "Shift+"))
"""Keys that write."""


class View(Protocol):
    """What the commands do to what is seen."""

    @property
    def pictures(self) -> Pictures: ...

    def show_start(self) -> None: ...
    def solve(self) -> None: ...
    def show_published(self, shown: bool, /) -> None: ...
    def step_back(self) -> None: ...
    def next_pane(self, step: int = 1, /) -> None: ...
    def show_facts(self) -> None: ...
    def take_chips(self) -> None: ...
    def step_beside(self) -> None: ...
    def show_everything(self) -> None: ...
    def show_help(self, shown: bool, /) -> None: ...
    def show_theorems(self) -> None: ...


class Menus:
    """One menu with all commands in menus of it, and those that follow the study.

    Their keys are the window's: a menu that is not open has none.
    """

    def __init__(self, desk: Desk, outgoing: Outgoing, view: View, parent: QWidget) -> None:
        self._desk, self._outgoing, self._seen = desk, outgoing, view
        self.actions: dict[str, QAction] = {}
        self.everything = QMenu(tr("Everything else"), parent)
        self.of_study = QActionGroup(parent)
        """What is done to the study in view, and to its pictures."""
        self.of_study.setExclusionPolicy(QActionGroup.ExclusionPolicy.None_)
        self.letters: list[QAction] = []
        """Those whose key is a letter: keys of the parts of the window that are given them, where nobody types."""
        self.presets = QMenu(tr("Examples"), parent, toolTipsVisible=True)
        self.named = QMenu(tr("Named values"), parent, toolTipsVisible=True)
        self.pins = QMenu(tr("Remove pin"), parent, toolTipsVisible=True)
        self.pins.aboutToShow.connect(self._list_pins)
        self._recent = QMenu(tr("Open recent"), parent, toolTipsVisible=True)
        self._recent.aboutToShow.connect(self._list_recent)
        self._scenarios = QMenu(tr("Cases &from practice"), parent, toolTipsVisible=True)
        self._scenarios.aboutToShow.connect(lambda: desk.tools.get("practice").list_in(self._scenarios))
        self._file()
        self._edit()
        self._view()
        self._study()
        self._explore()
        self._help()
        self.show_study(desk.document.study_class)
        self.show_session(desk.document)

    def _file(self) -> None:
        desk, files, out = self._desk, self._desk.files, self._outgoing
        self._menu(tr("&File"), (
            Command("&Open session…", files.open, Standard.Open, "A session, or a file that carries one",
                    anywhere=True),
            self._recent,
            self._scenarios,
            Command("Count in your &data…", desk.open_data, "Ctrl+Shift+O", counted_hint(), anywhere=True),
            Command("A&udit your mechanism…", desk.audit_own, "", "Hold the ε that it claims against outcomes that it "
                    "gave", anywhere=True),
            LINE,
            Command("&Save session", files.save, Standard.Save, anywhere=True),
            Command("Save session &as…", files.save_as, "Ctrl+Shift+S", anywhere=True),
            LINE,
            Command("&Export picture…", out.export_picture, "Ctrl+E"),
            Command("Export all &pictures…", partial(out.export_picture, everything=True), "Ctrl+Shift+E"),
            Command("Export &numbers…", out.export_data, "Ctrl+D"),
            Command("&Report…", desk.write_report, "Ctrl+Shift+R",
                    "Two pages to decide, one of them to sign, and an appendix to check them"),
            LINE,
            Command("Save exact &counts in files", files.set_exact_counts, "", "Sessions and exports then hold what "
                    "was counted in your data; otherwise a default stands in its place", files.exact_counts, True),
            LINE,
            Command("&Quit", desk.window.close, "Ctrl+Q", anywhere=True),
        ))

    def _edit(self) -> None:
        desk, out, document = self._desk, self._outgoing, self._desk.document
        self._menu(tr("&Edit"), (
            Command("&Undo", document.undo, Standard.Undo),
            Command("&Redo", document.redo, ("Ctrl+Shift+Z", "Ctrl+Y")),
            LINE,
            Command("&Copy picture", out.copy_picture, "Ctrl+Shift+C"),
            Command("Copy &facts", out.copy_facts, "Ctrl+Shift+F", "All of them, at full precision"),
            Command("Cop&y as code…", "handover", "Ctrl+Shift+K",
                    "A script that does it with a library that releases data"),
            Command("Nu&mbers of this picture", out.show_values, "Ctrl+T", "The numbers behind the picture"),
            Command("&Note on picture…", lambda: self._seen.pictures.picture().noting.write(), "N",
                    "Words at a point, printed with it"),
            LINE,
            Command("Reset &all", desk.reset_all, "Ctrl+R", "Every parameter back to its default"),
        ))

    def _view(self) -> None:
        desk, seen, look = self._desk, self._seen, self._desk.appearance
        appearance = QMenu(tr("Appea&rance"), desk.window)
        group = QActionGroup(appearance)
        for choice in get_args(theme.ThemeChoice):
            action = self.actions[choice] = appearance.addAction(tr(choice.capitalize()), partial(look.choose, choice))
            action.setCheckable(True)
            action.setChecked(choice == look.choice)
            group.addAction(action)
        languages = QMenu(tr("Lan&guage"), desk.window, toolTipsVisible=True)
        spoken = QActionGroup(languages)
        for key, name in LANGUAGES.items():
            action = languages.addAction(name, partial(self._choose_language, key))
            action.setToolTip(tr("From the next start on; help, sentences about results and files are English"))
            action.setCheckable(True)
            action.setChecked(key == desk.settings.language)
            spoken.addAction(action)
        self._menu(tr("&View"), (
            Command("&Enlarge picture", lambda: seen.pictures.toggle_enlarged(), "Ctrl+Return"),
            Command("&Back to all pictures", seen.step_back, "Esc", "Leaves presentation mode, too"),
            Command("&Fit axes", desk.answers.follow, "F", "Every picture back to what matters"),
            LINE,
            Command("&Pin curves", desk.pin, "P", "Keep them as a faint reference while the sliders move on"),
            self.pins,
            Command("Remove &all pins", partial(desk.document.do, "Remove all pins", Session.unpin), "Shift+P"),
            LINE,
            Command("Ch&oose", seen.take_chips, "Alt+C", "Decide for one of what is compared: arrows, then Space"),
            Command("Next picture be&side", seen.step_beside, "Ctrl+B", "The next of the list beside the large one"),
            Command("Ever&ything", seen.show_everything, "F8",
                    "All parameters, facts, sentences and curves, or only those seen first"),
            Command("Find a fac&t", seen.show_facts, "Ctrl+F"),
            Command("Ne&xt pane", seen.next_pane, "F6"),
            Command("Pre&vious pane", partial(seen.next_pane, -1), "Shift+F6"),
            LINE,
            Command("Pub&lished deployments", seen.show_published, "", "Mark their ε on axes of ε, where their unit of "
                    "privacy is alike", desk.settings.published),
            Command("L&ist of deployments…", "deployments", "", "All of the registry, with their units of privacy, and "
                    "why each is marked or not"),
            LINE,
            appearance,
            languages,
            Command("Presentation &mode", look.set_presentation, "Ctrl+Shift+P", on=look.presentation,
                    anywhere=True),
            Command("Full s&creen", lambda on: desk.window.showFullScreen() if on else desk.window.showNormal(), "F11",
                    on=desk.window.isFullScreen(), anywhere=True),
        ))
        self.actions["Back to all pictures"].setEnabled(False)

    def _study(self) -> None:
        desk, titles = self._desk, study_titles()
        menu = self._menu(tr("&Study"), (
            Command("S&tart", self._seen.show_start, "Alt+Home", tr(
                "What do you want to know? Alt+1 … Alt+{n} open a question there", n=len(doors())), anywhere=True),
            LINE,
            *(Command(name, partial(desk.open_study, key), f"Ctrl+{(i + 1) % 10}" if i < 10 else "", anywhere=True)
              for i, (key, name) in enumerate(titles.items())),
            LINE,
            Command("&Next study", partial(self._step, 1), "Ctrl+PgDown"),
            Command("&Previous study", partial(self._step, -1), "Ctrl+PgUp"),
            LINE,
            self.presets,
            self.named,
            Command("A&dd to plan", desk.add_to_plan, tip="What this study releases here, among the releases of Plan"),
            Command("N&ote on this study…", desk.write_note,
                    tip="Words of your own on this study, kept in the session"),
            Command("About this &case", lambda: desk.tools.get("practice").show_card(),
                    tip="The story and the question of the case from practice that was opened last"),
            Command("Keep snaps&hot…", desk.take_snapshot, "Ctrl+Shift+H",
                    "Values, pins and views under a name, to come back to"),
            Command("&Snapshots…", "history", "Ctrl+H", "What was kept, and how it differs"),
        ))
        self._studies = QActionGroup(menu)
        for key, name in titles.items():
            action = self.actions[name]
            action.setCheckable(True)
            action.setData(key)
            self._studies.addAction(action)
        menu.aboutToShow.connect(self._ask_studies)

    def _explore(self) -> None:
        self._menu(tr("E&xplore"), (
            Command("I &want…", self._seen.solve, ("Alt+W", "Ctrl+L"),
                    "Say what a fact shall be: DP Studio finds the parameter that gives it"),
            Command("&Sweep…", "sweep", "Ctrl+Shift+W", "Facts over one parameter or two: curves or a map"),
            Command("&Compare…", "compare", "Ctrl+K", "What is pinned and the present values beside each "
                    "other, the largest difference first"),
        ))

    def _help(self) -> None:
        desk, seen = self._desk, self._seen
        self._menu(tr("&Help"), (
            Command("Help on this &study", seen.show_help, "F1", on=desk.settings.help_shown),
            Command("&Theorems", seen.show_theorems, "Shift+F1", "Why ε, composition, groups, encryption, by example"),
            Command("&Keyboard and mouse",
                    lambda: _about().keyboard(self.actions.values(), desk.window).show(), "Ctrl+/", anywhere=True),
            Command("Help on your &data", lambda: _about().own_data(desk.appearance.theme, desk.window).show(),
                    anywhere=True),
            LINE,
            Command("Copy dia&gnostics", self._outgoing.copy_diagnostics, tip="Versions, parameters, log; no data",
                    anywhere=True),
            Command("&Licences", lambda: _licences().shown(desk.window).show(), anywhere=True,
                    tip="Of the program and all that is in it"),
            Command("&About DP Studio", lambda: _about().about(desk.window).show(), anywhere=True),
        ))

    def list_help(self, menu: QMenu) -> None:
        """What helps also before a study is in view."""
        for name in ("Keyboard and mouse", "Help on your data", "About DP Studio"):
            menu.addAction(self.actions[name])

    def show_study(self, study: type[Study]) -> None:
        """Let the menus say what there is for this study."""
        for action in self._studies.actions():
            action.setChecked(action.data() == study.key)
        self.presets.clear()
        for preset in study.presets:
            action = self.presets.addAction(tr(preset.title), partial(self._desk.apply_preset, preset))
            action.setToolTip(preset.sentence)
            action.setCheckable(True)
        self.presets.menuAction().setVisible(bool(study.presets))
        self.named.clear()
        named = [declared for declared in study.parameters() if declared.named]
        for declared in named:
            self.named.addSection(begun(tr(declared.named_title or declared.quantity.label)))
            for words, value in declared.named.items():
                act = partial(self._desk.document.edit, declared.name, value)
                action = self.named.addAction(begun(tr(words)), act)
                action.setToolTip(f"{declared.quantity.symbol} = {value}")
        if len(named) == 1:
            self.named.setTitle(begun(tr(named[0].named_title or named[0].quantity.label)))
        self.named.menuAction().setVisible(bool(named))

    def show_session(self, document: Document) -> None:
        """Let the menus say what can be undone and removed."""
        for name, label in (("Undo", document.undo_text), ("Redo", document.redo_text)):
            self.actions[name].setText(f"{tr('&' + name)} {foreign.entry(label)}".strip())
            self.actions[name].setEnabled(bool(label))
        set_here = dict(document.set_here)
        for preset, action in zip(document.study.presets, self.presets.actions(), strict=False):
            action.setChecked(dict(preset.values) == set_here)
        for action in (self.pins.menuAction(), self.actions["Remove all pins"]):
            action.setEnabled(bool(document.state.pins))

    def _choose_language(self, key: str) -> None:
        self._desk.settings.language = key
        self._desk.status.say(tr("{language} is spoken from the next start on", language=LANGUAGES[key]))

    def _ask_studies(self) -> None:
        """What they say of themselves is their tooltip, for which every one is read."""
        self.actions["About this case"].setEnabled(bool(self._desk.settings.text("scenario", "")))
        for action in self._studies.actions():
            action.setToolTip(tr(all_studies()[action.data()].question))

    def _list_pins(self) -> None:
        """What is pinned, each by what differs from the present values."""
        document = self._desk.document
        state = document.state
        self.pins.clear()
        for pin in state.pins:
            self.pins.addAction(foreign.entry(title(pin, state.setting)),
                                partial(document.do, tr("Remove pin"), Session.unpin, *pin.pinned))

    def _menu(self, heading: str, entries: Iterable[Command | QMenu]) -> QMenu:
        menu = self.everything.addMenu(heading)
        menu.setToolTipsVisible(True)
        for entry in entries:
            if isinstance(entry, QMenu):
                menu.addMenu(entry)
            elif entry.text:
                self._add(menu, entry)
            else:
                menu.addSeparator()
        return menu

    def _add(self, menu: QMenu, command: Command) -> None:
        name, act = command.text.replace("&", ""), command.act
        action = self.actions[name] = menu.addAction(tr(command.text))
        if not command.anywhere:
            self.of_study.addAction(action)
        keys = (command.keys,) if isinstance(command.keys, (str, Standard)) else command.keys
        action.setShortcuts([QKeySequence(each) for each in keys if each])
        if any(key in LETTERS for key in keys if isinstance(key, str)):
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self.letters.append(action)
        else:
            self._desk.window.addAction(action)
        action.setToolTip(tr(command.tip) or tr(command.text).replace("&", ""))
        if isinstance(act, str):
            action.triggered.connect(lambda: self._desk.tools.open(act))
        elif command.on is None:
            action.triggered.connect(lambda: act())
        else:
            action.setCheckable(True)
            action.setChecked(command.on)
            action.toggled.connect(act)

    def _list_recent(self) -> None:
        self._recent.clear()
        paths = self._desk.settings.recent
        for path in paths:
            name = path.replace("\\", "/").rpartition("/")[2]
            open_it = partial(self._desk.files.open_path, path)
            self._recent.addAction(foreign.entry(name), open_it).setToolTip(foreign.tip(path))
        if paths:
            self._recent.addSeparator()
            self._recent.addAction(tr("Clear this list"), self._desk.settings.clear_recent)
        else:
            self._recent.addAction(tr("Nothing yet")).setEnabled(False)

    def _step(self, step: int) -> None:
        keys = list(all_studies())
        at = keys.index(self._desk.document.study_class.key)
        self._desk.open_study(keys[(at + step) % len(keys)])


def _licences() -> ModuleType:
    from dpstudio.gui.shell import licences  # it looks through all libraries

    return licences


def _about() -> ModuleType:
    from dpstudio.gui.shell import about  # rarely needed, and not at the start

    return about
