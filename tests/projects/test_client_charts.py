"""The charts of a client's report count what the audit, its workbook and its profile count."""

import pytest

from backlink_audit.audit.result import Scored
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.labels import BANDS, LOST, NEW
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.projects.client_report import LAST_MONTHS, charts_of
from backlink_audit.projects.snapshots import figures_of
from backlink_audit.settings import AuditSettings
from tests.exported import SEMRUSH, ahrefs_row, exported
from tests.projects.made import audit_of
from tests.toy import ToyEncoder

RELEVANCE, MONTHS = 1, 2
_, WEAK, _ = BANDS


def chart(audit, place):
    return charts_of(audit, figures_of(audit))[place]


def test_a_limit_within_a_column_of_relevance_divides_it():
    audit = audit_of("backlinks")
    links = audit.links.assign(relevance=27.0, band=WEAK.word)
    columns = dict(charts_of(Scored(links, audit.settings), figures_of(audit))[RELEVANCE].columns)
    assert [(bar.label, bar.value) for bar in columns["20"]] == [(WEAK.word, len(links))]
    assert all(bars == () for low, bars in columns.items() if low != "20")


def test_the_columns_of_relevance_have_every_band_as_often_as_the_audit():
    found = chart(audit_of("backlinks"), RELEVANCE)
    for band in BANDS:
        drawn = sum(bar.value for _, bars in found.columns for bar in bars if bar.label == band.word)
        assert drawn == (audit_of("backlinks").links["band"] == band.word).sum() > 0
    assert found.highest == max(sum(bar.value for bar in bars) for _, bars in found.columns)
    assert {bar.label for bar in found.legend} == {band.word for band in BANDS}


def test_the_months_are_those_of_the_profile():
    audit = audit_of("backlinks")
    months = profile_backlinks(audit).months.tail(LAST_MONTHS)
    drawn = {low: {bar.label: bar.value for bar in bars} for low, bars in chart(audit, MONTHS).columns}
    assert drawn == {
        f"{row['month']:%y-%m}": {NEW.word: row["new_domains"], LOST.word: row["lost_domains"]}
        for row in months.to_dict("records")
    }


def audit(*rows, **more):
    return audit_backlinks(exported(*rows, **more), AuditSettings(), ToyEncoder())


def test_what_the_export_does_not_say_is_no_bar_of_nothing():
    found = chart(audit(ahrefs_row("https://a.example/")), MONTHS)
    assert {bar.label for _, bars in found.columns for bar in bars} == {NEW.word}
    assert found.title == "Referring domains new by month" and "does not show when links were lost" in found.subtitle


@pytest.mark.parametrize("dates", [{"last_seen": "2099-12-30"}, {"first_seen": "2099-01-02"}, {"lost": "2099-05-05"}])
def test_a_date_still_to_come_stretches_no_months(dates):
    rows = [ahrefs_row(f"https://a{number}.example/", lost="2024-04-01") for number in range(3)]
    found = audit(*rows, ahrefs_row("https://wrong.example/", **dates))
    columns = chart(found, MONTHS).columns
    assert [low for low, _ in columns] == ["24-01", "24-02", "24-03", "24-04", "24-05"]
    assert sum(bar.value for _, bars in columns for bar in bars if bar.label == LOST.word) == 3
    assert profile_backlinks(found).net_per_day is not None


def test_an_export_without_dates_says_so():
    dates = ("First seen", "Last seen", "Lost link")
    row = SEMRUSH | {"Source url": "https://a.example/"}
    assert chart(audit(row, base=SEMRUSH, without=dates), MONTHS).why_not == "The export has no dates."


def test_without_any_text_the_chart_of_relevance_says_why_it_is_not_drawn():
    audit = audit_of("backlinks")
    unknown = Scored(audit.links.assign(relevance=float("nan")), audit.settings)
    assert charts_of(unknown, figures_of(audit))[RELEVANCE].why_not == "No link has text to compare."
