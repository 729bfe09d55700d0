"""The documents name what is there: every decision, every file that is linked to."""

import re

from tests.ui.app import ROOT


def test_the_index_names_every_decision_once():
    folder = ROOT / "docs" / "decisions"
    named = re.findall(r"\]\(([\w-]+\.md)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert sorted(named) == sorted(path.name for path in folder.glob("*.md") if path.name != "README.md")


def test_every_file_that_a_document_links_to_is_there():
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    for document in documents:
        for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", document.read_text(encoding="utf-8")):
            assert (document.parent / link).exists(), f"{document.name}: {link}"
