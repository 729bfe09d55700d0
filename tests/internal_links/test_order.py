"""What an editor looks at besides likeness: how old a target is."""

import numpy as np
import scipy.sparse as sp

from backlink_audit.internal_links.suggestions import Signal, find_opportunities, pair_facts, pair_scores
from tests.internal_links.test_interlinks import limits

UNIT = np.eye(2, dtype=np.float32)[[0, 0, 0]]


def test_a_target_years_older_than_its_source_counts_less_and_a_newer_one_does_not():
    signals = [Signal(UNIT, UNIT)] * 3
    found = find_opportunities(UNIT, limits(3, per_page=2, min_similarity=-1.0, near_duplicate=2.0), signals)
    folders = sp.csr_matrix((3, 1), dtype=np.float32)

    def scored(*years: int) -> dict[tuple[int, int], float]:
        facts = pair_facts(found, signals[0], signals[2], folders, np.array(years))
        scores = pair_scores(facts, np.zeros(len(found.source), dtype=bool))
        return dict(zip(zip(found.source.tolist(), found.target.tolist(), strict=True), scores.tolist(), strict=True))

    same, aged = scored(2024, 2024, 2024), scored(2024, 2022, 2021)
    assert aged[0, 2] < same[0, 2] and aged[2, 0] == same[2, 0]  # three years older, three years newer
    assert aged[0, 1] == same[0, 1] and aged[1, 2] == same[1, 2]  # no more than two
