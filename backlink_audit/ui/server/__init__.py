"""What one server gives: limits, sign-in, and the store."""
