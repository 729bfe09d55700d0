"""Charts: one function per chart, a table in, a plotly Figure out. One module per page; `theme` is what they share."""
