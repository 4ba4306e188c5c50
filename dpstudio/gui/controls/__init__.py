"""Controls made from the declarations of a study's parameters."""

from dpstudio.gui.controls.choice import Choice, Switch
from dpstudio.gui.controls.control import Control
from dpstudio.gui.controls.entry import NumberEntry
from dpstudio.gui.controls.kinds import make_control
from dpstudio.gui.controls.panel import ParametersPanel
from dpstudio.gui.controls.slider import Slider

__all__ = ["Choice", "Control", "NumberEntry", "ParametersPanel", "Slider", "Switch", "make_control"]
