"""What a link comes to: authority in its context, verdict, what is at stake, what to do."""
