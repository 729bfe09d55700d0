from backlink_audit.settings import GapSettings
from tests.gap.made import make


def test_prospects_reach_the_threshold_and_the_most_relevant_comes_first() -> None:
    gap = make(min_authority=(("Page ascore", 30.0),))
    assert gap.prospects["referring_domain"].tolist() == ["gone.example", "oakblog.example"]
    assert gap.set_aside == {"Page ascore below 30": 1}
    lower = gap.with_settings(GapSettings(min_authority=(("Page ascore", 0.0),)))
    assert set(lower.prospects["referring_domain"]) == {"oakblog.example", "gone.example", "small.example"}
    assert lower.domains is gap.domains


def test_the_headline_counts_the_prospects() -> None:
    gap = make()
    assert gap.headline == (
        "2 sites of Page ascore 5 or more link to a competitor and not to you: 1 of them is relevant; 1 to both competitors."
    )
    known = gap.with_settings(GapSettings(min_authority=(("Page ascore", 0.0),), keep_unknown_authority=False))
    assert (
        known.headline == "3 sites link to a competitor and not to you: 2 of them are relevant; 1 to both competitors."
    )
