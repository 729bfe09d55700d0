import pandas as pd
import pytest

from backlink_audit.analysis.page_kinds import LINKS_FOR_SALE, MEMBERS_TOPICS, PAGE_KINDS, page_kinds
from backlink_audit.analysis.topics import load_topics
from tests.analysis.links import links_table


def kind(title="", page="https://a.example/oak-chairs", **others):
    links = links_table({"page": page, "referring_title": title, **others})
    return page_kinds(links).iloc[0]


def shared(**given):
    names = ("title", "series", "numbered", "site_anchor", "referring_page")
    counts = {**dict.fromkeys(names, 1), "copied_page": False, "copied_site": 0, **given}
    return pd.DataFrame({name: [count] for name, count in counts.items()})


RISKY = frozenset(load_topics().fields[load_topics().risky])


def about(links, field, topic="unclear", own=False):
    compared = links.assign(topic_field=field, topic=topic, own_field=own)
    return page_kinds(compared, RISKY)


@pytest.mark.parametrize(
    "page",
    [
        "https://a.example/forum/viewtopic.php?t=44869",
        "https://a.example/forum/welcome/some-thread",
        "https://forum.a.example/user/anna",
        "https://a.example/member.php?action=profile&uid=98",
        "https://a.example/home.php?mod=space&uid=2950946",
        "https://a.example/profiles/anna/activity",
        "https://a.example/User-anna",
        "https://a.example/thread-175330.html",
        "https://a.example/wiki/User:Anna",
        "https://a.example/t/how-to-oil-oak/4521",
        "https://a.example/p/a-post/comments",
        "https://a.example/a-post/comment-page-2",
        "https://a.example/guestbook.php",
        "https://a.example/index.php?topic=122.0",
        "https://a.example/group/anna/discussion/d763e5e9",
        "https://a.example/wiki/Oak_chairs",
        "https://a.example/annasoaps/followers",
        "https://a.example/forum-1/oak",
        "https://a.example/doku.php?id=oak",
        "https://a.example/index.php?oakchairs",
        "https://a.example/read-blog/236_oak-chairs",
    ],
)
def test_pages_of_visitors_are_found_by_their_software_s_addresses(page):
    found = kind("Bir başlık", page)
    assert found["page_kind"] == "visitors"
    assert "its URL has" in found["kind_why"]
    assert found["has_subject"]


@pytest.mark.parametrize(
    "page",
    [
        "https://a.example/forumvorschau-2025",
        "https://a.example/member-owned-business",
        "https://a.example/2024/users-guide-to-oak",
        "https://a.example/blog/commentary",
        "https://a.example/boarding/prices",
        "https://a.example/profiled-timber",
    ],
)
def test_other_pages_with_such_words_are_pages(page):
    assert kind("Oak chairs", page)["page_kind"] == "page"


def test_the_address_of_software_is_quoted_without_the_name_behind_it():
    found = kind("Anna", "https://a.example/profiles/anna")
    assert (found["kind_why"], found["self_made"]) == ("a profile: its URL has “/profiles/”", True)
    assert not kind("Oak", "https://a.example/forum/oak")["self_made"]


def test_what_the_export_marks_as_visitors_is_so():
    assert kind("Oak", ugc=True)["page_kind"] == "visitors"
    assert kind("Oak", platform="message-boards")["page_kind"] == "visitors"
    assert kind("annasoaps", "https://a.example/annasoaps")["page_kind"] == "visitors"


def test_hundreds_of_external_links_make_a_list_without_a_subject():
    found = kind("Learn marketing", external_links=4_123)
    assert (found["page_kind"], found["has_subject"]) == ("list", False)
    assert (found["kind_why"], found["kind_fact"]) == ("a list with 4,123 external links", "risk_external_links")
    assert kind("Learn marketing", external_links=60)["page_kind"] == "page"
    assert kind("Hello", "https://a.example/forum/hello", external_links=840)["page_kind"] == "visitors"
    assert kind("Hello", "https://a.example/forum/hello", external_links=4_083)["page_kind"] == "list"


