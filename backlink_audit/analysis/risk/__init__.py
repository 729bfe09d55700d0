"""Risk signals, each with its evidence, and what was decided about them, down to the disavow file."""
