"""The terminal's `risk`: signals, a review taken up again, the disavow file."""

import openpyxl
import pandas as pd
import pytest

from tests.terminal.calls import name_of, run


def test_the_domains_are_written_with_their_signals(folder, monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "risk", name_of("backlinks"), "-o", "risk.csv")
    assert code == 0
    assert "risk signals" in said
    table = pd.read_csv(folder / "risk.csv")
    assert {"Referring domain", "State"} <= set(table.columns)
    assert set(table["State"]) == {"undecided"}


def test_without_scores_there_is_no_topic_and_the_reason_is_given(folder, monkeypatch, capsys):
    _, said = run(monkeypatch, capsys, "risk", name_of("backlinks"), "-o", "risk.xlsx", "--no-scores")
    assert "Run the audit to find topics." in said
    assert openpyxl.load_workbook(folder / "risk.xlsx")["Domains"].max_row > 1


def test_a_limit_given_as_an_option_decides(folder, monkeypatch, capsys):
    counts = {}
    for limit in ("1", "1000000"):
        arguments = ["risk", name_of("backlinks"), "-o", "risk.xlsx", "--no-scores", "--risk-external-links", limit]
        assert run(monkeypatch, capsys, *arguments)[0] == 0
        rows = openpyxl.load_workbook(folder / "risk.xlsx")["Signals"].iter_rows(values_only=True)
        [counts[limit]] = [row[1] for row in rows if str(row[0]).startswith("Many external links")]
    assert counts["1"] > 0 == counts["1000000"]


def test_a_review_to_fill_in_comes_back_as_a_disavow_file(folder, monkeypatch, capsys):
    basic = ["risk", name_of("backlinks"), "-o", "risk.csv", "--no-scores"]
    assert run(monkeypatch, capsys, *basic, "--save-review", "review.csv")[0] == 0
    review = pd.read_csv(folder / "review.csv", keep_default_na=False)
    assert set(review["State"]) == {"undecided"} and (review["Evidence"] != "").all()
    bad, good = review["Item"].iloc[:2]
    review.loc[0, "State"], review.loc[1, "State"] = "disavow", "keep"
    review.to_csv(folder / "review.csv", index=False)
    (folder / "disavow.txt").write_text(f"# mine\ndomain:{good}\ndomain:elsewhere.example\n")
    code, said = run(monkeypatch, capsys, *basic, "--review", "review.csv", "--disavow", "disavow.txt")
    assert code == 0
    assert "2 domains and 0 URLs; 1 added, 1 line not included" in said
    lines = (folder / "disavow.txt").read_text().splitlines()
    assert lines[:2] == ["# mine", "domain:elsewhere.example"]
    assert lines[-1] == f"domain:{bad}"
    assert (folder / "disavow.txt.bak").read_text() == f"# mine\ndomain:{good}\ndomain:elsewhere.example\n"
    states = pd.read_csv(folder / "risk.csv").set_index("Referring domain")["State"]
    assert (states[bad], states[good]) == ("disavow", "keep")


def test_what_looks_worth_keeping_is_left_out_of_the_file_unless_it_is_named(folder, monkeypatch, capsys):
    basic = ["risk", name_of("backlinks"), "-o", "risk.csv", "--no-scores"]
    assert run(monkeypatch, capsys, *basic)[0] == 0
    domains = pd.read_csv(folder / "risk.csv")["Referring domain"]
    review = pd.DataFrame({"Scope": "domain", "Item": domains, "State": "disavow", "Note": ""})
    review.to_csv(folder / "review.csv", index=False)
    more = ["--review", "review.csv", "--disavow", "disavow.txt"]
    code, said = run(monkeypatch, capsys, *basic, *more)
    lines = (folder / "disavow.txt").read_text().splitlines()
    left_out = [line.split()[3] for line in lines if line.startswith("# Not disavowed: ")]
    assert code == 0 and left_out
    assert (
        f"{len(left_out)} domains that look worth keeping are excluded from the disavow file: {left_out[0]} (" in said
    )
    assert not {f"domain:{domain}" for domain in left_out} & set(lines)
    code, said = run(monkeypatch, capsys, *basic, *more, "--disavow-anyway", left_out[0])
    lines = (folder / "disavow.txt").read_text().splitlines()
    assert f"domain:{left_out[0]}" in lines and f"domain:{left_out[1]}" not in lines
    assert f"{len(left_out) - 1} domain" in said
    code, said = run(monkeypatch, capsys, *basic, *more, "--disavow-anyway", "all")
    assert "worth keeping" not in said
    assert {f"domain:{domain}" for domain in left_out} <= set((folder / "disavow.txt").read_text().splitlines())


def test_without_decisions_no_disavow_file_is_made(folder, monkeypatch, capsys):
    arguments = ["risk", name_of("backlinks"), "-o", "risk.csv", "--no-scores", "--disavow", "disavow.txt"]
    code, said = run(monkeypatch, capsys, *arguments)
    assert code == 0
    assert "Nothing to disavow" in said
    assert not (folder / "disavow.txt").exists()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--review", "no-such.csv"], "no-such.csv: cannot be opened"),
        (["--review", "crawl"], "this is not a review"),
        (["--disavow", "disavow.csv"], "must end in .txt"),
        (["--save-review", "backlinks"], "an input file"),
    ],
)
def test_what_cannot_be_used_is_one_line_before_any_work(folder, monkeypatch, capsys, more, words):
    names = {"crawl": name_of("pages"), "backlinks": name_of("backlinks")}
    more = [names.get(word, word) for word in more]
    code, said = run(monkeypatch, capsys, "risk", name_of("backlinks"), "-o", "risk.csv", *more)
    assert code == 2
    assert said.count("\n") == 1 and words in said
    assert not (folder / "risk.csv").exists()
