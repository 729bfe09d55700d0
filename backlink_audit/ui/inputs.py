"""The widgets of settings, each with its field's default; and what pages ask for alike: texts, embeddings, a check."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from backlink_audit.audit.result import Order
from backlink_audit.embedding import models
from backlink_audit.embedding.catalogue import MODELS
from backlink_audit.embedding.models import warn_of_languages
from backlink_audit.errors import AuditError
from backlink_audit.exports.recognise import Export
from backlink_audit.fetching.ask import require_packages
from backlink_audit.schema import SOURCE_FILE
from backlink_audit.settings import (
    CHOSEN_LINKS,
    DEFAULT_MODEL,
    AuditSettings,
    BacklinkFilters,
    BandLimits,
    CheckSettings,
    InterlinkSettings,
    LinkChoice,
    PageFilters,
    PageText,
    asked,
)
from backlink_audit.site.pages import suggest_brands
from backlink_audit.site.vectors import PageVectors, crawl_vectors, read_page_vectors
from backlink_audit.sources import ROLES, FeatureName, RoleName, Sources, taken_by
from backlink_audit.ui import jobs, projects, session, show, upload_state, uploads
from backlink_audit.ui import uploads as ui_uploads
from backlink_audit.ui.access import limits
from backlink_audit.ui.session import Key
from backlink_audit.wording import count

SLIDER = 100  # the widest range that a slider has; a wider one is typed
MOST_NAMED = 2  # Files that the line of a page's inputs names besides the first
STATUS_NAMES = {"download": "will be downloaded"}
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
}  # The orders of links in words; ratings have the export's own
NUMBERS = (10, 20, 50, 100)
SHOWN_LINKS = "links:shown"  # The key of the widget in which the links are chosen whose figures are shown
MONTHS = 24  # Of bars by month; twelve years of them are too thin to read
OFF = (
    "The link check is switched off: other people use this app, and the requests would come from this server. The "
    "administrator can allow it; or run `backlink-audit check` on your own computer."
)
MAKE, FROM_CRAWL, FROM_FILE = "Created by the model", "From the crawl", "From a file"


def place(feature: str, *needed: RoleName, words: Sequence[str] = (), label: str = "") -> DeltaGenerator:
    """Return where a page's files and settings are: behind one line that names them, once there is something to see.

    `needed`: the roles without which the page asks for a file, in sight; `words`: what else the line names; `label`:
    the run whose result is awaited; "": the page starts by itself, or says what it has.
    """
    loaded = upload_state.everything()
    if not all(role in loaded for role in needed) or (label and not jobs.is_shown(label)):
        return st.container()
    further = [role.name for role in ROLES.values() if feature in role.adds and role.name not in needed]
    first, *others = [export for role in (*needed, *further) for export in loaded.get(role, ())]
    names = [f"{first.name} ({count(len(first.raw), 'row')})", *(export.name for export in others[:MOST_NAMED])]
    if len(others) > MOST_NAMED:
        names.append(count(len(others) - MOST_NAMED, "more file"))
    line = show.plain(" · ".join([*names, *words]))
    return st.expander(f"Change files and settings: {line}", key=f"{feature}-inputs")


def own_role() -> RoleName:
    """Return which role has the own site's links: backlinks, or referring domains where there are none."""
    only_domains = upload_state.get("backlinks") is None and upload_state.get("domains") is not None
    return "domains" if only_domains else "backlinks"


def model_named(key: str, default: str = DEFAULT_MODEL) -> str:
    return str(session.typed(key, default))


def file(role: RoleName) -> Export:
    """Show a role's file, its columns and a way to replace it, and return its export; without one, stop the page."""
    export = uploads.require(role)
    panel = _panel(role, f": {export.name} ({ui_uploads.summary(export)})")
    if panel.open:
        with panel:
            uploads.upload(role, key="replace")
            ui_uploads.editor(role)
    return export


def own_site() -> Export:
    """Show the own site's backlinks, or else its referring domains, and return the export; without either, stop."""
    role = own_role()
    if upload_state.get(role) is None:
        uploads.ask("backlinks", "domains")
        st.stop()
    return file(role)


def optional_file(role: RoleName) -> Export | None:
    """Show a role's file, or an uploader where there is none; return its export or None."""
    if upload_state.get(role) is not None:
        return file(role)
    panel = _panel(role, " (optional)")
    if panel.open:
        with panel:
            uploads.upload(role)
    return None


def other_files(feature: FeatureName) -> Sources:
    """Show what a feature takes besides its own file, or uploaders for it; return what its run is made of."""
    for role, use in taken_by(feature).items():
        if use.asked:
            optional_file(role)
    return upload_state.sources(feature)


def _panel(role: RoleName, state: str) -> ExpanderContainer:
    return st.expander(f"{ROLES[role].label}{show.plain(state)}", key=f"panel-of-{role}", on_change="rerun")


