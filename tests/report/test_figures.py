from backlink_audit.report.client import LABELS, figure_rows, not_compared

NOW = dict.fromkeys(LABELS, 0.5) | {"authority": 62.0, "mean_cas": 3.0, "authority_name": "DR", "verdicts": {}}
FORMER = NOW | {"authority": 34.0, "mean_cas": 1.0}


def rows(former):
    return {label: cells for label, *cells in figure_rows(NOW, former)}


def test_ratings_of_one_tool_are_subtracted():
    assert rows(FORMER)["Median DR"] == ["62", "34", "+28"]
    assert not_compared(NOW, FORMER) == ""


def test_ratings_of_two_tools_are_not():
    former = FORMER | {"authority_name": "Page ascore"}
    assert rows(former)["Median DR"] == ["62", "–", ""]
    assert rows(former)["Mean CAS"] == ["3.000", "–", ""]
    assert rows(former)["Relevant"] == ["50%", "50%", "same"], "what no tool rates is compared still"
    assert "ratings by Page ascore" in not_compared(NOW, former)


def test_without_ratings_there_is_nothing_to_say():
    assert not_compared(NOW, {}) == ""
    assert not_compared(NOW, FORMER | {"authority": None, "mean_cas": None, "authority_name": "Domain rating"}) == ""
