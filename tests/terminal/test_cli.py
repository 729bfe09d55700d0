"""The terminal, on the sample's files and with a toy encoder."""

import errno
import json
import os
import sys

import openpyxl
import pandas as pd
import pytest

from backlink_audit import __version__, cli
from backlink_audit.embedding.catalogue import MODELS
from backlink_audit.errors import AuditError
from backlink_audit.terminal.commands import script
from tests.terminal.calls import name_of, run


def test_audit_writes_the_users_columns_then_ours_in_the_order_of_the_input(folder, monkeypatch, capsys):
    code, _ = run(monkeypatch, capsys, "audit", name_of("backlinks"), "-o", "out.csv", "--filters", "none")
    assert code == 0
    table = pd.read_csv(folder / "out.csv", dtype=str, keep_default_na=False)
    ours = ["Similarity", "Relevance", "Band", "Field", "Topic", "Page kind", "Anchor fit", "Names the site"]
    ours += ["State", "CAS", "CAS percentile", "Verdict", "Why"]
    assert table.columns.tolist()[-len(ours) :] == ours
    raw = pd.read_csv(folder / name_of("backlinks"), sep="\t", encoding="utf-16", dtype=str, keep_default_na=False)
    assert table["Referring page URL"].tolist() == raw["Referring page URL"].tolist()


def test_rows_scored_and_rows_set_aside_add_up_in_the_workbook(folder, monkeypatch, capsys):
    assert run(monkeypatch, capsys, "audit", name_of("backlinks"), "-o", "out.xlsx")[0] == 0
    book = openpyxl.load_workbook(folder / "out.xlsx")
    rows = [row for row in book["Summary"].iter_rows(values_only=True) if row[0] == "Rows"]
    counts = {what: int(str(value).replace(",", "")) for _, what, value in rows if str(value)[0].isdigit()}
    assert counts["In the file"] == counts["Scored"] + sum(n for what, n in counts.items() if "aside" in what)
    assert counts["Scored"] == sum(n for what, n in counts.items() if "State" in what)
    assert book["Scored backlinks"].max_row - 1 == counts["State: live"]


def test_how_many_of_the_scored_links_are_written_is_said(folder, monkeypatch, capsys):
    _, said = run(monkeypatch, capsys, "audit", name_of("backlinks"), "-o", "out.parquet")
    [sentence] = [line for line in said.splitlines() if line.startswith("Scored: ")]
    live = int(sentence.split("Shown: live, each page once, ")[1].split(".")[0].replace(",", ""))
    assert len(pd.read_parquet(folder / "out.parquet")) == live
    scored = int(sentence.split(" ")[1].replace(",", ""))
    for option in (("--links", "everything"), ("--filters", "none")):
        _, said = run(monkeypatch, capsys, "audit", name_of("backlinks"), "-o", "out.parquet", *option)
        assert "Scored: " not in said
        assert len(pd.read_parquet(folder / "out.parquet")) >= scored > live


def test_the_original_apps_columns_are_added_when_asked_for(folder, monkeypatch, capsys):
    arguments = ["audit", name_of("backlinks"), "-o", "out.csv", "--original-columns", "--link-text", "url-tokens"]
    assert run(monkeypatch, capsys, *arguments)[0] == 0
    columns = pd.read_csv(folder / "out.csv").columns
    assert {"Cosine Similarity", "Contextual Authority Score"} <= set(columns)


def full(*_):
    raise AuditError("out.csv: cannot be written.")


