"""The only home of the network: asks referring pages whether their links are there; off unless a user asks for it."""
