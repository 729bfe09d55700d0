from dataclasses import replace

import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.errors import InvalidSetting, WrongExport
from backlink_audit.exports.load import load
from backlink_audit.gap.result import tables
from backlink_audit.gap.run import NO_PAGES, find_gap
from backlink_audit.settings import AuditSettings, GapSettings
from backlink_audit.sources import Sources
from tests.audit.exports import crawl, semrush, semrush_domains
from tests.gap.made import OURS, THEM, link, make, own, their
from tests.toy import ToyEncoder


def test_every_referring_domain_of_any_site_has_a_row_and_a_class() -> None:
    gap = make()
    assert dict(zip(gap.domains["referring_domain"], gap.domains["gap_class"], strict=True)) == {
        "oakblog.example": "missing",
        "gone.example": "unique",
        "small.example": "unique",
        "both.example": "shared",
        "fan.example": "ours alone",
    }
    assert (gap.ours, gap.competitors) == ("shop.example", ("them.example", "other.example"))


def test_the_page_to_pitch_is_the_most_similar_of_our_linked_pages() -> None:
    prospect = make().prospects.set_index("referring_domain").loc["oakblog.example"]
    assert prospect["our_page"] == "https://shop.example/oak-tables"
    assert prospect["band"] != "off-topic"
    assert prospect["example_url"] == "https://oakblog.example/p"


def test_a_crawl_gives_the_pages_to_pitch_and_their_titles() -> None:
    pages = crawl(
        {"Address": OURS + "a", "Title 1": "Garden chairs"},
        {"Address": OURS + "b", "Title 1": "Oak tables"},
        {"Address": OURS + "gone", "Title 1": "oak tables", "Status Code": "404"},
    )
    prospects = find_gap(own(), [their()], GapSettings(), ToyEncoder(), sources=Sources(pages=pages)).prospects
    prospect = prospects.set_index("referring_domain").loc["oakblog.example"]
    assert (prospect["our_page"], prospect["our_page_title"]) == (OURS + "b", "Oak tables")


def test_a_page_in_the_prospects_language_is_pitched_where_there_is_one() -> None:
    pages = crawl(
        {"Address": OURS + "es/mesas", "Title 1": "Las mesas de roble para la terraza y el jardín"},
        {"Address": OURS + "es/sillas", "Title 1": "Las sillas de madera y cómo cuidarlas en el invierno"},
        {"Address": OURS + "en/tables", "Title 1": "Tables made of oak, and how to keep them over the winter"},
        {"Address": OURS + "en/chairs", "Title 1": "The chairs for your garden that last for many years"},
    )
    title = "Las mesas de roble y cómo cuidarlas en el invierno: oak tables"
    wood = link("wood", title="Which oak tables last for many years in your garden")
    theirs = semrush("them.csv", link("tablas", title=title), wood)
    prospects = find_gap(own(), [theirs], GapSettings(), ToyEncoder(), sources=Sources(pages=pages)).prospects
    pitched = prospects.set_index("referring_domain")["our_page"]
    assert "/es/" in pitched["tablas.example"] and "/en/" in pitched["wood.example"]


def test_a_domain_whose_link_to_us_is_lost_is_a_prospect_that_linked_before() -> None:
    prospects = make().prospects.set_index("referring_domain")
    assert prospects["linked_before"].to_dict() == {"gone.example": True, "oakblog.example": False}


def test_lists_of_domains_do_on_either_side() -> None:
    domains = semrush_domains("ours.csv", {"Domain": "fan.example"})
    theirs = semrush_domains("theirs.csv", {"Domain": "fan.example", "Backlinks": "9"}, {"Domain": "www.new.example"})
    gap = find_gap(domains, [theirs], GapSettings(), ToyEncoder())
    assert gap.domains["gap_class"].tolist() == ["missing", "weak"]
    assert gap.domains["referring_domain"].tolist() == ["new.example", "fan.example"]
    assert NO_PAGES in gap.notes
    assert gap.prospects["our_page"].tolist() == [""]
    assert gap.prospects["relevance"].isna().all()
    assert gap.competitors == ("theirs",)


def test_what_an_export_does_not_have_gets_a_note_and_the_rest_works() -> None:
    bare = semrush(
        "them.csv", link("oakblog"), without=("Anchor", "Source title", "Page ascore", "Nofollow", "First seen")
    )
    gap = find_gap(own(), [bare], GapSettings(), ToyEncoder())
    assert gap.prospects["referring_domain"].tolist() == ["oakblog.example"]
    assert gap.notes == (
        "them.csv has no authority column, so the authority filter does not apply to its domains.",
        "them.csv has no titles and no anchors.",
        "them.csv has no nofollow column, so the share of followed links is empty.",
    )
    assert gap.with_settings(GapSettings(keep_unknown_authority=False)).prospects.empty


