"""The redirect chains of links, as a tool writes them."""

import pandas as pd

from backlink_audit.text.urls.parts import map_distinct, normalise_urls, registrable_domains


def urls_of(chain: str) -> tuple[str, ...]:
    """Return the URLs of a chain as the tool writes it; a comma inside a URL is kept.

    >>> urls_of("http://a.example/x,1, https://a.example/x,1")
    ('http://a.example/x,1', 'https://a.example/x,1')
    """
    found = chain.replace(", http", "\0http").split("\0")
    return tuple(url.strip() for url in found)


def old_addresses(links: pd.DataFrame) -> pd.Series:
    """Return the key of the page that each link really names, "" where that is its target.

    `links` has redirect_urls and target_key. A URL that differs from the target by scheme, www or slash alone names it.
    """
    linked = map_distinct(links["redirect_urls"], lambda chain: urls_of(chain)[0])
    keys = normalise_urls(linked).where(linked != "", "")
    return keys.where(keys != links["target_key"], "").astype("str")


def hops(links: pd.DataFrame) -> pd.DataFrame:
    """Return the other domains that links arrive over, each once: target_domain, referring_domain, written.

    `links` has target_domain and referring_domain, and may have redirect_urls.
    """
    if "redirect_urls" not in links:
        return pd.DataFrame(columns=["target_domain", "referring_domain", "written"], dtype="str")
    over = links.loc[links["redirect_urls"] != "", ["target_domain", "referring_domain", "redirect_urls"]]
    chains = pd.Series([urls_of(chain) for chain in over["redirect_urls"]], over.index, dtype="object")
    steps = over.drop(columns="redirect_urls").assign(written=chains).explode("written")
    steps["written"] = registrable_domains(steps["written"].astype("str"))
    return steps[steps["written"] != steps["target_domain"]].drop_duplicates()
