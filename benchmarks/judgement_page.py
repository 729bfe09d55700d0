"""docs/judgement.md: what a link is judged by, what each feature is worth, and how right it is on sites left out."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from backlink_audit.judgement.features import FEATURES
from backlink_audit.settings import AuditSettings
from benchmarks.judgement_fit import FOLDS, GROWTH, INVENTED_WEIGHTS

Questions = Mapping[str, tuple[np.ndarray, np.ndarray, np.ndarray]]
"""Of each question: which rows it is asked of, their answers, and the probabilities of trees that saw no such site."""

OPENING = """# How a link is judged

*Written by `python -m benchmarks.judgement FOLDER_OF_LABELS`, not by hand.*

Four questions are asked of every link, and each is answered by a forest of shallow trees ({max_iter} trees of depth
{max_depth}, learning rate {learning_rate}, at least {min_samples_leaf} links in a leaf): is the referring page about
its target's subject (**relevance**), what **kind of page** is it, would an SEO keep the link (**worth**), and would one
look at it as at spam (**suspicion**). Each answer is a probability; the reasons given are the features that moved it
most.

Before a site is learnt, one more forest says of each link by what it is itself (its address, the words and numbers of
its page, its target's form) whether it may teach: only links above one half do. The subject of the site is known from
two sides: its own pages that such links go to, and the titles of the pages that they are on, one vote per registrable
domain of at most 300, the judged domain left out, votes of link sellers, lists and pages without a subject counting
little. Every nearness is in standard deviations above what the title comes to by chance, with the topics of the
taxonomy. Where the two sides have different subjects, the own pages count, and the screen says so. What is the same
for all links of a site (how many different pages trusted links go to, and their ratings) is added with one number each.

{rows:,} links of {sites} sites, read one by one, taught the trees; {invented:,} invented links taught relevance
what is about something else: exports whose targets are another site's (weight {swapped:g} each), and good links of
other sites put into an export (weight {inserted:g}). Links of invented attacks taught relevance, worth and trust
(weight {attacks:g}). More nearness never makes a page less relevant. A slope and a
shift of the log-odds make relevance keep what it promises. Every figure on this page is of sites that the trees did not
see: the sites are cut into {folds} parts twice, and each part is judged by trees grown on the others.
"""


def page(
    labels: pd.DataFrame,
    questions: Questions,
    worths: Mapping[str, Mapping[str, float]],
    by_model: Mapping[str, Mapping[str, float]],
    invented: int,
    steady: Mapping[str, tuple[float, float, float]],
) -> str:
    """Return the page. `worths`: how right the trees are without each feature, "" with all; `by_model`: with all."""
    opening = OPENING.format(
        rows=len(labels),
        sites=labels["site"].nunique(),
        invented=invented,
        **INVENTED_WEIGHTS,
        folds=FOLDS,
        **GROWTH,
    )
    parts = [opening, _by_set(labels, questions), _praise(questions), _calibration(questions), _steady(steady)]
    parts = [*parts, _features(worths)]
    return "\n".join([*parts, _models(by_model)])


def _by_set(labels: pd.DataFrame, questions: Questions) -> str:
    """Return how right the answers are, by set of labels."""
    limits = AuditSettings()
    sets = labels["site"].str.split(":").str[0].to_numpy()
    lines = [
        "## How right it is on sites left out\n",
        "| | links | relevance, AUC | called relevant and right · found | kind right | worth, AUC | suspicion, AUC |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in (*dict.fromkeys(sets), "all"):
        chosen = np.ones(len(sets), dtype=bool) if name == "all" else sets == name
        answers = {}
        for question, (asked, told, says) in questions.items():
            rows = chosen[asked]
            answers[question] = (told[rows], says[rows])
        about, relevance = answers["relevance"][0].astype(bool), answers["relevance"][1][:, 1]
        called = 100 * relevance >= limits.bands.relevant
        kinds = np.unique(questions["kinds"][1])
        right = (kinds[answers["kinds"][1].argmax(axis=1)] == answers["kinds"][0]).mean()
        areas = [roc_auc_score(answers[question][0], answers[question][1][:, 1]) for question in ("worth", "suspicion")]
        lines.append(
            f"| {name} | {chosen.sum():,} | {roc_auc_score(about, relevance):.3f} | {about[called].mean():.1%} · "
            f"{called[about].mean():.1%} | {right:.1%} | {areas[0]:.3f} | {areas[1]:.3f} |"
        )
    told, says = questions["kinds"][1], questions["kinds"][2]
    kinds = np.unique(told)
    named = kinds[says.argmax(axis=1)]
    found = " · ".join(f"{kind} {(named[told == kind] == kind).mean():.0%}" for kind in kinds)
    return "\n".join([*lines, f"\nOf each kind of page, found: {found}.\n"])


def _praise(questions: Questions) -> str:
    """Return how many links are worth keeping, and how many are to review, by the limits of the verdicts."""
    settings = AuditSettings()
    limits = settings.verdicts
    asked, told, says = questions["kinds"]
    a_page = np.ones(len(asked), dtype=bool)  # what readers called neither of the kinds is taken for one
    a_page[asked] = np.unique(told)[says.argmax(axis=1)] == "page"
    percent = {}
    for name in ("relevance", "worth", "suspicion"):
        asked, _, says = questions[name]
        percent[name] = np.zeros(len(asked))
        percent[name][asked] = 100 * says[:, 1]
    to_review = percent["suspicion"] >= limits.suspicion
    relevant = a_page & (percent["relevance"] >= settings.bands.relevant)
    praised = (percent["worth"] >= np.where(relevant, limits.relevant_worth, limits.worth)) & ~to_review
    good, spam = (questions[name][1].astype(bool) for name in ("worth", "suspicion"))
    return (
        f"By the limits of the verdicts, {praised[good].mean():.1%} of the links worth keeping are praised, and "
        f"{praised[~good].mean():.1%} of the others; of the links to review {spam[to_review].mean():.1%} are, and "
        f"{to_review[spam].mean():.1%} of those are found.\n"
    )


def _calibration(questions: Questions) -> str:
    """Return the share of links about the subject in each tenth of relevance."""
    _, told, says = questions["relevance"]
    relevance, about = 100 * says[:, 1], told.astype(bool)
    tenth = np.minimum(relevance // 10, 9).astype(int)
    lines = [
        "## What a relevance promises\n",
        "| relevance | links | promised | about the subject |",
        "|---|---|---|---|",
    ]
    for place in range(10):
        rows = tenth == place
        if rows.any():
            said, is_so = relevance[rows].mean() / 100, about[rows].mean()
            lines.append(f"| {10 * place}–{10 * place + 10} | {rows.sum()} | {said:.0%} | {is_so:.0%} |")
    return "\n".join([*lines, ""])


def _steady(steady: Mapping[str, tuple[float, float, float]]) -> str:
    """Return how many verdicts stay beside other rows, as shipped."""
    lines = [
        "## How steady it is\n",
        "Verdicts of the same links when other rows stand beside them, as the trees are shipped; invented attacks are "
        "other ones than those that were learnt from.\n",
        "| beside the same links | verdicts unchanged | worst tenth of the sites | of the attack praised |",
        "|---|---|---|---|",
    ]
    for way, (kept, worst, praised) in steady.items():
        of_attack = "–" if np.isnan(praised) else f"{praised:.1%}"
        lines.append(f"| {way} | {kept:.1%} | {worst:.0%} | {of_attack} |")
    return "\n".join([*lines, ""])


def _features(worths: Mapping[str, Mapping[str, float]]) -> str:
    """Return what leaving out each feature costs."""
    whole = worths[""]
    lines = [
        "## What each feature is worth\n",
        "What is lost on sites left out (one cut of the sites) where the trees are grown without it, in thousandths: "
        "of the area under the curve for relevance, worth and suspicion, of the share that is right for kinds.\n",
        "| feature | relevance | kind | worth | suspicion |",
        "|---|---|---|---|---|",
    ]
    for feature in (feature for feature in FEATURES if feature.name in worths):
        lost = {name: 1000 * (whole[name] - worths[feature.name][name]) for name in whole}
        numbers = " | ".join(f"{lost[name]:+.1f}" for name in ("relevance", "kinds", "worth", "suspicion"))
        lines.append(f"| {feature.name} | {numbers} |")
    return "\n".join([*lines, ""])


def _models(by_model: Mapping[str, Mapping[str, float]]) -> str:
    """Return how right the trees of each model are on sites left out."""
    lines = [
        "## By model\n",
        "Trees are fitted for each of these models; others are judged by those of the first.\n",
        "| model | relevance, AUC | kind right | worth, AUC | suspicion, AUC |",
        "|---|---|---|---|---|",
    ]
    for model, right in by_model.items():
        lines.append(
            f"| {model} | {right['relevance']:.3f} | {right['kinds']:.1%} | {right['worth']:.3f} | "
            f"{right['suspicion']:.3f} |"
        )
    return "\n".join([*lines, ""])
