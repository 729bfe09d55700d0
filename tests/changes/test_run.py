import pandas as pd
import pytest

from backlink_audit.changes.run import compare_exports
from backlink_audit.errors import WrongExport
from backlink_audit.settings import AuditSettings, BandLimits, VerdictLimits
from tests.audit.exports import crawl, semrush, semrush_domains
from tests.changes.made import DATES, later, link, newer, older
from tests.toy import ToyEncoder


def test_links_are_new_lost_changed_or_kept() -> None:
    changes = compare_exports(older(), newer())
    assert changes.links is not None
    found = changes.links.assign(page=changes.links["referring_domain"].str.removesuffix(".example"))
    assert dict(zip(found["page"], found["change"], strict=True)) == {
        "kept": "kept",
        "marked": "lost",
        "turned": "changed",
        "new": "new",
        "lost": "lost",
        "gone": "lost",
    }
    assert changes.counts == {"new": 1, "lost": 3, "changed": 1, "kept": 1}
    assert changes.lost_before == 1
    assert changes.headline == "1 new link, 3 lost, 1 changed and 1 kept."


def test_exactly_the_removed_and_changed_rows_of_an_export_are_found() -> None:
    rows = [link(f"site{i % 70}", Anchor=f"anchor {i}", **{"Lost link": str(i % 3 == 0).lower()}) for i in range(300)]
    after = [row | ({"Nofollow": "true"} if i % 10 == 1 else {}) for i, row in enumerate(rows) if i % 6]
    changes = compare_exports(semrush("a.csv", *rows), semrush("b.csv", *after))
    assert changes.counts == {"new": 0, "lost": 50, "changed": 30, "kept": 220}
    assert changes.links is not None
    assert set(changes.links.loc[changes.links["change"] == "lost", "older_row"]) == set(range(0, 300, 6))


def test_with_an_encoder_cas_and_verdicts_are_compared() -> None:
    changes = compare_exports(older(), newer(), AuditSettings(), ToyEncoder())
    assert changes.links is not None and changes.audits is not None
    links = changes.links.set_index("referring_domain")
    before, after = (audit.links.set_index("referring_domain")["cas"] for audit in changes.audits)
    assert links.loc["lost.example", "cas_before"] == before["lost.example"]
    assert pd.isna(links["cas_after"]["lost.example"])
    assert links.loc["lost.example", "verdict_after"] == ""
    held = links[links["change"].isin(["kept", "changed"])]
    moved = held["cas_after"] - held["cas_before"]  # one link less is one voice less about the subject of all
    gone = before["lost.example"] + before["marked.example"]
    assert changes.cas_lost == pytest.approx(gone + (-moved).clip(lower=0).sum())
    assert changes.cas_gained == pytest.approx(after["new.example"] + moved.clip(lower=0).sum())
    moves = changes.verdict_moves
    assert "Reclaim" in moves["verdict_after"].tolist()
    assert "CAS gained" in changes.headline


def test_without_an_encoder_there_is_no_cas() -> None:
    changes = compare_exports(older(), newer())
    assert changes.cas_gained is None and changes.gone_links() is None
    assert changes.verdict_moves.empty


def test_the_same_file_twice_is_refused() -> None:
    with pytest.raises(WrongExport, match="same file as older"):
        compare_exports(older(), older())


def test_another_sites_export_is_refused() -> None:
    other = semrush("other.csv", later("kept") | {"Target url": "https://other.example/"})
    with pytest.raises(
        WrongExport, match=r"other\.csv: its links point to other\.example, but the links in older\.csv point to shop"
    ):
        compare_exports(older(), other)


def test_swapped_files_are_refused_with_their_dates() -> None:
    with pytest.raises(WrongExport, match=r"newer\.csv.*\(2025-06-01\).*older\.csv \(2025-03-01\).*wrong order"):
        compare_exports(newer(), older())


