"""The disavow file of a review: whatever is disavowed is covered by it, whatever is kept is not."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backlink_audit.risk.disavow import NewDisavowFile, covered_by, new_disavow_file
from backlink_audit.risk.disavow_file import DisavowFile, parse_disavow_file
from backlink_audit.risk.result import RiskReview
from backlink_audit.risk.review import Review
from backlink_audit.risk.run import review_risks
from tests.exported import ahrefs_row, exported

PAGES = [
    *("https://x.example/1", "https://x.example/2", "https://blog.x.example/1", "http://www.blog.x.example/1"),
    *("https://y.example/1", "https://anna.wordpress.com/1", "https://ben.wordpress.com/1", "https://wordpress.com/1"),
    *("https://medium.com/@carl/1", "https://dora.blogspot.co.uk/1", "https://sites.google.com/site/emil"),
]
RISKS = review_risks(exported(*map(ahrefs_row, PAGES)))
SITES = sorted(set(RISKS.links["referring_domain"]))
STATES = ["keep", "whitelist", "disavow", "undecided"]
LINES = [f"domain:{host}" for host in {*SITES, "blog.x.example", "a.blog.x.example", "example", "google.com"}] + PAGES


def covers(file: DisavowFile, url: str) -> bool:
    return url in file.urls or bool(covered_by(urlsplit(url).hostname or "", file.domains))


def disavowed(review: Review, existing: str = "") -> str:
    return RiskReview(RISKS, review).disavow(parse_disavow_file(existing.encode())).data.decode()


def test_a_page_stays_disavowed_when_the_line_that_covered_it_leaves():
    review = Review().decide("domain", ["x.example"], "keep").decide("URL", ["https://blog.x.example/1"], "disavow")
    assert "https://blog.x.example/1" in disavowed(review, "domain:blog.x.example\n").splitlines()


def test_a_line_that_covers_what_is_kept_leaves_and_says_so():
    review = Review().decide("URL", ["https://x.example/1"], "keep")
    new = RiskReview(RISKS, review).disavow(parse_disavow_file(b"domain:x.example\n"))
    assert new.data == b""
    assert new.changes["Why"].tolist() == ["it covers https://x.example/1, which you set to “keep”"]


def test_the_other_pages_of_a_disavowed_site_are_named_where_one_is_kept():
    review = Review().decide("domain", ["x.example"], "disavow").decide("URL", ["https://x.example/1"], "keep")
    lines = disavowed(review).splitlines()[1:]
    assert lines == ["https://x.example/2", "https://blog.x.example/1", "http://www.blog.x.example/1"]


def test_no_line_disavows_what_belongs_to_many_owners_even_if_all_sites_are_disavowed():
    lines = disavowed(Review().decide("domain", SITES, "disavow"), "domain:wordpress.com\n").splitlines()
    assert lines[0].startswith("# Line 1 is not included (“wordpress.com” is shared by many site owners")
    assert sorted(lines[2:]) == sorted(
        [
            *("domain:x.example", "domain:y.example", "domain:anna.wordpress.com", "domain:ben.wordpress.com"),
            *("https://wordpress.com/1", "https://medium.com/@carl/1", "domain:dora.blogspot.co.uk"),
            "https://sites.google.com/site/emil",
        ]
    )


def test_what_was_decided_but_cannot_be_written_so_is_listed_with_why():
    new = RiskReview(RISKS, Review().decide("domain", ["medium.com"], "disavow")).disavow()
    assert new.changes["Change"].tolist() == ["added", "not included"]
    assert new.changes["Why"].tolist()[1].startswith("“medium.com” is shared by many site owners")


def test_keeping_a_shared_host_keeps_none_of_its_sites():
    review = Review().decide("domain", ["wordpress.com"], "keep")
    assert disavowed(review, "domain:anna.wordpress.com\n") == "domain:anna.wordpress.com\n"


GUARDED = {"y.example": "DR 66; 1 relevant link", "anna.wordpress.com": "DR 55"}


def guarded(review: Review, existing: str = "", ticked: tuple[str, ...] = ()) -> NewDisavowFile:
    return new_disavow_file(review, RISKS.links, parse_disavow_file(existing.encode()), GUARDED, ticked)


@pytest.mark.parametrize(
    ("scope", "item"), [("domain", "y.example"), ("URL", "https://y.example/1"), ("domain", "www.y.example")]
)
def test_what_looks_worth_keeping_is_left_out_and_named_at_the_head_of_the_file(scope, item):
    new = guarded(Review().decide("domain", ["x.example"], "disavow").decide(scope, [item], "disavow"))
    assert new.held_back == {"y.example": "DR 66; 1 relevant link"} and not new.on_purpose
    assert new.data.decode().splitlines() == [
        "# Not disavowed: y.example looks worth keeping (DR 66; 1 relevant link)",
        "# Added by Backlink Audit",
        "domain:x.example",
    ]


def test_what_is_ticked_is_in_the_file_and_its_head_says_so():
    new = guarded(Review().decide("domain", ["y.example"], "disavow"), ticked=("y.example",))
    assert new.on_purpose == {"y.example": "DR 66; 1 relevant link"} and not new.held_back
    assert new.data.decode().splitlines() == [
        "# Disavowed on purpose: y.example looks worth keeping (DR 66; 1 relevant link)",
        "# Added by Backlink Audit",
        "domain:y.example",
    ]


def test_a_wider_domain_is_left_out_where_it_would_cover_what_looks_worth_keeping():
    review = Review().decide("domain", ["example"], "disavow")
    assert list(guarded(review).held_back) == ["y.example"]


def test_what_google_was_told_before_stays_and_notes_of_an_earlier_file_are_made_anew():
    review = Review().decide("domain", ["y.example", "anna.wordpress.com"], "disavow")
    new = guarded(review, "# Not disavowed: old.example looks worth keeping (DR 60)\ndomain:y.example\n")
    assert new.data.decode().splitlines() == [
        "# Not disavowed: anna.wordpress.com looks worth keeping (DR 55)",
        "domain:y.example",
    ]


@settings(max_examples=100)
@given(
    st.dictionaries(st.sampled_from(SITES), st.sampled_from(STATES)),
    st.dictionaries(st.sampled_from(PAGES), st.sampled_from(STATES)),
    st.lists(st.sampled_from(LINES), unique=True),
)
def test_whatever_is_disavowed_is_covered_and_whatever_is_kept_is_not(sites, pages, lines):
    review = Review()
    for site, state in sites.items():
        review = review.decide("domain", [site], state)
    for page, state in pages.items():
        review = review.decide("URL", [page], state)
    result = RiskReview(RISKS, review)
    file = result.disavow(parse_disavow_file("\n".join(lines).encode())).file
    for url, state in zip(result.links["referring_url"], result.links["state"], strict=True):
        if state == "disavow":
            assert covers(file, url), url
        if state in ("keep", "whitelist"):
            assert not covers(file, url), url
    assert not file.broken


PRESS_AND_THE_LIKE = (
    "t.co bit.ly goo.gl tinyurl.com lh3.googleusercontent.com google.com google.ru www.google.co.uk "
    "yandex.kz bing.com duckduckgo.com baidu.com facebook.com en.wikipedia.org linkedin.com medium.com "
    "github.com blogspot.com nytimes.com lemonde.fr spiegel.de svt.se elpais.com bbc.co.uk mit.edu "
    "ox.ac.uk ethz.ch kth.se uni-bonn.de univ-lyon1.fr health.gov.au europa.eu co.uk redcross.org "
    "archive.org doi.org who.int forms.gle NYTimes.com. youtu.be"
).split()


@pytest.fixture(scope="module")
def links_of_all():
    return review_risks(exported(*(ahrefs_row(f"https://{host.rstrip('.')}/1") for host in PRESS_AND_THE_LIKE))).links


@pytest.mark.parametrize("host", PRESS_AND_THE_LIKE)
def test_nothing_that_belongs_to_all_is_disavowed_as_a_whole_whatever_was_decided_before_or_now(host, links_of_all):
    review = Review().decide("domain", [host], "disavow")
    new = new_disavow_file(review, links_of_all, parse_disavow_file(f"domain:{host}\n".encode()), ticked=[host, *SITES])
    assert not new.file.domains
    assert any("domain:" in line.text and line.why for line in new.dropped)


@pytest.mark.parametrize("existing", ["", "domain:shop.example\nhttps://blog.shop.example/a\ndomain:old.example\n"])
def test_no_line_is_about_the_target_or_a_site_of_ones_own_whatever_was_decided_or_ticked(existing):
    links = review_risks(exported(ahrefs_row("https://x.example/1", target_url="https://www.shop.example/"))).links
    review = Review().decide("domain", ["shop.example", "blog.shop.example", "www.old.example", "x.example"], "disavow")
    review = review.decide("URL", ["http://shop.example/a", "https://old.example/b"], "disavow")
    before, shop = parse_disavow_file(existing.encode()), "shop.example"
    new = new_disavow_file(review, links, before, {shop: "DR 9"}, [shop], own=["https://old.example"])
    assert [line.text for line in new.file.lines if line.is_entry] == ["domain:x.example"]
    assert {line.why for line in new.dropped} == {"shop.example is your own site", "old.example is your own site"}


NEVER = [
    *(
        f"google.{end}"
        for end in ("com", "de", "ru", "co.uk", "co.jp", "com.br", "com.tr", "com.au", "cat", "pl", "ch")
    ),
    *(f"yandex.{end}" for end in ("ru", "kz", "by", "com", "com.tr", "uz", "eu")),
    *("bing.com", "cn.bing.com", "yahoo.co.jp", "search.yahoo.com", "baidu.com", "duckduckgo.com", "seznam.cz"),
    *("naver.com", "ecosia.org", "qwant.com", "startpage.com", "mail.ru", "t.co", "bit.ly", "goo.gl", "tinyurl.com"),
    *("is.gd", "ow.ly", "buff.ly", "cutt.ly", "youtu.be", "googleusercontent.com", "github.io", "blogspot.com"),
    *("wordpress.com", "tumblr.com", "medium.com", "wixsite.com", "weebly.com", "netlify.app", "vercel.app"),
    *("pages.dev", "herokuapp.com", "amazonaws.com", "cloudfront.net", "web.app", "substack.com", "livejournal.com"),
    *(
        "co.uk",
        "com.br",
        "our-site.com",
        "www.our-site.com",
        "blog.our-site.com",
        "OUR-SITE.COM.",
        "com",
        "nytimes.com",
    ),
]


@pytest.mark.parametrize("host", NEVER)
def test_whatever_is_decided_and_ticked_no_line_disavows_what_is_everybodys_or_the_users_own(host):
    review = Review().decide("domain", [host, "y.example"], "disavow")
    guarded = {host: "DR 66", "y.example": "DR 66"}
    existing = parse_disavow_file(f"domain:{host}\nhttps://our-site.com/old\n".encode())
    new = new_disavow_file(review, RISKS.links, existing, guarded, guarded)
    assert new.file.domains == {"y.example"} and not any("our-site.com" in url for url in new.file.urls)
    assert host not in new.on_purpose or new.file.urls  # of a platform the pages that link are named one by one


def test_the_site_of_lost_links_is_the_users_own_too():
    rows = [ahrefs_row("https://x.example/1"), ahrefs_row("https://x.example/2", target_url="https://old.example/")]
    risks = review_risks(exported(rows[0], rows[1] | {"Lost": "2024-03-10", "Lost status": "notfound"}))
    review = Review().decide("domain", ["old.example", "x.example"], "disavow")
    assert b"domain:old.example" not in RiskReview(risks, review).disavow().data
