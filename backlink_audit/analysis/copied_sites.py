"""Sites and pages that copy the target's: found from what all links of a site show together, in any language.

A copy repeats the address of the page it links to as its title, shows pictures that lie on the target's site, or leads
with one anchor to page after page of it. One link of a copy may show nothing of that; its page, and its site, do.
"""

import numpy as np
import pandas as pd

from backlink_audit.analysis.footprints import sharing
from backlink_audit.analysis.made_pages import MANY_TARGETS, copied_titles
from backlink_audit.analysis.page_signs import passive, pictures

COPYING = 0.2
"""Share of a site's pages that are copies, from which all of them are: a site that copies does so by program."""
FEWEST_COPIES = 2
"""Pages that are copies, from which a site counts: one may be chance."""


def copy_signs(links: pd.DataFrame) -> pd.DataFrame:
    """Return what each link by itself shows of a copy: bool columns passive, copied_title, picture; index of `links`.

    passive: not followed, or written by visitors. `links` is a cleaned backlink table.
    """
    not_followed = passive(links)
    return pd.DataFrame(
        {
            "passive": not_followed,
            "copied_title": copied_titles(links["referring_title"], links["target_key"], not_followed) != "",
            "picture": pictures(links["target_url"]) != "",
        },
        index=links.index,
    )


def copied_sites(prints: pd.DataFrame, site_anchor: pd.Series) -> pd.DataFrame:
    """Return for each link bool copied_page, and copied_site: how many pages of its site are copies, else 0, int32.

    `prints`: those of all links of the export, with `copy_signs`. `site_anchor`: how many target pages the link's
    anchor leads to on its site. A copied page has a title that is copied in any of its links; a site copies where
    `COPYING` of its pages, and at least `FEWEST_COPIES`, are copies, show pictures, or repeat an anchor.
    """
    site, _ = pd.factorize(prints["referring_domain"].to_numpy())
    page, distinct = pd.factorize(prints["referring_page"].to_numpy())
    repeated = prints["passive"] & (site_anchor >= MANY_TARGETS)
    copied_page = _any(page, prints["copied_title"].to_numpy(), len(distinct))
    copy = _any(page, (prints["copied_title"] | prints["picture"] | repeated).to_numpy(), len(distinct))
    keys = prints["referring_domain"].to_numpy()
    pages = sharing(keys, page)
    copies = sharing(np.where(copy[page], keys, 0), page)
    # Every row of the site gets the number of its copies, also rows that are none.
    most = np.zeros(site.max(initial=-1) + 1, dtype=np.int32)
    np.maximum.at(most, site, copies)
    copies = most[site]
    copying = (copies >= FEWEST_COPIES) & (copies >= COPYING * pages)
    return pd.DataFrame(
        {"copied_page": copied_page[page], "copied_site": np.where(copying, copies, 0).astype(np.int32)},
        index=prints.index,
    )


def _any(codes: np.ndarray, found: np.ndarray, size: int) -> np.ndarray:
    """Return for each code whether any of its rows is found, bool (size,)."""
    return np.bincount(codes[found.astype(bool)], minlength=size) > 0
