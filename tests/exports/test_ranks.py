"""Common Crawl's domain ranks are read as a stream, and stand where no tool rates a link."""

import gzip
from pathlib import Path

import pandas as pd
import pytest

from backlink_audit.errors import InvalidSetting, UnreadableFile
from backlink_audit.exports import lists
from backlink_audit.exports.lists import as_kept, is_whole_release, one_release, ranked, read_ranks
from backlink_audit.exports.load import load

HEADER = "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts"
NAME = "cc-main-2026-may-jun-jul-domain-ranks.txt.gz"
LINES = [
    "1\t3.1E7\t3\t0.01\tcom.facebook\t3000",
    "2\t2.9E7\t2\t0.009\torg.wikipedia\t900",
    "900\t1.9E7\t80\t2e-5\texample.blog\t4",
    "1000\t1.1E7\t70\t1e-6\tuk.co.news\t1",
]


def release(folder: Path, lines: list[str], name: str = NAME, header: str = HEADER) -> Path:
    data = "\n".join([header, *lines, ""]).encode()
    (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return folder / name


@pytest.mark.parametrize("lines", [LINES, LINES[::-1]])
@pytest.mark.parametrize("name", [NAME, NAME.removesuffix(".gz")])
def test_the_asked_domains_are_found_in_any_order(tmp_path, lines, name):
    path = release(tmp_path, lines, name)
    assert is_whole_release(path)
    table = read_ranks(path, ["blog.example", "news.co.uk", "nowhere.example"])
    assert table["ranked_domain"].tolist() == ["blog.example", "news.co.uk"]
    assert table["percentile"].tolist() == [10, 0] and set(table["release"]) == {"cc-main-2026-may-jun-jul"}


@pytest.mark.parametrize("block", [64, 97, 140, 141, 1000])
def test_lines_are_read_alike_wherever_a_piece_ends(tmp_path, monkeypatch, block):
    monkeypatch.setattr(lists, "_BLOCK", block)
    lines = [f"{n}\t1\t{n}\t1\texample.site{n}\t1" for n in range(100, 400)]
    table = read_ranks(release(tmp_path, lines), [f"site{n}.example" for n in range(100, 400)])
    assert table["harmonic_place"].tolist() == list(range(100, 400))


def test_what_was_kept_is_read_again_and_stands_where_no_tool_rates(tmp_path):
    kept = as_kept(read_ranks(release(tmp_path, LINES), ["blog.example", "facebook.com"]))
    export = one_release(load([("kept.csv", kept)], "domain_ranks"))
    links = pd.DataFrame(
        {
            "referring_domain": ["blog.example", "facebook.com", "other.example"],
            "url_rating": [float("nan"), 12.0, float("nan")],
            "domain_rating": [float("nan"), 90.0, float("nan")],
            "scale": ["", "Ahrefs", ""],
        }
    )
    found = ranked(links, export.table)
    assert found["domain_rating"].fillna(-1).tolist() == [10, 90, -1]
    assert found["scale"].tolist() == ["Common Crawl", "Ahrefs", "Common Crawl"]
    assert ranked(links, None) is links
    extract = load([("extract.txt", "\n".join([HEADER, *LINES]).encode())], "domain_ranks")
    assert ranked(links, extract.table)["domain_rating"].tolist()[:2] == [10, 90]


@pytest.mark.parametrize(
    ("header", "lines", "says"),
    [
        (HEADER, [*LINES, "1001\t1.0E7\t71\t1e-6\tuk.co"], "cut or damaged"),
        (HEADER.replace("#host_rev", "#host"), LINES, "not Common Crawl's domain ranks"),
        (HEADER, [], "no ranks"),
        (HEADER, [*LINES, "x" * 20_000_000], "cut or damaged"),
        (HEADER, LINES[:2], "none of the 1 domains is among its 2"),
    ],
)
def test_other_files_are_refused(tmp_path, header, lines, says):
    with pytest.raises(UnreadableFile, match=says):
        read_ranks(release(tmp_path, lines, header=header), ["blog.example"])


def test_a_file_that_is_cut_and_ranks_of_two_releases_are_refused(tmp_path):
    path = release(tmp_path, [f"{n}\t1\t{n}\t1\texample.site{n}\t1" for n in range(1, 9_000)])
    path.write_bytes(path.read_bytes()[:-2_000])
    with pytest.raises(UnreadableFile, match="cut or damaged"):
        read_ranks(path, ["site1.example"])
    header = "Ranked domain,Place by harmonic centrality,Percentile of harmonic centrality,Release\n"
    both = header + "a.example,1,99,cc-main-2026-feb\nb.example,2,98,cc-main-2026-may\n"
    with pytest.raises(InvalidSetting, match="several releases"):
        one_release(load([("both.csv", both.encode())], "domain_ranks"))
