"""What a person has set, and the answers to it."""
