"""The audit of the links that a site has already."""
