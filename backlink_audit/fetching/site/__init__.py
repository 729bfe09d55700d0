"""A crawl of one's own site: what a crawler's export says of its pages and of the links between them."""
