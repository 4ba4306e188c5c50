"""Which values are known to be counts of data: however a document comes back to one, it is one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents.session import Known, Session
from dpstudio.documents.setting import Setting
from dpstudio.documents.state import StudyState

MOVED, FEW, SIGNS = 1_000, 20, 10**7
"""Moved counts whose values are still known as such: an answer is a few moves behind the hand, never a thousand.

Of lists, which are long, no more are kept than have so many signs together, a few whatever they have."""


class KnownCounts:
    """Exact counts that were taken from data, and the values that they were moved to or that were found from them."""

    def __init__(self) -> None:
        self._exact: dict[Known, Origin] = {}
        self._moved: dict[Known, Origin] = {}
        """The newest last."""

    @property
    def exact(self) -> bool:
        """Whether there are exact ones."""
        return bool(self._exact)

    @property
    def values(self) -> Mapping[Known, Origin]:
        """Every value that tells of data, and of which."""
        return {**self._moved, **self._exact}

    def learn(self, states: Iterable[StudyState]) -> None:
        """Remember the exact counts of these states."""
        for each in (setting for state in states for setting in state.settings):
            self._exact |= {(type(each.study), name, getattr(each.study, name)): origin
                            for name, origin in each.counted.items() if name not in each.moved | each.follows}

    def marked(self, session: Session, before: Session | None = None) -> Session:
        """The session with every value marked that is known to be an exact count; what was moved is remembered.

        A state that it shares with the one `before` is marked already.
        """
        present = before.states if before is not None else {}
        states = {study_class: state if state is present.get(study_class) else state.each(self._marked)
                  for study_class, state in session.states.items()}
        unchanged = all(states[study_class] is state for study_class, state in session.states.items())
        return session if unchanged else replace(session, states=states)

    def origin_in(self, study: Study) -> Origin | None:
        """Where values of this study were counted, if it holds an exact count of data or one that was moved."""
        keys = {name: (type(study), name, value) for name, value in study.values().items()}
        counted = {name: origin for name, key in keys.items()
                   if (origin := self._exact.get(key) or self._moved.get(key))}
        return Setting(study, counted=counted,
                       moved=frozenset(name for name in counted if keys[name] not in self._exact)).origin

    def _too_many(self) -> bool:
        many = len(self._moved)
        return many > MOVED or (many > FEW and sum(len(value) for *_, value in self._moved if isinstance(
            value, str)) > SIGNS)

    def _marked(self, setting: Setting) -> Setting:
        study_class = type(setting.study)
        known = {name: origin for name, value in setting.explicit.items() if name not in setting.own
                 and (origin := self._exact.get((study_class, name, value)))} if self._exact else {}
        for name in (setting.moved | setting.follows) - known.keys():
            self._moved[study_class, name, getattr(setting.study, name)] = setting.counted[name]
        while self._too_many():  # an answer that is still under way may hold one that the document has left
            del self._moved[next(iter(self._moved))]
        if not known:
            return setting
        return replace(setting, counted={**known, **setting.counted}, moved=setting.moved - known.keys())
