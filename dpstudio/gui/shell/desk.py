"""What all parts of one main window share: a session, its answers and files, and what is done to them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import Preset
from dpstudio.data.origin import Origin
from dpstudio.documents.noted import Solved
from dpstudio.documents.session import PLAN, Session
from dpstudio.documents.setting import Setting, Values
from dpstudio.documents.words import symbols
from dpstudio.gui.session.answers import Answers
from dpstudio.gui.session.document import Document
from dpstudio.gui.session.files import Files
from dpstudio.gui.session.pins import Pins
from dpstudio.gui.session.recovery import LeftSession
from dpstudio.gui.shell.docking import Dock, PaneHost
from dpstudio.gui.shell.foreign import LINE, bounded
from dpstudio.gui.shell.status import Status
from dpstudio.gui.shell.window import Window
from dpstudio.studies import all_studies
from dpstudio.text.language import counted, tr
from dpstudio.vocabulary.written_records import LONGEST_NAME

"""What may be counted in one’s own data."""
PANES = {
    "compare": "compare.pane:ComparePane",
    "deployments": "deployments.pane:DeploymentsPane",
    "handover": "pictures.handover:HandoverPane",
    "history": "history.pane:HistoryPane",
    "region": "solve.region:RegionPane",
    "sweep": "sweep.pane:SweepPane",
}
"""Where the pane of each kind is declared, in this package."""


def counted_hint() -> str:
    """What can be counted in a table."""
    return tr("N, people, shares, groups or values of a table")


class Tools:
    """Panes, and other parts that are rarely needed: each is made when it is first wanted."""

    def __init__(self, desk: QObject, parent: QWidget) -> None:
        """Panes are of this desk, and belong to this parent."""
        self._made: dict[str, Any] = {}
        self._makers: dict[str, Callable[[], QObject]] = {
            key: partial(_pane, place, desk, parent) for key, place in PANES.items()}

    def add(self, key: str, make: Callable[[], QObject]) -> None:
        """Let another part be made when it is first wanted."""
        self._makers[key] = make

    def get(self, key: str) -> Any:
        """The one there is, else a new one."""
        if key not in self._made:
            self._made[key] = made = self._makers[key]()
            if isinstance(made, Dock):
                made.gone.connect(lambda: self._made.pop(key, None))
        return self._made[key]

    def made(self, key: str) -> Any:
        """The one there is, else None."""
        return self._made.get(key)

    def open(self, key: str) -> Any:
        """Bring a pane to the front."""
        pane = self.get(key)
        pane.begin()
        return pane


def _pane(place: str, desk: QObject, parent: QWidget) -> QObject:
    module, _, name = place.partition(":")
    made: QObject = getattr(import_module(f"dpstudio.gui.{module}"), name)(desk, parent)
    return made


class Desk(QObject):
    """Owns the document and what computes, and says in the window what became of what was done."""

    frontier_wanted = Signal()
    """The frontier of the study in view is to be seen."""

    study_wanted = Signal()
    """The study in view is to be seen."""

    def __init__(self, window: Window, left: LeftSession, parent: QObject) -> None:
        super().__init__(parent)
        self.window, self.settings, self.appearance = window, window.settings, window.appearance
        self.document = Document(left.session, left.saved, self)
        self.answers = Answers(self.document, self)
        self.files = Files(self.document, self.settings, window)
        self.pins = Pins(self.document, self)
        self.status = Status()
        self.panes = PaneHost(self.appearance, self.settings, window)
        self.panes.wanted.connect(self.study_wanted)
        self.tools = Tools(self, window)
        self.tools.add("reports", self._make_reports)
        self.files.said.connect(self.status.say)
        self.files.refused.connect(window.report)
        self.files.table.connect(self.open_data)
        self.files.counts_missing.connect(self._offer_to_count)
        self.files.opened.connect(self.answers.begin_anew)
        self.files.counts_chosen.connect(self._tidy_sweeps)
        self.files.opened.connect(self.study_wanted)

    def _tidy_sweeps(self) -> None:
        """What is kept of sweeps with exact counts goes once files leave them out."""
        from dpstudio.gui.sweep import keeping  # rarely needed, and not at the start

        keeping.tidy(exact_counts=self.files.exact_counts)

    def close_down(self) -> None:
        """Leave nothing running, and what stands for the next start."""
        self.answers.close()
        self.pins.close()
        self.files.close()

    # Settings

    def tried(self, label: str, edit: Callable[..., Session], *given: object, told: str = "") -> bool:
        """Make a step of an edit, and say what became of it; whether it was not refused."""
        try:
            self.document.do(label, edit, *given)
        except InvalidParameter as refusal:
            self.status.say(str(refusal))
            return False
        if told:
            self.status.say(told)
        return True

    def open_study(self, key: str) -> None:
        self.study_wanted.emit()
        if key != self.document.study_class.key:
            self.document.turn(all_studies()[key])

    def reset_all(self) -> None:
        self.document.do(tr("Reset all"), Session.apply, {})
        self.answers.follow()

    def apply_preset(self, preset: Preset) -> None:
        self.document.do(tr("Example “{title}”", title=tr(preset.title)), Session.apply, preset.values)
        self.answers.follow()
        self.status.say(preset.sentence, 12)

    def take_setting(self, setting: Setting) -> None:
        """Take the values of a setting, such as one that is pinned."""
        if self.tried(tr("Take setting"), Session.adopt, setting):
            self.answers.follow()

    def add_to_plan(self, key: str | None = None) -> None:
        """Add to the plan what the study in view releases: a series, or what was decided for or is suggested."""
        document = self.document
        study = document.study
        if study.key == PLAN:
            self.status.say(tr("This is the plan: add a release to its list"))
            return
        if document.holds_counts:
            self.status.say(tr("Exact counts of your data stand here: reset them first, for a plan would tell of them"))
            return
        answer = study.answer().deciding(key or document.state.chosen)
        series = next((each for each in answer.choices if each.key == key), None) or answer.decided or answer.suggested
        record = answer.planned(series or next(iter(answer.choices), None))
        if record is None:
            self.status.say(tr("{study} promises nothing at these settings that a plan could have",
                               study=tr(study.title)))
            return
        called = f"{study.title}, {series.label}" if series else study.title
        self.tried(tr("Add to plan"), Session.plan, record._replace(name=called[:LONGEST_NAME].strip()),
                   told=tr("Added to the plan: “{called}”. Study, Plan shows it", called=called))

    def pin(self) -> None:
        """Keep the present curves as a faint reference."""
        if self.answers.latest is not None:
            self.tried(tr("Pin"), Session.pin, told=tr("Pinned: these curves stay as a faint reference"))

    def pin_settings(self, settings: tuple[Setting, ...]) -> None:
        """Keep settings, each of one series, as a faint reference."""
        self.tried(tr("Pin"), Session.pin, *settings,
                   told=tr("Pinned: each series stays as a faint reference where it matches"))

    # Counts of data

    def open_data(self, path: str = "", origin: Origin | None = None) -> None:
        """Open the dialog that counts in a table, with a file or with the choices of an earlier count."""
        from dpstudio.gui.data.dialog import DataDialog  # rarely needed, and not at the start

        dialog = DataDialog(self.document, self.settings, self.appearance.theme, self.window)
        dialog.used.connect(self._use_counted)
        self.window.closing.connect(dialog.reject)
        dialog.open()
        dialog.begin(path, origin)

    def audit_own(self) -> None:
        """Open the dialog that holds a claim against outcomes of somebody's own mechanism."""
        from dpstudio.gui.data.own_audit import OwnAuditDialog  # rarely needed, and not at the start

        dialog = OwnAuditDialog(self.settings, self.appearance.theme, self.window)
        self.window.closing.connect(dialog.reject)
        dialog.open()

    def _use_counted(self, study: str, values: Values, origin: Origin) -> None:
        self.open_study(study)
        try:
            self.document.do(tr("Count in {file}", file=origin.file), Session.take, values, origin)
        except InvalidParameter as refusal:
            self.window.report(str(refusal))
        else:
            self.answers.follow()
            self.status.say(tr("Counted in {file}; exact, and left out of sessions and exports", file=origin.file), 12)

    def _offer_to_count(self, origin: Origin) -> None:
        counts, follows = (symbols(self.document.study_class, names) for names in (origin.counts, origin.follows))
        told = [counted("{counts} was {origin}.", "{counts} were {origin}.", len(origin.counts), counts=counts,
                        origin=origin.sentence)] if counts else []
        if follows:
            told.append(counted("{follows} was found from what was counted.",
                                "{follows} were found from what was counted.", len(origin.follows), follows=follows))
        told.append(tr("The session leaves exact counts and what follows from them out, so a default stands there.")
                    if follows else tr("The session leaves exact counts out, so a default stands there."))
        if origin.told and counts:
            self.window.report(" ".join(told), tr("Count again…"), lambda: self.open_data(origin=origin),
                               about="counting")
        else:
            self.window.report(" ".join(told), about="counting")

    # Words and reports

    def write_note(self) -> None:
        """Ask for words on the study in view, which its session keeps."""
        from dpstudio.gui.history.form import NoteDialog  # rarely needed, and not at the start

        NoteDialog(self.document, self.appearance.theme, self.window).open()

    def take_snapshot(self, parent: QWidget | None = None) -> None:
        """Ask for a name under which the study in view is kept as it stands."""
        self._once_taken(partial(self._ask_for_name, parent or self.window))

    def _ask_for_name(self, parent: QWidget) -> None:
        from dpstudio.gui.history.form import (  # rarely needed, and not at the start
            SnapshotForm,
            in_menu,
            now,
            proposed,
        )

        state, study_class = self.document.state, self.document.study_class

        def take(name: str, note: str) -> None:
            self.document.do(tr("Keep snapshot {name}", name=in_menu(name)), Session.on, study_class, Session.keep,
                             name, note, now())
            self.status.say(tr("Snapshot “{name}” kept", name=bounded(name, LINE)))

        about = tr("It keeps the values, the pins and how the study is looked at.")
        SnapshotForm(tr("Snapshot of {title}", title=tr(study_class.title)), proposed(state), "", about,
                     {each.name for each in state.snapshots}, True, take, self.appearance.theme, parent).open()

    def write_report(self) -> None:
        """Ask what a report is to have, and write it."""
        self._once_taken(self._ask_for_report)

    def _once_taken(self, act: Callable[[], object]) -> None:
        """Do this once what somebody takes of what they want is taken."""
        solver = self.tools.made("solver")
        act() if solver is None else solver.once_taken(act)

    def _ask_for_report(self) -> None:
        from dpstudio.gui.report.dialog import ReportDialog  # rarely needed, and not at the start

        document = self.document
        dialog = ReportDialog(document, self.settings, self.appearance.theme, self.window,
                              exact_counts=self.files.exact_counts if document.tells else None)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.tools.get("reports").write(dialog.request()))
        dialog.asked_again.connect(self.ask_again)
        self.files.abandoned.connect(dialog.close)
        dialog.open()

    def ask_again(self, asked: Solved) -> None:
        """Put a question that was kept into the solver, at the present values of its study."""
        self.open_study(asked.setting.study.key)
        self.tools.get("solver").ask_again(asked)

    def _make_reports(self) -> QObject:
        from dpstudio.gui.report.writing import Writing

        writing = Writing(self.files, self.window)
        writing.moved.connect(lambda progress: self.status.show_writing(
            *((f"{writing.what}: {progress.doing}", progress.done, progress.total) if progress else ("", 0, 0))))
        self.status.leave.clicked.connect(writing.leave)
        return writing
