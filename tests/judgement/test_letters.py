import pandas as pd
import pytest

from backlink_audit.errors import InvalidSetting
from backlink_audit.judgement.letters import DEFAULT_TEMPLATE, PLACEHOLDERS, check_template, write_pitch, write_pitches


def test_the_default_template_fills_with_every_value() -> None:
    prospect = {name: f"<{name}>" for name in PLACEHOLDERS}
    pitch = write_pitch(DEFAULT_TEMPLATE, prospect)
    assert "<example_title>" in pitch and "<our_page>" in pitch and "{" not in pitch


def test_an_unknown_placeholder_is_named_with_the_known_ones() -> None:
    with pytest.raises(InvalidSetting, match=r"\{first_name\}.*use.*\{referring_domain\}"):
        check_template("Dear {first_name}")


@pytest.mark.parametrize("template", ["{topic.__class__}", "{topic!r}", "{topic:>9}", "{0}", "{}"])
def test_a_template_runs_no_code(template: str) -> None:
    with pytest.raises(InvalidSetting, match="unknown placeholder"):
        write_pitch(template, {"topic": "oak"})


@pytest.mark.parametrize("template", ["{", "}", "{topic", "a } b"])
def test_a_lone_brace_is_refused(template: str) -> None:
    with pytest.raises(InvalidSetting, match="single"):
        check_template(template)


def test_braces_in_a_value_stay_as_they_are() -> None:
    assert write_pitch("{topic}", {"topic": "{our_page} {"}) == "{our_page} {"


def test_what_is_not_known_is_stood_in_for_or_left_out() -> None:
    prospects = pd.DataFrame([dict.fromkeys(PLACEHOLDERS, "") | {"referring_domain": "a.example"}])
    assert write_pitches("{example_title}|{topic}|", prospects).tolist() == ["a.example||"]
