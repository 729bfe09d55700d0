"""Clusters as tables for the reader: every page with its cluster, and the sheets of the workbook."""

import pandas as pd

from backlink_audit.clusters.result import Clusters
from backlink_audit.glossary import TERMS
from backlink_audit.report.rows import (
    Tables,
    WholeTables,
    rows_of_file,
    rows_of_notes,
    sheet,
    shown,
    summary_table,
)
from backlink_audit.site.page_figures import FIGURES

GROUPS = sheet("clusters.groups", lambda clusters: clusters.groups)
MISSING = sheet("clusters.missing", lambda clusters: clusters.missing_links)
PAGES = sheet("clusters.pages", lambda clusters: clusters.pages)
ON_MAP = sheet("clusters.on_map", lambda clusters: clusters.pages)
LINKING = sheet("clusters.linking", lambda clusters: clusters.topic_map.referring)
CURVE = sheet("clusters.curve", lambda clusters: clusters.curve.astype({"k": "int64"}) if len(clusters.curve) else None)


def tables(clusters: Clusters) -> WholeTables:
    return Tables(lambda: main_table(clusters), lambda: sheets(clusters))


def main_table(clusters: Clusters) -> pd.DataFrame:
    """Return one row per page; the first three columns are exactly cluster, title and url."""
    whole = clusters.groups.drop(columns=["cluster", *FIGURES], errors="ignore")
    pages = clusters.pages.join(whole, on="cluster_number")
    pages = pages.sort_values(["cluster_number", "is_hub", "similarity"], ascending=[True, False, False], kind="stable")
    table = pd.DataFrame(
        {
            "cluster": pages["cluster"],
            "title": pages["title"],
            "url": pages["url"],
            "Hub page URL": pages["hub_url"],
            "Hub": pages["is_hub"],
            "Pages": pages["size"],
            "Mean similarity": pages["mean_similarity"],
            "Similarity": pages["similarity"],
        }
    )
    return table.join(shown(pages, FIGURES)).reset_index(drop=True)


def sheets(clusters: Clusters) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order."""
    made = {one.name: one.table(clusters) for one in (GROUPS, MISSING, CURVE)}
    found = {name: table for name, table in made.items() if table is not None}
    return {"Summary": summary(clusters), "Pages": main_table(clusters), **found}


def summary(clusters: Clusters) -> pd.DataFrame:
    """Return what was done, with what, and what came out, as rows of Part, What and Value."""
    settings, texts = clusters.settings, clusters.texts
    tried = clusters.curve["k"].astype("int64")
    chosen = (
        "given" if settings.k or tried.empty else f"best silhouette score of {tried.min()} to {tried.max()} clusters"
    )
    return summary_table(
        [
            ("Clusters", "File", clusters.cleaned.export.name),
            ("Clusters", "Format", clusters.cleaned.export.format.name),
            ("Clusters", "Created", clusters.made_at),
            ("Clusters", "Model", clusters.model),
            ("Settings", "Text compared", texts.mode),
            ("Settings", "Remove from titles", ", ".join(texts.brands) or "nothing"),
            ("Settings", "Number of clusters", chosen),
            ("Settings", "Random seed", str(settings.seed)),
            *rows_of_file(len(clusters.cleaned.export.raw), clusters.cleaned.removed),
            ("Rows", "Clustered", len(clusters.pages)),
            ("Result", "In a sentence", clusters.headline),
            ("Result", "Mean similarity", f"{clusters.mean_similarity:.3f}"),
            ("Method", "Clusters", "k-means on the normalised embeddings of the pages, with a fixed seed"),
            ("Method", "Names", "phrases by class-based TF-IDF, weighted by their cosine to the cluster's centre"),
            ("Method", "Hub", TERMS["is_hub"].help),
            ("Method", "Similarity", "cosine of a page to its cluster's centre, -1 to 1"),
            *rows_of_notes(clusters.notes),
        ]
    )
