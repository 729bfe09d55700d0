"""What the pages are made of: one module or folder for each page, of the same name."""
