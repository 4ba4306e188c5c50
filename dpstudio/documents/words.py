"""What a picture or a file says about itself: parameters, neighbouring relation, version."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dpstudio import __version__
from dpstudio.core.declare import Parameter
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.text.entry import shortened, write_number
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun, listed, numbered
from dpstudio.vocabulary import Quantity, Value

MADE_BY = f"DP Studio {__version__}"
IN_LABEL = 9
"""Signs of a value within a label: it stands beside numbers, and every digit of it in the entry where it is set."""


def parameter(declared: Parameter, value: Value) -> str:
    """“ε = 0.1”, “prior: uniform”, “f(0)=0: no”."""
    if isinstance(value, bool | str):
        return f"{declared.quantity.symbol or declared.quantity.label}: {declared.said(value)}"
    return f"{declared.quantity.symbol} = {powered(write_number(value))}"


def parameters(study: Study) -> tuple[str, ...]:
    """Every parameter that matters with its value, in order."""
    values = study.values()
    return tuple(parameter(declared, values[declared.name]) for declared in study.parameters()
                 if values[declared.name] is not None and declared.matters(values))


def label_at(quantity: Quantity, study: Study | None, label: str = "") -> str:
    """The label of a fact with the value at which it is asked for: “Pr[error > 3]”, “error at level 0.95”.

    `label` is the label as it is shown, where that is another than the declared one.
    """
    label = label or quantity.label
    if study is None or quantity.at not in study.by_name():
        return label
    symbol = study.parameter(quantity.at).quantity.symbol
    value = shortened(getattr(study, quantity.at), lambda text: len(text) <= IN_LABEL)
    return re.sub(rf"\b{symbol}\b", value if len(symbol) == 1 else f"{symbol} {value}", label)


def relation(study: Study) -> str:
    """The neighbouring relation, as a sentence without its full stop."""
    return begun(study.relation.sentence)


def check_left_out(study: Study, data: Origin | None) -> None:
    """Raises ValueError where a study holds what its origin says is left out: nothing may be made of it."""
    for name in data.names if data is not None and not data.exact else ():
        if getattr(study, name) != study.default(name):
            raise ValueError(f"{name} is said to be left out, and stands there")


def symbols(study: Study | type[Study], names: Sequence[str]) -> str:
    """“N and ε”; empty for no names."""
    return listed(study.parameter(name).quantity.symbol for name in names) if names else ""


def of_groups(study: Study) -> bool:
    """Whether what is counted for a study are groups, in several of which one person may be."""
    from dpstudio.data.targets import asked_for  # whoever has no data does not wait for it

    return asked_for(study.key) == "groups"


def is_one_record(study: Study, data: Origin) -> bool:
    """Whether one person is one record at most of all that was counted."""
    return data.at_most == 1 and not of_groups(study)


def counted(study: Study, data: Origin) -> str:
    """What a picture says of exact counts, with no word of the file."""
    counts, follows = (symbols(study, names) for names in (data.counts, data.follows))
    several = "" if is_one_record(study, data) else "; one person may be several records" if data.at_most is None else (
        f"; one person may be up to {numbered('records', data.at_most)} in each of several groups" if of_groups(study)
        else f"; one person is up to {data.at_most} records")
    told = []
    if data.exact:
        if counts:
            told.append(f"{counts}: exact, counted in people’s data, and sensitive")
        if follows:
            told.append(f"{follows}: found from what was counted in people’s data, and sensitive")
    else:
        if counts:
            told.append(f"{counts}: a default; what was counted in people’s data is left out")
        if follows:
            told.append(f"{follows}: a default; what was found from a count of people’s data is left out")
    return "; ".join(told) + several
