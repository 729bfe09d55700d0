import pandas as pd

from backlink_audit.analysis.copies import copied_sites

SITE = "gardenly.example"


def rows(*links: tuple[str, str]) -> pd.DataFrame:
    """Links from these URLs to these of SITE."""
    return pd.DataFrame(
        {
            "referring_domain": [url.split("/")[2] for url, _ in links],
            "site": SITE,
            "example_url": [url for url, _ in links],
            "example_target": [f"https://www.{SITE}{path}" for _, path in links],
        },
        dtype="str",
    )


def test_the_site_under_another_ending_is_a_copy() -> None:
    found = copied_sites(rows(("https://gardenly.de/", "/"), ("https://fan.example/gardenly", "/")), [SITE])
    assert found.to_dict() == {"gardenly.de": "has the name of gardenly.example"}


def test_a_plain_word_or_a_short_name_is_anybodys() -> None:
    links = rows(("https://apple.de/", "/"), ("https://abx.de/", "/"))
    assert copied_sites(links, ["apple.example", "abx.example"]).empty


def test_a_site_with_pages_at_the_same_addresses_is_a_copy_whatever_its_name() -> None:
    links = rows(
        ("https://mirror.example/blog/how-to-plant-oaks/", "/blog/how-to-plant-oaks"),
        ("https://mirror.example/", "/"),
        ("https://once.example/blog/how-to-plant-oaks", "/blog/how-to-plant-oaks"),
        ("https://once.example/our-favourite-shops", "/"),
        ("https://once.example/more-shops", "/"),
    )
    assert copied_sites(links, [SITE]).to_dict() == {"mirror.example": "has pages at the addresses of gardenly.example"}


def test_an_address_that_every_site_has_says_nothing() -> None:
    links = rows(("https://fan.example/", "/"), ("https://other.example/about-us/", "/about-us"))
    assert copied_sites(links, [SITE]).empty


def test_a_domain_without_a_page_is_told_by_its_name() -> None:
    listed = rows(("https://gardenly.fr/", "/"), ("https://fan.example/", "/")).assign(
        example_url="", example_target=""
    )
    assert list(copied_sites(listed, [SITE]).index) == ["gardenly.fr"]
