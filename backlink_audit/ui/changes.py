"""Two exports compared in the browser: the older file, the run, and what is to be won back."""

from collections.abc import Hashable, Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from backlink_audit import glossary
from backlink_audit.changes.reclaim import REDIRECTS, Reclaim, find_reclaims
from backlink_audit.changes.result import Changes
from backlink_audit.changes.run import compare_exports
from backlink_audit.embedding import models
from backlink_audit.exports.recognise import Export
from backlink_audit.progress import Progress
from backlink_audit.report.files import write_csv
from backlink_audit.settings import AuditSettings
from backlink_audit.sources import Sources
from backlink_audit.ui import inputs, jobs, menu, show, upload_state, uploads
from backlink_audit.ui.worktable import Detail, download
from backlink_audit.wording import count

RECLAIM_LABEL = "Find links to reclaim"
SCORES_LABEL = "Audit both files, for CAS and verdicts"
NEEDS_AUDITS = "This needs an audit of both files, and both must be backlink exports."
NOT_COMPARED = (
    "Links that are only in {name} are not included yet. To include them, turn on “{scores}” in the settings, then "
    "click “{label}” on the tab Changes."
)
ONLY_LINKS = "Reclaim needs a backlink export, but this file lists referring domains."


def older(newer: Export) -> Export | None:
    """Show the older file and a way to swap it with the newer one, or ask for one; return its export or None."""
    if upload_state.get("older") is None:
        uploads.ask("older")
        return None
    export = inputs.file("older")
    if st.button("Swap older and newer", key="changes:swap"):
        upload_state.swap_with_older("domains" if newer.kind == "referring_domains" else "backlinks")
        st.rerun()
    return export


def with_scores() -> bool:
    return st.toggle(SCORES_LABEL, True, key="changes:scores", persist_state="session")


def run(
    before: Export, after: Export, settings: AuditSettings, scores: bool, others: Sources, place: DeltaGenerator
) -> Changes | None:
    """Show the button and the progress; return the last changes (marked if they are not of these files), or None."""

    def work(progress: Progress) -> Changes:
        encoder = models.load_encoder(settings.model, on_progress=progress) if scores else None
        return compare_exports(before, after, settings, encoder, others, progress)

    key = _key(before, after, settings, scores, others)
    return jobs.run(key, menu.CHANGES.button, work, again_in=place)


def reclaim(backlinks: Export, settings: AuditSettings, place: DeltaGenerator) -> Reclaim | None:
    """Show the button and the progress; return the last links to win back, with those that only the older file has."""
    if backlinks.kind != "backlinks":
        st.info(ONLY_LINKS)
        return None
    older, others = upload_state.get("older"), upload_state.sources("reclaim")
    compared_with = upload_state.sources("changes")
    changes = jobs.last(menu.CHANGES.button, _key(older, backlinks, settings, True, compared_with)) if older else None
    if older is not None and changes is None:
        st.caption(NOT_COMPARED.format(name=show.plain(older.name), scores=SCORES_LABEL, label=menu.CHANGES.button))

    def work(progress: Progress) -> Reclaim:
        encoder = models.load_encoder(settings.model, on_progress=progress)
        return find_reclaims(backlinks, settings, encoder, others, changes, progress)

    key = (backlinks.fingerprint, settings, others.key, changes.made_at if changes is not None else None)
    return jobs.run(key, RECLAIM_LABEL, work, again_in=place)


def _key(before: Export, after: Export, settings: AuditSettings, scores: bool, others: Sources) -> Hashable:
    return before.fingerprint, after.fingerprint, settings, scores, others.key


def figures(changes: Changes) -> list[show.Figure]:
    """Return the figures that open the page: how many of each change, and the CAS that moved or why it is unknown."""
    counted = {name: changes.counts[name] for name in ("new", "lost", "changed", "kept")}
    moved = {"cas_gained": changes.cas_gained, "cas_lost": changes.cas_lost}
    return [
        *glossary.figures("changes", counted, noun=changes.noun),
        *(
            (glossary.TERMS[name].label, cas, NEEDS_AUDITS if cas is None else glossary.TERMS[name].help)
            for name, cas in moved.items()
        ),
    ]


def in_full(labels: Mapping[str, str]) -> Detail:
    return lambda row: show.one_row(row, show.CHANGED_LINK, labels=labels)


def download_redirects(found: Reclaim) -> None:
    """Offer the redirect map as csv."""
    table = REDIRECTS.written(found.redirects, found)
    download(
        f"Redirect map ({count(len(table), 'dead page')}, csv)",
        lambda: write_csv(table, for_spreadsheets=True),
        "redirect-map.csv",
        "reclaim:redirects",
        disabled=table.empty,
    )
