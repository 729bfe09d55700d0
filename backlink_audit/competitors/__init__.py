"""Our profile beside those of competitors."""
