"""What learning from decisions wins, simulated on labels that readers wrote: `python -m benchmarks.learning FOLDER`.

Decisions are drawn by chance from the labelled links of a site, and the rest of that site is judged. The general
judgement comes from trees that saw none of the site. The folder: `benchmarks.judgement_labels`.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from backlink_audit.judgement.features import FEATURE_NAMES
from backlink_audit.judgement.personal_model import USUAL, certainty, learn, sure_from
from backlink_audit.settings import LINKS_MODEL
from benchmarks.judgement import Labels, labelled_features
from benchmarks.judgement_fit import left_out
from benchmarks.judgement_labels import KEPT, labelled_exports

SIZES, TIMES, ERRORS = (30, 60), 40, (0.05, 0.1, 0.2)
REST = 4
"""Links that a site has to have left for the judgement to be tried on."""
COLUMNS = ["relevance", "worth", "suspicion"]


def scored(folder: Path) -> pd.DataFrame:
    """Return the labelled links with site, kept and what trees that saw none of the site say of them, 0-100."""
    exports = {name: table for name, table in labelled_exports(folder).items() if (table["topic"] != "").any()}
    links = labelled_features(exports, LINKS_MODEL, {})
    labels = Labels(links, pd.DataFrame())
    scores = pd.DataFrame(index=links.index, columns=COLUMNS, dtype="float64")
    for question in COLUMNS:
        asked, told = labels.answers(question)
        rows: pd.DataFrame = links[asked]
        says = left_out(rows, told, rows["site"].to_numpy(), None, FEATURE_NAMES)[:, 1]
        scores.loc[asked, question] = 100 * says
    return scores.assign(site=links["site"], kept=links["worth"].isin(KEPT))


def won(links: pd.DataFrame, decisions: int) -> pd.DataFrame:
    """Return for each site that is large enough how often the rest of it is judged rightly, without and with."""
    found = []
    for site, part in links.groupby("site"):
        scores, kept = part[COLUMNS].to_numpy(float), part["kept"].to_numpy()
        if len(part) < decisions + REST:
            continue
        for seed in range(TIMES):
            order = np.random.default_rng(seed).permutation(len(part))
            known, rest = order[:decisions], order[decisions:]
            learned = learn(scores[known], kept[known], known.astype(str), 0.1, USUAL[0.1])
            keep = learned.layer.keep(scores[rest])
            sure = certainty(keep) >= learned.sure_from
            wrong = (keep >= 0.5) != kept[rest]
            found.append(
                {
                    "site": site,
                    "general": ((scores[rest, 1] >= 50) == kept[rest]).mean(),
                    "learned": 1 - wrong.mean(),
                    "used": learned.is_used,
                    "sure": sure.mean() if learned.is_used else np.nan,
                    "wrong_of_sure": wrong[sure].mean() if learned.is_used and sure.any() else np.nan,
                }
            )
    return pd.DataFrame(found).groupby("site").mean()


def promised(links: pd.DataFrame, errors: float) -> dict[str, float]:
    """Return what is kept of a promise: the limit found on half of the sites, tried on the other half."""
    sites, found = links["site"].unique(), []
    keep, kept = links["worth"].to_numpy(float) / 100, links["kept"].to_numpy()
    for seed in range(5 * TIMES):
        half = np.random.default_rng(seed).choice(sites, len(sites) // 2, replace=False)
        seen = links["site"].isin(half).to_numpy()
        sure = ~seen & (certainty(keep) >= sure_from(keep[seen], kept[seen], errors))
        wrong = (keep[sure] >= 0.5) != kept[sure]
        by_site = pd.Series(wrong).groupby(links["site"].to_numpy()[sure]).agg(["mean", "size"])
        over = (by_site.loc[by_site["size"] >= 8, "mean"] > errors).mean()
        found.append((sure.sum() / (~seen).sum(), wrong.mean(), over))
    share, measured, over = np.mean(found, axis=0)
    return {"promised": errors, "sure": share, "measured": measured, "sites over": over}


def main() -> None:
    """Print the tables, and the limits that USUAL has."""
    links = scored(Path(sys.argv[1]))
    for size in SIZES:
        table = won(links, size)
        gain = table["learned"] - table["general"]
        print(f"\n{size} decisions, {len(table)} sites\n{table.round(3).to_string()}")
        print(f"mean {table['general'].mean():.3f} -> {table['learned'].mean():.3f}, worst {gain.min():+.3f}")
    print(pd.DataFrame([promised(links, errors) for errors in ERRORS]).round(3).to_string(index=False))
    keep, kept = links["worth"].to_numpy(float) / 100, links["kept"].to_numpy()
    print({errors: round(sure_from(keep, kept, errors), 4) for errors in ERRORS})


if __name__ == "__main__":
    main()
