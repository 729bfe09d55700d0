"""What to upload, and what you get."""

import streamlit as st

from backlink_audit.ui import audit, menu, upload_state, uploads

st.title("Which links matter, and which are missing?")
st.markdown(
    "Upload a backlink export from your SEO tool. Every link is compared by meaning with its target page. You see "
    "which links to protect and which to check, and can download a workbook. Everything stays on this computer."
)
backlinks = upload_state.get("backlinks")
if backlinks is None:
    uploads.ask("backlinks", sample_opens=menu.AUDIT.path)
else:
    uploads.card(backlinks)
    if st.button("Open the audit" if audit.is_shown() else menu.AUDIT.button, key="start", type="primary"):
        audit.ask()
        st.switch_page(menu.AUDIT.path)

loaded = {role for role, exports in upload_state.everything().items() if exports}
every = [page for section, pages in menu.MENU.items() if section for page in pages]
ready = [page for page in every if page.needs and all(loaded.intersection(roles) for roles in page.needs)]
others = [page for page in every if page not in ready]
sections = {"Ready with your files": ready, "With more files": others} if ready else menu.MENU
for section, pages in sections.items():
    if not section:
        continue
    st.subheader(section, anchor=False)
    with st.grid(min_column_width=240):
        for page in pages:
            with st.container(border=True, height="stretch"):
                st.page_link(page.path, label=f"**{page.title}**", icon=page.icon)
                st.markdown(page.gives)
                if page not in ready:
                    st.caption(upload_state.needs(page.needs) if page.needs else "Needs an open project.")
