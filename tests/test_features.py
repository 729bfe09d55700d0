"""Every feature is one record: page, command, function and tool are made of it, or it says why there is none."""

import inspect

import pytest

import backlink_audit as ba
from backlink_audit import interface
from backlink_audit.cli import COMMANDS
from backlink_audit.feature import SUFFIXES
from backlink_audit.features import FEATURES
from backlink_audit.report import files
from backlink_audit.ui import menu
from tests.toy import ToyEncoder

PAGES = {page.title: page for pages in menu.MENU.values() for page in pages}
COMMAND = {command.__name__: command for command in COMMANDS}


@pytest.mark.parametrize("feature", FEATURES.values(), ids=list(FEATURES))
def test_every_feature_has_each_way_in_or_says_why_not(feature):
    parameters = set(inspect.signature(COMMAND[feature.name]).parameters)
    assert {role for role, use in feature.roles.items() if use.option} <= parameters
    assert COMMAND[feature.name].__doc__ == feature.does
    for way, there in {
        "page": feature.title in PAGES,
        "function": feature.name in ba.__all__,
        "tool": bool(feature.tool),
    }.items():
        assert there != (way in feature.without), way
        assert way not in feature.without or feature.without[way].endswith(".")
    if feature.title in PAGES:
        assert PAGES[feature.title].button == feature.button
        assert set(PAGES[feature.title].needs) == {one.roles for one in feature.inputs if one.roles and not one.by_name}


@pytest.mark.parametrize("name", interface.FUNCTIONS)
def test_a_function_takes_every_role_of_its_feature_and_says_what_each_is(name):
    function, feature = getattr(ba, name), FEATURES[name]
    parameters = inspect.signature(function).parameters
    assert {*feature.roles, "settings", "encoder", *(one.name for one in feature.inputs)} <= set(parameters)
    assert function.__name__ == name and function.__module__ == "backlink_audit.interface"
    assert all(f"{role}: " in function.__doc__ for role in feature.roles)


def test_the_public_names_are_the_functions_that_are_made():
    assert set(interface.__all__) <= set(ba.__all__)
    assert SUFFIXES == files.SUFFIXES


def test_a_function_stays_a_function_when_its_folder_is_imported():

    assert inspect.isfunction(ba.gap)
    assert str(inspect.signature(ba.gap)).startswith("(ours: 'Export', theirs: 'Sequence[Export]', settings:")


@pytest.mark.parametrize("feature", FEATURES.values(), ids=list(FEATURES))
def test_a_tool_takes_every_role_of_its_feature(feature):
    tools = pytest.importorskip("backlink_audit.mcp.tools")
    if feature.tool:
        parameters = inspect.signature(getattr(tools.Tools, feature.tool)).parameters
        assert set(feature.roles) <= set(parameters)


def test_python_and_programs_get_the_clusters_of_suggested_links():
    pages = ba.read("backlink_audit/sample/data/longroad-crawl.csv", table="pages")
    assert "source_cluster" in ba.interlinks(pages, encoder=ToyEncoder()).table
