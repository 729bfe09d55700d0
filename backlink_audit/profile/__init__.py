"""The backlink profile."""
