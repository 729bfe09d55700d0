"""Inserted links: the audit of a school's page, by a toy model that knows words alone; and the real models' floors."""

import pandas as pd
import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.audit.tables import tables
from backlink_audit.embedding.models import load_encoder
from backlink_audit.exports.load import load
from backlink_audit.exports.parts import split
from backlink_audit.settings import AuditSettings, BacklinkFilters
from backlink_audit.sources import Sources
from benchmarks.inserted_links import MODELS, judged, made_pages
from tests.toy import ToyEncoder, audit_parts

EVERY_ROW = AuditSettings(filters=BacklinkFilters.none())
TARGET = "https://spins.example/casino-slots"
LINES = [f"The pupils of class {number} learn to read and write in school." for number in range(8)]
CASINO = "Spin roulette tables at the best casino slots tonight for large jackpots"
HEADER = [
    *("Referring page URL", "Target URL", "Anchor", "State on the page", "Nofollow on the page", "Place on the page"),
    *("Anchor on the page", "Text before", "Text after", "Title on the page", "Main text"),
]


def linked(sentence: str, anchor: str, **given: str) -> dict[str, str]:
    """Return a checked link that stands in a sentence of the school's page."""
    before, _, after = sentence.partition(anchor)
    row = {
        "Referring page URL": "https://school.example/news",
        "Target URL": TARGET,
        "Anchor": anchor,
        "State on the page": "there",
        "Nofollow on the page": "False",
        "Place on the page": "content",
        "Anchor on the page": anchor,
        "Text before": before.strip(),
        "Text after": after.strip(),
        "Title on the page": "News of the school and its pupils",
        "Main text": "\n".join([*LINES[:4], sentence, *LINES[4:]]),
    }
    return row | given


def sources(*rows: dict[str, str]) -> tuple[bytes, Sources]:
    checked = pd.DataFrame(rows, columns=HEADER)
    export = checked[HEADER[:3]].to_csv(index=False).encode()
    return export, Sources(checked=load([("checked.csv", checked.to_csv(index=False).encode())], "checked_links"))


def audited(*rows: dict[str, str]):
    export, given = sources(*rows)
    return audit_backlinks(load([("links.csv", export)], "backlinks"), EVERY_ROW, ToyEncoder(), given)


def test_a_casino_sentence_in_a_schools_page_is_probably_inserted_and_the_words_are_shown():
    link = audited(linked(CASINO, "casino slots")).links.iloc[0]
    assert link["inserted"] == "yes"
    why = f"The sentence with the link is about gambling, the rest of the page is not: “{CASINO}”"
    assert link["inserted_why"] == why
    assert link["sentence_fit"] > link["page_fit"]
    assert link["place"] == "content"


def test_a_sentence_like_the_others_of_its_page_is_not():
    found = audited(linked("The pupils of our school learn to read with reading books in class.", "reading books"))
    assert (found.links["inserted"] + found.links["inserted_why"]).tolist() == ["no"]


def test_a_page_about_casinos_may_link_to_one():
    about = "\n".join([*LINES, "The casino of our town is beside the school and its pupils."])
    found = audited(linked(CASINO, "casino slots", **{"Main text": about}))
    assert "gambling" not in found.links["inserted_why"].iloc[0]


@pytest.mark.parametrize(
    "given", [{"Place on the page": "footer"}, {"Text before": "", "Text after": "", "Main text": ""}]
)
def test_nothing_is_said_of_a_link_outside_the_text_or_of_a_page_without_text(given):
    found = audited(linked(CASINO, "casino slots", **given)).links.iloc[0]
    assert (found["inserted"], found["inserted_why"]) == ("", "")
    assert pd.isna(found["sentence_fit"])


def test_the_titles_of_the_sites_other_checked_pages_are_its_site():
    other = {"Referring page URL": "https://school.example/casino", "Title on the page": "casino slots spins example"}
    alone = audited(linked(CASINO, "casino slots")).links.iloc[0]
    both = audited(linked(CASINO, "casino slots"), linked(CASINO, "casino slots", **other)).links.iloc[0]
    assert both["site_fit"] > alone["site_fit"]


def test_the_tables_have_what_is_known_of_the_place():
    table = tables(audited(linked(CASINO, "casino slots"))).main()
    names = ["Place on the page", "Sentence fit", "Section fit", "Page fit", "Site fit", "Probably inserted"]
    assert set(names) < set(table.columns)
    assert table["Probably inserted"].tolist() == ["yes"]


def test_an_audit_in_parts_says_the_same(tmp_path):
    rows = [
        linked(CASINO, "casino slots"),
        linked("The pupils of our school learn to read with reading books in class.", "reading books"),
        linked(CASINO, "casino slots", **{"Referring page URL": "https://other.example/a", "Place on the page": ""}),
    ]
    export, given = sources(*rows)
    whole = audit_backlinks(load([("links.csv", export)], "backlinks"), EVERY_ROW, ToyEncoder(), given).links
    file = tmp_path / "links.csv"
    file.write_bytes(export)
    parts = audit_parts(split([file], tmp_path, rows_per_part=2), EVERY_ROW, ToyEncoder(), tmp_path / "stages", given)
    assert set(whole["inserted"]) == {"yes", "no"}
    for name in ("inserted", "inserted_why", "sentence_fit", "section_fit", "page_fit", "site_fit", "place"):
        assert parts.column(name).tolist() == pytest.approx(whole[name].tolist(), abs=1e-6), name


@pytest.mark.model
@pytest.mark.parametrize("model", MODELS)
def test_the_bundled_models_find_inserted_links_and_accuse_no_honest_one(model):
    pages = [page for page in made_pages() if page.half == "held out" and page.language in ("en", "es")]
    links = judged(pages, load_encoder(model), model)
    accused = links["inserted"] == "yes"
    assert accused[links["kind"] == "inserted"].sum() >= 4
    assert not accused[links["kind"] != "inserted"].any()
