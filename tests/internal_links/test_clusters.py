"""The clusters of suggested links are those that Topic clusters finds in the same crawl."""

from backlink_audit import sample
from backlink_audit.clusters.run import find_clusters
from backlink_audit.exports.load import load
from backlink_audit.internal_links.result import with_clusters
from backlink_audit.internal_links.run import find_internal_links
from backlink_audit.internal_links.tables import tables
from backlink_audit.settings import ClusterSettings, InterlinkSettings
from tests.toy import ToyEncoder


def test_both_pages_of_a_suggestion_have_the_cluster_that_topic_clusters_gives_them():
    pages, encoder = load(sample.files()["pages"], "pages"), ToyEncoder()
    found = with_clusters(find_internal_links(pages, InterlinkSettings(min_similarity=0.2), encoder), encoder)
    clusters = find_clusters(pages, ClusterSettings(), encoder, with_map=False).pages.set_index("url")["cluster"]
    shown = tables(found).main()
    assert len(shown) and shown["Source cluster"].nunique() > 1
    for end in ("Source", "Target"):
        assert shown[f"{end} cluster"].tolist() == clusters.loc[shown[f"{end} URL"]].tolist()
    assert "Cluster" in tables(found).sheets()["Isolated pages"].columns
