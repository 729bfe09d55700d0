"""How much authority reaches each page of a site, and what to do about it."""