def test_hundreds_of_links_under_a_dated_post_that_are_not_followed_are_comments():
    post = "https://a.example/2012/09/oak-chairs"
    found = kind("Oak chairs", post, external_links=585, nofollow=True)
    assert (found["page_kind"], found["kind_why"]) == (
        "visitors",
        "comments: 585 external links below a post with its year in the URL",
    )
    assert found["has_subject"] and found["self_made"]
    for others in ({"nofollow": False}, {"page": "https://a.example/oak-chairs"}, {"external_links": 2_000}):
        columns = {"page": post, "external_links": 585, "nofollow": True} | others
        assert kind("Oak chairs", **columns)["page_kind"] == "list"


def test_a_long_list_near_the_site_s_subject_keeps_its_own():
    links = links_table({"page": "https://a.example/", "referring_title": "Oak news", "external_links": 900})
    compared = links.assign(topic_field="Home", topic="", own_field=True, standing=1.0)
    assert page_kinds(compared)[["page_kind", "has_subject"]].to_numpy().tolist() == [["list", True]]
    for far in ({"own_field": False}, {"standing": 0.9}, {"external_links": 2_000}):
        assert page_kinds(compared.assign(**far))["has_subject"].tolist() == [False]


@pytest.mark.parametrize(
    ("title", "page"),
    [
        ("Is it down?", "https://a.example/status/shop.example.com"),
        ("Domains on one address", "https://a.example/ip/104.199.117.69"),
        ("shop.com reviews", "https://a.example/en/shop.com"),
        ("shop-tools.com – directory.site", "https://directory.site/shop-tools-com/"),
        ("Our partners", "https://a.example/open.aspx?url=www.shop.com/&ssl=y"),
        ("Leaving", "https://a.example/go?to=https%3A%2F%2Fshop.com%2Foak"),
    ],
)
def test_a_page_about_a_domain_is_a_list_without_a_subject(title, page):
    found = kind(title, page)
    assert (found["page_kind"], found["has_subject"]) == ("list", False)


@pytest.mark.parametrize(
    ("title", "page"),
    [
        ("How to use Booking.com", "https://a.example/how-to-use-booking"),
        ("Clove bud oil – hbno.com", "https://hbno.com/blogs/clove-bud-oil"),
        ("HEALTH OILS Co.INC. – Fair", "https://a.example/health-oils-co-inc-2/"),
        ("Learning node.js", "https://a.example/node.js/"),
        ("Oak", "https://a.example/chairs.html"),
        ("Events on Sunday", "https://a.example/events/www.marathon.com"),
        ("Oak", "https://a.example/oak?utm_source=shop.com"),
    ],
)
def test_a_page_that_only_writes_a_domain_is_a_page(title, page):
    assert kind(title, page)["page_kind"] == "page"


def test_a_page_about_the_target_s_own_domain_is_a_list():
    links = links_table({"page": "https://a.example/reviews/3170090", "referring_title": "Reviews of shop.com"})
    assert page_kinds(links)["page_kind"].tolist() == ["page"]
    assert page_kinds(links, own_domains={"shop.com"})["page_kind"].tolist() == ["list"]


@pytest.mark.parametrize(
    ("title", "page"),
    [
        ("kate+bush — Wyniki wyszukiwarki", "https://pl.search.example/mobile/s?age&p=kate%2Bbush"),
        ("oak chairs - Finder", "https://finder.example/?q=oak+chairs"),
        ("Finder", "https://finder.example/?search=oak%20chairs"),
    ],
)
def test_results_of_a_search_are_a_list_whose_subject_is_what_was_searched_for(title, page):
    found = kind(title, page)
    assert (found["page_kind"], found["has_subject"]) == ("list", True)


@pytest.mark.parametrize(
    "page", ["https://a.example/?p=1207", "https://a.example/?s=&q=7", "https://a.example/a?text=left"]
)
def test_numbers_and_settings_in_an_address_are_no_search(page):
    assert kind("Oak chairs", page)["page_kind"] == "page"


