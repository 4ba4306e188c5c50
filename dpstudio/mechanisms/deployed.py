"""What the numbers of a deployment in use leave open: the law of its (ε, δ), where they have one."""

from __future__ import annotations

from dpstudio.core.deployments import Deployment, stated
from dpstudio.mechanisms.laws import Claim

NOBODY = ("several", "unknown")
"""Units of which nobody can say whose risk it is."""


def law(one: Deployment) -> Claim | None:
    """The most that the stated (ε, δ) leaves open about one unit of privacy.

    None where ε or δ is not stated as a number or is of another kind of privacy, and where it is not known what one
    unit is, or for how long: then it says nothing about anybody. The mechanism itself may leave less open.
    """
    numbers = stated(one)
    if numbers is None or one.unit in NOBODY or one.period == "unsaid":
        return None
    return Claim(*numbers)
