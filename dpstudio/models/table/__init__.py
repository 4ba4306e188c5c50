"""Tables of counts with noise: how far off all cells are, which is on top, which are shown, what totals add.

`errors` has sensitivities, widths that hold for all cells at once and biases, `ranks` the order of cells, `keys` cells
whose names are secret, `totals` merged cells, totals and margins. Noises are those of `mechanisms.noise`: Laplace,
geometric, Gaussian and discrete Gaussian, of its own on each cell.
"""

from dpstudio.models.table.errors import (
    clamped_bias,
    coverage,
    half_width,
    rounded_variance,
    sensitivities,
    smallest_cell,
)
from dpstudio.models.table.keys import shown, threshold_delta
from dpstudio.models.table.ranks import order, top_right, wins
from dpstudio.models.table.totals import merged, reconciled, reconciled_total, two_way, with_total

__all__ = ["clamped_bias", "coverage", "half_width", "merged", "order", "reconciled", "reconciled_total",
           "rounded_variance", "sensitivities", "shown", "smallest_cell", "threshold_delta", "top_right", "two_way",
           "wins", "with_total"]
