"""A site's pages and links as GraphML, for programs that draw and measure graphs (Gephi, yEd, Cytoscape)."""

import re
from collections.abc import Hashable, Mapping
from io import BytesIO
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_graphml(nodes: pd.DataFrame, edges: pd.DataFrame) -> bytes:
    """Return a directed graph as GraphML.

    `nodes` has url, each once, and what is known of each page; `edges` source and target (URLs) and what is known of
    each link. Missing numbers are left out; letters that XML forbids too.
    """
    graph: nx.DiGraph = nx.DiGraph()
    for node in nodes.to_dict("records"):
        graph.add_node(_plain(node.pop("url")), **_known(node))
    for edge in edges.to_dict("records"):
        graph.add_edge(_plain(edge.pop("source")), _plain(edge.pop("target")), **_known(edge))
    file = BytesIO()
    nx.write_graphml_xml(graph, file)
    return file.getvalue()


def _known(values: Mapping[Hashable, Any]) -> dict[str, object]:
    """Return the values that are there, as GraphML's own types."""
    return {str(name): _plain(value) for name, value in values.items() if not pd.isna(value)}


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    return _NOT_IN_XML.sub("", value) if isinstance(value, str) else value
