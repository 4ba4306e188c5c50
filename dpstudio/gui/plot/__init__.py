"""Pictures in the window: any Figure of an update, painted, read and dragged.

`view` is a panel with title, legend and caption around a `canvas`, which frames items: `layers` paint parts of a Scene,
`marks` and `notes` can be taken by a hand or the keyboard (`items.Handles`), `crosshair` and `published` say what is
pointed at. It paints what `scene` says; only what depends on pixels is decided here. Begin with `view`.
"""

from dpstudio.gui.plot import library  # before whatever imports pyqtgraph
from dpstudio.gui.plot.view import FigureView

__all__ = ["FigureView", "library"]
