"""What studies and mechanisms are made of: declarations, results, figures, seeded sampling."""
