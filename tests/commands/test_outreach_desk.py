"""`outreach-desk` says what is due, writes prospects and letters; `watch` says what an export found of them."""

import io
import zipfile
from datetime import date
from email import message_from_bytes
from email.policy import default

import pandas as pd
import pytest

from backlink_audit.projects.projects import create, find_or_refuse
from backlink_audit.projects.prospects import change, choose, kept_prospects
from backlink_audit.projects.store import open_store
from tests.commands.calls import name_of, run
from tests.projects.made import audit_of


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