def test_a_crawl_is_refused() -> None:
    with pytest.raises(WrongExport, match="use an export of backlinks or referring domains"):
        compare_exports(crawl({"Address": "https://shop.example/"}), newer())


def test_without_dates_and_loss_columns_the_rest_still_works() -> None:
    bare = (*DATES, "Lost link", "New link", "Anchor")
    changes = compare_exports(
        semrush("a.csv", link("kept"), link("lost"), without=bare), semrush("b.csv", link("kept"), without=bare)
    )
    assert changes.counts["lost"] == 1
    assert changes.months.empty
    assert [note.split(" (")[0] for note in changes.notes] == [
        "a.csv has no dates",
        "b.csv has no dates",
        "b.csv does not mark lost links, so links that it no longer lists count as lost.",
    ]


def test_a_column_only_one_file_has_is_said_and_not_compared() -> None:
    changes = compare_exports(older(), semrush("b.csv", later("kept"), later("turned"), without=("Anchor",)))
    assert changes.counts["changed"] == 0
    assert "b.csv has no column for Anchor, so this is not compared." in changes.notes


def test_links_and_a_list_of_domains_are_compared_by_domain() -> None:
    after = semrush_domains("b.csv", *({"Domain": f"{name}.example"} for name in ("kept", "marked", "turned", "new")))
    changes = compare_exports(older(), after)
    assert changes.counts == {"new": 1, "lost": 1, "changed": 0, "kept": 4}


def test_links_dated_before_the_older_file_make_no_months() -> None:
    after = [later("kept"), later("old", **{"First seen": "2014-04-01"}), later("new", **{"First seen": "2025-05-05"})]
    months = compare_exports(older(), semrush("b.csv", *after)).months
    assert months["month"].dt.strftime("%Y-%m").tolist() == ["2025-03", "2025-04", "2025-05", "2025-06"]
    assert months["new"].sum() == 1


ALL_RELEVANT = BandLimits(relevant=1, weak=0)


def tables(number: int) -> dict[str, str]:
    return {"Target url": "https://shop.example/oak-tables", "Source title": f"oak tables{chr(97 + number) * 5}"}


def test_a_verdict_that_only_the_rank_moved_is_no_change() -> None:
    """Thirty stronger links come: the kept ones no longer rank high by CAS, and nothing else moved."""
    few = [link(f"site{i}") | tables(i) | {"Page ascore": str(10 + i)} for i in range(6)]
    many = few + [later(f"strong{i}", **{"Page ascore": "90"}) | tables(6 + i) for i in range(30)]
    kept = [row | {"Last seen": "2025-06-01"} for row in many]
    by_rank = AuditSettings(bands=ALL_RELEVANT, verdicts=VerdictLimits(strong_worth=100, worth=0, relevant_worth=0))
    changes = compare_exports(semrush("a.csv", *few), semrush("b.csv", *kept), by_rank, ToyEncoder())
    assert changes.audits is not None and changes.links is not None
    both = changes.links[changes.links["change"] == "kept"]
    before, after = changes.audits[0].links["verdict"], changes.audits[1].links["verdict"]
    assert (both["older_row"].map(before) != both["newer_row"].map(after)).any()
    assert changes.verdict_moves.empty
    assert (both["verdict_before"] == both["verdict_after"]).all()
    assert any("only because the CAS of other links" in note for note in changes.notes)


def test_a_verdict_that_a_fact_moved_is_a_change() -> None:
    limits = AuditSettings(bands=ALL_RELEVANT, verdicts=VerdictLimits(worth=20, relevant_worth=20))
    before = [link(f"site{i}") | tables(i) | {"Page ascore": str(80 + i)} for i in range(3)]
    after = [row | {"Last seen": "2025-06-01", "Nofollow": "true"} for row in before]
    changes = compare_exports(semrush("a.csv", *before), semrush("b.csv", *after), limits, ToyEncoder())
    assert changes.verdict_moves["verdict_before"].tolist() == ["Protect"]
