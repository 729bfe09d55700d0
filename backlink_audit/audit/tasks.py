"""What to do now about the links of a site, with what is at stake; and its links that arrive over a redirect."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from backlink_audit.judgement.scales import site_authority
from backlink_audit.labels import PITCH, PROTECT, RECLAIM, REVIEW, Label
from backlink_audit.site.links import is_broken
from backlink_audit.text.urls import map_distinct, normalise_urls, registrable_domains, urls_of
from backlink_audit.wording import count

CHAIN_COLUMNS = ("over_redirect", "linked_url", "redirects", "redirect_status", "redirect_chain")
"""What `redirect_columns` adds to each link."""
NOT_CHECKED = 0  # the status of a step that the tool did not ask
TEMPORARY = frozenset({302, 303, 307})  # redirects that say that the old address will come back
ARROW = " → "
SITES_TO_ASK = 5  # how many referring domains, at most, are few enough to write to each

ENDS_IN_ERROR = "The redirect leads to an error ({status}): redirect the old URL to a live page."
NOT_ASKED = (
    "The tool did not check every step: open the old URL, and fix the redirect if it does not reach the target page."
)
SAME_PAGE = "Only http/https, www or the trailing slash differs: keep the redirect, nothing else to do."
SHORTEN = "Shorten the chain: redirect the old URL directly to the target, in one step instead of {steps}."
MAKE_PERMANENT = "The redirect is temporary ({status}): make it permanent (301)."
KEEP_DOMAIN = "Keep the old domain and its redirect; ask the strongest sites to link directly to the target page."
ASK = "Keep the redirect; ask the sites to link directly to the target page."
KEEP = "Keep the redirect; ask the strongest sites to link directly to the target page."
TASK_COLUMNS = (
    *("verdict", "referring_url", "referring_domain"),
    *("scale", "url_rating", "domain_rating", "page_traffic"),
)
"""Columns of the links that tasks are made of."""


def redirect_columns(links: pd.DataFrame) -> pd.DataFrame:
    """Return what each link's redirect chain shows: `CHAIN_COLUMNS`, same index.

    `links` has target_url, redirect_urls and redirect_codes (the chain in the tool's words: URLs and codes with ", "
    between them, the linked URL first, the target not among them). over_redirect: bool. linked_url: what the page
    really links to, "" where that is the target. redirects: how many steps, NaN for none. redirect_status: the last
    step's answer, NaN where unknown. redirect_chain: the whole way in words.
    """
    over = (links["redirect_urls"] != "").to_numpy()
    ways = links["redirect_urls"] + "\0" + links["redirect_codes"] + "\0" + links["target_url"].where(over, "")
    steps = links["redirect_urls"].str.count(", http").astype("float64") + 1
    return pd.DataFrame(
        {
            "over_redirect": over,
            "linked_url": map_distinct(links["redirect_urls"], lambda urls: urls_of(urls)[0] if urls else ""),
            "redirects": steps.where(over),
            "redirect_status": last_status(links["redirect_codes"]),
            "redirect_chain": map_distinct(ways, _in_words),
        },
        index=links.index,
    )


def redirected_targets(links: pd.DataFrame) -> pd.DataFrame:
    """Return one row per old target that links arrive over, the one with the most CAS first.

    `links` is scored: target_url, what `redirect_columns` adds, redirect_codes, and referring_url, referring_domain,
    followed and cas. Columns: linked_url, target_url, redirects (the most of any), redirect_status, links, domains,
    followed_domains, cas (the sum), example_url (the link with the best CAS), redirect_chain, to_do.
    """
    rows = links[links["over_redirect"].astype(bool)].sort_values("cas", ascending=False, kind="stable")
    rows = rows.assign(
        linked_key=normalise_urls(rows["linked_url"]),
        arrived=normalise_urls(rows["target_url"]),
        followed_domain=rows["referring_domain"].where(rows["followed"].astype(bool)),
    )
    groups = rows.groupby(["linked_key", "arrived"], sort=False)
    found = groups.agg(
        linked_url=("linked_url", "first"),
        target_url=("target_url", "first"),
        redirects=("redirects", "max"),
        links=("referring_url", "size"),
        domains=("referring_domain", "nunique"),
        followed_domains=("followed_domain", "nunique"),
        cas=("cas", "sum"),
        example_url=("referring_url", "first"),
    ).reset_index(drop=True)
    longest = rows.sort_values("redirects", ascending=False, kind="stable").groupby(["linked_key", "arrived"])
    ways = longest[["redirect_status", "redirect_chain", "redirect_codes"]].first()
    keys = pd.MultiIndex.from_frame(groups[["linked_key", "arrived"]].first())
    found = found.assign(**{name: ways[name].reindex(keys).to_numpy() for name in ways.columns})
    found = found.assign(to_do=_to_do(found)).drop(columns="redirect_codes")
    return found.sort_values(["cas", "links"], ascending=False, kind="stable", ignore_index=True)


def target_error(links: pd.DataFrame) -> pd.Series:
    return links["redirect_status"].where(is_broken(links["redirect_status"]))


def last_status(codes: pd.Series) -> pd.Series:
    """Return the last of each chain's status codes as float64, NaN where there is none.

    >>> last_status(pd.Series(["301, 404", ""])).tolist()
    [404.0, nan]
    """
    return pd.to_numeric(codes.str.extract(r"(?<!\d)(\d+)\s*$")[0], errors="coerce").astype("float64")


def _in_words(way: str) -> str:
    r"""Write the whole way of a link.

    >>> _in_words("http://a.example/, https://a.example/\x00301, 302\x00https://b.example/")
    'http://a.example/ (301) → https://a.example/ (302) → https://b.example/'
    """
    chain, codes, target = way.split("\0")
    if not chain:
        return ""
    answers = [code.strip() for code in codes.split(",")]
    urls = urls_of(chain)
    answers += [""] * (len(urls) - len(answers))
    said = ["not checked" if code == str(NOT_CHECKED) else code for code in answers]
    steps = [f"{url} ({code})" if code else url for url, code in zip(urls, said, strict=False)]
    return ARROW.join([*steps, target])


def _to_do(found: pd.DataFrame) -> pd.Series:
    codes = found["redirect_codes"].astype("str").str.findall(r"\d+")
    temporary = [next((code for code in row if int(code) in TEMPORARY), "") for row in codes]
    is_temporary = np.array([code != "" for code in temporary], dtype=bool)
    unasked = np.array([str(NOT_CHECKED) in row for row in codes], dtype=bool)
    status = found["redirect_status"].astype("Int64").astype("str")
    same = normalise_urls(found["linked_url"]) == normalise_urls(found["target_url"])
    moved = registrable_domains(found["linked_url"]) != registrable_domains(found["target_url"])
    steps = found["redirects"].fillna(1).astype("int64").astype("str")
    words = np.select(
        [
            is_broken(found["redirect_status"]),
            unasked,
            is_temporary,
            same,
            found["redirects"] > 1,
            found["domains"] <= SITES_TO_ASK,
            moved,
        ],
        [
            status.map(lambda code: ENDS_IN_ERROR.format(status=code)),
            NOT_ASKED,
            [MAKE_PERMANENT.format(status=code) for code in temporary],
            SAME_PAGE,
            steps.map(lambda number: SHORTEN.format(steps=number)),
            ASK,
            KEEP_DOMAIN,
        ],
        default=KEEP,
    )
    return pd.Series(words, index=found.index, dtype="str")


@dataclass(frozen=True)
class Task:
    """One thing to do. `number`: how many links it is about, or sites where `noun` says so."""

    label: Label
    noun: str
    number: int
    domains: int  # How many referring domains these links come from
    best_authority: float  # The highest authority of their sites; NaN where none is known
    visits: float  # Monthly visits to the pages with these links, each page once; NaN where none is known

    @property
    def of_what(self) -> str:
        return count(self.number, self.noun)

    def at_stake(self, authority: str) -> str:
        """Say what is at stake: the strongest site, and the visits; "" where neither is known."""
        known = [f"{authority} up to {self.best_authority:g}"] if pd.notna(self.best_authority) else []
        known += [f"{count(round(self.visits), 'visit')} a month"] if self.visits > 0 else []
        return ", ".join(known)

    def sentence(self, authority: str) -> str:
        """Say the whole in one line, as the terminal does."""
        domains = f" from {count(self.domains, 'domain')}" if self.noun == "link" else ""
        stake = self.at_stake(authority)
        return f"{self.label.word} {self.of_what}{domains}{': ' if stake else ''}{stake}."


def tasks_of(scored: pd.DataFrame, chosen: pd.DataFrame, to_write_to: pd.Series) -> tuple[Task, ...]:
    """Return what to do now, the most urgent first: Reclaim (of all scored links), Protect, Review and Pitch.

    `scored`, and `chosen` of them, have `TASK_COLUMNS`; links without a task may be left out. `to_write_to`: the pages
    that stand for a site of the outreach list.
    """
    return (
        task(RECLAIM, scored[scored["verdict"] == RECLAIM.word]),
        *(task(label, chosen[chosen["verdict"] == label.word]) for label in (PROTECT, REVIEW)),
        task(PITCH, scored[scored["referring_url"].isin(to_write_to)], "site"),
    )


def task(label: Label, links: pd.DataFrame, noun: str = "link") -> Task:
    """Return what to do with these links (`TASK_COLUMNS`), or where `noun` is site, with their referring domains."""
    domains = int(links["referring_domain"].nunique())
    return Task(
        label,
        noun,
        len(links) if noun == "link" else domains,
        domains,
        float(site_authority(links).max()),
        float(links.drop_duplicates("referring_url")["page_traffic"].sum(min_count=1)),
    )


def to_do(result: Any) -> list[str]:
    return [task.sentence(result.site_word) for task in result.tasks if task.number]
