"""What a link's numbers, words and meaning come to: relevance, kind of page, worth, suspicion, verdict."""
