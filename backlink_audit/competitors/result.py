"""Profiles side by side: our site and its competitors, one column for each file, each as in its own profile."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from backlink_audit.audit.result import Audit
from backlink_audit.exports.formats import distinct_names
from backlink_audit.exports.recognise import Export
from backlink_audit.profile.result import Profile
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.progress import Progress, silent
from backlink_audit.report.rows import WholeTables, rows_of_notes, sheet, summary_table, tables_of
from backlink_audit.settings import BacklinkFilters, LinkChoice
from backlink_audit.wording import by_number, count, percent

PAGES_SHOWN = 10  # most linked pages of each site
NOT_IN_FILE = "not in this file"  # shown in a column where its export does not have what the row is about
PARTS = ("Authority", "Anchors", "Link type", "Placement", "Topics")  # drawn: their rows are shares of a whole
FIGURES = sheet("competitors.figures", lambda result: result.table, lambda result: result.own_names)
LINKED = sheet("competitors.linked", lambda result: result.most_linked, lambda result: result.own_names)


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Profiles of several files, ours first. `names`: what each is called, all different."""

    profiles: tuple[Profile, ...]
    names: tuple[str, ...]
    notes: tuple[str, ...]

    @cached_property
    def shares(self) -> pd.DataFrame:
        """The shares of each part: part, value, file, share (0-1); a file without a part has no rows."""
        rows = [
            {"part": part, "value": value, "file": name, "share": share}
            for name, profile in zip(self.names, self.profiles, strict=True)
            for part, shares in _shares(profile).items()
            for value, share in shares.items()
        ]
        return pd.DataFrame(rows, columns=["part", "value", "file", "share"])

    @cached_property
    def table(self) -> pd.DataFrame:
        """The figures, then the shares of each part: part, what, and a column for each file, in words."""
        figures = [
            {"section": "Profile", "metric": ("Median authority" if label.startswith("Median") else label)}
            | {name: _figure(profile, place) for name, profile in zip(self.names, self.profiles, strict=True)}
            for place, (label, _, _) in enumerate(self.profiles[0].figures)
        ]
        columns = (self.shares[name].tolist() for name in ("part", "value", "file", "share"))
        shares = {(part, value, file): float(share) for part, value, file, share in zip(*columns, strict=True)}
        known = {(part, file) for part, _, file in shares}
        kinds = dict.fromkeys((part, value) for part, value, _ in shares)
        rows = [
            {"section": part, "metric": value}
            | {
                name: percent(shares.get((part, value, name), 0.0)) if (part, name) in known else NOT_IN_FILE
                for name in self.names
            }
            for part, value in kinds
        ]
        ordered = sorted(rows, key=lambda row: PARTS.index(row["section"]))
        return pd.DataFrame([*figures, *ordered], columns=["section", "metric", *self.names])

    @cached_property
    def most_linked(self) -> pd.DataFrame:
        """The most linked pages of each site, by referring domains: place, and a column for each file, in words."""
        columns: dict[str, pd.Series] = {}
        for name, profile in zip(self.names, self.profiles, strict=True):
            pages = profile.target_pages.head(PAGES_SHOWN)
            domains = pd.Series([count(n, "domain") for n in pages["domains"]], pages.index, dtype="str")
            columns[name] = domains + ": " + pages["target_url"].map(_address)
        table = pd.DataFrame(columns).reindex(range(max((len(one) for one in columns.values()), default=0))).fillna("")
        table.insert(0, "place", range(1, len(table) + 1))
        return table

    @property
    def own_names(self) -> dict[str, str]:
        return {name: name for name in self.names}

    @property
    def headline(self) -> str:
        """The answer in one sentence: whose profile has most referring domains of those of our tool; our place."""
        alike = [profile for profile in self.profiles if _tools([profile]) == _tools(self.profiles[:1])]
        ours, *theirs = [len(profile.referring_domains) for profile in alike]
        sites = f"{count(ours, 'referring domain')} {by_number(ours, 'links', 'link')} to you"
        if not theirs:
            return f"{sites}; no ranking, because the files are from different tools."
        place = 1 + sum(number > ours for number in theirs)
        best = f"{'the next has' if place == 1 else 'the highest is'} {max(theirs):,}"
        if not (others := [profile for profile in self.profiles if profile not in alike]):
            return f"{sites}: number {place} of {len(alike)}; {best}."
        return (
            f"{sites}: number {place} of {len(alike)} files from {', '.join(_tools(alike))}, {best}; "
            f"{count(len(others), 'file')} from {', '.join(_tools(others))} "
            f"{by_number(len(others), 'is', 'are')} not comparable."
        )


