"""What a backlink profile is made of: values, anchors, and how fast it grows."""
