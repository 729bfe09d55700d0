"""The outreach desk: prospects last, nothing is overwritten unseen, later snapshots find what was won and lost."""

from dataclasses import replace
from datetime import date

import pandas as pd
import pytest

from backlink_audit.errors import InvalidSetting
from backlink_audit.labels import OUTREACH_REASONS
from backlink_audit.projects.outreach_desk import (
    Found,
    Linking,
    OutreachDesk,
    Prospect,
    change,
    choose,
    desk,
    found_by_domain,
    found_of,
    kept_prospects,
    linking,
    state_of,
)
from backlink_audit.projects.projects import create
from backlink_audit.projects.snapshots import every_snapshot, save, scored_links
from tests.projects.made import as_another_file, audit_of

TODAY = date(2026, 1, 31)
ROWS = pd.DataFrame(
    {
        "referring_domain": ["a.example", "b.example", "c.example"],
        "example_title": ["On tents", "", 'x"\r\nBcc: all@b.example'],
        "relevance": [90.0, float("nan"), 40.0],
    }
)


@pytest.fixture
def project(store):
    made = create(store, "Shop")
    choose(store, made, ROWS)
    return made


def set_to(store, project, seen, domain, **values):
    return change(store, project, seen, {domain: seen[domain].changed(**values)})


def test_prospects_come_back_with_what_the_gap_knew_of_them(store, project):
    kept = kept_prospects(store, project)
    assert list(kept) == ["a.example", "b.example", "c.example"]
    assert kept["a.example"].facts == {"referring_domain": "a.example", "example_title": "On tents", "relevance": 90.0}
    assert kept["b.example"].facts["relevance"] is None
    set_to(store, project, kept, "a.example", state="contacted", note="by mail", follow_up=date(2026, 2, 7))
    one = kept_prospects(store, project)["a.example"]
    assert list(kept_prospects(store, project)) == list(kept)  # a change moves nothing
    assert (one.state, one.note, one.follow_up, one.version) == ("contacted", "by mail", date(2026, 2, 7), 2)


def test_choosing_a_prospect_again_changes_nothing_and_one_that_links_is_left_out(store, project):
    set_to(store, project, kept_prospects(store, project), "a.example", state="declined")
    more = pd.DataFrame({"referring_domain": ["a.example", "d.example", "ours.example"]})
    assert choose(store, project, more, linking={"ours.example"}) == 1
    kept = kept_prospects(store, project)
    assert kept["a.example"].state == "declined" and "ours.example" not in kept


def test_what_another_window_decided_on_the_same_prospect_stays_and_is_named(store, project):
    both = kept_prospects(store, project)
    assert set_to(store, project, both, "a.example", state="contacted") == []
    assert set_to(store, project, both, "a.example", state="declined") == ["a.example"]
    assert set_to(store, project, both, "b.example", state="declined") == []
    assert change(store, project, both, {"a.example": None}) == ["a.example"]
    kept = kept_prospects(store, project)
    assert (kept["a.example"].state, kept["b.example"].state) == ("contacted", "declined")
    assert set_to(store, project, kept, "a.example", state="declined") == []


def test_the_same_in_two_windows_is_no_conflict(store, project):
    both = kept_prospects(store, project)
    for _ in range(2):
        assert set_to(store, project, both, "a.example", state="contacted") == []
        assert change(store, project, both, {"b.example": None}) == []


@pytest.mark.parametrize(
    "values", [{"state": "nothing"}, {"contact": "ann"}, {"contact": "a@b.example\nBcc: c@d.example"}]
)
def test_what_is_no_state_and_no_address_is_refused(values):
    with pytest.raises(InvalidSetting):
        Prospect("a.example").changed(**values)


def test_a_letter_with_a_gap_is_counted_by_what_it_lacks():
    known = {"example_title": "Oils", "example_url": "https://a.example/", "our_page": "https://us.example/"}
    far = Prospect("far.example", facts=known | {"relevance": 5.0})
    prospects = {"a.example": Prospect("a.example", facts=known), "typed.example": Prospect("typed.example")}
    found = OutreachDesk(prospects | {"far.example": far}, {}, TODAY)
    assert found.blanks({}, found.prospects, sender="Ann") == {"our_page_named": 1, "our_site": 1}
    assert found.blanks({}, ["a.example"]) == {"sender": 1}
    assert found.blanks({"en: new link": "To {referring_domain}: {our_page_title}"}, prospects) == {}
    assert [one.domain for one in found.letters({}, found.prospects)] == list(prospects)  # none to who is off-topic


@pytest.mark.parametrize("reason", [label.word for label in OUTREACH_REASONS])
def test_every_reason_has_an_email_of_its_own_in_the_language_of_the_site(reason):
    facts = dict.fromkeys(("example_title", "example_url"), "known") | {"outreach_reason": reason, "our_page": "u.se"}
    one = Prospect("a.se", facts=facts).changed(recipient=" Bo  Ek ")
    found = OutreachDesk({"a.se": one}, {}, TODAY)
    [letter], [english] = (found.letters({}, ["a.se"], language, "Ann") for language in ("", "en"))
    assert letter.body.startswith("Hej Bo Ek!\n") and english.body.startswith("Hello Bo Ek,\n") and letter.subject


