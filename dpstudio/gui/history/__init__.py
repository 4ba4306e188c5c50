"""Snapshots: states of a study under a name, to come back to."""
