"""Every pair at or above a threshold, written part by part."""

import pandas as pd
import pytest

from backlink_audit.internal_links import tables
from backlink_audit.internal_links.tables import all_pairs_tables
from backlink_audit.report.files import save
from backlink_audit.settings import InterlinkSettings
from tests.internal_links.test_run import PAGES, find


@pytest.mark.parametrize("scores_of_a_block", [1, 8 * 1024**2])
def test_the_file_holds_each_pair_that_reaches_the_threshold_and_no_other(tmp_path, monkeypatch, scores_of_a_block):
    monkeypatch.setattr(tables, "BLOCK_SCORES", scores_of_a_block)
    result = find()
    save(all_pairs_tables(result, 0.3), tmp_path / "pairs.csv")
    written = pd.read_csv(tmp_path / "pairs.csv")
    cosines = result.similarities([url for url, *_ in PAGES]).stack()
    expected = {pair: cosine for pair, cosine in cosines.items() if cosine >= 0.3 and pair[0] != pair[1]}
    found = written.set_index(["Source URL", "Target URL"])["Similarity Score"].to_dict()
    assert found == pytest.approx(expected, abs=1e-6)
    assert len(written) == len(expected) > 0


def test_path_filters_hold_and_no_pair_leaves_the_headers(tmp_path):
    result = find(InterlinkSettings(min_similarity=-1, source_contains="/blog/"))
    for threshold, rows in ((-1, 2 * (len(PAGES) - 1)), (1, 0)):
        save(all_pairs_tables(result, threshold), tmp_path / "pairs.csv")
        written = pd.read_csv(tmp_path / "pairs.csv")
        assert list(written.columns) == ["Source URL", "Target URL", "Similarity Score"]
        assert len(written) == rows
