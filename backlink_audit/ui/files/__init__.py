"""The visitor's files: where they come in, what they are, which header is which column."""
