"""The nearest of many vectors: exact, by a graph, and partition by partition."""