def test_a_site_that_is_asked_about_its_link_is_no_win_because_it_links(store, project):
    rows = pd.DataFrame(
        {"referring_domain": ["fan.example", "gone.example"], "outreach_reason": ["nofollow", "lost link"]}
    )
    assert choose(store, project, rows, linking={"fan.example"}) == 2
    kept = kept_prospects(store, project)
    later = [Linking(date(2999, 1, 1), "2999", frozenset({"fan.example", "gone.example"}))]
    assert list(found_by_domain(kept, later)) == ["gone.example"]


def seen_on(*days):
    """Snapshots of these days; True where a.example links."""
    return [
        Linking(date(2026, month, 1), f"2026-{month:02d}-01", frozenset({"a.example"} if links else ()))
        for month, links in days
    ]


@pytest.mark.parametrize(
    ("snapshots", "state", "month"),
    [
        ([(2, False)], None, 0),
        ([(1, True), (2, False)], None, 0),  # before it was chosen
        ([(2, False), (3, True), (4, True)], "won", 3),
        ([(2, True), (3, True), (4, False), (5, False)], "lost again", 4),
        ([(2, True), (3, False), (4, True)], "won", 4),
    ],
)
def test_later_snapshots_say_what_was_won_and_lost_again(snapshots, state, month):
    one = Prospect("a.example", known_until=date(2026, 1, 1), chosen_at="2026-01-02")
    found = found_of(one, seen_on(*snapshots))
    assert (found and (found.state, found.day.month)) == ((state, month) if state else None)


def test_what_the_user_decides_after_a_snapshot_holds_until_the_next_one_says_otherwise():
    one = Prospect("a.example", state="declined", decided_at="2026-03-05")
    assert state_of(one, Found("won", date(2026, 3, 1), "2026-03-01")) == "declined"
    assert state_of(one, Found("lost again", date(2026, 4, 1), "2026-04-01")) == "lost again"


def test_the_next_export_of_a_real_project_marks_what_was_won(store):
    project = create(store, "Shop")
    older, _ = save(store, project, audit_of("older"), date(2025, 5, 1))
    newer, _ = save(store, create(store, "Other"), audit_of("backlinks"), date(2025, 11, 1))
    new = sorted(linking(store, newer).domains - linking(store, older).domains)
    gone = sorted(linking(store, older).domains - linking(store, newer).domains)
    assert new and gone
    rows = pd.DataFrame({"referring_domain": [new[0], gone[0], "never.example"]})
    assert choose(store, project, rows, linking(store, older).domains) == 2  # gone[0] links already
    assert set(desk(store, project, TODAY).states.values()) == {"to contact"}
    save(store, project, audit_of("backlinks"), date(2025, 11, 1))
    found = desk(store, project, TODAY)
    assert found.states == {new[0]: "won", "never.example": "to contact"}
    save(store, project, as_another_file(audit_of("older"), "newest.csv"), date(2025, 12, 1))
    assert desk(store, project, TODAY).states[new[0]] == "lost again"
    assert "linked before, but not on 2025-12-01" in desk(store, project, TODAY).found[new[0]].sentence
    assert len(every_snapshot(store, project)) == 3


def test_an_older_export_that_is_audited_again_overrules_no_later_decision(store, monkeypatch):
    moments = (f"2026-01-0{day}T09:00:00+00:00" for day in range(1, 9))
    for module in ("snapshots", "outreach_desk"):
        monkeypatch.setattr(f"backlink_audit.projects.{module}.now", lambda: next(moments))
    project, first = create(store, "Shop"), audit_of("older")
    domain = first.links.loc[first.links["link_state"] == "live", "referring_domain"].iloc[0]
    choose(store, project, pd.DataFrame({"referring_domain": [domain]}))
    save(store, project, first, date(2026, 1, 1))
    assert desk(store, project, TODAY).states == {domain: "won"}
    set_to(store, project, kept_prospects(store, project), domain, state="declined")
    [made] = every_snapshot(store, project)
    save(store, project, first)
    [again] = every_snapshot(store, project)
    assert desk(store, project, TODAY).states == {domain: "declined"}
    assert again.made_at == made.made_at == made.audited_at < again.audited_at


def test_a_row_that_a_filter_sets_aside_links_still(store):
    project = create(store, "Shop")
    audit = audit_of("older")
    save(store, project, audit, date(2026, 1, 1))
    every = linking(store, every_snapshot(store, project)[0]).domains
    domain = min(every)
    fewer = replace(audit, links=audit.links[audit.links["referring_domain"] != domain])
    save(store, project, fewer)
    [snapshot] = every_snapshot(store, project)
    assert domain not in set(scored_links(store, snapshot).links["referring_domain"])
    assert linking(store, snapshot).domains == every


def test_follow_ups_are_due_on_their_day_and_closed_ones_never():
    def one(domain, state, day):
        return Prospect(domain, state=state, follow_up=day)

    prospects = {
        domain: one(domain, state, day)
        for domain, state, day in [
            ("today.example", "contacted", TODAY),
            ("later.example", "contacted", date(2026, 2, 1)),
            ("won.example", "won", date(2026, 1, 1)),
            ("none.example", "to contact", None),
        ]
    }
    found = OutreachDesk(prospects, {}, TODAY)
    assert found.due == {"today.example"}
    assert found.to_write_to() == ["today.example", "none.example"]
    assert found.table["referring_domain"].iloc[0] == "today.example"
    assert found.headline == "4 prospects: 1 to contact, 2 in contact, 1 won, 0 lost again; 1 follow-up is due."
