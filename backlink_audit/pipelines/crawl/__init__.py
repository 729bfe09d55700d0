"""What the features about pages share: texts, vectors, the link graph."""
