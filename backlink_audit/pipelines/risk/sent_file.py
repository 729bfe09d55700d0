"""The disavow file that Google has, and the links there are: which of them it disavows, and which of those are good."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from backlink_audit.analysis.risk.disavow import covering_entries
from backlink_audit.analysis.risk.disavow_file import DisavowFile
from backlink_audit.labels import PRAISE
from backlink_audit.wording import by_number, count


@dataclass(frozen=True, eq=False)
class SentFile:
    """The disavow file that Google has, compared with live links (referring_url, referring_domain, referring_key).

    With the column verdict it is known which of them are good.
    """

    file: DisavowFile
    live: pd.DataFrame

    @cached_property
    def links(self) -> pd.DataFrame:
        """The live links that the file disavows, with entry: its line."""
        found = self.live.assign(entry=covering_entries(self.live, self.file))
        return found[found["entry"] != ""]

    @property
    def still_linking(self) -> int:
        """How many of the file's lines disavow a link that is still there."""
        return int(self.links["entry"].nunique())

    @cached_property
    def domains(self) -> pd.DataFrame:
        """One row per referring domain that is disavowed and still links: entry, links; the most links first."""
        counted = self.links.groupby("referring_domain", as_index=False).agg(
            entry=("entry", "first"), links=("entry", "size"), referring_url=("referring_url", "first")
        )
        return counted.sort_values("links", ascending=False, kind="stable", ignore_index=True)

    @cached_property
    def good(self) -> pd.DataFrame:
        """The disavowed links that are worth keeping, the best verdict first; empty where no audit judged them."""
        if "verdict" not in self.links:
            return self.links.head(0)
        order = {label.word: place for place, label in enumerate(PRAISE)}
        good = self.links[self.links["verdict"].isin(list(order))]
        return good.iloc[good["verdict"].map(order).argsort(kind="stable")]

    @property
    def figures(self) -> dict[str, int | None]:
        """The answer as plain data; good_links is None where no audit judged the links."""
        return {
            "domains": len(self.file.domains),
            "urls": len(self.file.urls),
            "still_linking": self.still_linking,
            "live_links": len(self.links),
            "good_links": len(self.good) if "verdict" in self.links else None,
        }

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        entries, good = len(self.file.domains) + len(self.file.urls), len(self.good)
        found = (
            f"Of {count(entries, 'line')} in the disavow file, {self.still_linking:,} "
            f"{by_number(self.still_linking, 'is', 'are')} about links that still exist "
            f"({count(len(self.links), 'live link')})"
        )
        if "verdict" not in self.links:
            return f"{found}; run the audit to see which are good."
        return f"{found}; {good or 'none'} of these {by_number(good, 'is', 'are')} worth keeping."
