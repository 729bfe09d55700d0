"""URLs and hosts: their parts, chains, countries, and what their shapes say."""
