"""What a user's own decisions teach about the links that are not decided yet."""