def test_a_file_of_another_kind_is_one_line_and_exit_code_2(folder, monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "audit", name_of("pages"), "-o", "out.csv")
    assert code == 2
    assert said.count("\n") == 1
    assert said.startswith(name_of("pages"))
    assert not (folder / "out.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["audit", "no-such-file.csv", "-o", "out.csv"], "no-such-file.csv: cannot be opened"),
        (["audit", "backlinks", "-o", "out.pdf"], "must end in .xlsx, .csv or .parquet"),
        (["audit", "backlinks", "-o", "nowhere/out.csv"], "does not exist; create it first"),
        (["audit", "backlinks", "-o", "backlinks"], "an input file"),
        (["audit", "backlinks", "-o", "out.csv", "--address", "host:1"], "--address only works with --engine ray"),
        (
            ["audit", "backlinks", "-o", "o.csv", "--engine", "memory", "--folder", "runs"],
            "--folder has no effect with --engine memory",
        ),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_2(folder, monkeypatch, capsys, arguments, words):
    code, said = run(monkeypatch, capsys, *[name_of("backlinks") if a == "backlinks" else a for a in arguments])
    assert code == 2
    assert said.count("\n") == 1
    assert words in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["audit"], "Missing argument 'files'."),
        (["audit", "backlinks"], "Missing option"),
        (["audit", "backlinks", "-o", "o.csv", "--lik-text", "url"], "No such option: --lik-text"),
        (["audit", "backlinks", "-o", "o.csv", "--link-text", "nothing"], "'nothing' is not one of"),
        (["interlinks", "pages", "-o", "o.csv", "--per-page", "many"], "Invalid value for '--per-page'"),
        (["adit"], "Did you mean 'audit'?"),
    ],
)
def test_a_command_called_wrongly_says_one_plain_line_and_where_help_is(monkeypatch, capsys, arguments, words):
    code, said = run(monkeypatch, capsys, *arguments)
    assert code == 2
    assert said.count("\n") == 1
    assert words in said
    assert "--help` for the list of options." in said


def test_without_a_command_the_help_is_shown(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["backlink-audit"])
    with pytest.raises(SystemExit) as ended:
        cli.run()
    assert ended.value.code == 0
    assert "interlinks" in capsys.readouterr().out


def test_the_app_is_started_with_streamlit_on_the_port_that_is_given(monkeypatch, capsys):
    started = []
    monkeypatch.setattr("runpy.run_module", lambda module, run_name: started.append((module, *sys.argv)))
    code, said = run(monkeypatch, capsys, "app", "--port", "8777")
    assert (code, said) == (0, "")
    assert started == [("streamlit", "streamlit", "run", str(script()), "--server.port=8777")]


def test_a_run_that_fails_says_one_line_whatever_else_is_to_be_said_of_the_file(folder, monkeypatch, capsys):
    lost = "Referring page URL,Target URL,Lost,\nhttps://a.example/,https://shop.example/,2025-01-01,x\n"
    (folder / "lost.csv").write_text(lost)
    code, said = run(monkeypatch, capsys, "audit", "lost.csv", "-o", "out.csv")
    assert code == 2
    assert said.count("\n") == 1
    assert (
        "no links match, so there is nothing to write. Scored: 1 link (lost 1)" in said and "--links everything" in said
    )
    code, said = run(monkeypatch, capsys, "audit", "lost.csv", "-o", "out.csv", "--filters", "none")
    assert code == 0
    assert said.startswith("1 column has no name in the file (Unnamed 4)")


def test_a_model_of_few_languages_on_a_swedish_export_is_warned_about(folder, monkeypatch, capsys):
    row = "https://a.example/,https://shop.example/,sv\n"
    (folder / "sv.csv").write_text("Referring page URL,Target URL,Language\n" + row)
    assert "100% of the 1 pages" in run(monkeypatch, capsys, "audit", "sv.csv", "-o", "out.csv")[1]


def test_models_lists_what_is_ready_and_what_would_be_downloaded(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["backlink_audit", "models"])
    with pytest.raises(SystemExit) as ended:
        cli.run()
    listed = capsys.readouterr().out
    assert ended.value.code in (0, None)
    assert all(model.name in listed for model in MODELS)


def test_interlinks_writes_pairs_and_takes_its_own_embeddings_back(folder, monkeypatch, capsys):
    arguments = ["interlinks", name_of("pages"), "--inlinks", name_of("inlinks"), "-o", "pairs.csv"]
    assert run(monkeypatch, capsys, *arguments, "--save-embeddings", "pages.npz")[0] == 0
    first = pd.read_csv(folder / "pairs.csv")
    assert first.columns.tolist()[:3] == ["Source URL", "Target URL", "Similarity Score"]
    assert run(monkeypatch, capsys, *arguments, "--embeddings", "pages.npz")[0] == 0
    pd.testing.assert_frame_equal(pd.read_csv(folder / "pairs.csv"), first)


def test_interlinks_writes_the_edits_as_json(folder, monkeypatch, capsys):
    arguments = ["interlinks", name_of("pages"), "-o", "pairs.csv", "--insertions", "edits.json"]
    assert run(monkeypatch, capsys, *arguments)[0] == 0
    assert json.loads((folder / "edits.json").read_text())


