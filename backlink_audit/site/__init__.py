"""A site's own pages and links as tables and vectors, for every feature about pages."""
