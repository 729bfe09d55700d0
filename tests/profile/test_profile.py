"""The profile's charts have the numbers of their tables, and say why where there is nothing to draw."""

import pandas as pd

from backlink_audit.labels import ANCHOR_CLASSES, readable_on
from backlink_audit.profile import charts

BANDS = pd.DataFrame({"value": ["50+", "20–49", "1–19 (check)", "0", "not given"], "domains": [2, 1, 1, 1, 0]})
MIX = pd.DataFrame({"anchor_class": [label.word for label in ANCHOR_CLASSES], "links": [5, 3, 0, 0, 1, 1, 0]})
MIX["share"] = MIX["links"] / 10
MONTHS = pd.DataFrame(
    {
        "month": pd.to_datetime(["2024-01-01", "2024-02-01", "2024-03-01"]),
        "new_domains": [4, 90, 3],
        "lost_domains": [1, 0, 40],
        "net_domains": [3, 90, -37],
        "spike": ["", "new", "lost"],
    }
)
TOPICS = pd.DataFrame(
    {
        "topic_field": ["Pets", "Pets", "Games"],
        "topic": ["cats", "dogs", "chess"],
        "links": [5, 2, 1],
        "domains": [1, 2, 1],
    }
)


def sentence(drawn) -> str:
    return drawn.layout.annotations[0].text


def test_bands_show_domains_and_leave_out_unknown_ones_if_there_are_none():
    drawn = charts.authority_bands(BANDS, "DR")
    assert list(drawn.data[0].x) == [2, 1, 1, 1]
    assert drawn.layout.title.text == "40% of the referring domains have DR 50 or more"
    assert drawn.data[0].insidetextfont.color == readable_on(drawn.data[0].marker.color)  # a list colours one bar alone


def test_anchor_classes_have_their_own_colours():
    drawn = charts.anchor_classes(MIX)
    assert list(drawn.data[0].x) == MIX["links"].tolist()
    assert list(drawn.data[0].marker.color) == [label.colour for label in ANCHOR_CLASSES]
    assert drawn.layout.title.text == "Most frequent kind of anchor: branded, 50% of the links"


def test_an_attribute_joins_its_rarest_values():
    table = pd.DataFrame({"value": [f"v{n}" for n in range(13)], "links": [20] + [1] * 12})
    drawn = charts.attribute(table.assign(share=table["links"] / 32), "Language")
    assert list(drawn.data[0].y)[-1] == "3 others"
    assert sum(drawn.data[0].x) == 32
    assert "32 links" in drawn.layout.title.subtitle.text


def test_months_have_new_domains_up_lost_ones_down_and_spikes_marked():
    new, lost, net, spikes = charts.months(MONTHS).data
    assert list(new.y) == [4, 90, 3]
    assert list(lost.y) == [-1, 0, -40]
    assert list(net.y) == [3, 90, -37]
    assert list(spikes.y) == [90, -40]


def test_months_without_lost_domains_say_why():
    drawn = charts.months(MONTHS[["month", "new_domains", "spike"]].replace("lost", ""), "No column “Lost”.")
    assert [trace.name for trace in drawn.data] == ["New", "Spike"]
    assert drawn.layout.title.subtitle.text.endswith("No column “Lost”.")


def test_the_tree_map_adds_up_by_links_and_by_domains():
    for drawn, total in ((charts.topics(TOPICS, "links"), 8), (charts.topics(TOPICS, "domains"), 4)):
        tree = drawn.data[0]
        fields = [value for value, parent in zip(tree.values, tree.parents, strict=True) if not parent]
        assert sum(fields) == total
        assert len(tree.ids) == len(set(tree.ids)) == 5


def test_target_pages_show_the_most_linked_whole_in_the_hover():
    long = "https://our-site.com/" + "x" * 90
    table = pd.DataFrame({"target_url": [long, "https://our-site.com/b"], "links": [3, 1], "domains": [2, 1]})
    drawn = charts.target_pages(table)
    assert list(drawn.data[0].x) == [2, 1]
    assert drawn.data[0].hovertext[0].startswith(long)