def audit_settings() -> AuditSettings:
    """Show everything an audit can be tuned by, and return it as settings. The values last for the session."""
    defaults = AuditSettings()
    with st.grid(min_column_width=260):
        chosen: dict[str, Any] = {"model": model(key="audit:model", default=defaults.model)}
        chosen |= settings_of(AuditSettings, "audit", "link_text", "subject_from", "authority")
    with st.grid(min_column_width=260):
        chosen |= settings_of(AuditSettings, "audit", "log_dilution", "followed_only", "original_columns")
    return AuditSettings(**chosen, filters=backlink_filters(key="audit:filters"), bands=bands(key="audit:bands"))


def setting(kind: type[Any], name: str, key: str, **more: Any) -> Any:
    """Show the widget of a field of settings, as data/settings.csv and its type say, and return its value.

    Its default is the field's, or `value` of `more`, which is what else the widget is given.
    """
    field, about = asked(kind, name), {"help": asked(kind, name).help, **kept(key)}
    default = more.pop("value", getattr(kind(), name))
    about |= {"placeholder": field.placeholder} if field.placeholder else {}
    if field.choices:
        place = field.choices.index(default)
        return st.selectbox(
            field.label, field.choices, place, lambda one: field.words.get(one or "", one), **about, **more
        )
    if isinstance(default, bool):
        return st.toggle(field.label, default, **about, **more)
    if isinstance(default, str):
        return st.text_input(field.label, default, **about, **more)
    assert field.least is not None and field.most is not None
    of = type(field.least)
    value = None if default is None else of(default)
    if field.step and field.most - field.least <= SLIDER:
        return st.slider(field.label, field.least, field.most, value, field.step, **about, **more)
    given = st.number_input(field.label, field.least, field.most, value, field.step, **about, **more)
    return value if given is None else given


def settings_of(kind: type[Any], key: str, *names: str) -> dict[str, Any]:
    every = names or [one.name for one in fields(kind)]
    return {name: setting(kind, name, f"{key}:{name}") for name in every}


def model(key: str, default: str = DEFAULT_MODEL) -> str:
    """Show the model chooser: which are ready, which would be downloaded; return the chosen model's name."""
    offered = (*MODELS, *models.own_models())
    names = [entry.name for entry in offered]
    entries = dict(zip(names, offered, strict=True))
    states = {name: models.status(entry) for name, entry in entries.items()}
    return st.selectbox(
        "Model",
        names,
        index=names.index(default),
        format_func=lambda name: f"{name} ({STATUS_NAMES.get(states[name], states[name])})",
        help="The model turns text into vectors (embeddings). The default model is included and works offline.",
        **kept(key),
    )


def backlink_filters(key: str) -> BacklinkFilters:
    return _switches(BacklinkFilters, "Exclude before scoring", key)


def page_filters(key: str) -> PageFilters:
    return _switches(PageFilters, "Exclude these pages", key)


def bands(key: str) -> BandLimits:
    """Show the limits of the bands of relevance as one slider with two ends."""
    defaults = BandLimits()
    weak, relevant = st.slider(
        "Relevance limits: weak from, relevant from",
        0.0,
        100.0,
        (defaults.weak, defaults.relevant),
        step=0.5,
        format="%g",
        help=(
            "Relevance goes from 0 to 100. Below the first value a link is off-topic, from the second value it is "
            "relevant."
        ),
        **kept(key),
    )
    return BandLimits(relevant=relevant, weak=weak)


def _switches(kind: type[Any], title: str, key: str) -> Any:
    st.caption(title)
    with st.grid(min_column_width=230, gap="xsmall"):
        names = {field.name: getattr(kind(), field.name) for field in fields(kind)}
        boxes = {name: st.checkbox(asked(kind, name).label, on, **kept(f"{key}:{name}")) for name, on in names.items()}
        return kind(**boxes)


def kept(key: str) -> dict[str, Any]:
    return {"key": key, "persist_state": "session"}


def one_of(
    label: str,
    options: Sequence[Option],
    key: str,
    words: Mapping[str, str] | None = None,
    default: Option | None = None,
    *,
    named: bool = True,
) -> Option:
    """Show options side by side and return the chosen one, at first `default` or the first; `named`: with the label."""
    words = words or {}
    return st.segmented_control(
        label,
        options,
        default=options[0] if default is None else default,
        label_visibility="visible" if named else "collapsed",
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
            asked(LinkChoice, "links").label,
            CHOSEN_LINKS,
            default=default.links,
            required=True,
            format_func=str.capitalize,
            help=asked(LinkChoice, "links").help,
            key=SHOWN_LINKS,
            persist_state="session",
        )
        one = setting(LinkChoice, "one_per_domain", "links:one_per_domain")
        without = setting(LinkChoice, "without_attacks", "links:without_attacks")
    return LinkChoice(links, one, without)


