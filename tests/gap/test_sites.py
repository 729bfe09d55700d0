import pandas as pd

from backlink_audit.gap.domains import (
    compare_sites,
    find_prospects,
    join_sites,
    links_by_site,
    overlaps,
    rows_of_domains,
    rows_of_links,
)
from backlink_audit.settings import GapSettings
from tests.judgement.links import links_table

OURS, THEM, OTHER, THIRD = "shop.example", "them.example", "other.example", "third.example"


def links(*domains: str, **columns: object) -> pd.DataFrame:
    return rows_of_links(links_table(*({"page": f"https://{name}.example/p"} | columns for name in domains)))


def listed(**authority: float | None) -> pd.DataFrame:
    table = pd.DataFrame(
        {
            "referring_domain": [f"{name}.example" for name in authority],
            "domain_rating": pd.array(list(authority.values()), "float64"),
            "backlinks": 4.0,
            "followed_backlinks": 1.0,
            "lost_date": pd.Series([pd.NaT] * len(authority), dtype="datetime64[us]"),
            "scale": "Semrush",
            "first_seen": pd.Series([pd.NaT] * len(authority), dtype="datetime64[us]"),
            "country": "",
            "traffic": 900.0,
        }
    )
    return rows_of_domains(table)


def compare(ours: pd.DataFrame, *theirs: pd.DataFrame) -> pd.DataFrame:
    names = (THEM, OTHER, THIRD)[: len(theirs)]
    rows = join_sites({OURS: [ours]} | {name: [table] for name, table in zip(names, theirs, strict=True)})
    domains = compare_sites(rows, links_by_site(rows, [OURS, *names]), OURS).set_index("referring_domain")
    return domains.assign(tied_to="", page_kind="page")


def test_every_domain_has_one_class() -> None:
    domains = compare(links("a", "s", "w"), links("m", "x", "u", "s", "w", "w"), links("m", "x"), links("m"))
    assert domains["gap_class"].to_dict() == {
        "m.example": "missing",
        "x.example": "several",
        "u.example": "unique",
        "w.example": "weak",
        "s.example": "shared",
        "a.example": "ours alone",
    }
    assert domains.loc["x.example", "competitors"] == "them.example, other.example"
    assert domains["links"].to_dict()["m.example"] == 3
    assert list(domains.loc["a.example", ["links", "our_links"]]) == [0, 1]


def test_what_the_only_competitor_has_and_we_lack_is_missing() -> None:
    assert compare(links("a"), links("b"))["gap_class"].to_dict()["b.example"] == "missing"


def test_domains_of_the_sites_themselves_are_left_out() -> None:
    assert list(compare(links("a"), links("shop", "them", "b")).index) == ["b.example", "a.example"]


def test_listed_domains_and_links_stand_side_by_side() -> None:
    domains = compare(links("a"), listed(a=20, b=50))
    assert domains.loc["a.example", "gap_class"] == "weak"
    assert list(domains.loc["b.example", ["authority", "authority_scale", "links"]]) == [50, "Domain ascore", 4]
    assert domains.loc["b.example", "example_url"] == ""
    assert domains.loc["b.example", "followed_share"] == 0.25


def test_a_listed_domain_of_unknown_count_links_but_is_not_more() -> None:
    unknown = listed(a=20, b=50).assign(links=float("nan"))
    domains = compare(links("a"), unknown)
    assert domains["gap_class"].to_dict() == {"b.example": "missing", "a.example": "shared"}
    assert pd.isna(domains["links"]["b.example"])


def test_two_exports_of_one_competitor_are_one_competitor() -> None:
    rows = join_sites({OURS: [links("a")], THEM: [links("b", "b"), listed(b=10)]})
    domains = compare_sites(rows, links_by_site(rows, [OURS, THEM]), OURS).set_index("referring_domain")
    assert list(domains.loc["b.example", ["competitor_count", "links"]]) == [1, 4]


def test_authority_is_the_domains_own_else_its_best_pages() -> None:
    theirs = links("b", scale="Ahrefs", domain_rating=40.0, url_rating=90.0)
    pages = links("b", "c", scale="Semrush", url_rating=60.0)
    domains = compare(links("a"), theirs, pages)
    assert list(domains.loc["b.example", ["authority", "authority_scale"]]) == [40.0, "DR"]
    assert list(domains.loc["c.example", ["authority", "authority_scale"]]) == [60.0, "Page ascore"]
    assert pd.isna(domains["authority"]["a.example"]) and domains.loc["a.example", "authority_scale"] == ""


def test_the_example_is_followed_then_strong_then_from_a_page_with_few_links() -> None:
    table = links_table(
        {"page": "https://b.example/nofollow", "url_rating": 90, "nofollow": True},
        {"page": "https://b.example/crowded", "url_rating": 50, "external_links": 900},
        {
            "page": "https://b.example/best",
            "url_rating": 50,
            "external_links": 3,
            "anchor": "oak",
            "referring_title": "T",
        },
        {"page": "https://b.example/weak", "url_rating": 5, "external_links": 1},
    )
    domain = compare(links("a"), rows_of_links(table)).loc["b.example"]
    assert list(domain[["example_url", "example_title", "example_anchor"]]) == ["https://b.example/best", "T", "oak"]
    assert domain["followed_share"] == 0.75


