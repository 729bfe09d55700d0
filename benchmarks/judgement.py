"""Fit what links are judged by on labels that readers wrote, and write docs/judgement.md.

    python -m benchmarks.judgement FOLDER_OF_LABELS [MODEL …]

For each model, `backlink_audit/judgement/fitted/MODEL.json` is written: trees grown on all labels. Every
figure of docs/judgement.md is of sites that the trees did not see. The folder: `benchmarks.judgement_labels`.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.metrics import roc_auc_score

import backlink_audit.judgement as judgement
from backlink_audit.audit.run import audit_backlinks, compare_links
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.models import load_encoder
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.judgement.features import (
    FEATURE_NAMES,
    MOST_OF_SITE,
    ROW_FEATURES,
    SITE_FEATURES,
    features_of,
    shared_features,
)
from backlink_audit.judgement.judge import KINDS as KINDS_OF_PAGES
from backlink_audit.judgement.judge import Forest, read_forest
from backlink_audit.judgement.referring_sites import join_summaries, summarise_part
from backlink_audit.settings import LINKS_MODEL, AuditSettings, BacklinkFilters
from benchmarks.judgement_attacks import attack, with_attacks
from benchmarks.judgement_fit import (
    FOLDS,
    INVENTED_WEIGHTS,
    Calibration,
    balance,
    calibrated,
    folds,
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

FITTED = Path(judgement.__file__).parent / "fitted"
PAGE = Path("docs/judgement.md")
PRAISED = ("Protect", "Fine", "Undervalued", "Reclaim")
EACH = 3
READERS = ["site", "topic", "field", "kind", "worth"]


ROW_NAMES = [feature.name for feature in ROW_FEATURES]
ALL_TRUSTED = Forest(FEATURE_NAMES, 9.0, (), np.zeros(len(SITE_FEATURES), np.float32))


def labelled_features(exports: dict[str, pd.DataFrame], model: str, trust: Mapping[str, Forest]) -> pd.DataFrame:
    """Return the features of every labelled or invented link, with what readers wrote of it.

    `trust`: who may teach what a site is about, for each export by its name.
    """
    settings, encoder, found = AuditSettings(model=model), load_encoder(model), []
    for name, table in exports.items():
        export = as_export(name, table)
        links = clean_backlinks(export, BacklinkFilters.none()).table
        links = compare_links(links, settings, encoder, trust=trust.get(name, ALL_TRUSTED))
        whole = join_summaries([summarise_part(links)])
        read = export.raw.loc[links.index, READERS]
        joined = shared_features(whole.shared).join(features_of(links)).join(links["topic_field"]).join(read)
        found.append(joined[joined["topic"] != ""])
    return pd.concat(found, ignore_index=True)


def grown_trust(real: pd.DataFrame, attacks: pd.DataFrame) -> dict[str, Any]:
    """Return the trees that say by ROW_FEATURES alone whether a link is about its target's subject.

    Links of attacks weigh together as much as the real ones.
    """
    real = real[real["topic"] != "unclear"]
    table = pd.concat([real, attacks])[ROW_NAMES].to_numpy(dtype=np.float32)
    weights = np.concatenate([np.ones(len(real)), np.full(len(attacks), len(real) / max(len(attacks), 1))])
    told = np.concatenate([real["topic"].isin(ABOUT), np.zeros(len(attacks), dtype=bool)])
    return written_forest(grow(table, told, weights))


OF_SITE = ("relevance", "suspicion")
"""Questions that SITE_FEATURES help to answer: of worth they are no help on sites left out."""


class Labels:
    """Labelled links with what each of the four questions asks of them: rows, answers, weights, invented rows."""

    def __init__(self, real: pd.DataFrame, invented: pd.DataFrame) -> None:
        """Keep both tables; `invented` has the columns way and weight."""
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

    def invented_for(self, question: str) -> pd.DataFrame | None:
        """Return the invented rows that a question learns from, all of which are a no."""
        ways = {"relevance": list(INVENTED_WEIGHTS), "worth": ["attacks"]}.get(question)
        return None if ways is None else self.invented[self.invented["way"].isin(ways)]

    def of_site(self, question: str) -> np.ndarray:
        """Return SITE_FEATURES of the rows that are asked, less their means, at most MOST_OF_SITE; 0 if no help."""
        above = self.real.loc[self.answers(question)[0], list(SITE_FEATURES)].to_numpy() - self.middle
        beside = above.clip(np.negative(MOST_OF_SITE), MOST_OF_SITE)
        return beside if question in OF_SITE else 0 * beside

    @property
    def middle(self) -> np.ndarray:
        """The means of SITE_FEATURES."""
        return self.real[list(SITE_FEATURES)].mean().to_numpy()

    def calibration(self, question: str) -> Calibration:
        """Return what makes an answer keep what it promises on sites left out."""
        told = self.answers(question)[1]
        return Calibration.of(self.left_out(question)[:, 1], told, self.of_site(question))

    def kept(self, question: str, columns: Sequence[str] = FEATURE_NAMES, seeds: Sequence[int] = (0, 1)) -> np.ndarray:
        """Return the calibrated probabilities of rows of sites left out, (rows, answers in order)."""
        asked, told = self.answers(question)
        says = self.left_out(question, columns, seeds)
        if question == "kinds":
            return says
        kept = calibrated(says[:, 1], told, self.real["site"].to_numpy()[asked], self.of_site(question))
        return np.column_stack([1 - kept, kept])

    def left_out(
        self, question: str, columns: Sequence[str] = FEATURE_NAMES, seeds: Sequence[int] = (0, 1)
    ) -> np.ndarray:
        """Return the probabilities of the rows that are asked, each from trees that saw none of its site."""
        asked, told = self.answers(question)
        rows: pd.DataFrame = self.real[asked]
        weights = balance(told) if question == "kinds" else None
        invented = self.invented_for(question)
        rising = nearness(columns) if question == "relevance" else None
        return left_out(rows, told, rows["site"].to_numpy(), invented, columns, weights, seeds, rising)

    def fitted(self, question: str) -> Any:
        """Return trees grown on all rows."""
        asked, told = self.answers(question)
        table, weights = self.real.loc[asked, list(FEATURE_NAMES)], np.ones(len(told))
        if question == "kinds":
            weights = balance(told)
        invented = self.invented_for(question)
        if invented is not None:
            table = pd.concat([table, invented[list(FEATURE_NAMES)]])
            told = np.concatenate([told, np.zeros(len(invented), dtype=bool)])
            weights = np.concatenate([weights, invented["weight"]])
        rising = nearness(FEATURE_NAMES) if question == "relevance" else None
        return grow(table.to_numpy(dtype=np.float32), told, weights, rising)


def write_fitted(labels: Labels, model: str, trust: Mapping[str, Any]) -> None:
    """Write the trees of a model."""
    grown = {question: labels.fitted(question) for question in ("relevance", "worth", "suspicion", "kinds")}
    kinds = grown.pop("kinds")
    written = {
        "model": model,
        "fitted": date.today().isoformat(),
        "command": "python -m benchmarks.judgement",
        "features": list(FEATURE_NAMES),
        "middle": labels.middle.round(4).tolist(),
        "trust": trust,
        **{question: written_forest(trees, 0, labels.calibration(question)) for question, trees in grown.items()},
        "kinds": {kind: written_forest(kinds, kinds.classes_.tolist().index(kind)) for kind in KINDS_OF_PAGES},
    }
    FITTED.mkdir(exist_ok=True)
    (FITTED / f"{model}.json").write_text(json.dumps(written, separators=(",", ":")) + "\n", encoding="utf-8")


def worth_of(labels: Labels, columns: Sequence[str]) -> dict[str, float]:
    """Return how well trees on these columns answer each question for sites left out, in one cut of the sites."""
    found: dict[str, float] = {}
    for question in ("relevance", "worth", "suspicion", "kinds"):
        _, told = labels.answers(question)
        says = labels.kept(question, columns, seeds=(0,))
        if question == "kinds":
            found[question] = float((np.unique(told)[says.argmax(axis=1)] == told).mean())
        else:
            found[question] = float(roc_auc_score(told, says[:, 1]))
    return found


def taught(exports: dict[str, pd.DataFrame], model: str) -> Labels:
    """Return the labelled links of a model and the invented ones, and write its trees.

    What a labelled link's site is about was learnt from links that trees trust that saw no label of that site.
    """
    attacked = with_attacks(exports)
    by_itself, of_attacks = (labelled_features(tables, model, {}) for tables in (exports, attacked))
    of_attacks = of_attacks[of_attacks["topic"] == "attack"]
    fold = dict(zip(exports, folds(np.array(list(exports)), 0), strict=True))
    both = (by_itself, of_attacks)
    unseen = [
        read_forest(FEATURE_NAMES, grown_trust(*(table[table["site"].map(fold) != number] for table in both)))
        for number in range(FOLDS)
    ]
    trust = {name: unseen[number] for name, number in fold.items()}
    ways = {
        "swapped": with_swapped_targets(exports),
        "inserted": with_inserted_links(exports),
        "attacks": attacked,
    }
    invented = []
    for way, tables in ways.items():
        by_first = {name: trust[table["site"].iloc[0]] for name, table in tables.items()}
        found = labelled_features(tables, model, by_first).assign(way=way, weight=INVENTED_WEIGHTS[way])
        invented.append(found[found["topic"] == "attack"] if way == "attacks" else found)
    labels = Labels(labelled_features(exports, model, trust), pd.concat(invented, ignore_index=True))
    write_fitted(labels, model, grown_trust(*both))
    return labels


def steadiness(exports: dict[str, pd.DataFrame], model: str) -> dict[str, tuple[float, float, float]]:
    """Return how the shipped trees' verdicts of every EACH-th site hold beside other rows, by what was changed.

    The share of the site's links whose verdict stays; the same of the worst tenth of the sites; the share of the links
    put in that are praised (NaN where none are).
    """
    settings, encoder = AuditSettings(model=model), load_encoder(model)
    some = {name: exports[name] for name in list(exports)[::EACH]}
    ways: dict[str, Callable[[str, pd.DataFrame], pd.DataFrame]] = {
        "rows shuffled": lambda name, table: table.sample(frac=1, random_state=0),
        "every second row left out": lambda name, table: table.iloc[::2],
        "an attack of as many links": lambda name, table: pd.concat([table, attack(exports, name, len(table), 1)]),
        "of three times as many": lambda name, table: pd.concat([table, attack(exports, name, 3 * len(table), 1)]),
    }
    kept: dict[str, list[float]] = {way: [] for way in ways}
    praised: dict[str, list[float]] = {way: [] for way in ways}
    for name, table in some.items():
        rows = table.assign(place=np.arange(len(table)).astype(str))
        before = _verdicts(rows, settings, encoder)
        for way, change in ways.items():
            after = _verdicts(change(name, rows).assign(place=lambda all_: all_["place"].fillna("")), settings, encoder)
            ours = after[after.index.isin(before.index)]
            kept[way].append(float((ours == before[ours.index]).mean()))
            praised[way] += after[after.index == ""].isin(PRAISED).tolist()
    return {
        way: (
            float(np.mean(shares)),
            float(np.quantile(shares, 0.1)),
            float(np.mean(praised[way])) if praised[way] else float("nan"),
        )
        for way, shares in kept.items()
    }


def _verdicts(table: pd.DataFrame, settings: AuditSettings, encoder: Encoder) -> pd.Series:
    """Return the verdict of each row by its place, "" for one that was put in; a row with no place of its own once."""
    export = as_export("rows", table.reset_index(drop=True))
    links = audit_backlinks(export, settings, encoder).links
    places = export.raw.loc[links.index, "place"].to_numpy()
    return pd.Series(links["verdict"].to_numpy(), places)


def main() -> None:
    """Fit and write."""
    folder, models = Path(sys.argv[1]), sys.argv[2:] or [LINKS_MODEL]
    exports = labelled_exports(folder)
    by_model = {model: taught(exports, model) for model in models}
    labels = by_model[models[0]]
    columns = [[name for name in FEATURE_NAMES if name != without] for without in ("", *FEATURE_NAMES)]
    worths = Parallel(2)(delayed(worth_of)(labels, names) for names in columns)
    questions = {question: (*labels.answers(question), labels.kept(question)) for question in worths[0]}
    others = {model: worth_of(of_model, FEATURE_NAMES) for model, of_model in by_model.items()}
    of_features = dict(zip(("", *FEATURE_NAMES), worths, strict=True))
    steady = steadiness(exports, models[0])
    PAGE.write_text(page(labels.real, questions, of_features, others, len(labels.invented), steady), "utf-8")


if __name__ == "__main__":
    main()
