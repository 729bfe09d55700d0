"""What a check found out, as tables: a page gone once is not gone, and a page that redirects to us has that link."""

from backlink_audit.fetching.answers import Answer, facts_of
from backlink_audit.fetching.reading import Link, Reading


def test_a_page_counts_as_gone_only_after_the_second_time():
    pages, links = facts_of([Answer(f"https://{n}.example/", "gone", "404", times=n) for n in (1, 2)])
    assert pages.iloc[:, 1].tolist() == ["not readable", "gone"]
    assert "only after a second time" in str(pages.iloc[0, 2])
    assert links.empty


def test_a_redirect_to_us_is_a_link_and_so_is_each_link_of_a_page():
    sent = Answer("https://a.example/", "read", status=301, final_url="https://our-site.com/x")
    reading = Reading(
        links=(Link("https://our-site.com/y", "text", "oak"), Link("https://our-site.com/z", "text", "elm"))
    )
    read = Answer("https://b.example/", "read", status=200, reading=reading)
    links = facts_of([sent, read])[1]
    assert links.iloc[:, 0].tolist() == ["https://a.example/", *["https://b.example/"] * 2]
    assert {"https://our-site.com/x", "https://our-site.com/y"} <= set(links.astype(str).to_numpy().ravel())
