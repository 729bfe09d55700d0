"""The small choices above a chart or a table."""

from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

import pandas as pd
import streamlit as st

from backlink_audit.pipelines.audit.result import Order
from backlink_audit.report.charts.audit import Target
from backlink_audit.settings import CHOSEN_LINKS, LinkChoice
from backlink_audit.ui import session

Option = TypeVar("Option", bound=str)
ORDERS: dict[Order, str] = {
    "at_stake": "Most at stake first",
    "domain_rating": "Highest {domain_rating} first",
    "first_seen": "Newest first",
    "cas": "Highest CAS first",
    "similarity": "Highest similarity first",
    "lowest similarity": "Lowest similarity first",
    "lowest cas": "Lowest CAS first",
    "lowest url_rating": "Lowest {url_rating} first",
}
"""The orders of links in words; ratings have the export's own."""
RANKINGS: tuple[Order, ...] = ("cas", "similarity", "lowest similarity", "lowest cas", "lowest url_rating")
"""The orders by a score that can be drawn as bars."""
NUMBERS = (10, 20, 50, 100)
SHOWN_LINKS = "links:shown"
"""The key of the widget in which the links are chosen whose figures are shown."""
MONTHS = 24
"""Of bars by month; twelve years of them are too thin to read."""


def one_of(label: str, options: Sequence[Option], key: str, words: Mapping[str, str] | None = None) -> Option:
    """Show options side by side and return the chosen one; the first is the default."""
    words = words or {}
    return st.segmented_control(
        label,
        options,
        default=options[0],
        required=True,
        format_func=lambda option: words.get(option, option),
        key=key,
        persist_state="session",
    )


def links_named() -> str:
    """Return whose figures the pages show, for the line that names it."""
    shown = str(session.typed(SHOWN_LINKS, LinkChoice().links))
    return "all links" if shown == "everything" else shown.replace("live", "live links", 1)


def shown_links() -> LinkChoice:
    """Show whose figures a page shows, and return the choice; it is one for all pages."""
    default = LinkChoice()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        links = st.segmented_control(
            "Links shown",
            CHOSEN_LINKS,
            default=default.links,
            required=True,
            format_func=str.capitalize,
            help="Every link of the file is scored. This choice applies to all numbers, charts, tables and downloads.",
            key=SHOWN_LINKS,
            persist_state="session",
        )
        one = st.toggle(
            "One link per referring domain",
            default.one_per_domain,
            help="Only the link from the strongest page of each referring domain.",
            key="links:one_per_domain",
            persist_state="session",
        )
    return LinkChoice(links, one)


def order(key: str, words: Mapping[str, str], orders: Sequence[Order] = tuple(ORDERS)) -> Order:
    """Show the orders of links and return the chosen one; `words`: what the export calls its ratings."""
    return st.selectbox(
        "Order",
        orders,
        format_func=lambda order: ORDERS[order].format(**words),
        key=f"{key}:order",
        persist_state="session",
        width=260,
    )


def ranking(key: str, words: Mapping[str, str], numbers: Sequence[int] = NUMBERS) -> tuple[Order, int]:
    """Show by which score links are ranked and how many are shown; return both."""
    with st.container(horizontal=True):
        chosen = order(key, words, RANKINGS)
        number = one_of("Number", [str(number) for number in numbers], f"{key}:number")
    return chosen, int(number)


def flow(key: str) -> tuple[Target, int]:
    """Show what is on the right of a flow and how many names are drawn; return both."""
    with st.container(horizontal=True):
        target = one_of("To", ("page", "domain"), f"{key}:target", {"page": "Target page", "domain": "Target domain"})
        most = one_of("Labels shown", ("10", "15", "30"), f"{key}:most")
    return cast(Target, target), int(most)


def months(table: pd.DataFrame, key: str) -> pd.DataFrame:
    """Show whether the last two years or all months are drawn, where there are more; return those months."""
    if len(table) <= MONTHS:
        return table
    span = one_of("Months", ("last", "all"), f"{key}:months", {"last": f"Last {MONTHS}", "all": f"All {len(table)}"})
    return table.tail(MONTHS) if span == "last" else table
