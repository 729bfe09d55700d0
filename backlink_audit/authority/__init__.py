"""How the authority of a site flows through its links."""
