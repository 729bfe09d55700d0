"""The link check: which links of an export are really there."""
