"""The pages: each is one file under pages/ and one line in `data/pages.csv`, which menu, Home and titles read."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.pages_manager import PagesManager

from backlink_audit import features
from backlink_audit.feature import Feature
from backlink_audit.sources import RoleName
from backlink_audit.ui import session
from backlink_audit.ui.session import Key

APP = "Backlink Audit"
TIDY_UP = """<script>{{  // {title}
    const menu = document.querySelector("[data-testid=stSidebar]")
    if (window.innerWidth <= 768 && menu && menu.getBoundingClientRect().right > 0)
        menu.querySelector("[data-testid=stSidebarCollapseButton] button")?.click()
    const unlist = tries => {{  // the menu may be drawn after this
        const parts = document.querySelectorAll("[data-testid=stSidebarNavItems], [data-testid=stSidebarNavItems] li")
        for (const part of parts) part.setAttribute("role", "none")
        if (!parts.length && tries) setTimeout(unlist, 100, tries - 1)
    }}
    unlist(50)
}}</script>"""
"""Streamlit puts sections between the menu's list and its entries, so that it is no list: a screen reader would read
each entry as a list of its own. Without that role they are links in a navigation, which is right.

768 pixels: up to this width Streamlit lays the menu over the page. The same text would not be run a second time."""


@dataclass(frozen=True)
class Page:
    """One page. `needs`: the files it cannot do without; each may be of any one of several roles.

    Without any it works on an open project.
    """

    path: str
    title: str
    icon: str
    gives: str  # What the visitor gets there, in a sentence
    needs: tuple[tuple[RoleName, ...], ...] = ()
    button: str = ""  # What the button says that starts the page's work


def _page(row: Mapping[str, str]) -> Page:
    path, icon, gives = row["path"], row["icon"], row["gives"]
    if not row["feature"]:
        return Page(path, row["title"], icon, gives, button=row["button"])
    feature: Feature = getattr(features, row["feature"])
    needs = tuple(one.roles for one in feature.inputs if one.roles and not one.by_name)
    return Page(path, feature.title, icon, gives, needs, feature.button)


with (files("backlink_audit") / "data" / "pages.csv").open(encoding="utf-8") as _lines:
    _ROWS = tuple(csv.DictReader(_lines))
MENU: Mapping[str, tuple[Page, ...]] = {
    section: tuple(_page(row) for row in _ROWS if row["section"] == section)
    for section in ("", "Backlinks", "Your site")
}
"""The menu's sections, in order: `data/pages.csv` has a line for each page."""
HOME, FREE, PROJECTS = MENU[""]
AUDIT, PROFILE, COMPETITORS, RISK, GAP, OUTREACH_DESK, CHANGES, CHECK, HISTORY = MENU["Backlinks"]
INTERLINKS, CLUSTERS, AUTHORITY, INLINKS, REDIRECTS, AI_ANSWERS = MENU["Your site"]


def pages_that_need(role: RoleName) -> list[Page]:
    return [page for pages in MENU.values() for page in pages if any(role in roles for roles in page.needs)]


def take_over() -> None:
    """Let Streamlit know, before its first visitor, that the menu is ours.

    It would look for pages in `pages/` by itself, and call the address of a server's first visitor “Page not found”.
    """
    PagesManager.uses_pages_directory = False


def listed(page: Page) -> StreamlitPage:
    """Return a page as Streamlit's menu takes it. The first one's address is empty, and its name is free."""
    if page is HOME:
        return st.Page(page.path, title=page.title, icon=page.icon, default=True, url_path="start")
    return st.Page(page.path, title=page.title, icon=page.icon)


def home_by_name() -> StreamlitPage:
    """Return the page, not in the menu, that opens the first one for who asks for it by its name."""

    def go_home() -> None:
        st.switch_page(HOME.path)

    return st.Page(go_home, title=HOME.title, url_path="home", visibility="hidden")


def name_in_browser(title: str) -> str:
    """Return what the browser's tab and history call a page, by its title in the menu.

    >>> name_in_browser("Gap"), name_in_browser("Home")
    ('Gap · Backlink Audit', 'Backlink Audit')
    """
    return APP if title == HOME.title else f"{title} · {APP}"


def tidy_up(title: str) -> None:
    """Once a page was chosen, correct the menu's roles, and close it on a narrow screen: it would lie over the page.

    Streamlit closes it by itself only where the browser calls itself a telephone's.
    """
    if session.kept(Key.PAGE, str) != title:
        session.keep(Key.PAGE, title)
        st.html(TIDY_UP.format(title=title), unsafe_allow_javascript=True)