@pytest.mark.parametrize(
    ("title", "page"),
    [
        ("organic sweet almond oil walmart", "https://a.example/ontqn/organic-sweet-almond-oil-walmart.html"),
        ("why is oak important", "https://a.example/x/page.php?tag=why-is-oak-important"),
        ("revenu fiscal de référence", "https://a.example/k/revenu-fiscal-de-r%C3%A9f%C3%A9rence"),
        ("Oak", "https://a.example/wp-content/uploads/how-to/oak"),
        ("Oak", "https://a.example/wp-content/plugins/x/a.php?page=1"),
        ("Oak", "https://a.example/images/oak.html"),
    ],
)
def test_pages_put_into_somebody_s_site_are_spam(title, page):
    found = kind(title, page)
    assert (found["page_kind"], found["has_subject"]) == ("spam", False)


def test_an_article_with_a_title_of_its_own_is_a_page_though_the_address_repeats_it():
    assert kind("Why is oak important?", "https://a.example/why-is-oak-important")["page_kind"] == "page"
    assert kind("oak chairs", "https://a.example/oak-chairs")["page_kind"] == "page"


@pytest.mark.parametrize("text", ["OUR CHANEL https://t.me/s/quart", "TELEGRAM @SEOBALAP", "wa.me/4912345"])
def test_a_messenger_s_handle_in_title_or_anchor_is_spam(text):
    assert kind(text)["page_kind"] == "spam"
    assert kind("Oak", anchor=text)["page_kind"] == "spam"


@pytest.mark.parametrize("text", ["Telegram: Durov speaks in Paris", "WhatsApp: novità per i gruppi", "Telegram: 2024"])
def test_a_headline_about_a_messenger_is_no_handle(text):
    assert kind(text)["page_kind"] == "page"


def test_a_picture_of_the_target_is_shown_by_lists():
    assert kind("Oak", target="https://shop.example/uploads/oak.jpg")["page_kind"] == "list"


def test_a_title_on_several_domains_is_a_program_s():
    links = links_table({"page": "https://a.example/x", "referring_title": "Boost your presence"})
    assert page_kinds(links, shared=shared(title=5))["page_kind"].tolist() == ["list"]
    assert page_kinds(links, shared=shared(title=4))["page_kind"].tolist() == ["page"]


def test_sellers_of_links_are_found_by_their_field():
    links = links_table({"page": "https://a.example/x", "referring_title": "Köp länkar", "external_links": 7})
    found = about(links, LINKS_FOR_SALE).iloc[0]
    assert (found["page_kind"], found["has_subject"]) == ("spam", False)
    assert (found["kind_why"], found["kind_fact"]) == (
        "spam, its title is about: link and traffic selling",
        "risk_topic",
    )
    assert about(links, "unclear")["page_kind"].tolist() == ["page"]


def test_a_target_that_sells_links_is_linked_from_pages_about_that():
    links = links_table({"page": "https://a.example/x", "referring_title": "Link building"})
    assert about(links, LINKS_FOR_SALE, own=True)["page_kind"].tolist() == ["page"]


def test_what_spam_sells_is_spam_among_visitors_posts_and_a_page_in_an_article():
    links = links_table(
        {"page": "https://a.example/forum/slots", "referring_title": "Slots"},
        {"page": "https://a.example/slots", "referring_title": "Slots"},
    )
    assert about(links, "Gambling")["page_kind"].tolist() == ["spam", "page"]
    assert about(links, "Games")["page_kind"].tolist() == ["visitors", "page"]


def test_a_list_of_members_is_no_seller_of_followers():
    links = links_table({"page": "https://a.example/members-area", "referring_title": "Members"})
    assert about(links, LINKS_FOR_SALE, MEMBERS_TOPICS[0])["page_kind"].tolist() == ["page"]


def test_directories_are_lists():
    assert kind("Oak", "https://a.example/listing/oak-ltd")["page_kind"] == "list"


