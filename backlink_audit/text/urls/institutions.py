"""Public authorities, universities and the like, known by the host: `institutions.csv`."""

from functools import cache

from backlink_audit.text.urls.parts import idna_host, registrable_domain
from backlink_audit.text.word_lists import read_list

COUNTRY_CODE = 2
"""Letters of a top-level domain of a country. A word in the name counts only there: anybody can buy one under .com."""


@cache
def institution_of(host: str) -> str:
    """Return what a host's name shows that it is, "" where it shows nothing.

    >>> institution_of("water.example.gov.uk"), institution_of("www.gov.example.com")
    ('a public authority', '')
    >>> institution_of("vallbykommun.se"), institution_of("vallbykommun.com")
    ('a public authority', '')
    """
    host = idna_host(host)
    endings, names = _lists()
    labels = host.split(".")
    ending = next((endings[end] for start in range(len(labels)) if (end := ".".join(labels[start:])) in endings), "")
    if ending:
        return ending
    if len(labels[-1]) != COUNTRY_CODE:
        return ""
    second = endings.get(f"{labels[-2]}.*", "") if len(labels) > COUNTRY_CODE else ""
    owned = registrable_domain(host).partition(".")[0]
    return second or next((what for word, what in names.items() if word in owned), "")


@cache
def _lists() -> tuple[dict[str, str], dict[str, str]]:
    """Return what each ending of a host shows ("gov.*" before any country's code), and each part of a name."""
    rows = read_list("institutions")
    endings, names = (
        {row["host"]: row["what"] for row in rows if row["found"] == where} for where in ("at the end", "in the name")
    )
    return endings, names
