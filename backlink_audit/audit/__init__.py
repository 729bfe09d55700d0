"""The backlink audit."""
