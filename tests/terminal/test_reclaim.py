"""The terminal's `reclaim`: lost links, those that only an older file has, and where dead pages should lead."""

import openpyxl
import pandas as pd

from tests.terminal.calls import name_of, run


def reclaimed(folder) -> set[tuple[str, str]]:
    table = pd.read_csv(folder / "reclaim.csv")
    return set(zip(table["Referring page URL"], table["Target URL"], strict=True))


def test_an_older_file_adds_the_links_that_only_it_has(folder, monkeypatch, capsys):
    arguments = ["reclaim", name_of("backlinks"), "-o", "reclaim.csv"]
    code, said = run(monkeypatch, capsys, *arguments)
    assert code == 0 and "lost link" in said
    of_one = reclaimed(folder)
    assert run(monkeypatch, capsys, *arguments, "--older", name_of("older"))[0] == 0
    assert of_one < reclaimed(folder)


def test_a_crawl_gives_the_redirect_map(folder, monkeypatch, capsys):
    arguments = ["reclaim", name_of("backlinks"), "-o", "reclaim.xlsx", "--pages", name_of("pages")]
    assert run(monkeypatch, capsys, *arguments)[0] == 0
    assert "Redirect map" in openpyxl.load_workbook(folder / "reclaim.xlsx").sheetnames


def test_without_a_crawl_what_cannot_be_found_gets_a_note(folder, monkeypatch, capsys):
    _, said = run(monkeypatch, capsys, "reclaim", name_of("backlinks"), "-o", "reclaim.csv")
    assert "load a crawl of your site" in said
