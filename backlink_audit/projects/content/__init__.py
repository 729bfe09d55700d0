"""What a project holds: snapshots, decisions, files, and what they say of its time."""