def test_a_bare_address_with_nofollow_off_the_subject_is_a_comment():
    comment = {"page": "https://a.example/tarts", "referring_title": "Masa para tartas", "nofollow": True}
    links = links_table({**comment, "anchor": "https://www.shop.example/x"}, {**comment, "anchor": "our oak"})
    assert page_kinds(links.assign(standing=-0.5))["page_kind"].tolist() == ["visitors", "page"]
    assert page_kinds(links.assign(standing=3.0))["page_kind"].tolist() == ["page", "page"]
    assert page_kinds(links)["page_kind"].tolist() == ["page", "page"]
    foreign = links.assign(referring_title="参议院计划通过", standing=-0.5)
    assert page_kinds(foreign)["page_kind"].tolist() == ["page", "page"]


@pytest.mark.parametrize(
    ("title", "page"),
    [("", "https://a.example/"), ("", "https://a.example/12/345"), ("404 Not Found", "https://a.example/oak")],
)
def test_what_says_nothing_is_unclear(title, page):
    assert kind(title, page)["page_kind"] == "unclear"


def test_a_page_without_a_title_is_judged_by_its_address():
    assert kind("", "https://a.example/oak-chairs")["page_kind"] == "page"
    assert kind("", "https://a.example/forum/oak")["page_kind"] == "visitors"


def test_a_table_of_addresses_and_titles_is_enough():
    prospects = pd.DataFrame(
        {"referring_url": ["https://a.example/oak", "https://b.example/forum/oak"], "referring_title": ["Oak", ""]},
        index=["a.example", "b.example"],
        dtype="str",
    )
    found = page_kinds(prospects)
    assert found["page_kind"].to_dict() == {"a.example": "page", "b.example": "visitors"}
    assert set(found["page_kind"]) <= set(PAGE_KINDS)
    assert page_kinds(prospects.iloc[:0]).empty


def test_the_topics_that_show_kinds_are_in_the_list_of_topics():
    assert set(MEMBERS_TOPICS) <= set(load_topics().phrases)
    assert LINKS_FOR_SALE in RISKY


TARGET = "https://shop.example/blog/how-to-oil-old-oak-chairs"


@pytest.mark.parametrize(
    ("title", "nofollow", "expected"),
    [
        ("How to Oil Old Oak Chairs (2025)", True, "list"),
        ("How to Oil Old Oak Chairs", False, "page"),
        ("Ten things to know before you oil your old oak chairs and tables at home", True, "page"),
        ("Old chairs", True, "page"),
    ],
)
def test_a_title_that_repeats_the_target_without_a_followed_link_is_a_copy(title, nofollow, expected):
    assert kind(title, "https://a.example/x/y", target=TARGET, nofollow=nofollow)["page_kind"] == expected


def test_an_anchor_of_the_site_s_name_that_leads_to_many_pages_is_a_program_s_in_any_language():
    links = links_table({"page": "https://a.example/uk/news/7", "referring_title": "Кит продає", "nofollow": True})
    named = links.assign(names_site="anchor")
    assert page_kinds(named, shared=shared(site_anchor=5))["page_kind"].tolist() == ["list"]
    assert page_kinds(named, shared=shared(site_anchor=4))["page_kind"].tolist() == ["page"]
    assert page_kinds(links.assign(names_site=""), shared=shared(site_anchor=5))["page_kind"].tolist() == ["page"]
    followed = named.assign(nofollow=False)
    assert page_kinds(followed, shared=shared(site_anchor=5))["page_kind"].tolist() == ["page"]


def test_a_page_with_many_links_to_one_site_none_of_them_followed_was_made_for_it():
    links = links_table({"page": "https://a.example/x", "referring_title": "My oak list", "nofollow": True})
    assert page_kinds(links, shared=shared(referring_page=5))["page_kind"].tolist() == ["list"]
    followed = links.assign(nofollow=False)
    assert page_kinds(followed, shared=shared(referring_page=5))["page_kind"].tolist() == ["page"]


