"""The graph of a site: its pages with their authority, and which links to which."""

import pandas as pd

from backlink_audit.pipelines.authority.result import SiteAuthority

PAGES = ("url", "title", "link_score", "pagerank", "links_in", "links_out", "verdict")


def pages_and_links(result: SiteAuthority) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the pages (`PAGES`), and one row per linked pair: source, target (URLs), links, followed, in_content."""
    urls = result.graph.pages["url"].to_numpy()
    links = result.graph.links
    pairs = links.groupby(["source", "target"], sort=False).agg(
        links=("row", "size"), followed=("followed", "any"), in_content=("in_content", "any")
    )
    edges = pairs.reset_index()
    return (
        result.pages[list(PAGES)],
        edges.assign(source=urls[edges["source"].to_numpy()], target=urls[edges["target"].to_numpy()]),
    )
