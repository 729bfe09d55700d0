import numpy as np
import pandas as pd

from backlink_audit.changes.links import (
    COMPARED,
    FOUND_AGAIN,
    GONE,
    GONE_BEFORE,
    KNOWN_ONLY_AS_LOST,
    LOST_BEFORE,
    LOST_IN_BOTH,
    MARKED_LOST,
    compare_links,
    match_links,
    same_site,
    seems_swapped,
)
from tests.judgement.links import links_table

A, B, C = "https://a.example/post", "https://b.example/post", "https://c.example/post"


def test_a_link_in_one_table_only_is_new_or_lost() -> None:
    links = compare_links(links_table({"page": A}, {"page": B}), links_table({"page": B}, {"page": C}))
    assert dict(zip(links["referring_url"], links["change"], strict=True)) == {B: "kept", C: "new", A: "lost"}
    assert links.loc[links["referring_url"] == A, "what_changed"].item() == GONE


def test_rows_keep_the_newer_order_and_point_at_both_tables() -> None:
    links = compare_links(links_table({"page": A}, {"page": B}), links_table({"page": C}, {"page": B}))
    assert links["newer_row"].tolist() == [0, 1, pd.NA]
    assert links["older_row"].tolist() == [pd.NA, 1, 0]


def test_another_way_of_writing_the_url_is_the_same_link() -> None:
    older = links_table({"page": "http://www.a.example/post/", "target": "https://shop.example/?utm_source=x"})
    assert compare_links(older, links_table({"page": A}))["change"].tolist() == ["kept"]


def test_a_link_with_another_anchor_is_changed_not_lost_and_new() -> None:
    links = compare_links(links_table({"page": A, "anchor": "oak"}), links_table({"page": A, "anchor": "oak table"}))
    assert links["change"].tolist() == ["changed"]
    assert links["what_changed"].item() == "Anchor: “oak” to “oak table”"


def test_of_several_links_between_two_pages_the_one_seen_first_on_the_same_day_is_the_changed_one() -> None:
    older = links_table(
        {"page": A, "anchor": "one", "first_seen": pd.Timestamp("2025-01-01")},
        {"page": A, "anchor": "two", "first_seen": pd.Timestamp("2025-02-01")},
    )
    newer = links_table({"page": A, "anchor": "second", "first_seen": pd.Timestamp("2025-02-01")})
    links = compare_links(older, newer)
    assert links["change"].tolist() == ["changed", "lost"]
    assert links["anchor"].tolist() == ["second", "one"]


def test_equal_rows_are_paired_one_to_one() -> None:
    links = compare_links(links_table({"page": A}, {"page": A}, {"page": A}), links_table({"page": A}, {"page": A}))
    assert links["change"].tolist() == ["kept", "kept", "lost"]


def test_what_the_newer_file_marks_as_lost_is_lost() -> None:
    gone = {"page": A, "lost_date": pd.Timestamp("2025-05-01")}
    links = compare_links(links_table({"page": A}), links_table(gone, gone | {"page": B}))
    assert links["change"].tolist() == ["lost", "lost"]
    assert links["what_changed"].tolist() == [MARKED_LOST, KNOWN_ONLY_AS_LOST]


def test_what_was_lost_before_the_older_file_was_not_lost_between_them() -> None:
    older = links_table({"page": A, "last_seen": pd.Timestamp("2025-06-01")})
    gone = {"page": B, "lost_link": True}
    days = [pd.Timestamp("2025-05-01"), pd.Timestamp("2025-07-01")]
    found = [compare_links(older, links_table({"page": A}, gone | {"lost_date": day})).iloc[1] for day in days]
    assert [(one["change"], one["what_changed"]) for one in found] == [
        ("kept", LOST_BEFORE),
        ("lost", KNOWN_ONLY_AS_LOST),
    ]


def test_what_both_files_mark_as_lost_was_not_lost_between_them() -> None:
    gone = {"page": A, "lost_link": True}
    links = compare_links(links_table(gone), links_table(gone))
    assert (links["change"].item(), links["what_changed"].item()) == ("kept", LOST_IN_BOTH)


def test_a_lost_link_that_is_back_is_new() -> None:
    links = compare_links(links_table({"page": A, "lost_link": True}), links_table({"page": A}))
    assert (links["change"].item(), links["what_changed"].item()) == ("new", FOUND_AGAIN)


def test_a_link_marked_lost_and_then_no_longer_listed_says_so() -> None:
    links = compare_links(links_table({"page": A, "lost_link": True}, {"page": B}), links_table({"page": B}))
    assert links["what_changed"].tolist() == ["", GONE_BEFORE]


def test_every_difference_is_given_with_both_values() -> None:
    older = links_table({"page": A, "nofollow": False, "url_rating": 3.7, "scale": "Ahrefs", "http_status": 200})
    newer = links_table({"page": A, "nofollow": True, "url_rating": 12, "scale": "Ahrefs"})
    link = compare_links(older, newer).iloc[0]
    assert link["what_changed"] == "Nofollow: no to yes; HTTP status: 200 to (blank); UR: 3.7 to 12"
    assert link["changed_columns"] == "Nofollow, HTTP status, UR"