def test_follow_unknown_to_the_export_stays_unknown() -> None:
    table = rows_of_links(links_table({"page": "https://b.example/p"}), knows_follow=False)
    assert pd.isna(compare(links("a"), table)["followed_share"]["b.example"])


def test_prospects_pass_every_filter_and_the_rest_is_counted() -> None:
    domains = compare(
        links("a", "w"),
        listed(strong=60, weakling=10, unknown=None, w=70),
        links("spam", nofollow=True, domain_rating=80),
    ).reset_index()
    kept, removed = find_prospects(domains, GapSettings())
    assert set(domains.loc[kept, "referring_domain"]) == {"strong.example", "unknown.example", "spam.example"}
    assert removed == {"Domain ascore below 20": 1, "Domain rating below 30": 0}
    kept, removed = find_prospects(
        domains, GapSettings(keep_unknown_authority=False, followed_only=True, in_content_only=True)
    )
    assert set(domains.loc[kept, "referring_domain"]) == {"strong.example"}
    assert removed == {
        "Domain ascore below 20": 1,
        "Domain rating below 30": 0,
        "unknown authority": 1,
        "no followed link": 1,
        "no link in content": 0,
    }


def test_every_scale_has_its_own_limit_and_a_chosen_one_changes_that_scale_alone() -> None:
    theirs = pd.concat(
        [
            links("page", scale="Semrush", url_rating=6),
            links("pages", scale="Semrush", url_rating=4),
            links("site", scale="Ahrefs", domain_rating=29, url_rating=90),
            links("sites", scale="Ahrefs", domain_rating=30),
            links("flow", scale="Majestic", domain_rating=16),
        ]
    )
    domains = compare(links("a"), theirs).reset_index()

    def prospects(**settings: object) -> set[str]:
        kept, _ = find_prospects(domains, GapSettings(**settings))  # type: ignore[arg-type]
        return {name.removesuffix(".example") for name in domains.loc[kept, "referring_domain"]}

    assert prospects() == {"page", "sites", "flow"}
    assert prospects(min_authority=(("DR", 10.0),)) == {"page", "site", "sites", "flow"}
    assert prospects(min_authority=(("Page ascore", 0.0), ("Trust Flow", 20.0))) == {"page", "pages", "sites"}


def test_of_a_domain_that_two_tools_rate_the_rating_furthest_above_its_limit_stands() -> None:
    ahrefs, majestic = links("b", scale="Ahrefs", domain_rating=31), links("b", scale="Majestic", domain_rating=28)
    domain = compare(links("a"), ahrefs, majestic).loc["b.example"]
    assert list(domain[["authority", "authority_scale"]]) == [28, "Trust Flow"]


def test_overlaps_count_every_domain_once() -> None:
    rows = join_sites({OURS: [links("a", "s")], THEM: [links("s", "b", "c")]})
    counts = overlaps(links_by_site(rows, [OURS, THEM]))
    assert counts.to_dict("records") == [
        {OURS: False, THEM: True, "domains": 2},
        {OURS: True, THEM: False, "domains": 1},
        {OURS: True, THEM: True, "domains": 1},
    ]


def test_lists_spam_and_copies_are_no_prospects_whatever_the_filters_and_are_counted() -> None:
    domains = compare(links("a"), links("list", "spam", "copy", "forum", "good")).reset_index()
    kinds = {"list.example": "list", "spam.example": "spam", "forum.example": "visitors"}
    domains["page_kind"] = domains["referring_domain"].map(kinds).fillna("page")
    domains.loc[domains["referring_domain"] == "copy.example", "tied_to"] = "has the name of copy.com"
    kept, removed = find_prospects(domains, GapSettings())
    assert domains.loc[kept, "referring_domain"].tolist() == ["good.example"]
    assert removed == {"belongs to a compared site": 1, "list of sites": 1, "spam": 1, "user-generated link": 1}
    kept, removed = find_prospects(domains, GapSettings(by_visitors=True))
    assert set(domains.loc[kept, "referring_domain"]) == {"forum.example", "good.example"}


def test_the_example_is_a_page_of_its_own_rather_than_a_stronger_list() -> None:
    table = links_table(
        {"page": "https://b.example/list", "url_rating": 90}, {"page": "https://b.example/article", "url_rating": 5}
    ).assign(page_kind=["list", "page"])
    assert compare(links("a"), rows_of_links(table)).loc["b.example", "example_url"] == "https://b.example/article"


def test_when_a_site_first_linked_who_wrote_and_where_it_is() -> None:
    early, late = pd.Timestamp("2024-01-05"), pd.Timestamp("2025-01-05")
    theirs = [
        links("b", first_seen=late, author="Ann", url_rating=9, domain_traffic=50),
        links("b", first_seen=early, author="Ben", url_rating=3),
    ]
    domain = compare(links("a"), *theirs).loc["b.example"]
    assert (domain["first_seen"], domain["example_author"], domain["domain_traffic"]) == (early, "Ann", 50)
    listed_domains = listed(b=40).assign(country="at", referring_domain="b.de")
    domains = compare(links("a"), listed_domains, links("c").assign(referring_domain="c.fr"))
    assert domains[["country", "country_from"]].T.to_dict("list") == {
        "b.de": ["AT", "export"],
        "c.fr": ["FR", "domain ending"],
        "a.example": ["", ""],
    }
