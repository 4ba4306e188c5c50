"""Controls made from the declarations of a study's parameters."""