def compare_profiles(
    sources: Sequence[Export | Audit],
    choice: LinkChoice = LinkChoice(),  # noqa: B008 (frozen)
    filters: BacklinkFilters = BacklinkFilters(),  # noqa: B008 (frozen)
    on_progress: Progress = silent,
) -> SideBySide:
    """Profile several backlink exports, or audits of them, ours first. Raises NoRowsLeft."""
    profiles = []
    for place, source in enumerate(sources):
        on_progress("Creating the profile", place, len(sources))
        profiles.append(profile_backlinks(source, choice, filters))
    names = distinct_names([profile.export.name for profile in profiles])
    return SideBySide(tuple(profiles), tuple(names), _notes(profiles))


def _figure(profile: Profile, place: int) -> str:
    label, value, _ = profile.figures[place]
    if value is None:
        return NOT_IN_FILE
    words = f"{value:,}" if isinstance(value, int) else str(value)
    return f"{words} {label.removeprefix('Median ')}" if label.startswith("Median") else words


def _shares(profile: Profile) -> dict[str, dict[str, float]]:
    tables: dict[str, pd.DataFrame] = {}
    if "authority" not in profile.missing:
        tables["Authority"] = profile.authority_bands
    if "anchors" not in profile.missing:
        tables["Anchors"] = profile.class_mix.rename(columns={"anchor_class": "value"})
    for part, name, needs in (("Link type", "link_type", "link_type"), ("Placement", "placement", "in_content")):
        if needs not in profile.missing:
            tables[part] = profile.attributes[name]
    if profile.is_judged:
        fields = profile.topics.groupby("topic_field", sort=False)["share"].sum().sort_values(ascending=False)
        tables["Topics"] = fields.rename_axis("value").reset_index()
    return {part: dict(zip(table["value"], table["share"], strict=True)) for part, table in tables.items()}


def _tools(profiles: Sequence[Profile]) -> list[str]:
    return list(dict.fromkeys(profile.export.format.tool or profile.export.format.name for profile in profiles))


def _address(url: str) -> str:
    """Return a page's URL without the part that is the same for all pages.

    >>> _address("https://www.a.example/shoes/")
    'a.example/shoes/'
    """
    return url.partition("://")[2].removeprefix("www.") or url


def _notes(profiles: Sequence[Profile]) -> tuple[str, ...]:
    words = list(dict.fromkeys(profile.authority_word for profile in profiles))
    tools = _tools(profiles)
    notes = []
    if len(tools) > 1:
        notes.append(
            f"The files are from different tools ({', '.join(tools)}). Each tool finds different links, so do not "
            "compare counts, and compare shares with caution."
        )
    if len(words) > 1:
        notes.append(f"{' and '.join(words)} are different scales, so do not compare the rows about authority.")
    return tuple(notes)


def tables(result: SideBySide) -> WholeTables:
    return tables_of(result, FIGURES, (FIGURES, LINKED), lambda: summary(result))


def summary(result: SideBySide) -> pd.DataFrame:
    """Return what was compared, as rows of Part, What and Value."""
    return summary_table(
        [
            ("Competitors", "In a sentence", result.headline),
            *(("Files", "Your site" if place == 0 else "Competitor", name) for place, name in enumerate(result.names)),
            *rows_of_notes(result.notes),
        ]
    )
