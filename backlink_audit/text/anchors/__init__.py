"""Where a source page could link to its targets."""
