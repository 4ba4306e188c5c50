"""Settings beside each other, in a window of their own."""
