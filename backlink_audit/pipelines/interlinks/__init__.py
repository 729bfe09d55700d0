"""Internal link opportunities."""