def test_anchors_show_their_fit():
    table = pd.DataFrame(
        {"anchor": ["oak", ""], "anchor_class": ["partial", "image or empty"], "mean_similarity": [0.5, None]}
    )
    assert list(charts.anchors_fit(table).data[0].x) == [0.5]


def test_empty_tables_are_said_to_be_empty():
    nothing = pd.DataFrame()
    assert sentence(charts.authority_bands(BANDS.assign(domains=0), "DR")) == "No referring domains to show."
    assert sentence(charts.anchor_classes(MIX.assign(links=0))) == "No links to show."
    assert sentence(charts.attribute(nothing, "Language")) == "Not available in this export."
    assert sentence(charts.months(nothing, "No column “First seen”.")) == "No column “First seen”."
    assert sentence(charts.topics(TOPICS[:0], "links", "Run the audit.")) == "Run the audit."
    assert sentence(charts.page_kinds(nothing, "Run the audit.")) == "Run the audit."
    assert sentence(charts.target_pages(nothing)) == "No links to show."
    assert sentence(charts.anchors_fit(nothing, why_not="Run the audit.")) == "Run the audit."


def test_where_only_losses_are_dated_only_they_are_drawn():
    table = MONTHS[["month", "lost_domains", "spike"]].replace({"spike": {"new": ""}})
    lost, spikes = charts.months(table, "No dates of new links.").data
    assert list(lost.y) == [-1, 0, -40]
    assert list(spikes.y) == [-40]


def test_months_without_a_spike_have_no_marks():
    assert [trace.name for trace in charts.months(MONTHS.assign(spike="")).data] == ["New", "Lost", "Net"]


def test_an_attribute_of_few_values_joins_none():
    table = pd.DataFrame({"value": ["de", "en"], "links": [3, 1], "share": [0.75, 0.25]})
    assert list(charts.attribute(table, "Language").data[0].y) == ["de", "en"]


def test_anchors_whose_links_have_no_similarity_say_so():
    anchors = pd.DataFrame(
        {"anchor": ["a"], "anchor_class": [ANCHOR_CLASSES[0].word], "mean_similarity": [float("nan")]}
    )
    assert "No links with a similarity to show." in sentence(charts.anchors_fit(anchors))


def test_kinds_of_pages_are_bars_with_the_share_of_pages_in_the_title():
    table = pd.DataFrame({"value": ["page", "spam"], "links": [3, 1], "domains": [2, 1], "share": [0.75, 0.25]})
    drawn = charts.page_kinds(table)
    assert list(drawn.data[0].x) == [3, 1]
    assert drawn.layout.title.text == "75% of the links are on normal pages"


def test_unclear_is_no_subject_in_the_title():
    table = pd.DataFrame({"topic_field": ["unclear", "Travel"], "topic": ["unclear", "spas"], "links": [3, 1]})
    assert (
        charts.topics(table, "links").layout.title.text == "25% come from pages about travel; 75% with an unclear topic"
    )
    only = charts.topics(table[:1], "links").layout.title.text
    assert only == "The topics of the referring pages are unclear"


def test_anchors_that_look_alike_once_shortened_keep_labels_of_their_own():
    anchors = pd.DataFrame(
        {
            "anchor": ["https://a.example/", "a.example", "x" * 70 + "1" + "y" * 70, "x" * 70 + "2" + "y" * 70],
            "anchor_class": ["naked URL", "naked URL", "other", "other"],
            "mean_similarity": [0.1, 0.2, 0.3, 0.4],
        }
    )
    assert len(set(charts.anchors_fit(anchors).data[-1].text)) == 4


def test_the_title_of_the_months_counts_what_came_and_went():
    months = pd.DataFrame(
        {"month": pd.to_datetime(["2025-01-01", "2025-02-01"]), "new_domains": [3, 1], "lost_domains": [0, 2]}
    ).assign(net_domains=[3, -1], spike="")
    assert charts.months(months).layout.title.text == "4 new and 2 lost referring domains"
