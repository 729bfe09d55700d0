"""Languages: their words, which one a text is in, and singular and plural."""