def test_a_competitors_file_that_is_our_own_is_refused() -> None:
    with pytest.raises(WrongExport, match=r"mine\.csv.*point to your own site, shop\.example"):
        find_gap(own(), [semrush("mine.csv", link("new", OURS))], GapSettings(), ToyEncoder())


def test_a_list_of_our_own_domains_is_refused() -> None:
    ours = semrush("ours.csv", *(link(f"site{i}", OURS) for i in range(30)))
    again = semrush_domains("list.csv", *({"Domain": f"site{i}.example"} for i in range(30)))
    with pytest.raises(WrongExport, match=r"list\.csv.*the export of your own site"):
        find_gap(ours, [again], GapSettings(), ToyEncoder())


def test_the_same_file_twice_is_refused() -> None:
    with pytest.raises(WrongExport, match=r"copy\.csv.*same file as them\.csv"):
        find_gap(own(), [their(), replace(their(), name="copy.csv")], GapSettings(), ToyEncoder())


def test_a_crawl_is_no_competitor() -> None:
    with pytest.raises(WrongExport, match="use an export of backlinks or referring domains"):
        find_gap(own(), [crawl({"Address": THEM})], GapSettings(), ToyEncoder())


def test_more_than_five_competitors_or_none_are_refused() -> None:
    six = [semrush(f"{i}.csv", link("a", f"https://them{i}.example/")) for i in range(6)]
    with pytest.raises(InvalidSetting, match="1 to 5 competitors, but there are 6"):
        find_gap(own(), six, GapSettings(), ToyEncoder())
    with pytest.raises(InvalidSetting, match="there are 0"):
        find_gap(own(), [], GapSettings(), ToyEncoder())


def test_two_files_of_one_competitor_are_one_competitor() -> None:
    gap = find_gap(own(), [their(), semrush("more.csv", link("late"))], GapSettings(), ToyEncoder())
    assert gap.competitors == ("them.example",)
    assert gap.files["more.csv"] == "them.example"


def test_blogs_of_one_blog_host_are_prospects_of_their_own() -> None:
    blogs = semrush(
        "them.csv",
        *(
            link("x", title="oak tables") | {"Source url": f"https://{name}.{host}/a"}
            for name, host in (("anna", "wordpress.com"), ("ben", "wordpress.com"), ("carl", "blogspot.de"))
        ),
    )
    ours = semrush("ours.csv", link("x", OURS) | {"Source url": "https://ben.wordpress.com/b"})
    found = find_gap(ours, [blogs], GapSettings(), ToyEncoder()).domains.set_index("referring_domain")["gap_class"]
    assert found.to_dict() == {
        "anna.wordpress.com": "missing",
        "carl.blogspot.de": "missing",
        "ben.wordpress.com": "shared",
    }


def test_prospects_are_judged_as_the_audit_judges_the_link_they_could_give() -> None:
    fan, unrated = link("fan", OURS + "oak-tables"), {"Page ascore": ""}
    given = link("oakblog", OURS, title="oak tables") | unrated
    links = audit_backlinks(semrush("ours.csv", fan, given), AuditSettings(), ToyEncoder()).links
    audited = links.set_index("referring_domain").loc["oakblog.example"]
    theirs = semrush("them.csv", link("oakblog", title="oak tables") | unrated)
    prospect = find_gap(semrush("ours.csv", fan), [theirs], GapSettings(), ToyEncoder())
    judged = prospect.prospects.iloc[0]
    assert judged["relevance"] == pytest.approx(audited["relevance"], abs=2)  # the audit knows one linked page more
    for name in ("band", "topic_field", "topic"):
        assert judged[name] == audited[name]


