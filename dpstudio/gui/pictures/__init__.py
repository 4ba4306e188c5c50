"""How the pictures stand, and how they leave the window."""
