"""What the tests of profile are made of."""

from tests.exported import ahrefs_row, exported

LINKS = exported(
    ahrefs_row("https://a.com/1", anchor="Our site", domain_rating="70", first_seen="2024-02-01"),
    ahrefs_row("https://a.com/2", anchor="click here", domain_rating="70", nofollow="true"),
    ahrefs_row("https://b.com/1", anchor="oak desks", domain_rating="12", target_url="https://our-site.com/oak-desks"),
    ahrefs_row("https://c.com/1", anchor="", content="false", language="de"),
    ahrefs_row("https://d.com/1", anchor="gone", lost="2024-03-10", lost_status="notfound", domain_rating="5"),
    ahrefs_row("https://e.com/1", anchor="dead", referring_page_http_code="404"),
)
