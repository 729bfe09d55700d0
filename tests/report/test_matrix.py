import io

import numpy as np
import pandas as pd
import pytest

from backlink_audit.report import files
from backlink_audit.report.files import similarity_matrix, write_matrix


def test_the_matrix_reads_back_with_its_labels():
    vectors = np.array([[1, 0], [0.6, 0.8], [-1, 0]], dtype=np.float32)
    names = ["https://a.example/1,2", 'https://a.example/"x"', "https://a.example/é"]
    table = pd.read_csv(io.BytesIO(write_matrix(names, names[:2], vectors, vectors[:2])), index_col=0)
    assert table.index.tolist() == names
    assert table.columns.tolist() == names[:2]
    assert table.to_numpy() == pytest.approx(vectors @ vectors[:2].T, abs=5e-4)


def test_of_a_site_too_large_for_a_matrix_the_nearest_pages_are_listed(monkeypatch):
    monkeypatch.setattr(files, "MOST_PAGES", 1)
    pages, urls = np.arange(2), pd.Series(["https://a.example/1", "https://a.example/2"])
    vectors = np.eye(2, dtype=np.float32)
    nearest = pd.DataFrame({"Source URL": ["https://a.example/1"], "Similarity": [0.5]})
    written = similarity_matrix(urls, vectors, pages, pages, lambda number: nearest.assign(number=number))
    assert pd.read_csv(io.BytesIO(written))["number"].tolist() == [files.NEAREST]
