"""Inserted links told from honest ones on invented pages: `python -m benchmarks.inserted_links [MODEL …]`.

Every page of inserted_links.toml is made as HTML several times: with an honest sentence, with a seller's one, with a
link in its footer and with a list of links. The limits of `analysis.inserted_links` are set on the half "set"; the half
"held out" has other topics, other sellers and other sentences. The way of a link is the whole one: the page is read
as the link check reads it, its facts become a table, and the audit takes them over.
"""

import re
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.check.run import check, question_of, tables
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.load import load
from backlink_audit.fetching.answers import Answer, facts_of
from backlink_audit.fetching.reading import read_page
from backlink_audit.report.files import write_csv
from backlink_audit.settings import AuditSettings, BacklinkFilters
from backlink_audit.sources import Sources
from backlink_audit.text.link_texts import sentences_of
from backlink_audit.text.urls import registrable_domain
from benchmarks.measure import machine, table, write_section

FILE = Path(__file__).with_suffix(".toml")
MODELS = ("use-multilingual-v3", "multilingual-e5-small")
LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")
LISTED = ("https://town-council.example/", "https://weather-today.example/", "https://local-paper.example/")


@dataclass(frozen=True)
class Made:
    """A page with one link. `kind`: honest, inserted, footer, div (a footer that HTML does not mark) or list."""

    half: str
    language: str
    kind: str
    url: str
    target: str
    anchor: str
    html: str


def made_pages() -> list[Made]:
    """Return the invented pages."""
    found = []
    for number, page in enumerate(tomllib.loads(FILE.read_text(encoding="utf-8"))["page"]):
        found.append(_made(page, "honest", number))
        if page["seller"]:
            found.append(_made(page, "inserted", number))
            found.append(_made(page, ("footer", "div", "list")[number % 3], number))
    return found


def _made(page: dict[str, str], kind: str, number: int) -> Made:
    sentence = page["seller" if kind == "inserted" else "honest"]
    link = LINK.search(sentence)
    assert link is not None
    anchor, target = link.groups()
    in_text = sentence if kind in ("honest", "inserted") else ""
    linked = f'<a href="{target}">{anchor}</a>'
    listed = "".join(f'<li><a href="{url}">{registrable_domain(url)}</a></li>' for url in LISTED)
    body = "".join(f"<p>{_markup(' '.join(lines))}</p>" for lines in _paragraphs(page["text"], in_text, number))
    url = f"https://{page['site']}/{kind}"
    html = (
        f"<html lang={page['language']}><head><title>{page['title']}</title></head><body><nav><a href=/>Start</a></nav>"
        f"<main><h1>{page['title']}</h1><h2>{page['heading']}</h2>{body}"
        + (f"<h2>Links</h2><ul>{listed}<li>{linked}</li></ul>" if kind == "list" else "")
        + "</main>"
        + (f"<div><p>© 2026 · Website: {linked}</p></div>" if kind == "div" else "")
        + f"<footer><p>© 2026 {page['site']} {linked if kind == 'footer' else ''}</p></footer></body></html>"
    )
    return Made(page["half"], page["language"], kind, url, target, anchor, html)


def _paragraphs(text: str, sentence: str, number: int) -> list[list[str]]:
    """Return the paragraphs of a text with a sentence in the first, between them, or near the end."""
    paragraphs = [sentences_of(part) for part in text.split("\n\n")]
    if sentence and number % 3 == 0:
        paragraphs[0].insert(2, sentence)
    elif sentence and number % 3 == 1:
        paragraphs.insert(1, [sentence])
    elif sentence:
        paragraphs[-1].insert(-1, sentence)
    return paragraphs


def _markup(text: str) -> str:
    return LINK.sub(lambda link: f'<a href="{link[2]}">{link[1]}</a>', text)


def judged(pages: Iterable[Made], encoder: Encoder, model: str) -> pd.DataFrame:
    """Return the audit's word on the link of each page: half, language, kind, inserted, inserted_why and more."""
    pages = list(pages)
    rows = pd.DataFrame(
        {
            "Referring page URL": [page.url for page in pages],
            "Target URL": [page.target for page in pages],
            "Anchor": [page.anchor for page in pages],
        }
    )
    export = load([("links.csv", rows.to_csv(index=False).encode())], "backlinks")
    answers = [
        Answer(
            page.url,
            "read",
            status=200,
            final_url=page.url,
            reading=read_page(page.html.encode(), page.url, {registrable_domain(page.target)}, "text/html"),
        )
        for page in pages
    ]
    found = tables(check(question_of(export), *facts_of(answers))).main()
    checked = load([("checked.csv", write_csv(found))], "checked_links")
    settings = AuditSettings(model=model, filters=BacklinkFilters.none())
    links = audit_backlinks(export, settings, encoder, Sources(checked=checked)).links
    known = pd.DataFrame({name: [getattr(page, name) for page in pages] for name in ("half", "language", "kind")})
    return known.set_axis(links.index).join(links.drop(columns="language"))


def figures(links: pd.DataFrame) -> list[str]:
    """Return how many links are right, how many inserted ones were found, and how many honest ones accused."""
    accused, is_inserted = links["inserted"] == "yes", links["kind"] == "inserted"
    right = accused == is_inserted
    honest = links["kind"] == "honest"
    return [
        f"{right.mean():.1%} ({right.sum()} of {len(right)})",
        f"{(accused & is_inserted).sum()} of {is_inserted.sum()}",
        f"{(accused & honest).sum()} of {honest.sum()}",
        f"{(accused & ~honest & ~is_inserted).sum()} of {(~honest & ~is_inserted).sum()}",
    ]


def main(models: Iterable[str]) -> None:
    """Judge every page by every model, and write the table."""
    from backlink_audit.embedding.models import load_encoder

    before, pages, rows = machine(), made_pages(), []
    for model in models:
        links = judged(pages, load_encoder(model), model)
        for half, of_half in links.groupby("half", sort=False):
            rows.append([model, str(half), "all", *figures(of_half)])
        for language, spoken in links[links["half"] == "held out"].groupby("language", sort=False):
            rows.append([model, "held out", str(language), *figures(spoken)])
        wrong = links[(links["inserted"] == "yes") != (links["kind"] == "inserted")]
        print(wrong[["half", "language", "kind", "referring_url", "inserted", "inserted_why"]].to_string())
    header = ("model", "half", "language", "right", "inserted found", "honest accused", "footers and lists accused")
    note = f"{len(pages)} invented pages. The limits are set on one half; the other has other topics and sentences."
    write_section("Inserted links", f"{before}. {note}\n\n{table(header, rows)}")


if __name__ == "__main__":
    main(sys.argv[1:] or MODELS)
