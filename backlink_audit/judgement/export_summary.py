"""What an export as a whole says about each of its links: how widely footprints are shared, what is usual, whose brand.

Judging a link takes the whole export, which may be larger than the memory. So each part of it is summarised in a few
bytes for each link, and the summaries of all parts are joined. An export in one piece is one part.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from backlink_audit.judgement.anchor_classes import site_names, written_domains
from backlink_audit.judgement.footprints import footprints, shared
from backlink_audit.judgement.foreign_languages import at_home, languages_and_scripts, usual
from backlink_audit.judgement.referring_sites import names_of_sites, other_domains
from backlink_audit.text.urls import hops

_LANGUAGES = ["target_domain", "referring_domain", "language", "script"]
_WRITTEN = ["target_domain", "referring_domain", "written"]


@dataclass(frozen=True)
class PartSummary:
    """What a part of an export says for the summary of the whole.

    `prints`: one row per link (`analysis.referring_sites.footprints.footprints`); `languages` and
    `written`: the distinct rows of target domain, referring domain, language and script; and of target domain,
    referring domain and the domain that its anchors write, or that its links arrive over.
    """

    prints: pd.DataFrame
    languages: pd.DataFrame
    written: pd.DataFrame


@dataclass(frozen=True)
class ExportSummary:
    """What the whole export says.

    `shared`: one row per link, indexed as the links (`analysis.referring_sites.footprints.shared`);
    `languages` and `scripts`: what is usual for each target domain (`foreign.usual`); `home`: the referring
    domains that have a page in that language or script (`analysis.risk.foreign.at_home`); `brands`: names of the target
    site; `names`: the names of each target site (`analysis.referring_sites.site_mentions.names_of_sites`).
    """

    shared: pd.DataFrame
    languages: pd.DataFrame
    scripts: pd.DataFrame
    home: pd.DataFrame
    brands: tuple[str, ...]
    names: pd.DataFrame


def summarise_part(links: pd.DataFrame) -> PartSummary:
    """Return the summary of cleaned backlinks: a part of an export, or all of it.

    Where they say which are trusted, languages and names are learnt from those alone.
    """
    teaches = links["trusted"] if "trusted" in links else pd.Series(True, links.index)
    domains, taught = links[["target_domain", "referring_domain"]], links[teaches]
    written = domains[teaches].assign(written=written_domains(taught["anchor"]))
    return PartSummary(
        prints=footprints(links),
        languages=domains.join(languages_and_scripts(taught)).fillna("").drop_duplicates(),
        written=pd.concat([written, hops(taught)], ignore_index=True).drop_duplicates(),
    )


def join_summaries(parts: Sequence[PartSummary]) -> ExportSummary:
    """Return what the parts say together; they are in the order of the file."""
    prints = pd.concat([part.prints for part in parts])
    languages = pd.concat([part.languages for part in parts])[_LANGUAGES].drop_duplicates()
    naked = pd.concat([part.written for part in parts])[_WRITTEN].drop_duplicates()
    sites = languages["target_domain"].unique()
    usual_language, usual_script = usual(languages, "language"), usual(languages, "script")
    return ExportSummary(
        shared=shared(prints),
        languages=usual_language,
        scripts=usual_script,
        home=at_home(languages, usual_language, usual_script),
        brands=site_names(sites, naked, naked["referring_domain"].nunique()),
        names=names_of_sites(sites, other_domains(naked)),
    )
