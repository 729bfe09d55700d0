"""Labelled links as the audit reads them: a folder of labels, their exports, and invented links about other things."""

from pathlib import Path

import numpy as np
import pandas as pd

from backlink_audit.exports.load import recognise_file
from backlink_audit.exports.recognise import Export

KINDS = {"editorial": "page", "resource": "page", "shop": "page", "directory": "list", "scraper": "list"} | {
    "spam": "spam",
    **dict.fromkeys(["forum", "comment", "profile"], "visitors"),
}
"""Our kind of page for each kind that readers wrote down; others are left out."""
ABOUT = ("same", "near")
"""What readers wrote of pages about the target's subject."""
KEPT = ("protect", "fine")
"""What readers wrote of links worth keeping."""

SITES_TOGETHER = 4
"""Sites whose targets are swapped among them."""
INSERTED_SHARE, MOST_INSERTED = 1 / 8, 20
"""How many links of other sites are put into an export, beside its own."""
SETS = {"four": ("relevance/true.csv", "links.csv"), "nine": ("relevance/nine_sites.csv", "nine_sites.csv")}
"""Sets of one file: where their links lie beside the folder of labels, and the labels."""


def labelled_exports(folder: Path) -> dict[str, pd.DataFrame]:
    """Return the raw exports of all sites by their names, each with the readers' columns, "" where nobody read it.

    `folder` has labels `links.csv`, `nine_sites.csv` (row) and `sites.csv` (file, row), with topic, field, kind and
    worth; and the exports: `sites/*.csv`, and SETS beside it.
    """
    found: dict[str, pd.DataFrame] = {}
    for name, (links, labels) in SETS.items():
        table, read = _csv(folder.parent / links), _csv(folder / labels)
        joined = _joined(table, read)
        found |= {f"{name}:{site}": part.reset_index(drop=True) for site, part in joined.groupby("site")}
    read = _csv(folder / "sites.csv")
    for path in sorted((folder / "sites").glob("*.csv")):
        found[f"sites:{path.stem}"] = _joined(_csv(path), read[read["file"] == path.name])
    return {name: table.assign(site=name) for name, table in found.items()}


def with_swapped_targets(exports: dict[str, pd.DataFrame], seed: int = 0) -> dict[str, pd.DataFrame]:
    """Return the links of SITES_TOGETHER sites at a time, each with a target of another of them: bought links.

    Column `site` keeps the site that a link was taken from; the labels of the topic become other.
    """
    random = np.random.default_rng(seed)
    found = {}
    for of_set in sorted({name.split(":")[0] for name in exports}):
        names = [name for name in sorted(exports) if name.startswith(f"{of_set}:")]
        groups = max(1, len(names) // SITES_TOGETHER)
        for number in range(groups):
            part = names[number::groups]
            table = pd.concat([exports[name] for name in part], ignore_index=True)
            column = next(header for header in table.columns.astype(str) if header.lower() == "target url")
            other = random.integers(len(table), size=len(table))
            while (same := table["site"].to_numpy() == table["site"].to_numpy()[other]).any():
                other[same] = random.integers(len(table), size=int(same.sum()))
            topic = np.where(table["topic"].isin(ABOUT), "other", "")
            found[f"{of_set}:{number}"] = table.assign(**{column: table[column].to_numpy()[other], "topic": topic})
    return found


def with_inserted_links(exports: dict[str, pd.DataFrame], seed: int = 0) -> dict[str, pd.DataFrame]:
    """Return each site's links, unlabelled, with some good links of other sites of its set that now link to this one.

    So a page that is strong, in the content and about something else is known as that.
    """
    random = np.random.default_rng(seed)
    found = {}
    for name, table in exports.items():
        others = [other for other in exports if other.split(":")[0] == name.split(":")[0] and other != name]
        good = pd.concat([exports[other][exports[other]["topic"].isin(ABOUT)] for other in others], ignore_index=True)
        many = int(np.clip(len(table) * INSERTED_SHARE, 1, min(MOST_INSERTED, len(good))))
        column = next(header for header in table.columns.astype(str) if header.lower() == "target url")
        target = table[column].to_numpy()[random.integers(len(table), size=many)]
        inserted = good.iloc[random.choice(len(good), many, replace=False)].assign(**{column: target, "topic": "other"})
        found[name] = pd.concat([table.assign(topic=""), inserted], ignore_index=True).assign(site=name)
    return found


def as_export(name: str, table: pd.DataFrame) -> Export:
    """Return an export as the audit recognises it from a file."""
    return recognise_file(f"{name}.csv", table.to_csv(index=False).encode())


def _joined(table: pd.DataFrame, labels: pd.DataFrame) -> pd.DataFrame:
    labels = labels.set_index(labels["row"].astype(int))[["topic", "field", "kind", "worth"]]
    return table.join(labels).fillna("")


def _csv(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, dtype=str, keep_default_na=False)
