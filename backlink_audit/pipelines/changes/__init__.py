"""What changed between two exports."""
