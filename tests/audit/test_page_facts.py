"""From the files of a crawl of the referring pages to the audit."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from backlink_audit.audit.result import Audit
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.audit.tables import tables
from backlink_audit.check.run import check, question_of
from backlink_audit.check.run import tables as check_tables
from backlink_audit.exports.load import load
from backlink_audit.exports.parts import split
from backlink_audit.judgement.referring_page_crawl import facts_of
from backlink_audit.labels import LINK_LIVE, LINK_LOST, RECLAIM
from backlink_audit.report.files import write_csv
from backlink_audit.settings import AuditSettings, BacklinkFilters
from backlink_audit.sources import Sources
from tests.audit.made import CLOSE, HEADER, LOST, TARGET, export
from tests.toy import ToyEncoder, audit_parts

PAGES = '"Address","Content Type","Status Code","Status","Indexability","Indexability Status","Title 1",' + (
    '"Canonical Link Element 1","Redirect URL"'
)
OUTLINKS = '"Type","Source","Destination","Alt Text","Anchor","Status Code","Status","Follow","Rel","Link Position"'
HERE, THERE = "https://a.example/oak-chairs", "https://d.example/oak-chairs"
"""The pages of CLOSE, which is live in the export, and of LOST."""
EVERY_ROW = AuditSettings(filters=BacklinkFilters.none())


def page(url: str, status: int = 200, why: str = "", canonical: str = "", redirect: str = "") -> str:
    return f'"{url}","text/html","{status}","","","{why}","Oak","{canonical}","{redirect}"'


def link(url: str, target: str = TARGET, rel: str = "", kind: str = "Hyperlink") -> str:
    follow = "false" if rel else "true"
    return f'"{kind}","{url}","{target}","","oak chairs","200","OK","{follow}","{rel}","Content"'


ELSEWHERE = [link(url, "https://other.example/") for url in (HERE, THERE)]
"""Links that show that a page was read."""


def sources(links: list[str], pages: list[str] | None = None) -> Sources:
    outlinks = load([("all_outlinks.csv", "\n".join([OUTLINKS, *links]).encode("utf-8-sig"))], "inlinks")
    rows = "\n".join([PAGES, *(pages if pages is not None else [page(HERE), page(THERE)])])
    return Sources(outlinks=outlinks, referring_pages=load([("internal_all.csv", rows.encode("utf-8-sig"))], "pages"))


def audit(given: Sources) -> Audit:
    return audit_backlinks(export(CLOSE, LOST), EVERY_ROW, ToyEncoder(), given)


def rows(given: Sources) -> pd.DataFrame:
    return audit(given).links.set_index("referring_url")


def at(given: Sources, url: str) -> dict[str, Any]:
    """Return what the audit says of the link on a page."""
    return dict(rows(given).loc[url])


def test_without_such_a_crawl_nothing_is_said_of_it():
    assert "check_state" not in audit(Sources()).links
    assert "State on the page" not in tables(audit(Sources())).main()


def test_a_link_that_its_page_does_not_have_is_lost_and_one_that_it_has_is_live_whatever_the_export_says():
    given = sources([*ELSEWHERE, link(THERE)])
    here, there = at(given, HERE), at(given, THERE)
    assert (here["link_state"], here["check_state"]) == (LINK_LOST.word, "link gone")
    assert (there["link_state"], there["check_state"]) == (LINK_LIVE.word, "there")
    assert "The export says that it is lost" in there["check_note"]
    assert there["verdict"] != RECLAIM.word


def test_rel_and_external_links_are_those_of_the_page_and_the_difference_is_said():
    found = at(sources([*ELSEWHERE, link(HERE, rel="ugc nofollow"), link(HERE, "https://third.example/")]), HERE)
    assert (found["nofollow"], found["ugc"], found["followed"]) == (True, True, False)
    assert found["external_links"] == 3
    assert found["check_note"] == (
        "Nofollow on the page, not in the export; ugc on the page, not in the export; "
        "3 external links, 1 in the export."
    )


@pytest.mark.parametrize(("why", "canonical"), [("noindex", ""), ("Canonicalised", "https://a.example/other")])
def test_a_page_that_search_engines_leave_out_gives_nothing(why, canonical):
    pages = [page(HERE, why=why, canonical=canonical), page(THERE)]
    found = at(sources([link(HERE)], pages), HERE)
    assert (found["followed"], found["cas"]) == (False, 0)
    assert (rows(sources([link(HERE)])).loc[[HERE], "cas"] > 0).all()


@pytest.mark.parametrize("status", [403, 429, 503, 0])
def test_a_page_that_could_not_be_read_changes_nothing(status):
    found = rows(sources(ELSEWHERE[1:], [page(HERE, status), page(THERE, status)]))
    before = rows(Sources())
    for name in ("link_state", "followed", "external_links", "cas", "verdict"):
        assert found[name].tolist() == before[name].tolist(), name
    assert set(found["check_state"]) == {"not readable"}


def test_a_page_whose_links_the_crawl_does_not_have_proves_nothing():
    found = at(sources(ELSEWHERE[1:]), HERE)
    assert (found["check_state"], found["link_state"]) == ("not readable", LINK_LIVE.word)


def test_a_page_that_is_gone_takes_its_link_with_it():
    found = at(sources(ELSEWHERE[1:], [page(HERE, 404), page(THERE)]), HERE)
    assert (found["check_state"], found["link_state"]) == ("page gone", LINK_LOST.word)


def test_a_page_that_moved_is_read_where_it_is_now():
    new = "https://a.example/chairs-of-oak"
    found = at(sources([link(new)], [page(HERE, 301, redirect=new), page(new), page(THERE)]), HERE)
    assert (found["check_state"], found["link_state"]) == ("moved", LINK_LIVE.word)


def test_pages_that_the_crawl_does_not_have_are_as_the_export_says():
    found = rows(sources([link("https://nobody.example/")], [page("https://nobody.example/")]))
    assert set(found["check_state"]) == {""}
    assert found["link_state"].tolist() == rows(Sources())["link_state"].tolist()


def test_a_lost_link_names_another_link_of_the_page_only_where_it_leads_to_the_same_site():
    moved = at(sources([*ELSEWHERE, link(HERE, "https://www.shop.example/sale")]), HERE)["check_note"]
    assert moved == "The page links to https://www.shop.example/sale instead."
    assert at(sources(ELSEWHERE), HERE)["check_note"] == ""


def test_links_to_files_of_a_page_are_no_links():
    assert at(sources([*ELSEWHERE, link(HERE, kind="Image")]), HERE)["check_state"] == "link gone"


def test_the_links_alone_are_enough_for_states_and_rel():
    outlinks = sources([*ELSEWHERE, link(THERE)]).outlinks
    found = rows(Sources(outlinks=outlinks))
    assert found["check_state"].to_dict() == {HERE: "link gone", THERE: "there"}


def test_what_the_page_says_is_in_the_table_that_is_written():
    table = tables(audit(sources([*ELSEWHERE, link(THERE)]))).main()
    assert table["State on the page"].tolist() == ["link gone", "there"]
    assert table["Details"].tolist() == ["", "The export says that it is lost."]


def test_an_audit_in_parts_corrects_its_links_alike(tmp_path: Path):
    given = sources([*ELSEWHERE, link(THERE, rel="sponsored")])
    file = tmp_path / "links.csv"
    file.write_text("\n".join([HEADER, CLOSE, LOST]), encoding="utf-8")
    parted = split([file], tmp_path, rows_per_part=1)
    parts = audit_parts(parted, EVERY_ROW, ToyEncoder(), tmp_path / "stages", given)
    whole = audit(given).links
    for name in ("check_state", "check_note", "link_state", "followed", "verdict"):
        assert parts.column(name).tolist() == whole[name].tolist(), name


def checked(*links: str) -> Sources:
    """What a link check wrote: the state, the URL, nofollow and the external links of each."""
    header = (
        "State on the page,Details,Referring page URL,Target URL,Anchor,Nofollow on the page,External links on the page"
    )
    rows = "\n".join([header, *links])
    return Sources(checked=load([("checked.csv", rows.encode())], "checked_links"))


def test_what_a_link_check_wrote_corrects_the_export_by_the_same_rules():
    anchor = dict(rows(Sources())["anchor"])
    found = rows(
        checked(
            f'"there, now nofollow",Nofollow on the page.,{HERE.replace("a.example", "WWW.A.example")}/,{TARGET},'
            f'"{anchor[HERE].upper()}",True,7',
            f'there,The export says that it is lost.,{THERE},{TARGET},"{anchor[THERE]}",False,',
        )
    )
    here, there = found.loc[HERE], found.loc[THERE]
    assert (here["nofollow"], here["followed"], here["external_links"]) == (True, False, 7)
    assert (there["link_state"], there["followed"]) == (LINK_LIVE.word, True)
    assert there["check_note"] == "The export says that it is lost."


def test_links_that_a_check_did_not_have_or_could_not_read_stay_as_they_are():
    before = rows(Sources())
    anchor = before.loc[HERE, "anchor"]
    found = rows(checked(f'not readable,HTTP status 403.,{HERE},{TARGET},"{anchor!s}",,'))
    for name in ("link_state", "followed", "nofollow", "external_links", "cas", "verdict"):
        assert found[name].tolist() == before[name].tolist(), name
    assert found["check_state"].to_dict() == {HERE: "not readable", THERE: ""}


def test_a_crawl_in_another_language_says_the_same_as_in_english():
    english, french = (
        rows(sources([*ELSEWHERE, link(HERE, rel="nofollow", kind=kind)])) for kind in ("Hyperlink", "Hyperlien")
    )
    assert french["check_state"].tolist() == english["check_state"].tolist()
    assert french["followed"].tolist() == english["followed"].tolist() and not french["followed"].all()


def test_a_crawl_without_any_link_proves_nothing():
    before = rows(Sources())
    assert rows(sources([link(HERE, kind="Image")]))["link_state"].tolist() == before["link_state"].tolist()


def test_the_table_that_a_check_writes_is_read_by_the_audit(tmp_path):
    crawled = sources([*ELSEWHERE, link(HERE, rel="nofollow")])
    pages, found = facts_of(crawled.tables["referring_pages"], crawled.tables["outlinks"])
    made = check(question_of(export(CLOSE, LOST)), pages, found)
    given = Sources(checked=load([("checked.csv", write_csv(check_tables(made).main()))], "checked_links"))
    assert rows(given)["check_state"].tolist() == rows(crawled)["check_state"].tolist()
    for name in ("link_state", "followed", "nofollow", "cas", "verdict"):
        assert rows(given)[name].tolist() == rows(crawled)[name].tolist(), name
