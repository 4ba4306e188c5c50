"""Pictures in the window: any Figure of an Update, painted, read and dragged."""

from dpstudio.gui.plot.view import FigureView

__all__ = ["FigureView"]
