"""How long a search by meaning takes among 100,000 links, once the query is embedded: `python -m benchmarks.search`."""

import time
from statistics import median

import numpy as np
import pandas as pd

from backlink_audit.search.run import find, index_vectors
from backlink_audit.text.languages import words

ROWS, DIMENSIONS, TOPICS, WORDS, TIMES = 100_000, 512, 878, 40_000, 20
QUERIES = ("word7", "word12 word900", "word3 word44 word5005 word39999", "nothing of it")


def unit(rows: int, chance: np.random.Generator) -> np.ndarray:
    """Return unit rows of chance, float32."""
    vectors = chance.standard_normal((rows, DIMENSIONS), dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def main() -> None:
    """Print the seconds of the index, and the median and the worst milliseconds of a search."""
    chance = np.random.default_rng(1)
    drawn = (WORDS * chance.random((ROWS, 12)) ** 3).astype(int)  # few words are frequent, as in any language
    titles = pd.Series([" ".join(f"word{number}" for number in row) for row in drawn])
    vectors, topics = unit(ROWS, chance), unit(TOPICS, chance)
    started = time.perf_counter()
    index = index_vectors(pd.DataFrame({"title": titles}), "link", vectors, [titles])
    print(f"{ROWS:,} rows, {DIMENSIONS} dimensions: index in {time.perf_counter() - started:.1f} s")
    for query in QUERIES:
        vector, taken = unit(1, chance)[0], []
        for _ in range(TIMES):
            started = time.perf_counter()
            find(index, query, words(query), vector, topics)
            taken.append(1000 * (time.perf_counter() - started))
        print(f"{query!r}: {median(taken):.0f} ms, at worst {max(taken):.0f} ms")


if __name__ == "__main__":
    main()
