"""Figures drawn for print; matplotlib is imported only to draw."""
