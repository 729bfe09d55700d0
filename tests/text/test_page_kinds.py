"""What a page is: by how the site's addresses and titles repeat first, by words second."""

import pytest

from backlink_audit.text.page_kinds import LISTING, PAST, UTILITY, page_kinds

SITE = "https://a.example"
CITIES = ("oslo", "roma", "bern", "kyiv", "lima")


def kinds(*pages):
    urls, names, bodies = zip(*((f"{SITE}{page[0]}", page[1], (*page, "")[2]) for page in pages), strict=True)
    return page_kinds(urls, names, bodies, frozenset({"in", "de", "the", "a", "for"}))


@pytest.mark.parametrize(
    ("path", "title", "body", "kind"),
    [
        ("/datenschutz", "Datenschutz", "", UTILITY),
        ("/es/aviso-legal", "Aviso legal", "", UTILITY),
        ("/help/terms-of-service", "Acme terms of service", "", UTILITY),
        ("/politika-konfidencialnosti/", "Политика конфиденциальности", "", UTILITY),
        ("/checkout", "Checkout", "", UTILITY),
        ("/blog/page/3/", "Blog", "", UTILITY),
        ("/lamps?p=2", "Lamps", "", UTILITY),
        ("/lamps?color=red", "Lamps", "", UTILITY),
        ("/guide/_draft", "Draft", "", UTILITY),
        ("/etiqueta/verano/", "verano", "", LISTING),
        ("/2021/05/", "May 2021", "", LISTING),
        ("/docs/v1.2/setup", "Set up", "", PAST),
        ("/notes/changelog", "Changelog", "", PAST),
        ("/guide/old", "Old way", "The old way has been removed. Use the new one.", PAST),
        ("/2019/05/01/summer-offer", "Webinar: summer lamps", "", PAST),
        ("/guide/privacy", "Privacy", "", ""),
        (
            "/blog/how-to-write-a-privacy-policy-for-a-small-shop",
            "How to write a privacy policy for a small shop",
            "",
            "",
        ),
        ("/docs/setup", "Set up", "", ""),
        ("/2024/05/01/lamps", "Webinar: lamps", "", ""),
        ("/12", "東京のホテル予約", "", ""),
        ("/", "Home", "", ""),
    ],
)
def test_a_page_of_no_use_to_others_is_known_with_its_evidence(path, title, body, kind):
    others = [("/docs/setup", "Set up"), ("/docs/v1.3/setup", "Set up"), ("/lamps", "Lamps"), ("/2024/05/02/x", "Rugs")]
    found = kinds((path, title, body), *(other for other in others if other[0] != path))[0]
    assert found.kind == kind, found.evidence
    assert bool(found.evidence) == bool(kind)


def test_a_shop_s_category_is_no_list_of_posts():
    assert kinds(("/category/lamps", "Lamps"), ("/about-oslo", "Oslo"))[0].kind == LISTING
    assert kinds(("/category/lamps", "Lamps"), ("/product/lamp", "Lamp"))[0].kind == ""


def test_pages_of_one_pattern_are_a_family_and_cities_a_closed_one():
    cities = kinds(*((f"/home/{city}", f"Home insurance in {city} from 12") for city in CITIES), ("/fire", "Fire"))
    assert {kind.family for kind in cities[:5]} == {0}
    assert [kind.filling for kind in cities[:5]] == [(city,) for city in CITIES]
    assert all(kind.is_closed for kind in cities[:5])
    assert (cities[5].family, cities[5].is_closed) == (-1, False)
    colours = kinds(*((f"/{colour}", f"Velvet round floor cushion {colour}") for colour in CITIES))
    assert {(kind.family >= 0, kind.is_closed) for kind in colours} == {(True, False)}


def test_every_title_the_same_or_none_is_no_family():
    assert {kind.family for kind in kinds(*((f"/p/{n}", "Plumber in Rome") for n in range(9)))} == {-1}
    assert {kind.family for kind in kinds(*((f"/p/{n}", "") for n in range(9)))} == {-1}
