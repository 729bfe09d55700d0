"""How results are shown: figures, tables to work in, one row in full, and downloads."""
