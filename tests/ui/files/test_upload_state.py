import pytest
from streamlit.testing.v1 import AppTest

from backlink_audit.errors import WrongExport
from backlink_audit.exports.recognise import Export
from backlink_audit.sources import ROLES, RoleName
from backlink_audit.ui import upload_state
from tests.ui.app import sample_file

DOMAINS = (
    b"Domain,DR,Dofollow linked domains,Links to target,First seen\n"
    b"one.example,40,12,3,2025-01-02\ntwo.example,20,5,1,2025-03-04\n"
)


def export_of(role: RoleName) -> Export:
    export = upload_state.get(role)
    assert export
    return export


@pytest.fixture
def in_session(monkeypatch):
    """A session of the module's own, so that it can be called without a page."""
    kept: dict[str, object] = {}
    monkeypatch.setattr("backlink_audit.ui.session.st.session_state", kept)
    return kept


def test_a_file_put_for_a_role_is_its_export(in_session):
    upload_state.put("backlinks", [sample_file("backlinks")])
    assert export_of("backlinks").kind == "backlinks"
    assert upload_state.get("pages") is None


def test_a_file_of_another_kind_leaves_what_was_there(in_session):
    upload_state.put("backlinks", [sample_file("backlinks")])
    with pytest.raises(WrongExport):
        upload_state.put("backlinks", [sample_file("pages")])
    assert export_of("backlinks").name == sample_file("backlinks")[0]


def test_a_refused_file_is_remembered_until_the_next_that_fits(in_session):
    assert not upload_state.receive("backlinks", [("a.csv", b"")])
    refused = upload_state.refusal("backlinks")
    assert refused and "a.csv" in refused.sentence
    assert upload_state.receive("backlinks", [sample_file("backlinks")])
    assert upload_state.refusal("backlinks") is None


def test_competitors_stay_apart(in_session):
    upload_state.put("competitors", [sample_file("competitors"), sample_file("older")])
    names = [sample_file("competitors")[0], sample_file("older")[0]]
    assert [export.name for export in upload_state.competitors()] == names


def test_a_crawl_is_no_competitor(in_session):
    with pytest.raises(WrongExport, match="backlinks or referring domains"):
        upload_state.put("competitors", [sample_file("pages")])


def test_competitors_are_added_and_a_file_of_the_same_name_takes_the_place_of_the_former(in_session):
    upload_state.put("competitors", [sample_file("competitors")])
    upload_state.put("competitors", [("other.csv", DOMAINS)])
    upload_state.put("competitors", [("other.csv", DOMAINS + b"three.example,60,9,9,2025-05-05\n")])
    assert [export.name for export in upload_state.competitors()] == [sample_file("competitors")[0], "other.csv"]
    assert len(upload_state.competitors()[1].raw) == 3


def test_one_competitor_is_forgotten_by_its_name(in_session):
    upload_state.put("competitors", [sample_file("competitors"), ("other.csv", DOMAINS)])
    upload_state.drop_competitor(sample_file("competitors")[0])
    assert [export.name for export in upload_state.competitors()] == ["other.csv"]
    upload_state.drop_competitor("other.csv")
    assert upload_state.competitors() == ()


def test_an_older_export_may_list_domains_only(in_session):
    upload_state.put("older", [("domains.csv", DOMAINS)])
    assert export_of("older").kind == "referring_domains"


def test_a_crawl_is_no_older_export(in_session):
    with pytest.raises(WrongExport, match="backlinks"):
        upload_state.put("older", [sample_file("pages")])


def test_swapping_puts_each_file_where_its_kind_belongs(in_session):
    upload_state.put("backlinks", [sample_file("backlinks")])
    upload_state.put("older", [("domains.csv", DOMAINS)])
    upload_state.swap_with_older("backlinks")
    assert upload_state.get("backlinks") is None
    assert export_of("domains").name == "domains.csv"
    assert export_of("older").name == sample_file("backlinks")[0]


def test_the_sample_fills_every_role_that_its_backlinks_do_not_make_needless(in_session):
    upload_state.open_sample()
    assert set(ROLES) - set(upload_state.everything()) == {
        "domains",
        "performance",
        "texts",
        "outlinks",
        "referring_pages",
        "checked",
        "ranks",
    }


def test_the_starts_by_itself_at_the_sample_comes_once_for_each_label(in_session):
    upload_state.open_sample()
    assert [upload_state.starts_by_itself(label) for label in ("audit", "audit", "gap")] == [True, False, True]


def test_with_a_file_of_ones_own_there_is_no_starts_by_itself(in_session):
    assert not upload_state.starts_by_itself("audit")
    upload_state.open_sample()
    upload_state.put("backlinks", [sample_file("backlinks")])
    assert not upload_state.starts_by_itself("audit")


def test_a_page_needs_one_file_of_each_want(in_session):
    needed: list[tuple[RoleName, ...]] = [("backlinks", "domains"), ("competitors",)]
    assert upload_state.needs(needed) == "Upload: backlinks or referring domains, competitors."
    upload_state.put("domains", [("domains.csv", DOMAINS)])
    assert upload_state.needs(needed) == "Upload: competitors."
    upload_state.put("competitors", [sample_file("competitors")])
    assert upload_state.needs(needed).startswith("Ready")


def test_dropping_a_role_forgets_it(in_session):
    upload_state.put("backlinks", [sample_file("backlinks")])
    upload_state.drop("backlinks")
    assert upload_state.everything() == {}


def page_that_needs_backlinks():
    import streamlit as st

    from backlink_audit.ui import uploads

    st.markdown(uploads.require("backlinks").name)


def test_a_page_without_its_file_says_what_to_bring_and_stops():
    app = AppTest.from_function(page_that_needs_backlinks, default_timeout=30).run()
    assert not app.markdown
    assert "Ahrefs" in str(getattr(app.get("file_uploader")[0], "label", ""))
    assert app.button(key="sample")


def test_the_sample_opens_from_any_page_in_one_click():
    app = AppTest.from_function(page_that_needs_backlinks, default_timeout=30).run()
    app.button(key="sample").click().run()
    assert app.markdown[0].value == sample_file("backlinks")[0]
