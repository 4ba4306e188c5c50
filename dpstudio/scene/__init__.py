"""Pictures as data: what a figure shows, where its axes and names lie, and how each series looks."""
