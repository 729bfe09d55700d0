"""The pages: each is one file under pages/ and one entry here, which the menu, Home and the page's own title read."""

from collections.abc import Mapping
from dataclasses import dataclass

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


def _page(feature: Feature, path: str, icon: str, gives: str) -> Page:
    needs = tuple(one.roles for one in feature.inputs if one.roles and not one.by_name)
    return Page(path, feature.title, icon, gives, needs, feature.button)


HOME = Page("pages/start/home.py", "Home", ":material/home:", "What to upload, and what you get.")
PROJECTS = Page(
    "pages/start/projects.py",
    "Projects",
    ":material/folder_open:",
    "Saved work for each site: files, audits and decisions.",
)
AUDIT = _page(
    features.AUDIT, "pages/backlinks/audit.py", ":material/fact_check:", "A verdict for every link, with its reason."
)
PROFILE = _page(
    features.PROFILE,
    "pages/backlinks/profile.py",
    ":material/donut_small:",
    "Domains, anchors, topics, target pages, new and lost links.",
)
RISK = _page(
    features.RISK,
    "pages/backlinks/risk.py",
    ":material/gpp_maybe:",
    "Signals with their evidence, your decisions, a disavow file.",
)
GAP = _page(
    features.GAP,
    "pages/backlinks/gap.py",
    ":material/compare_arrows:",
    "Sites that link to competitors but not to you, with a page to pitch.",
)
COMPETITORS = _page(
    features.COMPETITORS,
    "pages/backlinks/competitors.py",
    ":material/view_column:",
    "Your backlink profile compared with those of competitors, one column for each file.",
)
CHANGES = _page(
    features.CHANGES,
    "pages/backlinks/changes.py",
    ":material/difference:",
    "New, lost and changed links, and links to reclaim.",
)
CHECK = _page(
    features.CHECK,
    "pages/backlinks/check.py",
    ":material/public:",
    "Which links are still on their pages, asked page by page.",
)
HISTORY = Page(
    "pages/backlinks/history.py",
    "History",
    ":material/timeline:",
    "How the metrics of a project changed between snapshots, with new and lost links.",
    button="Compare each snapshot with the one before",
)
OUTREACH_DESK = Page(
    "pages/backlinks/outreach_desk.py",
    "Outreach desk",
    ":material/contact_mail:",
    "The sites to ask for a link, with state, follow-up date and emails.",
)
INTERLINKS = _page(
    features.INTERLINKS,
    "pages/internal_links/internal_links.py",
    ":material/add_link:",
    "Which page should link to which, with the sentence and the anchor text.",
)
CLUSTERS = _page(
    features.CLUSTERS,
    "pages/internal_links/clusters.py",
    ":material/bubble_chart:",
    "What your site is about, with hub pages and missing links.",
)
AUTHORITY = _page(
    features.AUTHORITY,
    "pages/internal_links/authority.py",
    ":material/account_tree:",
    "How authority flows through the site, and what new links would change.",
)
INLINKS = _page(
    features.INLINKS,
    "pages/internal_links/existing_links.py",
    ":material/link:",
    "Which existing links to fix, which anchors to change, and which links are off-topic.",
)

REDIRECTS = _page(
    features.REDIRECTS,
    "pages/internal_links/redirects.py",
    ":material/alt_route:",
    "The best new page for each old page, and redirect rules for your server.",
)

AI_ANSWERS = _page(
    features.CITATIONS,
    "pages/internal_links/ai_answers.py",
    ":material/forum:",
    "Which pages AI answers cite, for which queries, and which links those pages lack.",
)
FREE = Page(
    "pages/start/free.py",
    "Start without a paid tool",
    ":material/savings:",
    "A whole audit from Search Console or Bing: the linking pages are read for their links.",
    button="Read the linking pages",
)

MENU: Mapping[str, tuple[Page, ...]] = {
    "": (HOME, FREE, PROJECTS),
    "Backlinks": (AUDIT, PROFILE, COMPETITORS, RISK, GAP, OUTREACH_DESK, CHANGES, CHECK, HISTORY),
    "Your site": (INTERLINKS, CLUSTERS, AUTHORITY, INLINKS, REDIRECTS, AI_ANSWERS),
}  # The menu's sections, in order


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
