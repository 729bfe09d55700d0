"""The audit as tables for the reader: the user's columns with ours, and the sheets of the workbook."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import TypeVar

import numpy as np
import pandas as pd

from backlink_audit.audit.parts import PartedAudit
from backlink_audit.audit.result import Audit, Origin, Scored
from backlink_audit.audit.tasks import CHAIN_COLUMNS
from backlink_audit.exports.formats import AHREFS_BACKLINKS, header_keys, names_beside
from backlink_audit.exports.parts import ROWS_PER_PART, read_part, write_sorted
from backlink_audit.glossary import TERMS
from backlink_audit.judgement.footprints import attack_table
from backlink_audit.judgement.inserted_links import COLUMNS as PLACED
from backlink_audit.judgement.referring_page_crawl import CHECKED
from backlink_audit.judgement.scales import cas_formula, original_columns, site_label
from backlink_audit.labels import IGNORE, RECLAIM, REVIEW, VERDICTS
from backlink_audit.progress import Progress, silent
from backlink_audit.report.rows import (
    Rows,
    Tables,
    WholeTables,
    rows_of_file,
    rows_of_notes,
    sheet,
    summary_table,
    with_headers,
)
from backlink_audit.settings import AuditSettings
from backlink_audit.wording import percent

SCORES = (
    *("similarity", "relevance", "band", "topic_field", "topic", "page_kind", "anchor_fit", "names_site"),
    *("link_state", "cas", "cas_percentile", "verdict", "why"),
)  # Our columns of the main table, in order
ON_PAGE = (*CHECKED, "place", *PLACED)  # Further columns where the referring pages are known
DECIDING = ("verdict", "why", "relevance", "similarity", "cas")
"""Those of them that come first on a sheet, in order; then the rest, then the user's own."""
ORIGINAL_COLUMNS = 2  # How many columns the original app's are, after ours
SET_ASIDE = "Excluded because"  # Header of the filter's name, beside the user's columns
PERFORMERS = 50  # Links in each list of top and lowest performers

SHEETS = (
    *("Summary", "Do this now", "Scored backlinks", "Referring domains", "Top performers", "Lowest performers"),
    *("Verdicts", "Relevance", "Spam attacks", "Reclaim", "Outreach", "Redirected links", "Excluded"),
)  # The sheets of the workbook; the last five only where there is something on them

RELEVANCE_STEP = 10  # Points of relevance that are counted together

S = TypeVar("S")

_RANKED = (
    *("referring_url", "target_url", "anchor", "url_rating", "domain_rating", "external_links", "similarity"),
    *("relevance", "cas", "verdict"),
)


_TO_RECLAIM = (
    *("referring_url", "referring_title", "how_lost", "advice", "target_url", "anchor"),
    *("domain_rating", "url_rating", "relevance", "at_stake"),
)  # Of all scored links, whichever links the workbook is about

LINKS, CHOSEN, TOLD, *TO_DO = (
    sheet(f"audit.{name}", lambda audit: audit.links, lambda audit: audit.authority_labels)
    for name in ("links", "chosen", "told", "reclaim", "protect", "review")
)
CAUSES = sheet("audit.causes", lambda audit: audit.causes, lambda _: {"domains": "Domains", "example_url": "Example"})
CAMPAIGNS = sheet("audit.campaigns", lambda audit: audit.campaigns)
ATTACKS = sheet("audit.attacks", lambda audit: attack_table(audit.attacks))
OUTREACH = sheet("audit.outreach", lambda audit: audit.outreach, lambda audit: {"authority": audit.site_word})
DOMAINS = sheet("audit.domains", lambda audit: audit.referring_domains, lambda audit: {"authority": audit.site_word})
REDIRECTED = sheet("audit.redirected", lambda audit: audit.redirected)
SORTED = "sorted"
SORTED_PARTS = 50  # At most: sorting writes a file for each part and each of these


