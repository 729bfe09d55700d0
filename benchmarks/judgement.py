"""Fit what links are judged by on labels that readers wrote, and write docs/judgement.md.

    python -m benchmarks.judgement FOLDER_OF_LABELS [MODEL …]

For each model, `backlink_audit/judgement/fitted/MODEL.json` is written: trees grown on all labels. Every
figure of docs/judgement.md is of sites that the trees did not see. The folder: `benchmarks.judgement_labels`.
"""

import json
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import backlink_audit.analysis.relevance as relevance
import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.metrics import roc_auc_score

from backlink_audit.audit.run import compare_links
from backlink_audit.embedding.models import load_encoder
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.judgement.export_summary import join_summaries, summarise_part
from backlink_audit.judgement.features import FEATURE_NAMES, MEANING_NAMES, link_features
from backlink_audit.judgement.trees import KINDS as KINDS_OF_PAGES
from backlink_audit.settings import LINKS_MODEL, AuditSettings, BacklinkFilters
from benchmarks.judgement_fit import (
    INVENTED_WEIGHTS,
    Calibration,
    balance,
    calibrated,
    grow,
    left_out,
    nearness,
    written_forest,
)
from benchmarks.judgement_labels import (
    ABOUT,
    KEPT,
    KINDS,
    as_export,
    labelled_exports,
    with_inserted_links,
    with_swapped_targets,
)
from benchmarks.judgement_page import page

FITTED = Path(relevance.__file__).parent / "fitted"
PAGE = Path("docs/judgement.md")
READERS = ["site", "topic", "field", "kind", "worth"]


def labelled_features(exports: dict[str, pd.DataFrame], model: str) -> pd.DataFrame:
    """Return the features of every labelled link, with what readers wrote of it."""
    settings, encoder, found = AuditSettings(model=model), load_encoder(model), []
    for name, table in exports.items():
        export = as_export(name, table)
        links = compare_links(clean_backlinks(export, BacklinkFilters.none()).table, settings, encoder)
        whole = join_summaries([summarise_part(links)])
        features = link_features(links, whole.shared, links["target_domain"].map(whole.domains).astype("float64"))
        read = export.raw.loc[links.index, READERS]
        joined = features.join(links[[*MEANING_NAMES, "topic_field"]]).join(read)
        found.append(joined[joined["topic"] != ""])
    return pd.concat(found, ignore_index=True)


class Labels:
    """Labelled links with what each of the four questions asks of them: rows, answers, weights, invented rows."""

    def __init__(self, real: pd.DataFrame, invented: pd.DataFrame) -> None:
        """Keep both tables; `invented` has the column weight."""
        self.real, self.invented = real, invented

    def answers(self, question: str) -> tuple[np.ndarray, np.ndarray]:
        """Return which rows the question is asked of, bool, and the answers of those."""
        topic, kinds = self.real["topic"], self.real["kind"].map(KINDS).fillna("")
        asked = {"relevance": topic != "unclear", "kinds": kinds != ""}.get(question, topic != "")
        told: Any = {
            "relevance": topic.isin(ABOUT),
            "kinds": kinds,
            "worth": self.real["worth"].isin(KEPT),
            "suspicion": self.real["worth"] == "look",
        }[question]
        return asked.to_numpy(), told[asked].to_numpy()

    def calibration(self) -> Calibration:
        """Return what makes relevance keep what it promises on sites left out."""
        return Calibration.of(self.left_out("relevance")[:, 1], self.answers("relevance")[1])

    def left_out(
        self, question: str, columns: Sequence[str] = FEATURE_NAMES, seeds: Sequence[int] = (0, 1)
    ) -> np.ndarray:
        """Return the probabilities of the rows that are asked, each from trees that saw none of its site.

        Relevance is not calibrated yet.
        """
        asked, told = self.answers(question)
        rows: pd.DataFrame = self.real[asked]
        weights = balance(told) if question == "kinds" else None
        invented = self.invented if question == "relevance" else None
        return left_out(rows, told, rows["site"].to_numpy(), invented, columns, weights, seeds)

    def fitted(self, question: str) -> Any:
        """Return trees grown on all rows."""
        asked, told = self.answers(question)
        table, weights = self.real.loc[asked, list(FEATURE_NAMES)], np.ones(len(told))
        if question == "kinds":
            weights = balance(told)
        if question == "relevance":
            table = pd.concat([table, self.invented[list(FEATURE_NAMES)]])
            told = np.concatenate([told, np.zeros(len(self.invented), dtype=bool)])
            weights = np.concatenate([weights, self.invented["weight"]])
        rising = nearness(FEATURE_NAMES) if question == "relevance" else None
        return grow(table.to_numpy(dtype=np.float32), told, weights, rising)


def write_fitted(labels: Labels, model: str) -> None:
    """Write the trees of a model."""
    grown = {question: labels.fitted(question) for question in ("relevance", "worth", "suspicion", "kinds")}
    kinds = grown.pop("kinds")
    written = {
        "model": model,
        "fitted": date.today().isoformat(),
        "command": "python -m benchmarks.judgement",
        "features": list(FEATURE_NAMES),
        **{question: written_forest(trees) for question, trees in grown.items()},
        "relevance": written_forest(grown["relevance"], calibration=labels.calibration()),
        "kinds": {kind: written_forest(kinds, kinds.classes_.tolist().index(kind)) for kind in KINDS_OF_PAGES},
    }
    FITTED.mkdir(exist_ok=True)
    (FITTED / f"{model}.json").write_text(json.dumps(written, separators=(",", ":")) + "\n", encoding="utf-8")


def worth_of(labels: Labels, columns: Sequence[str]) -> dict[str, float]:
    """Return how well trees on these columns answer each question for sites left out, in one cut of the sites."""
    found: dict[str, float] = {}
    for question in ("relevance", "worth", "suspicion", "kinds"):
        _, told = labels.answers(question)
        says = labels.left_out(question, columns, seeds=(0,))
        if question == "kinds":
            found[question] = float((np.unique(told)[says.argmax(axis=1)] == told).mean())
        else:
            found[question] = float(roc_auc_score(told, says[:, 1]))
    return found


def main() -> None:
    """Fit and write."""
    folder, models = Path(sys.argv[1]), sys.argv[2:] or [LINKS_MODEL]
    exports = labelled_exports(folder)
    invented = {"swapped": with_swapped_targets(exports), "inserted": with_inserted_links(exports)}
    by_model = {}
    for model in models:
        taught = [
            labelled_features(tables, model).assign(weight=INVENTED_WEIGHTS[way]) for way, tables in invented.items()
        ]
        labels = Labels(labelled_features(exports, model), pd.concat(taught, ignore_index=True))
        write_fitted(labels, model)
        by_model[model] = labels
    labels = by_model[models[0]]
    columns = [[name for name in FEATURE_NAMES if name != without] for without in ("", *FEATURE_NAMES)]
    worths = Parallel(2)(delayed(worth_of)(labels, names) for names in columns)
    questions = {question: (*labels.answers(question), labels.left_out(question)) for question in worths[0]}
    asked, told, says = questions["relevance"]
    kept = calibrated(says[:, 1], told, labels.real["site"].to_numpy()[asked])
    questions["relevance"] = asked, told, np.column_stack([1 - kept, kept])
    others = {model: worth_of(of_model, FEATURE_NAMES) for model, of_model in by_model.items()}
    of_features = dict(zip(("", *FEATURE_NAMES), worths, strict=True))
    PAGE.write_text(page(labels.real, questions, of_features, others, len(labels.invented)), "utf-8")


if __name__ == "__main__":
    main()