def test_interlinks_near_the_top_needs_positions(folder, monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "interlinks", name_of("pages"), "-o", "pairs.csv", "--near-top-first")
    assert code == 2 and said == "--near-top-first needs a file with positions: add one with --performance.\n"


def test_gap_takes_limits_of_ratings_by_their_names(folder, monkeypatch, capsys):
    theirs = name_of("competitors")
    assert run(monkeypatch, capsys, "gap", name_of("backlinks"), theirs, "-o", "all.csv")[0] == 0
    every = pd.read_csv(folder / "all.csv")
    arguments = [name_of("backlinks"), theirs, "-o", "few.csv", "--min-authority", "Page ascore=99"]
    assert run(monkeypatch, capsys, "gap", *arguments)[0] == 0
    assert pd.read_csv(folder / "few.csv")["Prospect"].sum() < every["Prospect"].sum()


def test_the_version_is_said(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["backlink-audit", "--version"])
    with pytest.raises(SystemExit) as end:
        cli.run()
    assert end.value.code in (0, None)
    assert capsys.readouterr().out == f"backlink-audit {__version__}\n"


def test_interlinks_writes_the_whole_matrix(folder, monkeypatch, capsys):
    arguments = ["interlinks", name_of("pages"), "-o", "pairs.csv", "--matrix", "matrix.csv"]
    assert run(monkeypatch, capsys, *arguments)[0] == 0
    matrix = pd.read_csv(folder / "matrix.csv", index_col=0)
    assert matrix.index.tolist() == matrix.columns.tolist() and len(matrix) == 68
    assert matrix.to_numpy().diagonal().tolist() == [1.0] * len(matrix)
    code, said = run(monkeypatch, capsys, *arguments[:-1], "matrix.xlsx")
    assert code == 2 and ".csv" in said


def test_interlinks_refuses_embeddings_of_another_text_in_one_line(folder, monkeypatch, capsys):
    arguments = ["interlinks", name_of("pages"), "-o", "pairs.csv"]
    run(monkeypatch, capsys, *arguments, "--text", "h1", "--save-embeddings", "pages.npz")
    code, said = run(monkeypatch, capsys, *arguments, "--text", "title", "--embeddings", "pages.npz")
    assert code == 2
    assert "h1" in said and said.count("\n") == 1


def test_a_users_column_of_numbers_is_written_as_numbers_whatever_its_name(folder, monkeypatch, capsys):
    lines = ["Referring page URL,Target URL,Links,Share,Anchor"]
    lines += [f"https://a{n}.example/,https://shop.example/,{n},0.{n},20{n}" for n in range(1, 4)]
    (folder / "links.csv").write_text("\n".join(lines))
    assert run(monkeypatch, capsys, "audit", "links.csv", "-o", "out.xlsx", "--filters", "none")[0] == 0
    header, *rows = openpyxl.load_workbook(folder / "out.xlsx")["Scored backlinks"].iter_rows(values_only=True)
    assert sorted(row[header.index("Links")] for row in rows) == [1, 2, 3]
    assert sorted(row[header.index("Share")] for row in rows) == [0.1, 0.2, 0.3]


def test_embeddings_that_cannot_be_saved_are_one_line(folder, monkeypatch, capsys):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("backlink_audit.report.files.Path.write_bytes", full)
    arguments = ["interlinks", name_of("pages"), "-o", "out.xlsx", "--save-embeddings", "vectors.npz"]
    code, said = run(monkeypatch, capsys, *arguments)
    assert code == 2
    assert (
        said == "vectors.npz: the file cannot be saved (No space left on device); "
        "free some space or choose another folder.\n"
    )
    assert not list(folder.glob("*.npz")) and not list(folder.glob(".*"))


@pytest.mark.parametrize("option", ["-o", "--save-embeddings"])
def test_a_name_too_long_is_said_before_the_run(folder, monkeypatch, capsys, option):
    ending = ".npz" if option == "--save-embeddings" else ".csv"
    monkeypatch.setattr("backlink_audit.terminal.commands.load", pytest.fail)
    name = "x" * 300 + ending
    code, said = run(monkeypatch, capsys, "interlinks", name_of("pages"), "-o", "out.csv", option, name)
    assert (
        code == 2 and said == f"{name}: the file cannot be saved there (file name too long); choose another folder.\n"
    )
