import io

import numpy as np
import pandas as pd
import pytest

from backlink_audit.report.matrix import write_matrix


def test_the_matrix_reads_back_with_its_labels():
    vectors = np.array([[1, 0], [0.6, 0.8], [-1, 0]], dtype=np.float32)
    names = ["https://a.example/1,2", 'https://a.example/"x"', "https://a.example/é"]
    table = pd.read_csv(io.BytesIO(write_matrix(names, names[:2], vectors, vectors[:2])), index_col=0)
    assert table.index.tolist() == names
    assert table.columns.tolist() == names[:2]
    assert table.to_numpy() == pytest.approx(vectors @ vectors[:2].T, abs=5e-4)
