"""Matching: what each series of a study needs to be as good as one of them, or may have to be as private."""
