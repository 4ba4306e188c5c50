"""Conditions on rows: read by a grammar of our own, held as a tree, written as SQL with parameters."""
