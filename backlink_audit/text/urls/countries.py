"""Which country a site is of, as far as the ending of its domain shows it."""

import pandas as pd

COUNTRIES_IN_NAME_ONLY = frozenset("ac ai cc co eu fm gg im io la ly me nu sh st to tv ws".split())
"""Two-letter endings that sites of any country take, and the EU's."""
NO_COUNTRIES = pd.Series(dtype="str")
"""Where no export has the country of any domain."""
BY_EXPORT, BY_ENDING = "export", "domain ending"
"""Where the country of a site comes from."""


def endings(domains: pd.Series) -> pd.Series:
    """Return the top-level domain of each referring domain, with its dot; "" for an IP address.

    >>> endings(pd.Series(["blog.example.co.uk", "10.0.0.1"])).tolist()
    ['.uk', '']
    """
    last = domains.str.replace(r"^.*\.", "", regex=True)
    return ("." + last).where(last.str.contains("[a-z]", regex=True), "").astype("str")


def countries(domains: pd.Series) -> pd.Series:
    """Return the country that each referring domain's ending names, in its two letters; "" where it names none.

    >>> countries(pd.Series(["a.example.de", "b.example.co.uk", "c.example.io", "d.example.com"])).tolist()
    ['DE', 'GB', '', '']
    """
    ending = endings(domains).str.removeprefix(".")
    names_one = ending.str.fullmatch("[a-z]{2}") & ~ending.isin(COUNTRIES_IN_NAME_ONLY)
    return ending.str.upper().replace("UK", "GB").where(names_one, "").astype("str")


def with_countries(table: pd.DataFrame, exported: pd.Series = NO_COUNTRIES) -> pd.DataFrame:
    """Return a table with referring_domain with country and country_from, both "" where nothing shows it.

    `exported`: the country of domains (its index) as an export gives it, which goes before that of the ending.

    >>> exported = pd.Series(["", "at"], index=["a.de", "a.de"])
    >>> domains = pd.DataFrame({"referring_domain": ["a.de", "b.fr", "c.com"]})
    >>> with_countries(domains, exported)[["country", "country_from"]].to_numpy().tolist()
    [['AT', 'export'], ['FR', 'domain ending'], ['', '']]
    """
    domains = table["referring_domain"]
    known = exported[exported != ""]
    said = known[~known.index.duplicated()].map(_short).astype("str").reindex(domains).fillna("").set_axis(table.index)
    by_ending = countries(domains)
    source = pd.Series("", table.index, dtype="str").mask(by_ending != "", BY_ENDING).mask(said != "", BY_EXPORT)
    return table.assign(country=said.where(said != "", by_ending), country_from=source)


def _short(country: str) -> str:
    """Return a country's code in capitals; names stay as they are."""
    return country.upper() if len(country) == 2 else country
