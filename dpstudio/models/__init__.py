"""What is learnt from a release, and what is believed before it."""
