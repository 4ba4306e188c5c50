"""The same figures and numbers for print and for files; matplotlib is imported only to draw."""
