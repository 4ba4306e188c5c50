"""The window that sweeps facts over one parameter or two."""
