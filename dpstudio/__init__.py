"""DP Studio: what differential privacy costs, and what it buys."""

__version__ = "0.2.0"
