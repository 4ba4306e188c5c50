"""The headline, the table of facts and the verdict."""
