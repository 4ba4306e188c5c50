"""From what was asked to a study: names and values as the declarations accept them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from dpstudio.cli.talk import Refused, progress, say, unknown
from dpstudio.core.attacker import Attacker, read_attacker
from dpstudio.core.declare import Follow, InvalidParameter, Parameter, accepted, read_entry
from dpstudio.core.figure import Figure
from dpstudio.core.results import FactPlace
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.documents.setting import without
from dpstudio.studies import all_studies
from dpstudio.text.entry import read_number
from dpstudio.text.given import cut
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Interval, Value, integers

if TYPE_CHECKING:
    from dpstudio.core.workers import Workers

WORKERS = integers(1, 1024)
FEARED = ("attacker", "false_alarms", "profile", "exception")
"""Flags, and keys of a batch’s request, that say whom one fears; all but the first are parameters of that name."""
NOTHING: Mapping[str, Value] = MappingProxyType({})


def find_study(key: str) -> type[Study]:
    try:
        return all_studies()[key]
    except KeyError:
        raise unknown("study", key, all_studies(), "the studies are") from None


def find_parameter(study_class: type[Study], name: str) -> Parameter:
    try:
        return study_class.parameter(name)
    except KeyError:
        names = (declared.name for declared in study_class.parameters())
        raise unknown("parameter", name, names, f"{study_class.key} has") from None


def spare_sources(options: Namespace) -> None:
    """Raises Refused where what is written would take the place of a file that is read."""
    sources = (getattr(options, name, None) for name in ("study", "session", "batch"))
    if any(source and _is_same_file(options.output, source) for source in sources):
        raise Refused(f"--output must be another file than the one that is read, got {cut(options.output)!r} for both")


def _is_same_file(one: str, other: str) -> bool:
    """Whether both name one ordinary file, which stands there."""
    try:
        return Path(other).is_file() and Path(one).samefile(other)
    except (OSError, ValueError):  # one of them is no name of a file: said by whoever opens it
        return False


def session_of(options: Namespace) -> Session:
    """What the flags of a command ask for, which all commands on a study have."""
    return requested(options.study, options.settings, options.session, words=not options.no_words,
                     feared=feared_by(options))


def feared_by(options: Namespace) -> dict[str, Value]:
    """What the flags of a command say of whom one fears."""
    return feared({name: getattr(options, name) for name in FEARED})


def feared(given: Mapping[str, str | None]) -> dict[str, Value]:
    """What the flags of these names say of whom one fears; raises InvalidParameter."""
    said = {name: text for name, text in given.items() if text is not None}
    found = read_attacker(said.pop("attacker")) if "attacker" in said else {}
    return found | {name: read_entry(Attacker.parameter(name), text) for name, text in said.items()}


def requested(study: str | None, settings: Iterable[str], file: str | None, *, words: bool = True,
              feared: Mapping[str, Value] = NOTHING) -> Session:
    """The study asked for by name or by a file, with the values that were set; `settings` are NAME=VALUE.

    What is `feared` are values of the attacker.

    A file stands for its session. Where no value of the study in view is left of which it says that it was counted,
    pins that were counted stay behind, and so does what else would tell of counts. Without `words`, so do the texts
    that a person wrote.
    """
    asked = either(study, file)
    study_class, explicit, data = asked.study_class, dict(asked.explicit), asked.data
    given = read_settings(study_class, settings)
    asked, given = fearing(asked, given, feared)
    explicit |= given
    data = data and data.besides(given)  # a number that is given here was not counted
    if data is not None:
        say(data.leaving.note)
    elif (state := asked.state()).holds_counts:
        left = Session(study_class, {study_class: state}, asked.attacker).leaving(exact=False).state()
        asked = asked.with_state(replace(left, pins=tuple(pin for pin in state.pins if not pin.counted)))
    asked = asked.with_values(explicit, data) if given else asked
    return about_words(asked) if words else asked.without_words()


def fearing(session: Session, given: Mapping[str, Value], feared: Mapping[str, Value]
            ) -> tuple[Session, dict[str, Value]]:
    """The session where those values of the attacker are feared that are given by name or by flags, and the others."""
    for name in feared.keys() & given.keys():
        raise Refused(f"{name} is given by --set and by a flag of its own: one of the two would be ignored")
    whom = {name: value for name, value in given.items() if name in Attacker.by_name()}
    return session.fear({**whom, **feared}), without(given, whom)


def either(study: str | None, file: str | None) -> Session:
    """What is named, or what a file holds that is said to be a session."""
    if (study is None) == (file is None):
        raise Refused("give either a STUDY or --session FILE; dpstudio list names the studies")
    return opened(file) if file is not None else named(study or "")


def read_settings(study_class: type[Study], settings: Iterable[str]) -> dict[str, Value]:
    """Values from NAME=VALUE each."""
    given: dict[str, str] = {}
    found: dict[str, Value] = {}
    for setting in settings:
        name, equals, text = map(str.strip, setting.partition("="))
        if not equals:
            raise InvalidParameter("--set", "NAME=VALUE", setting)
        declared = find_parameter(study_class, name)
        if name in given:
            raise Refused(f"{name} is set twice, to {cut(given[name])} and to {cut(text)}")
        given[name], found[name] = text, read_entry(declared, text)
    return found


def figure_of(kind: type[Study], key: str | None) -> Figure:
    """The picture that a flag names, the first where it names none; raises Refused."""
    if key is None:
        return kind.figures[0]
    try:
        return kind.figure(key)
    except KeyError:
        raise unknown("figure", key, (each.key for each in kind.figures), f"{kind.key} has") from None


def check_over(study_class: type[Study], over: Sequence[str], settings: Iterable[str]) -> None:
    """Raises Refused and InvalidParameter unless one parameter or two are swept, and these are not set as well."""
    if not 1 <= len(over) <= 2:
        raise Refused("--over is given once or twice: NAME=LOW:HIGH:COUNT, NAME=LOW:HIGH:COUNT:log or NAME=V1,V2")
    given = {setting.partition("=")[0].strip() for setting in settings}
    for name in (text.partition("=")[0].strip() for text in over):
        find_parameter(study_class, name)
        if name in given:
            raise Refused(f"{name} is given by --set and by --over: one of the two would be ignored")


def about_words(session: Session) -> Session:
    """The session; says where words of a person stand in it that may tell of a count that is left out."""
    places = list(dict.fromkeys(place for place, _ in session.texts()))
    if places and session.data is not None and not session.data.exact:
        say(f"{listed(places)}: words of a person, which may tell what is left out; --no-words leaves them out")
    return session


def named(asked: str) -> Session:
    """A study by its key, with nothing set, or what a file holds: a session, or what carries one."""
    if asked not in all_studies() and (Path(asked).name != asked or "." in asked or Path(asked).is_file()):
        return opened(asked)
    return Session.of(find_study(asked))


def opened(file: str) -> Session:
    """What a session holds, or a picture, a report or numbers that carry one."""
    try:
        found = session_file.open_file(file)
    except OSError as error:
        raise InvalidParameter("session", "a file that can be read", file, error.strerror or str(error)) from None
    if found.told:
        say(found.told)
    return found.session


def from_values(study: object, values: object, feared: Mapping[str, Value] = NOTHING) -> Study:
    """A study from JSON: numbers as the declarations accept them, text as people write it; `feared` is of a flag."""
    if not isinstance(study, str):
        raise InvalidParameter("study", f"one of {', '.join(all_studies())}", study)
    if not isinstance(values, Mapping):
        raise InvalidParameter("set", "an object of parameters", values)
    study_class = find_study(study)
    explicit = {}
    for name, value in values.items():
        declared = find_parameter(study_class, name)
        if value is not None or not isinstance(declared.default, Follow):
            explicit[name] = read_entry(declared, value) if isinstance(value, str) else declared.accept(value)
    return study_class(**{**explicit, **feared})


def read_facts(study_class: type[Study], texts: Iterable[str]) -> tuple[FactPlace, ...]:
    """Facts by keys of quantity and series; one that belongs to series and names none is of all that have it."""
    index = study_class.answers().index()
    found: list[FactPlace] = []
    for text in map(str.strip, texts):
        key, at, series = text.partition("@")
        known = [of for name, of in index if name == key]
        if not known:
            raise unknown("fact", key, dict.fromkeys(name for name, _ in index), f"{study_class.key} has")
        named = [of for of in known if of is not None]
        if at and series not in named:
            raise unknown("series", series, named, f"{key} is of") if named else Refused(f"{key} is of no series")
        found += [(key, series)] if at else [(key, of) for of in known]
    return tuple(dict.fromkeys(found))


def workers_of(count: str | None, scheduler: str | None = None) -> Workers:
    """Who computes; raises InvalidParameter and Refused."""
    if count is not None and scheduler is not None:
        raise Refused("--workers are processes of this machine, and --scheduler has its own: give one of the two")
    from dpstudio.core.cluster import Cluster
    from dpstudio.core.workers import local

    if scheduler is not None:
        return Cluster(scheduler, say)
    return local(1 if count is None else whole("workers", WORKERS, count))


def whole(name: str, domain: Interval, text: str) -> int:
    """The whole number that a flag says; raises InvalidParameter."""
    number = read_number(text)
    return int(accepted(name, domain, text if number is None else number))


def computed(study: Study, *, simulate: bool, quiet: bool = False) -> Update:
    """The last answer of a study, simulated where that is asked for.

    Long work shows progress on a terminal, unless it is one of several at once.
    """
    updates = study.run(simulate=simulate)
    update = next(updates)
    with progress(quiet=quiet) as show:
        for update in updates:
            if update.total:
                show(f"simulating {update.done:,} of {update.total:,}")
    return update