@pytest.mark.parametrize(
    ("title", "page", "expected"),
    [
        ("Oak Works | Fairs", "https://a.example/oakworks", "visitors"),
        ("Oak Works - Reviews", "https://a.example/companies/oak-works-81894", "list"),
        ("Oak works: how they oil", "https://a.example/companies/oak-works", "page"),
        ("Oak Works", "https://a.example/2024/oak-works", "page"),
        ("Oak Works opens", "https://a.example/news/oak-works-opens", "page"),
    ],
)
def test_an_address_that_ends_in_the_site_s_name_is_an_entry_about_it(title, page, expected):
    links = links_table({"page": page, "referring_title": title})
    assert page_kinds(links, own_names={"oakworks"})["page_kind"].tolist() == [expected]


@pytest.mark.parametrize(("links", "expected"), [(81, "list"), (4, "page")])
def test_a_title_of_levels_that_are_in_the_address_is_a_directory_s(links, expected):
    title, page = "Sites - Arts > Old & New Crafts", "https://a.example/Arts/old_new_crafts/"
    assert kind(title.replace("& ", ""), page, external_links=links)["page_kind"] == expected


ADDRESS = "https://shop.example/products/castor-oil"


@pytest.mark.parametrize(
    ("title", "page", "others", "expected"),
    [
        ("Oak Works Trust", "https://a.example/webshop/Oakworks_4124727", {"anchor": ADDRESS}, "list"),
        ("Oak Works: how they oil", "https://a.example/x/how", {"anchor": "oakworks.example"}, "list"),
        ("Oak Works: how they oil their oldest chairs", "https://a.example/x/how", {"anchor": ADDRESS}, "page"),
        ("Oak Works: how they oil", "https://a.example/x/how", {"anchor": "oak works"}, "page"),
        ("Anna / 작성글", "https://a.example/@oakworks/How-to-oil", {"anchor": "here"}, "list"),
        ("Castor oil for sale", "https://a.example/castoroilforsale", {"anchor": "oils"}, "visitors"),
        ("Castor oil for sale | Likes", "https://a.example/jobs/castoroilforsale/", {}, "visitors"),
        ("About us", "https://a.example/aboutus", {}, "page"),
        ("Relationships - Anna", "https://a.example/relationships/", {}, "page"),
        ("Castor Oil | MyPlace", "https://a.example/my/7168-c", {"anchor": ADDRESS}, "list"),
        ("Castor Oil | MyPlace", "https://a.example/my/7168-c", {"anchor": "castor oil"}, "page"),
        ("Castor Oil and hair | MyPlace", "https://a.example/my/7168-c", {"anchor": ADDRESS}, "page"),
        ("Notes - Write together", "https://a.example/s/WPd98RzZM", {"anchor": ADDRESS}, "visitors"),
        ("Notes - Write together", "https://a.example/s/WPd98RzZM", {"anchor": "oils"}, "page"),
        ("Notes - Write together", "https://a.example/s/WPd98RzZM", {"anchor": ADDRESS, "external_links": 40}, "page"),
        ("7146678 - Catalogue", "https://a.example/publishers/7146678/", {"anchor": ADDRESS}, "page"),
        ("A notary of many years writes about oils", "https://a.example/post/80401", {"anchor": ADDRESS}, "page"),
        ("参议院计划通过法案推动结束加密货币双重征税", "https://a.example/post/80401", {"anchor": ADDRESS}, "page"),
        ("Anna", "https://a.example/2021/04/", {"anchor": ADDRESS}, "page"),
    ],
)
def test_a_page_that_somebody_made_for_the_site_is_called_like_it_or_like_nothing(title, page, others, expected):
    links = links_table({"page": page, "referring_title": title, "target": ADDRESS, **others})
    assert page_kinds(links, own_names={"oakworks"})["page_kind"].tolist() == [expected]


def test_a_site_of_the_owner_is_found_by_its_name_and_brings_nothing():
    links = links_table({"page": "https://oakworks.de/tables", "referring_title": "Tables"}).assign(own_site="oakworks")
    found = page_kinds(links).iloc[0]
    assert found["kind_why"] == "a site of the target's owner: it has the name “oakworks”"
    assert (found["page_kind"], found["self_made"], found["has_subject"]) == ("list", True, True)


