"""A site owner with Search Console's links alone: what the file does not have is unknown everywhere, never 0."""

import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.competitors.result import NOT_IN_FILE, SideBySide
from backlink_audit.exports.load import load
from backlink_audit.profile import charts
from backlink_audit.profile.result import sheets
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.projects.snapshots import figures_of
from backlink_audit.report.client import figure_rows
from backlink_audit.settings import AuditSettings, LinkChoice
from tests.toy import ToyEncoder

NAME = "https___shop.example_-Latest links-2026-07-18.csv"
DATA = b"Linking page,Last crawled\nhttps://a.example/oak,2026-07-01\nhttps://b.example/beds,2026-07-02\n"


@pytest.fixture(scope="module")
def audit():
    return audit_backlinks(load([(NAME, DATA)]), AuditSettings(), ToyEncoder())


@pytest.fixture(scope="module")
def profile(audit):
    return profile_backlinks(audit, LinkChoice())


def test_charts_say_that_ratings_and_anchors_are_not_there(profile):
    missing = profile.missing
    for drawn in (
        charts.authority_bands(profile.authority_bands, profile.authority_word, missing["authority"]),
        charts.anchor_classes(profile.class_mix, missing["anchors"]),
    ):
        assert not drawn.data
        assert drawn.layout.annotations[0].text.startswith("This export has no column")
        assert "%" not in drawn.layout.title.text
    unsaid = charts.authority_bands(profile.authority_bands, "DR")
    assert unsaid.layout.annotations[0].text == "Not available in this export."


def test_figures_sheets_and_columns_have_no_zero_for_what_is_unknown(profile):
    values = {label: value for label, value, _ in profile.figures}
    assert values.pop("Backlinks") == values.pop("Referring domains") == 2
    assert set(values.values()) == {None}
    assert not {"Authority", "Anchors", "Anchor classes"} & set(sheets(profile))
    for table in (profile.referring_domains, profile.target_pages):
        assert table["followed_share"].isna().all()
    beside = SideBySide((profile,), ("ours",), ())
    assert not {"Authority", "Anchors", "Placement"} & set(beside.shares["part"])
    assert (beside.table.set_index("metric")["ours"] == NOT_IN_FILE).sum() == len(values)


def test_report_and_history_have_a_dash_and_a_reason(audit, profile):
    words = {label: value for label, value, _, _ in figure_rows(figures_of(audit, profile), {})}
    assert [words[label] for label in ("Median Domain rating", "Mean CAS", "Most frequent exact match")] == [
        "–",
        "–",
        "–",
    ]
