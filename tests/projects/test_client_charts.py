"""The charts of a client's report count what the audit, its workbook and its profile count."""

import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.labels import LOST, NEW
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.projects.client_report import LAST_MONTHS, charts_of
from backlink_audit.projects.snapshots import figures_of
from backlink_audit.settings import AuditSettings
from tests.exported import SEMRUSH, ahrefs_row, exported
from tests.projects.made import audit_of
from tests.toy import ToyEncoder

MONTHS, TOPICS = 1, 2


def chart(audit, place):
    return charts_of(audit, figures_of(audit))[place]


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


def test_what_is_beyond_the_largest_topics_is_one_bar(monkeypatch):
    monkeypatch.setattr("backlink_audit.projects.client_report.MOST_TOPICS", 2)
    found = chart(audit_of("backlinks"), TOPICS)
    assert [bar.label for bar in found.bars][2:] == ["Other topics"]
    clear = int(found.subtitle.split(" ")[0])
    assert sum(bar.value for bar in found.bars) == clear > 0
