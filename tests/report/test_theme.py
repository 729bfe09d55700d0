from backlink_audit.labels import Label
from backlink_audit.report import charts


def test_a_figure_carries_its_finding_and_what_is_drawn():
    drawn = charts.figure("Most links are relevant", "12 links")
    assert drawn.layout.title.text == "Most links are relevant"
    assert drawn.layout.title.subtitle.text == "12 links"


def test_a_figure_leaves_text_and_ground_to_the_viewer():
    drawn = charts.figure("Title")
    assert drawn.layout.font.color is None
    assert drawn.layout.paper_bgcolor is None


def test_an_empty_chart_says_why():
    drawn = charts.empty("Which?", "There are no dates in this export.")
    assert [note.text for note in drawn.layout.annotations] == ["There are no dates in this export."]
    assert len(drawn.data) == 0


def test_a_long_url_is_cut_in_the_middle_to_the_limit():
    short = charts.shorten("https://www.example.org/" + "long/" * 40 + "end.html", limit=40)
    assert len(short) == 40
    assert short.startswith("example.org/") and short.endswith("end.html") and "…" in short


def test_different_urls_never_share_an_axis_label():
    urls = ["https://a.example/" + "x" * 90 + end + "x" * 90 for end in "12"]
    labels = charts.shorten_distinct(urls, limit=30)
    assert len(set(labels)) == 2


def test_a_field_keeps_its_colour():
    assert charts.field_colour("Travel") == charts.field_colour("Travel")
    assert charts.field_colour("Travel") in charts.PALETTE


def test_named_bars_have_a_bar_and_a_name_each():
    drawn = charts.named_bars("Title", "2 links", names=["one", "two"], values=[0.5, 0.25])
    bars, names = drawn.data
    assert list(bars.x) == [0.5, 0.25]
    assert list(bars.text) == ["0.500", "0.250"]
    assert list(names.text) == ["one", "two"]


def test_named_bars_of_one_meaning_share_a_legend_entry():
    good, bad = Label("good", "#000000", ""), Label("bad", "#ffffff", "")
    drawn = charts.named_bars("Title", "", names=list("abc"), values=[3, 2, 1], labels=[good, bad, good])
    first, second, _ = drawn.data
    assert (first.name, list(first.y), list(first.x)) == ("good", [0, 2], [3, 1])
    assert (second.name, list(second.y), list(second.x)) == ("bad", [1], [2])
