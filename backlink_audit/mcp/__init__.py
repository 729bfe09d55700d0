"""For programs that ask in place of a person: tools and prompts of the Model Context Protocol."""
