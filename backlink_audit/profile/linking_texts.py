"""A tool's list of linking texts: what each is made of, and how many of our links have it. It names no links itself."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from backlink_audit.exports.load import fold_anchor
from backlink_audit.exports.recognise import Export
from backlink_audit.exports.search_console import site_given, site_of
from backlink_audit.judgement.anchor_classes import brand_of, classify_anchors
from backlink_audit.labels import BRANDED, GENERIC, NAKED_URL, OTHER_ANCHOR
from backlink_audit.schema import SOURCE_FILE
from backlink_audit.text.urls import map_distinct, registrable_domain
from backlink_audit.wording import Figure, by_number, count, part_of, percent, uncapitalised

TARGET_UNKNOWN = "target unknown"
"""Class of a text that is neither brand, address nor generic, and that no link of ours has: a list names no target."""
ABOUT = (
    "{tool} lists these texts by number of links, but without the links and their target pages. They do "
    "not change the number of links."
)
NO_SITE = "The file name does not contain your site, so branded texts cannot be found."


@dataclass(frozen=True, eq=False)
class LinkingTexts:
    """The texts, classed. `table`: one row per text, the tool's order: list_place, linking_text, anchor_class.

    Beside links also links and domains: how many of the chosen ones have the text as anchor (0: none).
    """

    export: Export
    table: pd.DataFrame
    brands: tuple[str, ...]
    site: str
    """The site that the list is of; "" where it is not known."""

    @cached_property
    def class_mix(self) -> pd.DataFrame:
        """How many texts each class has, most frequent first: anchor_class, texts, share (0-1)."""
        counts = self.table["anchor_class"].value_counts()
        mix = pd.DataFrame({"anchor_class": counts.index.astype("str"), "texts": counts.to_numpy()})
        return mix.assign(share=mix["texts"] / max(1, len(self.table)))

    @property
    def tool(self) -> str:
        """Who lists the texts: Google where Search Console does."""
        tool = self.export.format.tool
        return "Google" if tool == "Search Console" else tool or "The file"

    @property
    def about(self) -> str:
        return ABOUT.format(tool=self.tool)

    @property
    def beside_links(self) -> bool:
        return "links" in self.table

    @property
    def note(self) -> str:
        """Say how many of the texts are anchors of our links; "" without links."""
        if not self.beside_links:
            return ""
        found = int((self.table["links"] > 0).sum())
        are = by_number(found, "is an anchor", "are anchors")
        return f"{part_of(found, len(self.table), 'linking text')} listed by {self.tool} {are} of the chosen links."

    def of_another_site(self, targets: Collection[str]) -> str:
        """Say that the list is of another site than the links lead to, by their target domains; "" where it is not."""
        if not self.site or registrable_domain(self.site) in targets:
            return ""
        return f"{self.export.name} is a list of {self.site}, but none of the links point to that site."

    @property
    def figures(self) -> list[Figure]:
        """The overview of the texts alone."""
        sums = dict(zip(self.class_mix["anchor_class"], self.class_mix["texts"], strict=True))

        def share(word: str) -> str:
            return percent(sums.get(word, 0) / max(1, len(self.table)))

        named = bool(self.brands)
        return [
            ("Linking texts", len(self.table), self.about),
            ("Branded", share(BRANDED.word) if named else None, BRANDED.meaning if named else NO_SITE),
            ("Naked URLs", share(NAKED_URL.word), NAKED_URL.meaning),
            ("Generic", share(GENERIC.word), GENERIC.meaning),
        ]

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        said = [f"{value} {uncapitalised(label)}" for label, value, _ in self.figures[1:] if value is not None]
        listed = f"{self.tool} lists {count(len(self.table), 'linking text')} of {self.site or 'your site'}"
        return f"{listed}: {', '.join(said)}."


def read_texts(
    texts: Export, brands: Collection[str] = (), anchors: pd.DataFrame | None = None, site: str = ""
) -> LinkingTexts:
    """Return the tool's texts with their classes; of several files each text once.

    `brands`: names of the site, besides that of `site` or of the file's name. `anchors`: the anchors of our links
    (`analysis.profile.anchors.top_anchors`): a text that is one of them has its class. Raises InvalidSetting for a
    `site` that is none.
    """
    named = next(filter(None, map(site_of, texts.table[SOURCE_FILE.name].unique())), "")
    host = site_given(site) if site else named
    names = tuple(dict.fromkeys(filter(None, [*brands, brand_of(registrable_domain(host)) if host else ""])))
    rows = texts.table.assign(key=map_distinct(texts.table["linking_text"], fold_anchor))
    counts = [name for name in ("tool_domains", "tool_links") if rows[name].notna().any()]
    if counts:
        rows = rows.sort_values(["list_place", *counts], ascending=[True, *([False] * len(counts))], kind="stable")
    table = rows.drop_duplicates("key")[["list_place", "linking_text", *counts, "key"]].reset_index(drop=True)
    places = pd.Series(range(1, len(table) + 1), dtype="float64")
    table["list_place"] = table["list_place"].fillna(places).astype("int64")
    blank = pd.Series("", index=table.index, dtype="str")
    as_links = pd.DataFrame({"anchor": table["linking_text"], "target_key": blank, "target_domain": blank})
    classes = classify_anchors(as_links, names)
    table["anchor_class"] = classes.replace({OTHER_ANCHOR.word: TARGET_UNKNOWN})
    if anchors is not None:
        ours = anchors.assign(key=map_distinct(anchors["anchor"], fold_anchor)).groupby("key")
        table["anchor_class"] = table["key"].map(ours["anchor_class"].first()).fillna(table["anchor_class"])
        for name in ("links", "domains"):
            table[name] = table["key"].map(ours[name].sum()).fillna(0).astype("int64")
    return LinkingTexts(texts, table.drop(columns="key"), names, host)
