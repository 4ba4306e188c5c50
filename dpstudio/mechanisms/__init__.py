"""What is released: small frozen records with exact methods."""
