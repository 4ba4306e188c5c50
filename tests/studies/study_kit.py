"""What tests of one study need: its answer without draws, and a fact that is known to be there."""

from __future__ import annotations

from dpstudio.core.study import answer


def exact_of(study):
    """The answer of a study at values, without draws."""
    return lambda **values: answer(study(**values), simulate=False)


def value(update, quantity, series=None):
    fact = update.fact(quantity, series)
    assert fact is not None, quantity.key
    return fact.value
