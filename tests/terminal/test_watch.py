"""`watch` keeps what it audits, writes a digest of what changed, and ends with 3 when a limit is crossed."""

import json
import shutil

import pytest

from backlink_audit.projects.project_files import kept_files
from backlink_audit.projects.projects import find, find_or_refuse
from backlink_audit.projects.snapshots import every_snapshot
from backlink_audit.projects.store import open_store
from backlink_audit.wording import count
from tests.terminal.calls import name_of, run


def watch(monkeypatch, capsys, role, *arguments):
    return run(monkeypatch, capsys, "watch", "Our shop", name_of(role), "--store", "work.sqlite", *arguments)


def test_the_first_export_is_kept_and_a_later_one_that_lost_good_links_ends_with_3(folder, monkeypatch, capsys):
    assert watch(monkeypatch, capsys, "older", "--digest", "first.json")[0] == 0
    first = json.loads((folder / "first.json").read_text())
    assert (first["project"], first["date"], first["changes"], first["crossed"]) == ("Our shop", "2025-05-01", None, [])
    code, said = watch(monkeypatch, capsys, "backlinks", "--digest", "second.json")
    second = json.loads((folder / "second.json").read_text())
    assert code == 3
    assert [one["limit"] for one in second["crossed"]] == ["protect_lost"]
    assert second["changes"]["protect_lost"] == len(second["changes"]["lost_to_protect"]) > 0
    assert second["changes"]["before"]["links"] == first["figures"]["links"]
    lost = second["changes"]["protect_lost"]
    assert f"Alert: {count(lost, 'link')} with the verdict Protect lost since 2025-05-01; the limit is 1." in said


def test_limits_are_options_and_the_same_file_is_kept_once(folder, monkeypatch, capsys):
    watch(monkeypatch, capsys, "older")
    assert watch(monkeypatch, capsys, "backlinks", "--protect-lost", "99")[0] == 0
    others = ["--risk-share", "0.01", "--dominant-anchor", "0.05", "--spike", "1"]
    assert watch(monkeypatch, capsys, "backlinks", "--protect-lost", "99", *others, "--digest", "all.json")[0] == 3
    crossed = [one["limit"] for one in json.loads((folder / "all.json").read_text())["crossed"]]
    assert crossed == ["risk_share", "dominant_anchor", "spike"]
    with open_store("work.sqlite") as store:
        project = find(store, "our shop")
        assert project and len(every_snapshot(store, project)) == 2


def test_the_app_finds_the_newest_export_that_was_watched(folder, monkeypatch, capsys):
    for role, newest in (("older", "older"), ("backlinks", "backlinks"), ("older", "backlinks")):
        watch(monkeypatch, capsys, role)
        with open_store("work.sqlite") as store:
            [(name, data)] = kept_files(store, find_or_refuse(store, "our shop"))["backlinks"]
        assert (name, data) == (name_of(newest), (folder / name_of(newest)).read_bytes())


@pytest.mark.parametrize("suffix", [".md", ".html"])
def test_text_of_others_is_inert_in_a_digest(folder, monkeypatch, capsys, suffix):
    bad = "https://bad.example/x,https://longroad.example/,<img src=x onerror=alert(1)>![x](http://y.example),2025-06-02\n"
    (folder / "bad.csv").write_text(f"Referring page URL,Target URL,Anchor,First seen\n{bad}")
    (folder / "good.csv").write_text(
        "Referring page URL,Target URL,Anchor\nhttps://a.example/,https://longroad.example/,x\n"
    )
    arguments = ["--store", "s.sqlite", "--dominant-anchor", "1"]
    run(monkeypatch, capsys, "watch", "<b>Shop</b>", "good.csv", "--date", "2025-01-01", *arguments)
    run(monkeypatch, capsys, "watch", "<b>Shop</b>", "bad.csv", *arguments, "--digest", f"digest{suffix}")
    text = (folder / f"digest{suffix}").read_text()
    assert "bad.example" in text
    assert "<b>" not in text and "<img" not in text and "![" not in text.replace("!\\[", "")


def test_another_sites_export_is_one_line_and_exit_code_2(folder, monkeypatch, capsys):
    watch(monkeypatch, capsys, "older")
    (folder / "other.csv").write_text("Referring page URL,Target URL\nhttps://a.example/,https://other.example/\n")
    code, said = run(monkeypatch, capsys, "watch", "Our shop", "other.csv", "--store", "work.sqlite")
    assert code == 2 and said.count("\n") == 1 and "about longroad.example" in said


def test_a_copy_under_another_name_is_the_same_snapshot(folder, monkeypatch, capsys):
    watch(monkeypatch, capsys, "older")
    shutil.copy(name_of("older"), "copy-2025-06-06.csv")
    code, said = run(monkeypatch, capsys, "watch", "Our shop", "copy-2025-06-06.csv", "--store", "work.sqlite")
    assert code == 0 and "is already saved as the snapshot of 2025-05-01" in said
