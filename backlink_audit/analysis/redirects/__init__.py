"""Where pages went: chains of redirects, links that arrive by one, and pages matched to new ones."""
