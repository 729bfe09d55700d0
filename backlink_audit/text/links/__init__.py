"""The words that represent the two ends of a backlink."""