def tables(audit: Audit) -> WholeTables:
    """Return the tables of an audit: the user's rows as they were with our columns, and the workbook by CAS."""

    def main() -> pd.DataFrame:
        return main_table(audit.cleaned.export.raw, audit.links, audit.settings)

    def made() -> dict[str, pd.DataFrame]:
        best_first = by_cas(audit.links["cas"]).index
        aside = aside_table(audit.cleaned.export.raw, audit.cleaned.set_aside)
        return sheets(audit, audit.origin, decided_first(main().loc[best_first], audit.settings), aside)

    return Tables(main, made)


def main_table(raw: pd.DataFrame, links: pd.DataFrame, settings: AuditSettings) -> pd.DataFrame:
    """Return the user's columns of the scored rows, then ours, in the order of the file.

    Where the file has redirect chains, what they mean is between the two (`CHAIN_COLUMNS`). A column of the
    user's that has the name of one of ours keeps its values under "name (in the file)".
    """
    return _beside(raw, _ours(raw, links, settings))


def own_columns(audit: Audit) -> pd.DataFrame:
    """Return our columns for every row of the user's file, in its order; blank for rows that were not scored."""
    raw = audit.cleaned.export.raw
    table = _ours(raw, audit.scored, audit.settings).reindex(raw.index)
    deciding = [TERMS[name].label for name in DECIDING]
    return table[[*deciding, *(name for name in table.columns if name not in deciding)]]


def decided_first(table: pd.DataFrame, settings: AuditSettings) -> pd.DataFrame:
    """Return the main table as a sheet shows it: what decides, what else was found out, then the user's own columns."""
    names = list(table.columns)
    first_of_ours = len(names) - len(SCORES) - (ORIGINAL_COLUMNS if settings.original_columns else 0)
    theirs, ours = names[:first_of_ours], names[first_of_ours:]
    deciding = [TERMS[name].label for name in DECIDING]
    return table[[*deciding, *(name for name in ours if name not in deciding), *theirs]]


def aside_table(raw: pd.DataFrame, set_aside: pd.Series) -> pd.DataFrame:
    return _beside(raw, set_aside.sort_index().astype("str").to_frame(SET_ASIDE))


def sheets(audit: Scored, origin: Origin, scored: S, aside: S) -> dict[str, pd.DataFrame | S]:
    """Return the workbook's sheets by name, in order; that of the rows set aside only if there are any.

    `scored`: the main table by CAS. `aside`: the table of the rows set aside. Each may be what yields it in parts.
    """
    made: dict[str, pd.DataFrame | S] = {
        "Summary": summary(audit, origin),
        "Do this now": to_do(audit),
        "Scored backlinks": scored,
        "Referring domains": _domains(audit),
        "Top performers": _ranked(
            audit, {"CAS": audit.top("cas", PERFORMERS), "Similarity": audit.top("similarity", PERFORMERS)}
        ),
        "Lowest performers": _ranked(
            audit,
            {
                audit.authority_labels["url_rating"]: audit.lowest("url_rating", PERFORMERS),
                "Similarity": audit.lowest("similarity", PERFORMERS),
                "CAS": audit.lowest("cas", PERFORMERS),
            },
        ),
        "Verdicts": _verdicts(audit),
        "Relevance": _relevance(audit.links),
    }
    if audit.attacks:
        made[ATTACKS.name] = ATTACKS.written(attack_table(audit.attacks), audit)
    if len(audit.reclaims):
        made["Reclaim"] = with_headers(audit.to_do(RECLAIM.word)[list(_TO_RECLAIM)], audit.authority_labels)
    if len(audit.outreach):
        made[OUTREACH.name] = OUTREACH.written(audit.outreach, audit)
    if len(audit.redirected):
        made[REDIRECTED.name] = REDIRECTED.written(audit.redirected, audit)
    return made | {"Excluded": aside} if any(origin.removed.values()) else made


def by_cas(cas: pd.Series) -> pd.Series:
    return cas.sort_values(ascending=False, kind="stable", na_position="last")


