"""Pages in groups of like subject: the groups, their names, hubs and missing links."""
