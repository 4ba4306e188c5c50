"""A sum or a mean of people's numbers, clipped to bounds and released with noise."""
