"""The same figures and numbers for files: sessions, tables, pictures for print."""
