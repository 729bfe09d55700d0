"""What the tests of clusters are made of."""

from functools import cache
from typing import Any

import pandas as pd

from backlink_audit import sample
from backlink_audit.clusters.result import Clusters
from backlink_audit.clusters.run import find_clusters
from backlink_audit.exports.load import load
from backlink_audit.exports.recognise import Export
from backlink_audit.report.files import write_csv
from backlink_audit.settings import ClusterSettings
from backlink_audit.sources import Sources
from tests.toy import ToyEncoder

SITE = "https://www.shop.example"


def crawl(titles: list[str], contents: list[str] | None = None, **columns: Any) -> Export:
    """A crawl in Screaming Frog's words, one page for each title."""
    table = pd.DataFrame({"Address": [f"{SITE}/item-{row}" for row in range(len(titles))], "Title 1": titles})
    table["Status Code"] = "200"
    if contents is not None:
        table["Content"] = contents
    return load([("crawl.csv", write_csv(table.assign(**columns)))], "pages")


def of_sample(kind: str) -> Export:
    return load(sample.files()[kind], kind)


@cache
def clusters_of_sample() -> Clusters:
    """Made once: no test changes it."""
    return find_clusters(
        of_sample("pages"),
        ClusterSettings(k=8),
        ToyEncoder(),
        sources=Sources(inlinks=of_sample("inlinks"), backlinks=of_sample("backlinks")),
    )
