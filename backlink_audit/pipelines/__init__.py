"""The stages in a row, and the result objects they return."""
