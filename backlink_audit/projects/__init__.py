"""Work that lasts: the store, and in it projects with their snapshots and decisions; what watches and reports them."""
