import pandas as pd

from backlink_audit.judgement.referring_sites import related_sites

SITE = "gardenly.example"


def rows(*links: tuple[str, str]) -> pd.DataFrame:
    """Links from these URLs to these of SITE."""
    return pd.DataFrame(
        {
            "referring_domain": [url.split("/")[2] for url, _ in links],
            "site": SITE,
            "example_url": [url for url, _ in links],
            "example_target": [f"https://www.{SITE}{path}" for _, path in links],
            "example_anchor": "a shop",
        },
        dtype="str",
    )


def test_the_site_under_another_ending_is_tied() -> None:
    found = related_sites(rows(("https://gardenly.de/", "/"), ("https://fan.example/why-i-like-gardenly", "/")), [SITE])
    assert found.to_dict() == {"gardenly.de": "has the name of gardenly.example"}


def test_a_plain_word_or_a_short_name_is_anybodys() -> None:
    links = rows(("https://apple.de/", "/"), ("https://abx.de/", "/"))
    assert related_sites(links, ["apple.example", "abx.example"]).empty


def test_a_site_with_pages_at_the_same_addresses_is_tied_whatever_its_name() -> None:
    links = rows(
        ("https://mirror.example/blog/how-to-plant-oaks/", "/blog/how-to-plant-oaks"),
        ("https://mirror.example/", "/"),
        ("https://once.example/blog/how-to-plant-oaks", "/blog/how-to-plant-oaks"),
        ("https://once.example/our-favourite-shops", "/"),
        ("https://once.example/more-shops", "/"),
    )
    found = related_sites(links, [SITE]).to_dict()
    assert found == {"mirror.example": "has pages with the same URLs as gardenly.example"}


def test_an_address_that_every_site_has_says_nothing() -> None:
    links = rows(("https://fan.example/", "/"), ("https://other.example/about-us/", "/about-us"))
    assert related_sites(links, [SITE]).empty


def test_a_domain_without_a_page_is_found_by_its_name() -> None:
    listed = rows(("https://gardenly.fr/", "/"), ("https://fan.example/", "/")).assign(
        example_url="", example_target=""
    )
    assert list(related_sites(listed, [SITE]).index) == ["gardenly.fr"]


def test_profiles_that_were_made_for_the_site_are_tied_and_reviews_of_it_are_not() -> None:
    links = rows(
        ("https://jobs.example/company/gardenly", "/"),
        ("https://forum.example/members/gardenly.5847/about", "/"),
        ("https://chat.example/profile.php?user=Gardenly", "/"),
        ("https://magazine.example/gardenly-review-is-it-any-good", "/"),
    )
    assert list(related_sites(links, [SITE]).index) == ["chat.example", "forum.example", "jobs.example"]


def test_a_site_is_also_called_what_links_to_it_write_as_its_address() -> None:
    former = rows(*((f"https://site{n}.example/p", "/") for n in range(3))).assign(example_anchor="oldgarden.com")
    tied = related_sites(pd.concat([former, rows(("https://oldgarden.de/", "/"))], ignore_index=True), [SITE])
    assert tied.to_dict() == {"oldgarden.de": "has the name of gardenly.example"}
