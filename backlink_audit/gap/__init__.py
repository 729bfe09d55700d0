"""The gap to competitors."""
