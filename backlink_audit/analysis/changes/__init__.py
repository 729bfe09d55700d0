"""What happened between two exports: to links, domains and verdicts, and what to win back."""
