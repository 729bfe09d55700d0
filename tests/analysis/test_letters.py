import numpy as np
import pandas as pd
import pytest

from backlink_audit.analysis.letters import SiteLetters, letters_shared

PLAIN = ["roofing and gutters", "yoga and meditation"]


@pytest.mark.parametrize(
    ("pages", "akin", "strange"),
    [
        (["oak chairs", "garden tables"], "a chair of oak for your garden", "football results"),
        (["садовая мебель из дуба"], "Мебель для сада", "Результаты матча"),
        (["Möbel aus Eiche"], "MOBEL", "Fußball"),
        (["bulk essential oils"], "essentialoilsforsoap", "packagings"),
    ],
)
def test_words_that_share_letters_are_akin_in_any_language_joined_or_with_another_ending(pages, akin, strange):
    one, other = SiteLetters(pages, PLAIN).kinship([akin, strange])
    assert one > 0.2
    assert other < 0.05


def test_what_plain_texts_share_by_chance_is_taken_off():
    site = SiteLetters(["roofing and gutters of oak"], PLAIN)
    assert site.kinship(PLAIN)[1] == 0
    assert site.kinship(PLAIN)[0] == pytest.approx(0.5, abs=0.2)
    assert site.kinship(["roofing"])[0] < SiteLetters(["roofing"], ["football"]).kinship(["roofing"])[0]


def test_a_text_without_letters_is_no_kin():
    assert SiteLetters(["oak"], PLAIN).kinship(["", "!!! ???", "a"])[:2].tolist() == [0, 0]
    assert len(SiteLetters(["oak"], PLAIN).kinship([])) == 0
    assert not SiteLetters([], PLAIN).kinship(["oak chairs"]).any()


def test_groups_do_not_run_from_one_text_or_word_into_the_next():
    site = SiteLetters(["chairs"], [])
    assert site.kinship(["cha", "irs"]).tolist() == SiteLetters(["chairs"], []).kinship(["cha", "irs"]).tolist()
    assert site.kinship(["ch airs"])[0] < site.kinship(["chairs"])[0] == 1
    alone = [site.kinship([text])[0] for text in ("chairs", "tables", "chair")]
    np.testing.assert_allclose(site.kinship(["chairs", "tables", "chair"]), alone)


def test_each_link_is_compared_with_its_own_site_block_by_block(monkeypatch):
    monkeypatch.setattr("backlink_audit.analysis.letters.ROWS_AT_ONCE", 2)
    texts = pd.Series(["oak chairs", "sailing boats", "oak chairs", "oak chairs", "oak chairs"])
    sites = pd.Series(["wood.example", "wood.example", "wood.example", "sea.example", "unknown.example"])
    found = letters_shared(texts, sites, {"wood.example": ["oak chairs"], "sea.example": ["sailing boats"]}, PLAIN)
    assert (found > 0.5).tolist() == [True, False, True, False, False]
    assert found[4] == 0
