"""A crawl of one's own site."""
