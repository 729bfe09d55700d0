import pandas as pd

from backlink_audit.existing_links import charts

LINKS = pd.DataFrame(
    {"page_relevance": [5.0, 95.0, 100.0, float("nan")], "verdict": ["Off-topic", "Fine", "Fine", "Mend"]}
)


def test_links_are_counted_by_relevance_and_verdict() -> None:
    drawn = charts.relevances(LINKS)
    bars = {trace.name: dict(zip(trace.customdata, trace.y, strict=True)) for trace in drawn.data}
    assert bars == {"Off-topic": {"0 to 10": 1}, "Fine": {"90 to 100": 2}}
    assert drawn.layout.title.text == "2 of 4 links: nothing to do"


def test_no_links_are_said() -> None:
    assert "No links" in charts.relevances(LINKS.head(0)).layout.annotations[0].text
