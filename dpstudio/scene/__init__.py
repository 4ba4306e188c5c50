"""Pictures before they are painted: a figure and an answer as positions, looks and words; window and print draw these.

`scene` resolves a figure to a Scene; `axes`, `straights`, `names`, `notes` and `published` say what stands where, in
pixels or points alike; `frame` leads from positions to places. It imports `core` and below, neither Qt nor matplotlib.
Begin with `scene.resolve`.
"""
