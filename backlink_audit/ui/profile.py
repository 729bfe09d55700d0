"""The profile of the loaded backlinks: computed without a click, and what its page says around it."""

from collections.abc import Hashable

import pandas as pd
import streamlit as st

from backlink_audit.audit.result import Audit
from backlink_audit.errors import AuditError
from backlink_audit.exports.recognise import Export
from backlink_audit.profile import charts
from backlink_audit.profile.result import ATTRIBUTE_WORDS, TEXTS, Profile, tables_of_texts
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.profile.shares import LinkingTexts, read_texts
from backlink_audit.progress import Progress
from backlink_audit.settings import BacklinkFilters, LinkChoice
from backlink_audit.ui import inputs, jobs, menu, show, upload_state, uploads
from backlink_audit.wording import percent

ORDERS = {
    "strongest first": "authority",
    "newest first": "first_seen",
    "most links first": "links",
    "most relevant first": "mean_relevance",
}


def run(backlinks: Export, audit: Audit | None, choice: LinkChoice, filters: BacklinkFilters) -> Profile | None:
    """Show the progress while the profile is made, and return it, or None until it is there."""
    others = upload_state.sources("profile")

    def work(progress: Progress) -> Profile:
        source = audit or backlinks
        return profile_backlinks(source, choice, filters, others, progress)

    made_at = audit.made_at if audit else None
    key: Hashable = (backlinks.fingerprint, made_at, choice, filters, others.key)
    return jobs.run(key, menu.PROFILE.button, work, automatic=True)


def filters(audit: Audit | None, key: str) -> BacklinkFilters:
    """Show which links are set aside, and return it: the audit's own filters where there is one, so that all agrees."""
    if audit is None:
        return inputs.backlink_filters(key)
    st.caption(
        "The profile uses the filters of the Backlink audit, so that the numbers are the same. You can change them "
        "there."
    )
    return audit.settings.filters


def changed_at(audit: Audit | None) -> str:
    return show.CHANGE if audit is None else f"{show.CHANGE} of the Backlink audit"


def sorted_domains(domains: pd.DataFrame) -> pd.DataFrame:
    """Show by what the referring domains are sorted, and return them so; blank values come last."""
    offered = [words for words, name in ORDERS.items() if name in domains and domains[name].notna().any()]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Order", offered or list(ORDERS)[2:3], format_func=str.capitalize, key="profile:order", width=260
        )
        domains = _within(domains)
    return domains.sort_values(ORDERS[chosen], ascending=False, kind="stable", na_position="last")


def _within(domains: pd.DataFrame) -> pd.DataFrame:
    if domains["authority"].isna().all():
        return domains
    low, high = st.slider("Authority", 0, 100, (0, 100), key="profile:authority", persist_state="session", width=260)
    return domains if (low, high) == (0, 100) else domains[domains["authority"].between(low, high)]


def attribute_charts(profile: Profile) -> None:
    """Show a chart of each attribute that the export has; say of the others why there is none."""
    with st.grid(2, min_column_width=330, gap="medium"):
        for name, label in ATTRIBUTE_WORDS.items():
            if name not in profile.missing:
                drawn = charts.attribute(profile.attributes[name], label, overlapping=name == "follow")
                show.chart(drawn, f"attribute-{name}")
    for name, label in ATTRIBUTE_WORDS.items():
        if name in profile.missing:
            show.note(f"{label}: {profile.missing[name]}")


def warn_of_dominant_anchors(profile: Profile) -> None:
    """Warn of exact-match anchors on more than 15 % of the followed domains."""
    for anchor, share in profile.dominant_anchors[["anchor", "domain_share"]].itertuples(index=False):
        st.warning(
            f"{percent(share)} of the referring domains with followed links use the exact-match anchor "
            f"“{show.plain(anchor)}”."
        )


def why_no_months(profile: Profile) -> str:
    """Return why new or lost domains cannot be counted; "" where both can."""
    missing = profile.missing
    return missing.get("months") or missing.get("new_domains") or missing.get("lost_domains") or ""


def days_of_clicks(profile: Profile) -> str:
    return profile.earned.days_in_words if profile.earned else ""


def alone() -> None:
    """Where no backlinks are loaded, show the texts alone, or ask for links or texts, and stop the page."""
    if upload_state.get("backlinks") is not None:
        return
    if upload_state.get("texts") is None:
        uploads.ask("backlinks", "texts")
        st.stop()
    texts = read_texts(inputs.file("texts"))
    if not texts.site:
        texts = _of_site(texts)
    show.headline(texts.headline)
    show.figures(texts.figures)
    show.note(texts.about)
    show.chart(charts.text_classes(texts.class_mix), "text-classes")
    _table(texts)
    show.downloads(tables_of_texts(texts), "linking-texts")
    with st.expander("Backlinks (optional)"):
        uploads.upload("backlinks")
    st.stop()


def beside_anchors(texts: LinkingTexts | None) -> None:
    """Show the tool's texts with how many of the chosen links have each; nothing without them."""
    if texts is None:
        return
    st.subheader(f"Linking texts that {texts.tool} lists", anchor=False)
    show.note(texts.about)
    show.chart(charts.text_classes(texts.class_mix), "text-classes")
    _table(texts)


def _of_site(texts: LinkingTexts) -> LinkingTexts:
    given = st.text_input("Your site", placeholder="example.com", key="linking-texts:site")
    try:
        return read_texts(texts.export, site=given.strip())
    except AuditError as problem:
        show.problem(problem)
        return texts


def _table(texts: LinkingTexts) -> None:
    show.table(TEXTS, texts)
