"""What to bring, and what one gets."""

import streamlit as st

from backlink_audit.ui import loaded, session

AUDIT = "pages/backlinks/audit.py"
OWN_SITE = ("backlinks", "domains")
BACKLINKS = (
    (AUDIT, "Backlink audit", "A verdict for every link, with its reason.", [("backlinks",)]),
    (
        "pages/backlinks/profile.py",
        "Backlink profile",
        "What the profile is made of, and how it changes.",
        [("backlinks",)],
    ),
    (
        "pages/backlinks/risk.py",
        "Risk review",
        "Signals with their evidence, your decisions, a disavow file.",
        [("backlinks",)],
    ),
    (
        "pages/backlinks/gap.py",
        "Gap",
        "Sites that link to competitors and not to you, with a page to pitch.",
        [OWN_SITE, ("competitors",)],
    ),
    ("pages/backlinks/changes.py", "Changes", "What was won, lost and changed.", [OWN_SITE, ("older",)]),
)
INTERNAL_LINKS = (
    (
        "pages/internal_links/opportunities.py",
        "Link opportunities",
        "Which page should link to which, with the sentence and the words.",
        [("pages",)],
    ),
    (
        "pages/internal_links/clusters.py",
        "Topic clusters",
        "What your site is about, its hubs, missing links.",
        [("pages",)],
    ),
)

st.title("Which links matter, and which are missing?")
st.markdown(
    "Bring the export of your backlinks as your tool wrote it. Every link is compared, by meaning, with the page it "
    "points to. You get the links worth protecting, those that want a look, and a workbook to take home. "
    "Everything stays on this machine."
)
if not any(session.get(role) for role in OWN_SITE):
    session.ask("backlinks", sample_opens=AUDIT)
else:
    st.info("Your files are loaded. Choose a page: each says whether it has all it needs.")

for title, pages in (("Backlinks", BACKLINKS), ("Internal links", INTERNAL_LINKS)):
    st.subheader(title, anchor=False)
    with st.grid(min_column_width=240):
        for path, label, gives, wants in pages:
            with st.container(border=True, height="stretch"):
                st.page_link(path, label=f"**{label}**")
                st.markdown(gives)
                st.caption(loaded.needs(wants))
