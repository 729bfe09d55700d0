"""Models, encoders and the cache of vectors: the only home of torch."""
