"""Measurements: each step in a process of its own, all of a table in one run, on one machine."""
