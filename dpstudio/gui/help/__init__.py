"""Help pages beside a study: shown, searched, and with today's numbers in their formulas."""
