"""The same audit on a cluster. Ray is imported when it is asked for, and comes with the extra “cluster”."""
