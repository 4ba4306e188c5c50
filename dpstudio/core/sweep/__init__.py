"""A sweep: facts of a study over a grid of one parameter or two, each cell asked alone.

    plan = Plan(study, (read_over(type(study), "epsilon=0.01:10:100:log"),), (("band_width", "laplace"),))
    for progress in sweep(plan, Pool(2)):
        print(progress.done, progress.total)
    progress.swept.table

The table is the same to the last bit whoever computed it, in whatever pieces. A cell that the study refuses, or in
which a fact does not apply, is nan there.
"""

from dpstudio.core.sweep.cells import ABSENT, FAILED, KINDS, REFUSED, UNDONE
from dpstudio.core.sweep.kept import InUse, Kept
from dpstudio.core.sweep.plan import MOST, Over, Plan, check_size, pace, read_over, size_of
from dpstudio.core.sweep.run import Progress, Swept, sweep

__all__ = ["ABSENT", "FAILED", "KINDS", "MOST", "REFUSED", "UNDONE", "InUse", "Kept", "Over", "Plan", "Progress",
           "Swept", "check_size", "pace", "read_over", "size_of", "sweep"]
