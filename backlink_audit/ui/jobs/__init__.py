"""Heavy work in the background: the queue, its progress, and a quicker model's preview."""
