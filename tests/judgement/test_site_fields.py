"""Tests of backlink_audit.judgement.fields: pages that say nothing, on a site that is about one field."""

import pandas as pd

from backlink_audit.judgement.fields import site_fields, with_site_fields

CRYPTO = "Cryptocurrency"


def found(fields: list[str], titles: list[str] | None = None) -> list[str]:
    names = [f"page {number}" for number in range(len(fields))] if titles is None else titles
    series = [pd.Series(values, dtype="str") for values in (["news.example"] * len(fields), names, fields)]
    return site_fields(*series).unique().tolist()


def test_a_site_has_the_field_of_nearly_all_its_pages():
    assert found([CRYPTO] * 9 + ["Music"] + ["unclear"] * 30) == [CRYPTO]


def test_a_site_of_several_fields_or_few_titles_has_none():
    assert found([CRYPTO] * 10 + ["Music"] * 5) == [""]
    assert found([CRYPTO] * 9) == [""]
    assert found([CRYPTO] * 40, ["the same"] * 40) == [""]


def test_a_field_that_accuses_is_never_that_of_a_site():
    assert found(["Gambling"] * 20) == [""]


def test_only_unclear_pages_take_the_field_of_their_site():
    links = pd.DataFrame(
        {"topic_field": ["unclear", "Music", "", "unclear"], "site_field": [CRYPTO, CRYPTO, CRYPTO, ""]}, dtype="str"
    )
    assert with_site_fields(links)["topic_field"].tolist() == [CRYPTO, "Music", "", "unclear"]
