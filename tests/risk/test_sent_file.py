"""The disavow file that Google has, compared with the links: what still links, and what should not be in it."""

import pandas as pd

from backlink_audit.risk.disavow import SentFile
from backlink_audit.risk.disavow_file import parse_disavow_file
from backlink_audit.text.urls import normalise_urls, registrable_domains

FILE = parse_disavow_file(
    b"# spam\ndomain:spam.example\ndomain:blog.good.example\nhttps://one.example/page/\ndomain:gone.example\n"
)
URLS = pd.Series(
    [
        "https://www.spam.example/a",
        "http://spam.example/b",
        "https://blog.good.example/post",
        "https://good.example/",
        "http://www.one.example/page",
        "https://one.example/other",
        "https://notspam.example/",
    ]
)
LINKS = pd.DataFrame(
    {
        "referring_url": URLS,
        "referring_domain": registrable_domains(URLS),
        "referring_key": normalise_urls(URLS),
        "verdict": ["Review", "Fine", "Protect", "Protect", "Off-topic", "Fine", "Fine"],
    }
)


def test_a_domain_covers_its_hosts_and_an_address_its_page_alone():
    found = SentFile(FILE, LINKS).links["entry"]
    assert found.to_dict() == {
        0: "domain:spam.example",
        1: "domain:spam.example",
        2: "domain:blog.good.example",
        4: "https://one.example/page/",
    }


def test_what_still_links_and_what_is_good_is_said():
    sent = SentFile(FILE, LINKS)
    assert sent.domains["referring_domain"].tolist() == ["spam.example", "good.example", "one.example"]
    assert sent.good["verdict"].tolist() == ["Protect", "Fine"]
    assert (
        sent.sentence == "Of 4 lines in the disavow file, 3 are about links that still exist (4 live links); "
        "2 of these are worth keeping."
    )
    assert sent.figures == {"domains": 3, "urls": 1, "still_linking": 3, "live_links": 4, "good_links": 2}


def test_without_an_audit_it_is_said_that_good_ones_are_not_known():
    sent = SentFile(FILE, LINKS.drop(columns="verdict"))
    assert sent.good.empty and "run the audit to see which are good" in sent.sentence
    assert sent.figures["good_links"] is None


def test_a_file_that_fits_no_link_says_so():
    sent = SentFile(parse_disavow_file(b"domain:gone.example\n"), LINKS)
    assert sent.domains.empty and "Of 1 line in the disavow file, 0 are about links" in sent.sentence