def summary(audit: Scored, origin: Origin) -> pd.DataFrame:
    """Return what was done, with what, and what came out, as rows of Part, What and Value."""
    settings = audit.settings
    return summary_table(
        [
            ("Audit", "File", origin.file),
            ("Audit", "Format", origin.format),
            ("Audit", "Created", origin.made_at),
            ("Audit", "Model", origin.model),
            ("Settings", "Text compared", settings.link_text),
            ("Settings", "Subject shown by", settings.subject_from),
            ("Settings", "Authority", audit.authority_label),
            (
                "Settings",
                "Relevance limits",
                f"relevant from {settings.bands.relevant:g}, weak from {settings.bands.weak:g}",
            ),
            *rows_of_file(origin.rows, origin.removed),
            ("Rows", "Scored", len(audit.scored)),
            *(("Rows", f"State: {state}", number) for state, number in audit.state_counts.items()),
            ("Rows", "Links in this workbook", audit.choice.links),
            *([("Rows", "Per referring domain", "one link")] if audit.choice.one_per_domain else []),
            ("Result", "Links", audit.backlinks),
            ("Result", "In a sentence", audit.headline),
            ("Result", "Referring domains", audit.domains),
            ("Result", f"Median {audit.site_word}", _or_not_known(audit.median_authority, "{:g}".format)),
            ("Result", "Followed", _or_not_known(audit.share_followed, percent)),
            ("Result", "Mean similarity", _decimals(audit.mean_similarity)),
            ("Result", "Median similarity", _decimals(audit.median_similarity)),
            ("Result", "Mean CAS", _decimals(audit.mean_cas)),
            ("Result", "Links of the means and the median", means_of(audit)),
            ("Result", "To review", int(audit.verdict_counts.get(REVIEW.word, 0))),
            ("Result", "To reclaim, of all scored links (lost links included)", audit.to_reclaim),
            ("Result", "Share relevant", percent(audit.share_relevant)),
            ("Result", "Relevant links", audit.relevant),
            ("Result", "Relevant, on list or user-generated pages", audit.relevant_entries),
            ("Result", "Relevant, on other pages", audit.relevant - audit.relevant_entries),
            *(("Result", f"CAS blank: {reason}", count) for reason, count in audit.blank_cas.items()),
            ("Formulas", "Similarity", TERMS["similarity"].help),
            ("Formulas", "Relevance", TERMS["relevance"].help),
            ("Formulas", "CAS", cas_formula(settings, audit.authority_label)),
            ("Formulas", "CAS percentile", TERMS["cas_percentile"].help),
            *rows_of_notes(note for note in (audit.language_note, *audit.attack_notes, audit.subject_note) if note),
        ]
    )


def means_of(audit: Scored) -> str:
    """Say of which links means and median are."""
    known = audit.links[["similarity", "cas"]].notna().sum()
    have = f"{known['similarity']:,} of {audit.backlinks:,} have a similarity, {known['cas']:,} a CAS"
    return f"{audit.choice.links}: {have}"


def _ours(raw: pd.DataFrame, links: pd.DataFrame, settings: AuditSettings) -> pd.DataFrame:
    chain_headers = header_keys(raw.columns) & header_keys(AHREFS_BACKLINKS.headers["redirect_urls"])
    ours = with_headers(
        links[[*(CHAIN_COLUMNS if chain_headers else ()), *(name for name in ON_PAGE if name in links), *SCORES]]
    )
    return ours.join(original_columns(links)) if settings.original_columns else ours