@pytest.mark.parametrize(
    ("named", "own", "expected"), [("title, URL", False, "spam"), ("title", True, "page"), ("anchor", False, "page")]
)
def test_the_name_of_the_site_in_the_title_does_not_outweigh_a_risky_field(named, own, expected):
    page = {"page": "https://a.example/ad/17/contact", "referring_title": "Oak Works Escorts"}
    assert about(links_table(page).assign(names_site=named), "Adult", own=own)["page_kind"].tolist() == [expected]


def test_a_page_made_for_the_site_brings_nothing_unless_its_link_is_followed():
    page = {"page": "https://a.example/castoroilforsale", "referring_title": "Castor oil for sale", "nofollow": True}
    found = page_kinds(links_table(page, {**page, "nofollow": False}))
    assert found["self_made"].tolist() == [True, False]


def test_a_link_to_a_picture_brings_nothing_wherever_it_stands():
    found = kind("Oak", "https://a.example/oak", target="https://shop.example/oak.jpg")
    assert (found["page_kind"], found["self_made"]) == ("list", True)


def test_all_pages_with_one_tag_are_a_list():
    for page in (
        "https://a.example/tag/oak/",
        "https://a.example/blog/?tag=oak",
        "https://a.example/search/hashtag/oak",
    ):
        assert kind("Oak archives", page)["page_kind"] == "list"


def test_a_page_of_a_site_that_copies_is_a_copy_even_where_its_link_is_followed():
    links = links_table({"page": "https://a.example/x", "referring_title": "How to oil oak"})
    assert page_kinds(links, shared=shared(copied_site=2))["page_kind"].tolist() == ["list"]
    assert page_kinds(links, shared=shared(copied_page=True))["page_kind"].tolist() == ["page"]
    passive = links.assign(nofollow=True)
    assert page_kinds(passive, shared=shared(copied_page=True))["page_kind"].tolist() == ["list"]


def test_articles_of_one_program_on_many_sites_and_numbered_pages_of_one_title_are_lists():
    links = links_table({"page": "https://a.example/article/oak", "referring_title": "Oak (2025)", "nofollow": True})
    assert page_kinds(links, shared=shared(series=5))["page_kind"].tolist() == ["list"]
    assert page_kinds(links, shared=shared(series=4))["page_kind"].tolist() == ["page"]
    assert page_kinds(links.assign(nofollow=False), shared=shared(series=5))["page_kind"].tolist() == ["page"]
    assert page_kinds(links, shared=shared(numbered=3))["page_kind"].tolist() == ["list"]


def test_one_page_on_many_sites_about_something_else_was_made_for_links():
    links = links_table({"page": "https://a.example/", "referring_title": "Business listing directory"})
    compared = links.assign(topic_field="", topic="", own_field=False, standing=0.2)
    assert page_kinds(compared, shared=shared(title=10))["for_links"].tolist() == [True]
    assert page_kinds(compared, shared=shared(title=9))["for_links"].tolist() == [False]
    assert page_kinds(compared.assign(standing=1.0), shared=shared(title=10))["for_links"].tolist() == [False]
    assert page_kinds(compared.assign(nofollow=True), shared=shared(title=10))["for_links"].tolist() == [False]


def test_a_followed_list_of_thousands_was_made_for_links():
    assert kind("Learn marketing", external_links=2_000)["for_links"]
    assert not kind("Learn marketing", external_links=1_999)["for_links"]
    assert not kind("Learn marketing", external_links=2_000, nofollow=True)["for_links"]


def test_a_long_number_in_hexadecimal_is_no_number_of_an_article():
    hexadecimal = "https://a.example/2d786c7012d5577a8c86ee9c55030400-l/"
    assert kind("Oak", hexadecimal, external_links=900)["page_kind"] == "spam"
    assert kind("Oak", hexadecimal, external_links=900, nofollow=True)["page_kind"] == "list"
    assert kind("Oak", "https://a.example/event/187042165941129216", external_links=900)["page_kind"] == "list"
