"""The documents name what is there: every decision, every file that is linked to, every command and its options."""

import inspect
import re
import shlex

from backlink_audit.cli import COMMANDS
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


def test_the_readme_shows_every_command_with_options_that_it_has():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = [shlex.split(line)[1:] for line in re.findall(r"^    (backlink-audit .+)$", readme, re.MULTILINE)]
    commands = {command.__name__.replace("_", "-"): inspect.signature(command).parameters for command in COMMANDS}
    assert {name for name, *_ in shown} == set(commands)
    for name, *arguments in shown:
        options = {word[2:].replace("-", "_") for word in arguments if word.startswith("--")}
        assert options <= set(commands[name])