def _beside(raw: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    theirs = raw.loc[ours.index].set_axis(names_beside(list(ours.columns), list(raw.columns)), axis=1)
    return pd.concat([theirs, ours], axis=1)


def _domains(audit: Scored) -> pd.DataFrame:
    order = {label.word: place for place, label in enumerate((*(v for v in VERDICTS if v is not IGNORE), IGNORE))}
    domains = audit.referring_domains.sort_values("verdict", key=lambda words: words.map(order), kind="stable")
    return with_headers(domains.reset_index(drop=True), {"authority": site_label(audit.links)})


def _ranked(audit: Scored, lists: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return several lists of links beneath each other, each row with what it is ranked by and its place."""
    parts = []
    for by, links in lists.items():
        part = with_headers(links[list(_RANKED)], audit.authority_labels)
        part.insert(0, "Place", range(1, len(part) + 1))
        part.insert(0, "Ranked by", by)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _verdicts(audit: Scored) -> pd.DataFrame:
    """Return one row per verdict, in the order in which they are tried, and of which links Reclaim speaks."""
    links = audit.links
    by_verdict = links.groupby("verdict")
    table = pd.DataFrame({"Links": by_verdict.size(), "Referring domains": by_verdict["referring_domain"].nunique()})
    table["Mean similarity"] = by_verdict["similarity"].mean()
    table["Mean relevance"] = by_verdict["relevance"].mean()
    table["Mean CAS"] = by_verdict["cas"].mean()
    table = table.reindex([label.word for label in VERDICTS])
    table[["Links", "Referring domains"]] = table[["Links", "Referring domains"]].fillna(0).astype("int64")
    table.insert(1, "Share", table["Links"] / max(1, len(links)))
    table["Meaning"] = [label.meaning for label in VERDICTS]
    if len(links) < len(audit.scored):
        table.loc[RECLAIM.word, "Meaning"] = (
            f"{RECLAIM.meaning} This row is about the links of this workbook ({audit.choice.links}). "
            f"Of all {len(audit.scored):,} scored links, lost ones included, {audit.to_reclaim:,} have this verdict."
        )
    return table.rename_axis("Verdict").reset_index()


def _relevance(links: pd.DataFrame) -> pd.DataFrame:
    steps = (links["relevance"] // RELEVANCE_STEP * RELEVANCE_STEP).clip(upper=100 - RELEVANCE_STEP)
    counts = steps.value_counts()
    starts = range(100 - RELEVANCE_STEP, -1, -RELEVANCE_STEP)
    rows = [(f"{start}–{start + RELEVANCE_STEP}", int(counts.get(start, 0))) for start in starts]
    unknown = int(links["relevance"].isna().sum())
    table = pd.DataFrame([*rows, *([("not known", unknown)] if unknown else [])], columns=["Relevance", "Links"])
    return table.assign(Share=table["Links"] / max(1, len(links)))


def to_do(audit: Scored) -> pd.DataFrame:
    """Return one row per task: how much there is to do, and what is at stake."""
    rows = [
        (
            task.label.word,
            task.number,
            f"{task.noun}s",
            task.domains,
            task.best_authority,
            task.visits,
            task.label.meaning,
        )
        for task in audit.tasks
    ]
    names = ("To do", "Number", "Of", "Referring domains", f"Highest {audit.site_word}", "Monthly visits", "Meaning")
    return pd.DataFrame(rows, columns=list(names))


def _decimals(number: float) -> str:
    return "no link has a CAS" if pd.isna(number) else f"{number:.3f}"


def _or_not_known(number: float, write: Callable[[float], str]) -> str:
    return "not in the export" if pd.isna(number) else write(number)


def tables_of_parts(audit: PartedAudit, on_progress: Progress = silent) -> Tables[Rows]:
    """Return the tables of an audit in parts; those of rows of the file yield one part after the other."""
    parts = len(audit.export)

    def rows(what: str) -> Iterator[pd.DataFrame]:
        for number in range(parts):
            on_progress(what, number, parts)
            yield main_table(audit.export.raw(number), audit.links(number), audit.settings)

    def made() -> dict[str, Rows]:
        best_first = by_cas(audit.column("cas"))
        places = pd.Series(np.arange(len(best_first)), best_first.index)
        rows_each = max(ROWS_PER_PART, -(-len(places) // SORTED_PARTS))
        files = write_sorted(rows("Sorting"), places, audit.folder, SORTED, rows_each)
        steps = count()
        total = 2 * (files + parts)  # each is read twice: for what is in the columns, then for the cells

        def scored() -> Iterator[pd.DataFrame]:
            for number in range(files):
                on_progress("Writing", next(steps), total)
                yield decided_first(read_part(audit.folder, SORTED, number), audit.settings)

        def asides() -> Iterator[pd.DataFrame]:
            for number in range(parts):
                on_progress("Writing", next(steps), total)
                yield aside_table(audit.export.raw(number), audit.set_aside(number))

        return sheets(audit.scored(), audit.origin, scored, asides)

    return Tables(lambda: lambda: rows("Writing"), made, audit.folder)
