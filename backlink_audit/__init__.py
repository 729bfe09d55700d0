"""Which backlinks matter, and which pages should link to each other."""
