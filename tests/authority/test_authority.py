import pandas as pd

from backlink_audit.authority import charts

PAGES = pd.DataFrame(
    {
        "url": [f"https://a.example/{n}" for n in range(20)],
        "pagerank": [0.2, 0.1] + [0.7 / 18] * 18,
        "link_score": [100.0, 80.0] + [20.0] * 18,
        "verdict": ["Fine", "Underlinked"] + ["Orphan"] * 18,
        "why": "because",
    }
)


def test_the_strongest_pages_are_drawn_in_the_colours_of_their_verdicts() -> None:
    drawn = charts.strongest(PAGES)
    bars = {trace.name: list(trace.x) for trace in drawn.data if trace.type == "bar"}
    assert bars["Fine"] == [100.0] and bars["Underlinked"] == [80.0] and len(bars["Orphan"]) == 13
    assert drawn.layout.title.text == "The strongest 15 pages have 81% of the authority"


def test_those_that_gain_and_those_that_lose_most_are_drawn() -> None:
    changes = pd.DataFrame({"url": ["a", "b", "c"], "share_change": [0.5, 0.0, -0.25]})
    bars = {trace.name: list(trace.x) for trace in charts.gains_and_losses(changes).data if trace.type == "bar"}
    assert bars == {"gains": [50.0], "loses": [-25.0]}


def test_nothing_to_draw_is_said() -> None:
    assert "No pages" in charts.strongest(PAGES.head(0)).layout.annotations[0].text
    still = pd.DataFrame({"url": ["a"], "share_change": [0.0]})
    assert "changes" in charts.gains_and_losses(still).layout.annotations[0].text