def test_dates_and_traffic_alone_change_no_link() -> None:
    older = links_table({"page": A, "last_seen": pd.Timestamp("2025-01-01"), "page_traffic": 5})
    newer = links_table({"page": A, "last_seen": pd.Timestamp("2025-02-01"), "page_traffic": 9})
    assert compare_links(older, newer)["change"].tolist() == ["kept"]


def test_ratings_are_compared_only_within_a_scale_and_keep_its_names() -> None:
    older = links_table({"page": A, "url_rating": 3, "scale": "Moz"}, {"page": B, "domain_rating": 3, "scale": "Moz"})
    newer = links_table(
        {"page": A, "url_rating": 12, "scale": "Ahrefs"}, {"page": B, "domain_rating": 9, "scale": "Moz"}
    )
    links = compare_links(older, newer)
    assert links["change"].tolist() == ["kept", "changed"]
    assert links["what_changed"].tolist() == ["", "DA: 3 to 9"]
    assert links["changed_columns"].tolist() == ["", "DA"]


def test_an_empty_table_on_either_side_is_all_new_or_all_lost() -> None:
    table = links_table({"page": A}, {"page": B})
    assert compare_links(table.iloc[:0], table)["change"].tolist() == ["new", "new"]
    assert compare_links(table, table.iloc[:0])["change"].tolist() == ["lost", "lost"]


def test_tables_passed_in_are_left_as_they_are() -> None:
    older, newer = links_table({"page": A}), links_table({"page": B})
    before = older.copy(), newer.copy()
    compare_links(older, newer, COMPARED)
    pd.testing.assert_frame_equal(older, before[0])
    pd.testing.assert_frame_equal(newer, before[1])


def dated(page: str, day: str) -> dict[str, object]:
    return {"page": page, "last_seen": pd.Timestamp(day)}


def swapped(older: pd.DataFrame, newer: pd.DataFrame) -> bool:
    return seems_swapped(older, newer, match_links(older, newer))


def test_links_last_seen_later_in_the_older_file_give_a_swap_away() -> None:
    early = links_table(dated(A, "2025-01-01"), dated(B, "2025-01-02"))
    late = links_table(dated(A, "2025-03-01"), dated(B, "2025-01-02"), dated(C, "2025-02-01"))
    assert swapped(late, early)
    assert not swapped(early, late)


def test_a_file_with_its_latest_row_removed_does_not_seem_swapped() -> None:
    table = links_table(dated(A, "2025-01-01"), dated(B, "2025-06-01"))
    assert not swapped(table, table.iloc[:1])


def test_without_a_common_link_the_latest_date_decides() -> None:
    assert swapped(links_table(dated(A, "2025-03-01")), links_table(dated(B, "2025-01-01")))


def test_without_dates_nothing_seems_swapped() -> None:
    assert not swapped(links_table({"page": A}), links_table({"page": B}))


def test_sites_are_distinguished_by_their_target_domains() -> None:
    shop, other = pd.Series(["shop.example", "shop.example", "stray.example"]), pd.Series(["other.example"])
    assert same_site(shop, pd.Series(["shop.example"]))
    assert not same_site(shop, other)


def test_exactly_the_removed_and_changed_rows_of_a_large_table_are_found() -> None:
    rng = np.random.default_rng(7)
    rows = [
        {
            "page": f"https://site{i % 90}.example/page-{i % 400}",
            "target": f"https://shop.example/{i % 7}",
            "anchor": f"words {i % 11}",
            "url_rating": float(i % 50),
            "lost_link": bool(i % 3 == 0),
            "first_seen": pd.Timestamp("2025-01-01") + pd.Timedelta(days=i % 20),
        }
        for i in range(1_000)
    ]
    older = links_table(*rows).drop_duplicates(["referring_url", "target_url", "anchor"], ignore_index=True)
    chosen = rng.permutation(len(older))
    removed, changed = chosen[:50], chosen[50:80]
    newer = older.copy()
    newer.loc[changed[:15], "anchor"] = [f"other {i}" for i in range(15)]
    newer.loc[changed[15:], "nofollow"] = True
    newer = newer.drop(index=removed.tolist()).sample(frac=1, random_state=1)
    links = compare_links(older, newer)
    assert links["change"].value_counts().to_dict() == {"kept": len(older) - 80, "lost": 50, "changed": 30}
    assert set(links.loc[links["change"] == "lost", "older_row"]) == set(removed.tolist())
    assert set(links.loc[links["change"] == "changed", "older_row"]) == set(changed.tolist())
    assert (
        links.loc[links["change"] == "changed", "older_row"] == links.loc[links["change"] == "changed", "newer_row"]
    ).all()
