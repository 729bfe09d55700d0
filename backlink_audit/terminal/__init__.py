"""What every command of the terminal shares."""
