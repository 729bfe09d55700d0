"""Search by meaning and by words."""
