"""A site as GraphML: what another program reads is what was written."""

from io import BytesIO

import networkx as nx
import pandas as pd

from backlink_audit.report.files import write_graphml


def test_pages_and_links_are_read_again_with_what_is_known_of_them():
    nodes = pd.DataFrame({"url": ["a", "b"], "title": ["<Oak> & \x00elm", ""], "link_score": [90.5, float("nan")]})
    edges = pd.DataFrame({"source": ["a"], "target": ["b"], "links": [2], "followed": [True]})
    graph = nx.read_graphml(BytesIO(write_graphml(nodes, edges)))
    assert graph.nodes["a"] == {"title": "<Oak> & elm", "link_score": 90.5}
    assert "link_score" not in graph.nodes["b"]
    assert graph.edges["a", "b"] == {"links": 2, "followed": True}


def test_a_site_without_links_is_a_graph_without_edges():
    edges = pd.DataFrame({"source": [], "target": []})
    assert nx.read_graphml(BytesIO(write_graphml(pd.DataFrame({"url": ["a"]}), edges))).number_of_edges() == 0
