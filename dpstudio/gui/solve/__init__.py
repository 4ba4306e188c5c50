"""Solving in the window: what is wanted, what does it, and how it would look."""
