"""The internal links of the loaded crawl: found, narrowed, shown in tabs, and offered as files."""
