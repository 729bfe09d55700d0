"""Attacks: many links of one making, about what spam is about and the site is not; what each is, and what to do.

A link is of an attack for what it is (`spam_share`, who is trusted, its target's form) and for how many are like it;
none is accused by a number alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from backlink_audit.text.link_texts import is_homepage
from backlink_audit.wording import by_number, count

REDIRECT, HACKED, HOMEPAGE, PAGE, COMMENTS = "open redirect", "hacked pages", "homepage", "one page", "many pages"
"""Kinds of attacks: over an open redirect of the site; to pages put there by a break-in; to the homepage; to one page;
to many pages, as comments and forum posts do."""
ADVICE = {
    REDIRECT: "Close it: allow only the addresses that your site itself uses. Nothing needs to be disavowed.",
    HACKED: "Check the server: pages there are not yours. Remove them; links to pages that are gone need nothing.",
    HOMEPAGE: "Nothing is urgent: search engines ignore most such links. Review them as one campaign.",
    PAGE: "Nothing is urgent: search engines ignore most such links. Review them as one campaign.",
    COMMENTS: "Nothing is urgent: search engines ignore most such links. Review them as one campaign.",
}
IS_SPAM = 0.5  # the share of one field of spam in a link's title, anchor or target from which the link is about it
FEWEST_LINKS, FEWEST_DOMAINS, FEWEST_PAGES = 10, 4, 5
"""Links, referring domains, and pages of the site put there by a break-in, from which it is an attack."""
MOSTLY = 0.6
"""The share of an attack's links that go to its homepage or one page; of links over a redirect that are about spam."""
OF_ATTACKS = ["target_domain", "target_key", "referring_domain", "trusted", "redirecting", "risky_target"]
OF_ATTACKS += ["spam_about", "spam_share"]
"""Columns that links of attacks are found by."""
OF_RECORDS = ["attack", "target_domain", "referring_domain", "anchor", "first_seen", "spam_about", "spam_share"]
"""Columns that the records of attacks are made of."""
BETWEEN = "\t"  # between an attack's kind and its address


@dataclass(frozen=True)
class Attack:
    """Links of one making. `address`: where they go; `about`: the fields of spam, the most frequent first.

    `first` and `last`: between which most of them were first seen, NaT without dates; `of_links`: how many links there
    are in all; `rows`: the labels of its own.
    """

    kind: str
    address: str
    site: str
    about: tuple[str, ...]
    anchors: tuple[str, ...]
    first: pd.Timestamp
    last: pd.Timestamp
    domains: int
    of_links: int
    rows: pd.Index

    @property
    def advice(self) -> str:
        return ADVICE[self.kind]

    @property
    def sentence(self) -> str:
        """Say what it is."""
        dates = "" if pd.isna(self.first) else f"Since {self.first:%B %Y}, "
        number = (
            f"{len(self.rows):,} of your {count(self.of_links, 'link')} {by_number(len(self.rows), 'comes', 'come')}"
        )
        about = " and ".join(name.lower() for name in self.about[:2])
        where = {
            REDIRECT: f"to {self.address}, an open redirect on {self.site}",
            HACKED: f"to addresses such as {self.address}, which seem to be put on {self.site} by a break-in",
            HOMEPAGE: f"to the homepage of {self.site}",
            PAGE: f"to {self.address}",
            COMMENTS: "to many pages",
        }[self.kind]
        said = f"{dates}{number} from a spam campaign: {about} pages of {count(self.domains, 'domain')}, {where}."
        return said[:1].upper() + said[1:]


def attack_of(links: pd.DataFrame) -> pd.Series:
    """Return to which attack each link belongs, as kind and address (BETWEEN them), "" for none.

    `links` of the whole export, with OF_ATTACKS.
    """
    found = pd.Series("", links.index, dtype="str")
    suspects = links.loc[~links["trusted"].to_numpy(dtype=bool), OF_ATTACKS]
    for site, rows in suspects.groupby("target_domain", sort=True):
        trusted = set(links["target_key"][links["trusted"] & (links["target_domain"] == site)])
        for kind, address, index in _attacks_on(rows, trusted):
            found[index] = kind + BETWEEN + address
    return found


def attacks(links: pd.DataFrame) -> tuple[Attack, ...]:
    """Return the attacks among judged links (column attack, `attack_of`), the largest first."""
    found = []
    for (site, name), rows in links[links["attack"] != ""].groupby(["target_domain", "attack"]):
        kind, _, address = str(name).partition(BETWEEN)
        days = rows["first_seen"].dropna().sort_values()
        edges: list[Any] = [days.iloc[int(part * (len(days) - 1))] if len(days) else pd.NaT for part in (0.05, 0.95)]
        about = rows["spam_about"][rows["spam_share"] >= IS_SPAM].value_counts()
        anchors = rows["anchor"][rows["anchor"] != ""].value_counts().head(3)
        found.append(
            Attack(
                kind,
                address,
                str(site),
                tuple(about.index[about >= 0.1 * about.sum()].astype(str)),
                tuple(anchors.index.astype(str)),
                edges[0],
                edges[1],
                rows["referring_domain"].nunique(),
                len(links),
                rows.index,
            )
        )
    return tuple(sorted(found, key=lambda attack: (-len(attack.rows), attack.site, attack.address)))


def _attacks_on(rows: pd.DataFrame, trusted: set[str]) -> Iterable[tuple[str, str, pd.Index]]:
    """Yield kind, address and links of each attack among the links to a site that are not trusted.

    `trusted`: its pages that trusted links go to.
    """
    spam = rows["spam_share"] >= IS_SPAM
    over = rows["redirecting"] > 0
    scripts = rows["target_key"].str.replace(r"\?.*|/+https?:.*", "", regex=True)
    for script, of_script in rows[over].groupby(scripts[over]):
        if _is_large(of_script) and spam[of_script.index].mean() >= MOSTLY / 2:
            yield REDIRECT, str(script), of_script.index
    left = rows[spam & ~over]
    put = left[(left["risky_target"] >= IS_SPAM) & ~left["target_key"].isin(trusted)]
    patterns = put["target_key"].str.replace(r"\d+", "#", regex=True)
    if _is_large(put) and put["target_key"].nunique() >= FEWEST_PAGES:
        yield HACKED, str(patterns.value_counts().sort_index().idxmax()), put.index
        left = left.drop(put.index)
    for _, of_field in left.groupby("spam_about"):
        if not _is_large(of_field):
            continue
        home = of_field["target_key"].map(is_homepage).astype(bool)
        most = of_field["target_key"].value_counts().sort_index()
        if home.mean() >= MOSTLY:
            yield HOMEPAGE, str(of_field["target_key"][home].min()), of_field.index
        elif most.max() >= MOSTLY * len(of_field):
            yield PAGE, str(most.idxmax()), of_field.index
        else:
            yield COMMENTS, "", of_field.index


def _is_large(rows: pd.DataFrame) -> bool:
    return len(rows) >= FEWEST_LINKS and rows["referring_domain"].nunique() >= FEWEST_DOMAINS


def spam_subjects(shares: Sequence[np.ndarray], names: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the field of spam that each link is most about, object, "" for none, and its share, float32; (rows,).

    `shares` of the fields of spam (`meaning.risky_shares`) in title, anchor and target, each (rows, fields), 0 where
    there is no text; the largest of the three counts. `names` of the fields.
    """
    most = np.max(shares, axis=0)
    best = most.argmax(axis=1)
    share = most[np.arange(len(most)), best].astype(np.float32)
    return np.where(share > 0, names.astype(object)[best], ""), share
