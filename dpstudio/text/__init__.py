"""Numbers and sentences as text: the one way a number becomes text, rounded to its safe side."""