def test_a_list_of_domains_a_competitors_other_ending_and_a_forum_are_set_aside() -> None:
    theirs = semrush(
        "them.csv",
        link("good", "https://gardenly.example/", title="oak tables"),
        link("many", "https://gardenly.example/", title="All shops", **{"External links": "900"}),
        link("x", "https://gardenly.example/") | {"Source url": "https://www.gardenly.de/"},
        link("y", "https://gardenly.example/") | {"Source url": "https://y.example/forum/memberlist.php?start=50"},
    )
    gap = find_gap(own(), [theirs], GapSettings(), ToyEncoder())
    assert gap.prospects["referring_domain"].tolist() == ["good.example"]
    assert gap.set_aside == {
        "belongs to a compared site": 1,
        "list of sites": 1,
        "user-generated link": 1,
        "Page ascore below 5": 0,
    }
    shown = tables(gap).main().set_index("Referring domain")
    assert "900 external links" in str(shown.loc["many.example", "Why this kind"])
    assert list(tables(gap).main().columns[:4]) == ["Referring domain", "Class", "Example title", "Example page"]


def test_a_link_intersect_names_the_competitors_that_each_site_links_to():
    intersect = load(
        [
            (
                "intersect.csv",
                b"Domain,DR,Traffic,Intersect,https://www.them.example/,other.example/,shop.example\n"
                b"oakblog.example,46,900,2,3,1,0\nnews.example,61,50,1,0,4,0\nfan.example,30,5,1,2,,1\n",
            )
        ],
        "referring_domains",
    )
    gap = find_gap(own(), [intersect], GapSettings(), ToyEncoder())
    assert gap.competitors == ("them.example", "other.example")
    domains = gap.domains.set_index("referring_domain")
    both = domains[["gap_class", "competitors", "links"]].T["oakblog.example"]
    assert both.to_list() == ["missing", "them.example, other.example", 4]
    assert domains.loc["news.example", "competitors"] == "other.example"
    assert domains.loc["fan.example", "gap_class"] == "weak" and domains.loc["news.example", "domain_traffic"] == 50
    assert gap.files["intersect.csv"] == "them.example, other.example, shop.example"
    assert not any("number of links" in note for note in gap.notes)


def test_the_cas_of_a_link_is_that_of_the_example_page_with_one_link_more():
    theirs = semrush("them.csv", link("oakblog", title="oak tables", **{"Page ascore": "30", "External links": "9"}))
    prospect = find_gap(own(), [theirs], GapSettings(), ToyEncoder()).prospects.iloc[0]
    assert prospect["prospect_cas"] == pytest.approx(3 * prospect["similarity"])


def test_two_columns_of_one_site_in_a_link_intersect_count_together():
    lines = b"Domain,DR,blog.them.example,shop.them.example,other.example\no.example,40,3,0,1\np.example,40,,2,1\n"
    gap = find_gap(own(), [load([("i.csv", lines)], "referring_domains")], GapSettings(), ToyEncoder())
    assert gap.competitors == ("them.example", "other.example")
    links = gap.domains.set_index("referring_domain")["links"]
    assert links[["o.example", "p.example"]].tolist() == [4, 3]


def test_a_competitors_list_of_the_same_file_name_is_not_taken_for_ours():
    mine = load([("refs.csv", b"Domain,DR\nfan.example,40\nboth.example,30\n")], "referring_domains")
    theirs = load([("refs.csv", b"Domain,DR\nnew.example,40\nboth.example,30\n")], "referring_domains")
    more = load([("refs (2).csv", b"Domain,DR\nnew.example,40\nother.example,30\n")], "referring_domains")
    assert find_gap(mine, [theirs, more], GapSettings(), ToyEncoder()).competitors == ("refs (2)", "refs (2) (2)")
    gap = find_gap(mine, [theirs], GapSettings(), ToyEncoder())
    assert (gap.ours, gap.competitors) == ("refs", ("refs (2)",))
    classes = gap.domains.set_index("referring_domain")["gap_class"]
    assert classes.to_dict() == {"new.example": "missing", "both.example": "shared", "fan.example": "ours alone"}


def test_a_link_intersect_by_pages_names_the_pages_that_link_to_each_competitor():
    header = "Referring page title,Referring page URL,Domain rating,UR,Intersect,shop.example/,www.them.example/"
    lines = [
        "Oak tables compared,https://oakblog.example/tables,46,20,1,0,2",
        "Fans,https://fan.example/p,30,9,2,1,1",
        "Oak chairs,https://news.example/c,61,30,1,0,1",
    ]
    intersect = load([("pages.csv", "\n".join([header, *lines]).encode())], "backlinks")
    gap = find_gap(own(), [intersect], GapSettings(), ToyEncoder())
    assert gap.competitors == ("them.example",)
    domains = gap.domains.set_index("referring_domain")
    assert list(domains.loc["oakblog.example", ["gap_class", "example_title"]]) == ["missing", "Oak tables compared"]
    assert domains.loc["fan.example", "gap_class"] != "missing"
