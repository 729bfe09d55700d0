"""The charts of a redirect map draw what is in its table."""

import pandas as pd

from backlink_audit.redirects.charts import at_risk, sections

SHOP = "https://shop.example"
MAP = pd.DataFrame(
    [
        (f"{SHOP}/blog/a", f"{SHOP}/stories/a", "sure", 2.0, 1.0),
        (f"{SHOP}/blog/b", f"{SHOP}/stories/b", "likely", 0.0, 9.0),
        (f"{SHOP}/c?x=/y/", "", "no good target", 5.0, 3.0),
    ],
    columns=["old_url", "new_url", "confidence", "cas_at_risk", "inlinks"],
)


def bars(drawn):
    return {bar.name: list(bar.x) for bar in drawn.data if bar.type == "bar"}


def test_the_old_pages_with_the_most_to_lose_are_drawn_by_confidence():
    assert bars(at_risk(MAP)) == {"no good target": [5.0], "sure": [2.0]}
    assert at_risk(MAP).layout.title.text == "1 of 2 old pages with the highest risk has no good target"


def test_without_backlinks_the_inlinks_say_what_is_at_risk_and_without_both_a_sentence_says_so():
    unknown = MAP.assign(cas_at_risk=float("nan"))
    assert bars(at_risk(unknown)) == {"likely": [9.0], "no good target": [3.0], "sure": [1.0]}
    nothing = at_risk(unknown.assign(inlinks=float("nan")))
    assert not nothing.data and "None of these old pages has a loaded backlink" in nothing.layout.annotations[0].text


def test_bands_lead_from_old_sections_to_new_ones():
    [drawn] = sections(MAP).data
    names = list(drawn.node.label)
    found = {
        (names[one], names[other]): value
        for one, other, value in zip(drawn.link.source, drawn.link.target, drawn.link.value, strict=True)
    }
    assert found == {("/blog/", "/stories/"): 2, ("no folder", "no good target"): 1}
    assert not sections(MAP.head(0)).data
