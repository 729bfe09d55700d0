"""Two versions of a small site."""

from backlink_audit.exports.load import load
from backlink_audit.exports.recognise import Export
from tests.crawls import as_csv

HEADER = ("Address", "Content Type", "Status Code", "Indexability", "Title 1", "H1-1", "Content", "Redirect URL")
CHAIRS = "Oak chairs by hand from old barns, oiled twice, with a back that fits and a seat of woven rush."
LAMPS = "Brass lamps that swing above a desk, wired for every land, with a switch on the cord and a warm bulb."
RUGS = "Rugs of wool knotted in the hills, dyed with plants, washed in the river and dried in the sun."


def site(*rows: tuple[str | int, ...], name: str = "crawl.csv") -> Export:
    """A crawl of (url, title, content[, status[, redirect[, indexability]]])."""
    full = [
        (url, "text/html", status, indexability, title, title, content, redirect)
        for url, title, content, status, redirect, indexability in (
            (*row, 200, "", "Indexable")[:3] + ((*row[3:], *(200, "", "Indexable")[len(row) - 3 :])) for row in rows
        )
    ]
    return load([(name, as_csv(HEADER, full))], "pages")


OLD_PAGES = (
    ("https://shop.example/", "Home of good things", "Good things for your home since 1950."),
    ("https://shop.example/oak-chairs", "Oak chairs", CHAIRS),
    ("https://shop.example/brass-lamps", "Brass lamps", LAMPS),
    (
        "https://shop.example/tax-forms",
        "Quarterly accounting bulletin",
        "Invoices vouchers ledgers depreciation audit.",
    ),
)
NEW_PAGES = (
    ("https://shop.example/", "Home of good things", "Good things for your home since 1950."),
    ("https://shop.example/furniture/chairs-of-oak", "Oak chairs", CHAIRS),
    ("https://shop.example/light/brass", "Brass lamps", LAMPS),
    ("https://shop.example/rugs", "Wool rugs", RUGS),
)