def order(key: str, words: Mapping[str, str]) -> Order:
    """Show the orders of links and return the chosen one; `words`: what the export calls its ratings."""
    return st.selectbox(
        "Order",
        tuple(ORDERS),
        format_func=lambda order: ORDERS[order].format(**words),
        key=f"{key}:order",
        label_visibility="collapsed",
        persist_state="session",
        width=230,
    )


def months(table: pd.DataFrame, key: str) -> pd.DataFrame:
    """Show whether the last two years or all months are drawn, where there are more; return those months."""
    if len(table) <= MONTHS:
        return table
    span = one_of("Months", ("last", "all"), f"{key}:months", {"last": f"Last {MONTHS}", "all": f"All {len(table)}"})
    return table.tail(MONTHS) if span == "last" else table


def require_allowed() -> None:
    """End the page where the check is off, or its packages are missing."""
    if projects.is_served_to_others() and not limits().link_checks:
        st.info(OFF)
        st.stop()
    try:
        require_packages()
    except AuditError as problem:
        st.info(show.plain(str(problem)))
        st.stop()


def asked_settings(key: str = "check") -> CheckSettings:
    """Show how the pages are asked, and return it as settings."""
    with st.grid(min_column_width=240):
        pace = setting(CheckSettings, "pace", f"{key}:pace")
        age = setting(CheckSettings, "max_age", f"{key}:age")
    return CheckSettings(pace=pace, max_age=age)


def page_text(key: str) -> PageText | None:
    """Show which text represents a page; return it, None for what the crawl allows."""
    chosen: PageText | None = setting(InterlinkSettings, "text", f"{key}:text")
    return chosen


def columns(pages: Export, key: str) -> tuple[str, ...]:
    """Show the file's own columns, to be joined in place of the page's text; return those chosen."""
    return tuple(
        st.multiselect(
            "Or use these columns",
            [header for header in pages.raw.columns if header != SOURCE_FILE.label],
            placeholder="none",
            help="Choose any columns of the file. Their texts are joined and represent the page.",
            **kept(f"{key}:columns:{pages.fingerprint}"),
        )
    )


def brands(pages: Export, key: str) -> tuple[str, ...] | None:
    """Show what is cut from titles, to be edited; None while it is what was found."""
    known: dict[str, tuple[str, ...]] = session.kept(Key.BRANDS, dict)
    if pages.fingerprint not in known:
        known[pages.fingerprint] = suggest_brands(pages)
    found = known[pages.fingerprint]
    text = st.text_input(
        "Remove from titles",
        " | ".join(found),
        help=(
            "Text that many titles share, such as the brand name; found automatically. Separate several with |. "
            "Leave empty to remove nothing."
        ),
        placeholder="nothing",
        **kept(f"{key}:brands:{pages.fingerprint}"),
    )
    chosen = tuple(part.strip() for part in text.split("|") if part.strip())
    return None if chosen == found else chosen


def given_vectors(pages: Export, key: str) -> PageVectors | None:
    """Show where the embeddings come from; return those given, or None. Raises AuditError."""
    options = [MAKE, *([FROM_CRAWL] if pages.has("embedding") else []), FROM_FILE]
    chosen = st.segmented_control("Embeddings", options, default=MAKE, required=True, key=f"{key}:embeddings")
    if chosen == FROM_CRAWL:
        return _remembered(("crawl", pages.fingerprint), lambda: crawl_vectors(pages))
    if chosen == FROM_FILE:
        file = st.file_uploader("Embeddings saved by an earlier run", type=["npz"], key=f"{key}:npz-in")
        if file:
            return _remembered(("file", file.file_id), lambda: read_page_vectors(file.name, file.getvalue()))
        st.caption("If no file is loaded, the model creates them.")
    return None


def _remembered(key: Hashable, read: Callable[[], PageVectors]) -> PageVectors:
    known: tuple[Hashable, PageVectors] | None = session.kept(Key.PAGE_VECTORS, lambda: None)
    if known is None or known[0] != key:
        known = session.keep(Key.PAGE_VECTORS, (key, read()))
    return known[1]


def offer_multilingual(model: str, exports: Sequence[Export], key: str) -> None:
    """Warn if most pages of a file are in languages that the model does not know; offer one that knows them.

    `key`: that of the widget in which the model is chosen (`model`).
    """
    known: dict[tuple[str, ...], str | None] = session.kept(Key.LANGUAGES, dict)
    asked = model, *(export.fingerprint for export in exports)
    if asked not in known:
        known[asked] = warn_of_languages(model, exports)
    sentence = known[asked]
    if sentence is None:
        return
    other = models.find_model(models.MULTILINGUAL)
    st.warning(show.plain(sentence))
    size = "" if models.status(other) == "ready" else f" ({other.size_mb} MB, downloaded once)"
    st.button(
        f"Use {other.name}{size}",
        key=f"{key}:multilingual",
        help=f"{other.languages}. It is used for the next run; the model you have now is not removed.",
        on_click=session.fill_in,
        args=(key, other.name),
    )
