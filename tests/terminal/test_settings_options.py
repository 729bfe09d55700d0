"""Every setting is an option, from its field; what is not given keeps its default."""

import dataclasses
import inspect
from typing import Any, get_type_hints

import pytest

from backlink_audit import settings as all_settings
from backlink_audit.cli import COMMANDS
from backlink_audit.errors import InvalidSetting
from backlink_audit.settings import AuditSettings, BacklinkFilters, ClusterSettings, GapSettings, InterlinkSettings
from backlink_audit.terminal.commands import options_of, settings_from

SETTINGS = [
    kind
    for _, kind in inspect.getmembers(all_settings, inspect.isclass)
    if dataclasses.is_dataclass(kind) and kind is not all_settings.Asked
]
ASKED_FOR = {"audit": AuditSettings, "interlinks": InterlinkSettings, "clusters": ClusterSettings, "gap": GapSettings}
"""The command that asks for each of the settings as a whole."""


def leaves(kind: Any, inside: str = "") -> list[str]:
    """The fields of settings, and of the settings inside them, as AuditSettings has bands.relevant."""
    found = []
    for field in dataclasses.fields(kind):
        inner = get_type_hints(kind)[field.name]
        found += leaves(inner, f"{field.name}.") if dataclasses.is_dataclass(inner) else [f"{inside}{field.name}"]
    return found


@pytest.mark.parametrize("name", ASKED_FOR)
def test_every_setting_is_an_option_of_its_command(name):
    command = next(one for one in COMMANDS if one.__name__ == name)
    options = set(inspect.signature(command).parameters)
    for leaf in leaves(ASKED_FOR[name]):
        inside, _, field = leaf.rpartition(".")
        assert f"{inside.removesuffix('s')}_{field}".lstrip("_") in options


@pytest.mark.parametrize("kind", SETTINGS, ids=lambda kind: kind.__name__)
def test_every_setting_says_what_it_does(kind):
    hints = get_type_hints(kind, include_extras=True)
    for field in dataclasses.fields(kind):
        if not dataclasses.is_dataclass(get_type_hints(kind)[field.name]):
            words, *_ = hints[field.name].__metadata__
            assert words.endswith(".") and words[0].isupper()


@pytest.mark.parametrize("kind", ASKED_FOR.values(), ids=lambda kind: kind.__name__)
def test_without_any_option_the_settings_are_the_defaults(kind):
    nothing = {option.name: None for option in options_of(kind)}
    assert settings_from(kind(), nothing) == kind()


def test_what_is_given_is_set_where_it_belongs():
    given = {"link_text": "url", "band_relevant": 90.0, "filter_repeats": False, "risk_sitewide_pages": 7}
    made = settings_from(AuditSettings(), given)
    assert (made.link_text, made.bands.relevant, made.filters.repeats, made.risk.sitewide_pages) == (
        "url",
        90,
        False,
        7,
    )
    assert made.bands.weak == AuditSettings().bands.weak


def test_no_filters_but_the_one_that_is_asked_for():
    made = settings_from(AuditSettings(), {"filters": "none", "filter_repeats": True})
    assert made.filters == dataclasses.replace(BacklinkFilters.none(), repeats=True)


def test_an_empty_brand_means_that_none_is_cut():
    assert settings_from(InterlinkSettings(), {"brands": [""]}).brands == ()
    assert settings_from(InterlinkSettings(), {"brands": ["Acme", "Acme Inc"]}).brands == ("Acme", "Acme Inc")


def test_a_number_may_be_left_to_the_program():
    assert settings_from(ClusterSettings(), {"k": "auto", "k_range": (3, 9)}) == ClusterSettings(k=None, k_range=(3, 9))
    assert settings_from(ClusterSettings(), {"k": "7"}).k == 7


def test_a_limit_of_a_rating_is_given_by_its_name():
    made = settings_from(AuditSettings(), {"verdict_strong_from": ["dr=60", "Trust Flow=30"]})
    assert made.verdicts.strong_from == (("DR", 60.0), ("Trust Flow", 30.0))
    for wrong in ("60", "XR=60", "DR=much"):
        with pytest.raises(InvalidSetting, match="rating"):
            settings_from(AuditSettings(), {"verdict_strong_from": [wrong]})


def test_settings_that_contradict_each_other_are_refused():
    with pytest.raises(InvalidSetting, match="minimum relevance of weak links must be .+, not 99"):
        settings_from(AuditSettings(), {"band_weak": 99.0})
