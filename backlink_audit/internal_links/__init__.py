"""Internal links that are worth adding."""
