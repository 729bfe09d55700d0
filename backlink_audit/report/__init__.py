"""Results as charts, workbooks and files."""
