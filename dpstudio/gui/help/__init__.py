"""The help, beside a study."""
