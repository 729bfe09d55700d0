"""The versions of the store."""
