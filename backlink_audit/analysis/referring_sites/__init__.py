"""The sites that links come from: rolled up, what they share, and whose they are."""
