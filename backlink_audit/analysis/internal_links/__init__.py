"""Links inside a site: those it has, and those it should have."""
