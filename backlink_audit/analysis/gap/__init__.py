"""Sites that link to competitors: which, what sort of page, and the words to them."""
