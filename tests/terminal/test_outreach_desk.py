"""`outreach-desk` says what is due, writes prospects and letters; `watch` says what an export found of them."""

import io
import zipfile
from datetime import date
from email import message_from_bytes
from email.policy import default

import pandas as pd
import pytest

from backlink_audit.exports.lists import read_prospects
from backlink_audit.projects.outreach_desk import change, choose, kept_prospects
from backlink_audit.projects.projects import create, find_or_refuse
from backlink_audit.projects.store import open_store
from tests.projects.made import audit_of
from tests.terminal.calls import name_of, run


@pytest.fixture
def project(folder, monkeypatch, capsys):
    """Two prospects beside the sample's older snapshot: one that the newer file has, one that it has not."""
    run(monkeypatch, capsys, "watch", "Shop", name_of("older"))
    older, newer = (live(audit_of(role)) for role in ("older", "backlinks"))
    with open_store() as store:
        made = find_or_refuse(store, "Shop")
        rows = pd.DataFrame({"referring_domain": [min(newer - older), "never.example"], "example_title": "=On tents"})
        assert choose(store, made, rows) == 2
        seen = kept_prospects(store, made)
        one = seen["never.example"].changed(state="contacted", contact="ann@never.example", follow_up=date(2020, 1, 1))
        change(store, made, seen, {"never.example": one})
    return min(newer - older)


def live(audit):
    return set(audit.links.loc[audit.links["link_state"] == "live", "referring_domain"])


def desk(monkeypatch, capsys, *arguments):
    return run(monkeypatch, capsys, "outreach-desk", "Shop", *arguments)


def test_a_gap_links_to_reclaim_and_a_list_of_sites_are_put_on_the_desk(project, folder, monkeypatch, capsys):
    files = [name_of("backlinks"), name_of("competitors")]
    assert run(monkeypatch, capsys, "gap", *files, "-o", "gap.csv")[0] == 0
    assert run(monkeypatch, capsys, "reclaim", name_of("backlinks"), "-o", "reclaim.csv")[0] == 0
    (folder / "mine.txt").write_text("https://www.friend.example/page\nfriend.example\nother.example\n")
    given = [word for file in ("gap.csv", "reclaim.csv", "mine.txt") for word in ("--prospects", file)]
    code, said = desk(monkeypatch, capsys, *given, "--letters", "letters.csv")
    assert code == 0, said
    gap, reclaim = pd.read_csv("gap.csv"), pd.read_csv("reclaim.csv")
    with open_store() as store:
        kept = kept_prospects(store, find_or_refuse(store, "Shop"))
    wanted = gap[gap["Prospect"]]["Referring domain"]
    assert len(wanted) and {kept[site].reason for site in wanted} == {"new link"}
    others = set(gap["Referring domain"]) - set(wanted) - {project}
    assert {kept[site].reason for site in others & set(kept)} <= {"lost link", "dead page"}
    lost = {one.domain: one for one in kept.values() if one.reason in ("lost link", "dead page")}
    assert lost and {one.facts["our_page"] for one in lost.values()} <= set(reclaim["Target URL"])
    assert {"friend.example", "other.example"} <= set(kept)
    assert "mine.txt: 2 prospects of 2 added." in said
    bodies = pd.read_csv("letters.csv").set_index("Domain")["Body"]
    assert all("cannot find the link" in bodies[site] for site, one in lost.items() if one.reason == "lost link")


def test_the_workbook_of_a_gap_gives_the_same_prospects_as_its_table(project, folder, monkeypatch, capsys):
    files = [name_of("backlinks"), name_of("competitors")]
    for name in ("gap.csv", "gap.xlsx"):
        assert run(monkeypatch, capsys, "gap", *files, "-o", name)[0] == 0
    table, workbook = (read_prospects(name, (folder / name).read_bytes()) for name in ("gap.csv", "gap.xlsx"))
    assert len(table) and set(table["referring_domain"]) == set(workbook["referring_domain"])


def test_a_list_without_a_site_is_one_sentence(project, folder, monkeypatch, capsys):
    (folder / "mine.txt").write_text("nobody\nnothing\n")
    code, said = desk(monkeypatch, capsys, "--prospects", "mine.txt")
    assert code == 2 and said.strip().splitlines()[-1].startswith("mine.txt: it names no site")


def test_what_is_due_is_said_and_prospects_and_letters_are_written(project, folder, monkeypatch, capsys):
    code, said = desk(monkeypatch, capsys, "-o", "desk.csv", "--letters", "letters.zip")
    assert code == 0 and "1 follow-up is due" in said
    assert "Follow-up due: never.example (2020-01-01)" in said
    assert pd.read_csv("desk.csv")["Referring domain"].tolist() == ["never.example", project]
    with zipfile.ZipFile(folder / "letters.zip") as archive:
        read = message_from_bytes(archive.read("never.example.eml"), policy=default)
    assert read["To"] == "ann@never.example" and "=On tents" in read["Subject"]


def test_the_mail_merge_follows_the_template_and_runs_in_no_spreadsheet(project, folder, monkeypatch, capsys):
    (folder / "letter.txt").write_text("Subject: {example_title}\n\n{example_title} on {referring_domain}")
    assert desk(monkeypatch, capsys, "--letters", "letters.csv", "--template", "letter.txt")[0] == 0
    rows = pd.read_csv(io.BytesIO((folder / "letters.csv").read_bytes())).set_index("Domain")
    assert rows.loc["never.example", "Subject"] == "'=On tents"
    assert rows.loc["never.example", "Body"] == "'=On tents on never.example\n"


def test_a_template_that_cannot_be_filled_and_a_project_that_is_not_there_are_sentences(
    project, folder, monkeypatch, capsys
):
    (folder / "letter.txt").write_text("{nothing}")
    code, said = desk(monkeypatch, capsys, "--letters", "letters.csv", "--template", "letter.txt")
    assert code == 2 and "{nothing}" in said
    code, said = run(monkeypatch, capsys, "outreach-desk", "Other")
    assert code == 2 and "There is no project “Other”" in said


def test_watch_says_what_the_export_found(project, folder, monkeypatch, capsys):
    _, said = run(monkeypatch, capsys, "watch", "Shop", name_of("backlinks"), "--digest", "digest.md")
    assert f"Outreach won: {project}." in said and "1 follow-up is due." in said
    assert "Outreach won" in (folder / "digest.md").read_text()
    assert "1 won" in desk(monkeypatch, capsys)[1]


def test_an_empty_desk_says_so(folder, monkeypatch, capsys):
    with open_store() as store:
        create(store, "Shop")
    assert "The outreach desk has no prospects yet." in desk(monkeypatch, capsys)[1]
