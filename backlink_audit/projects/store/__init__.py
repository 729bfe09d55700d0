"""The store: its connection, its tables, and its versions."""
