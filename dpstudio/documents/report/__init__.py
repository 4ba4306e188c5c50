"""Reports: what was chosen and why, as documents."""
