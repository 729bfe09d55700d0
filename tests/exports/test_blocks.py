"""The wanted columns of a large file, block by block: the same rows as of the file read in one piece."""

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from backlink_audit import sample
from backlink_audit.errors import WrongExport
from backlink_audit.exports import parts
from backlink_audit.exports.load import load
from backlink_audit.exports.parts import Blocks

COLUMNS = ("link_type", "source_url", "target_url", "http_status", "follow", "link_position")


@pytest.fixture
def export(tmp_path, monkeypatch):
    """A file for which every one is large enough to be read in blocks."""
    monkeypatch.setattr(parts, "WHOLE_BELOW", 0)
    [(name, data)] = sample.files()["inlinks"]
    (tmp_path / name).write_bytes(data)
    return tmp_path / name


def read(path):
    return pd.concat(list(Blocks(path, "inlinks", COLUMNS)), ignore_index=True)


def test_the_wanted_columns_are_those_of_the_file_read_in_one_piece(export):
    whole = load([(export.name, export.read_bytes())], "inlinks").table
    assert_frame_equal(read(export)[list(COLUMNS)], whole[list(COLUMNS)])
    assert (read(export)["anchor"] == "").all() and (whole["anchor"] != "").any()


def test_a_ragged_row_far_down_is_found_before_the_first_block_is_given(export):
    export.write_bytes(export.read_bytes() + b'"Hyperlink","https://a.example/","https://b.example/"\n')
    found = read(export)
    assert len(found) == len(load([(export.name, export.read_bytes())], "inlinks").table)
    assert found["target_url"].iloc[-1] == "https://b.example/"


def test_another_export_is_refused_by_its_name(export):
    [(name, data)] = sample.files()["pages"]
    (export.parent / name).write_bytes(data)
    with pytest.raises(WrongExport, match="Screaming Frog"):
        read(export.parent / name)
