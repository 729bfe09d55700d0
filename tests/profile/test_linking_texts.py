"""Google's linking texts: classed, beside our links, alone, and in another language."""

import io
import zipfile

import pandas as pd
import pytest

from backlink_audit.errors import InvalidSetting, MissingColumns
from backlink_audit.exports.load import load
from backlink_audit.profile.result import sheets
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.profile.shares import TARGET_UNKNOWN, read_texts
from backlink_audit.sources import Sources
from tests.profile.made import LINKS

NAME = "https___our-site.com_-Top linking text-2026-07-18.csv"
TEXTS = b"Rank,Link text\n1,OUR site\n2,click here\n3,www.our-site.com\n4,oak  desks\n5,garden benches\n"
GOOGLE = b"Linking page,Last crawled\nhttps://a.example/,2026-07-01\n"


def zipped(data):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("Top linking text.csv", data)
    return "our-site.com-Top linking text.zip", packed.getvalue()


def workbook(data):
    packed = io.BytesIO()
    pd.read_csv(io.BytesIO(data)).to_excel(packed, index=False)
    return "our-site.com-Top linking text.xlsx", packed.getvalue()


def texts(data=TEXTS, name=NAME):
    return load([(name, data)], "linking_texts")


def test_beside_links_a_text_has_the_class_and_the_number_of_the_anchor_that_it_is():
    profile = profile_backlinks(LINKS, sources=Sources(texts=texts()))
    assert profile.linking_texts is not None
    table = profile.linking_texts.table.set_index("linking_text")
    assert table["anchor_class"].tolist() == ["branded", "generic", "naked URL", "exact match", TARGET_UNKNOWN]
    assert table["links"].tolist() == [1, 1, 0, 1, 0]
    assert profile.notes[-1] == "3 of 5 linking texts listed by Google are anchors of the chosen links."
    assert sheets(profile)["Linking texts"]["Links"].tolist() == [1, 1, 0, 1, 0]


def test_texts_change_no_count_of_links():
    without, beside = profile_backlinks(LINKS), profile_backlinks(LINKS, sources=Sources(texts=texts()))
    assert without.figures == beside.figures
    assert without.anchors.equals(beside.anchors)


def test_a_list_of_another_site_is_said():
    profile = profile_backlinks(LINKS, sources=Sources(texts=texts(name="other.example-Top linking text.csv")))
    assert profile.notes[-1].endswith("is a list of other.example, but none of the links point to that site.")


def test_beside_links_without_anchors_nothing_is_said_of_how_many_have_a_text():
    profile = profile_backlinks(load([("our-site.com-Latest links.csv", GOOGLE)]), sources=Sources(texts=texts()))
    assert profile.linking_texts is not None and profile.notes == ()
    assert list(profile.linking_texts.table) == ["list_place", "linking_text", "anchor_class"]


def test_alone_the_files_name_says_the_brand():
    assert (
        read_texts(texts()).headline
        == "Google lists 5 linking texts of our-site.com: 20% branded, 20% naked URLs, 20% generic."
    )


def test_without_a_site_nothing_is_called_branded_until_it_is_given():
    listed = texts(name="Top linking text.csv")
    nameless = read_texts(listed)
    assert nameless.headline == "Google lists 5 linking texts of your site: 20% naked URLs, 40% generic."
    assert dict((label, value) for label, value, _ in nameless.figures)["Branded"] is None
    assert read_texts(listed, site="our-site.com").headline == read_texts(texts()).headline
    with pytest.raises(InvalidSetting):
        read_texts(listed, site="no site")


@pytest.mark.parametrize("header", ["Rang,Linktext", "Classement,Texte du lien", "順位,リンク テキスト"])
def test_a_list_in_another_language_is_known_by_its_two_columns(header):
    data = TEXTS.replace(b"Rank,Link text", header.encode())
    assert texts(data).table.drop(columns="source_file").equals(texts().table.drop(columns="source_file"))


@pytest.mark.parametrize("packed", [zipped, workbook])
def test_it_is_the_same_in_a_zip_and_in_a_workbook(packed):
    name, data = packed(TEXTS)
    assert texts(data, name).table.drop(columns="source_file").equals(texts().table.drop(columns="source_file"))


def test_two_columns_of_words_are_no_such_list():
    with pytest.raises(MissingColumns, match="no column has the Linking text"):
        texts(b"Colour,Size\nred,small\nblue,large\n")


def test_of_two_lists_each_text_counts_once():
    both = load([(NAME, TEXTS), ("b.csv", b"Link text\nOur Site\nnew words\n")], "linking_texts")
    assert read_texts(both).table["linking_text"].tolist()[-2:] == ["garden benches", "new words"]


def test_anchors_of_other_tools_are_such_a_list_with_their_own_counts() -> None:
    csv = "Anchor text,Ref. domains,Ref. pages\nclick here,2,4\noak tables,31,90\n"
    texts = read_texts(load([("anchors.csv", csv.encode())], "linking_texts"), site="oak.example")
    assert texts.table["linking_text"].tolist() == ["oak tables", "click here"]
    assert texts.table["tool_links"].tolist() == [90, 4]
    assert texts.headline.startswith("Ahrefs lists 2 linking texts") and texts.about.startswith("Ahrefs lists")
