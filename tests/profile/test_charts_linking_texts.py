"""The chart of Google's linking texts has the numbers of its table."""

import pandas as pd

from backlink_audit.profile.charts import text_classes

MIX = pd.DataFrame({"anchor_class": ["branded", "generic"], "texts": [3, 1], "share": [0.75, 0.25]})


def test_every_class_has_its_bar_and_the_title_names_the_first():
    drawn = text_classes(MIX)
    assert list(drawn.data[0].x) == [3, 1] and list(drawn.data[0].y) == ["branded", "generic"]
    assert drawn.layout.title.text.startswith("Most frequent kind of linking text: branded, 75%")


def test_a_list_without_texts_says_so():
    assert text_classes(MIX.head(0)).layout.annotations[0].text == "The list is empty."
