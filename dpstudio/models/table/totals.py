"""What merged cells, totals and margins add to a table: least squares on noisy numbers that should agree."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter
from dpstudio.models.table.errors import CELLS
from dpstudio.records import dataclass
from dpstudio.vocabulary import NOISE, POSITIVE, SENSITIVITY, variant

_VARIANCE = variant(SENSITIVITY, key="variance", domain=POSITIVE)
Numbers = float | Array


def merged(cell_variance: npt.ArrayLike, cells: npt.ArrayLike) -> tuple[Numbers, Numbers]:
    """The variance v of m cells that are merged before noise is added, and m v of so many noisy cells added up.

    Before holds only where merging gives a person no more than before: where people are counted, not rows. Of any
    shapes.
    """
    v, m = np.broadcast_arrays(_variance(cell_variance, "cell_variance"), numbers_in(cells, CELLS, "cells"))
    return shaped(np.array(v)), shaped(np.asarray(m * v))


def with_total(cell_variance: npt.ArrayLike, total_variance: npt.ArrayLike, cells: npt.ArrayLike
               ) -> tuple[Numbers, Numbers]:
    """The variances of a cell and of the total of K cells after least squares: v − v²/(Kv + V) and KvV/(Kv + V).

    Cells have variance v and the total V, all independent; of any shapes.
    """
    v, of_total, k = np.broadcast_arrays(_variance(cell_variance, "cell_variance"),
                                         _variance(total_variance, "total_variance"), numbers_in(cells, CELLS, "cells"))
    share = v / (k * v + of_total)
    return shaped(np.asarray(v * ((k - 1) * share + of_total / (k * v + of_total)))), shaped(
        np.asarray(k * share * of_total))


def reconciled_total(cells: npt.ArrayLike, total: float, cell_variance: float, total_variance: float
                     ) -> tuple[Array, float]:
    """Noisy cells and their noisy total, made to agree by least squares: each cell + v/(Kv + V)(Y − Σy), and the sum.

    The result is no longer the noise alone: an interval of the noise is none of these.
    """
    y = numbers_in(cells, NOISE, "cells")
    if y.ndim != 1 or not y.size:
        raise InvalidParameter("cells", "a list of numbers", cells)
    v, of_total = parameter_value(_VARIANCE, cell_variance, "cell_variance"), parameter_value(
        _VARIANCE, total_variance, "total_variance")
    lacks = parameter_value(NOISE, total, "total") - float(y.sum())
    share = 1 / (y.size + of_total / v)
    return y + share * lacks, float(y.sum()) + y.size * share * lacks


@dataclass(frozen=True, slots=True)
class _Weights:
    """The eigenvalues of the normal equations of a two-way table: of its mean, of rows, of columns, and of the rest."""

    mean: Array
    row: Array
    column: Array
    cell: Array


def _weights(rows: Array, columns: Array, cell: Array, row: Array, column: Array, total: Array) -> _Weights:
    one, of_row, of_column = 1 / cell, columns / row, rows / column
    return _Weights(one + of_row + of_column + rows * columns / total, one + of_row, one + of_column, one)


def two_way(rows: npt.ArrayLike, columns: npt.ArrayLike, cell_variance: npt.ArrayLike, row_variance: npt.ArrayLike,
            column_variance: npt.ArrayLike, total_variance: npt.ArrayLike) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """The variances of a cell, a row, a column and the total of an r × c table after least squares on all of them.

    With λᵢ = 1/v, λᵣ = 1/v + c/vᵣ, λ_c = 1/v + r/v_c and λ_g = 1/v + c/vᵣ + r/v_c + rc/v_t: of a cell (1/λ_g + (r −
    1)/λᵣ + (c − 1)/λ_c + (r − 1)(c − 1)/λᵢ)/(rc), of a row (c/λ_g + c (r − 1)/λᵣ)/r, of a column the like, of the total
    rc/λ_g. Of any shapes.
    """
    r, c, v, of_row, of_column, of_total = np.broadcast_arrays(
        numbers_in(rows, CELLS, "rows"), numbers_in(columns, CELLS, "columns"),
        _variance(cell_variance, "cell_variance"), _variance(row_variance, "row_variance"),
        _variance(column_variance, "column_variance"), _variance(total_variance, "total_variance"))
    by = _weights(r, c, v, of_row, of_column, of_total)
    cell = (1 / by.mean + (r - 1) / by.row + (c - 1) / by.column + (r - 1) * (c - 1) / by.cell) / (r * c)
    row, column = (c / by.mean + c * (r - 1) / by.row) / r, (r / by.mean + r * (c - 1) / by.column) / c
    return tuple(shaped(np.asarray(each)) for each in (cell, row, column, r * c / by.mean))  # type: ignore[return-value]


def reconciled(cells: npt.ArrayLike, rows: npt.ArrayLike, columns: npt.ArrayLike, total: float,
               variances: tuple[float, float, float, float]) -> tuple[Array, Array, Array, float]:
    """A noisy r × c table, its noisy margins and total, made to agree by least squares: cells, rows, columns, total.

    `variances` are those of a cell, a row, a column and the total, all independent. What a cell is moved by is (d̄/vᵣ +
    ē/v_c + f/v_t)/λ_g + (dᵢ − d̄)/(vᵣ λᵣ) + (eⱼ − ē)/(v_c λ_c), d, e and f being what sums of cells lack to the
    margins and the total.
    """
    y = numbers_in(cells, NOISE, "cells")
    if y.ndim != 2 or not y.size:
        raise InvalidParameter("cells", "a table of numbers", cells)
    margins = [numbers_in(each, NOISE, name) for each, name in ((rows, "rows"), (columns, "columns"))]
    for margin, size, name in zip(margins, y.shape, ("rows", "columns"), strict=True):
        if margin.shape != (size,):
            raise InvalidParameter(name, f"a list of {size} numbers", margin.tolist())
    given = numbers_in(variances, _VARIANCE, "variances")
    if given.shape != (4,):
        raise InvalidParameter("variances", "those of a cell, a row, a column and the total", variances)
    _, of_row, of_column, of_total = given
    r, c = (np.array(float(size)) for size in y.shape)
    by = _weights(r, c, *given)
    row, column = margins[0] - y.sum(axis=1), margins[1] - y.sum(axis=0)
    left = (row.mean() / of_row + column.mean() / of_column
            + (parameter_value(NOISE, total, "total") - float(y.sum())) / of_total)
    moved = (y + left / by.mean + ((row - row.mean()) / (of_row * by.row))[:, None]
             + (column - column.mean()) / (of_column * by.column))
    return moved, moved.sum(axis=1), moved.sum(axis=0), float(moved.sum())


def _variance(given: npt.ArrayLike, name: str) -> Array:
    return numbers_in(given, _VARIANCE, name)
