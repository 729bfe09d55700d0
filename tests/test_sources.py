"""Tests of backlink_audit.sources: one table of roles makes uploaders, options and the keys of results."""

from dataclasses import fields
from typing import get_args

import pytest
from typer.testing import CliRunner

from backlink_audit import cli, sample
from backlink_audit.exports.load import load
from backlink_audit.schema import TABLES
from backlink_audit.sources import NO_SOURCES, ROLES, FeatureName, RoleName, Sources, taken_by

FIELDS = {one.name for one in fields(Sources)}
FEATURES = [feature for feature in get_args(FeatureName) if taken_by(feature)]


def test_every_role_has_words_for_its_uploader_and_a_kind_of_table():
    assert set(ROLES) == set(get_args(RoleName))
    for role in ROLES.values():
        assert role.label and role.bring.endswith(".") and set(role.tables) <= set(TABLES)


def test_every_further_file_of_a_feature_is_a_field_of_the_sources_and_every_field_has_a_feature():
    assert {role for feature in FEATURES for role in taken_by(feature)} == FIELDS


@pytest.mark.parametrize("feature", FEATURES)
def test_the_terminal_has_an_option_with_the_help_of_each_role_that_a_feature_takes(feature):
    shown = " ".join(CliRunner().invoke(cli.terminal, [feature, "--help"], terminal_width=500).output.split())
    for role, use in taken_by(feature).items():
        assert (f"--{role.replace('_', '-')} " in shown) == use.option
        assert use.help in shown


def test_the_key_of_sources_differs_by_file_and_by_role():
    crawl = load(sample.files()["pages"], "pages")
    keys = {NO_SOURCES.key, Sources(pages=crawl).key, Sources(domains=crawl).key}
    assert len(keys) == 3
    assert list(Sources(pages=crawl).exports) == ["pages"]
