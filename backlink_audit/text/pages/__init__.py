"""The words that represent the pages of a site, their names, and how pages meet."""
