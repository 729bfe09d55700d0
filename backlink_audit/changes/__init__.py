"""What changed between two exports, and what to win back."""
