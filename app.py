"""The frame around every page: the menu, the loaded files, and nothing else; and the server that runs it, guarded."""

from pathlib import Path

import streamlit as st

from backlink_audit.ui import guard, menu

SIDEBAR = 240  # pixels, at first: a table's columns need the rest
LOOKS = Path(__file__).parent / "docs"
# In Streamlit's own colour a chosen option and a slider's value have too little contrast in the dark (3.9 to 1).
CHOSEN = """<style>
    button[data-variant][data-selected]:not([data-disabled]), [data-testid=stSliderThumbValue] {color: inherit}
</style>"""


def frame() -> None:
    """Draw the frame and the chosen page, for one visitor."""
    guard.wait()
    from backlink_audit.ui import access, persisted_state, projects, session, uploads

    guard.start()
    # The icon is a file of ours: the browser would fetch a ":material/…:" one from the internet.
    st.set_page_config(page_icon=str(LOOKS / "icon.svg"), layout="wide", initial_sidebar_state=SIDEBAR)
    st.logo(str(LOOKS / "logo.svg"), size="large")
    st.html(CHOSEN)

    access.require()
    access.admit()
    session.keep_tabs()
    listed = {section: [menu.listed(one) for one in pages] for section, pages in menu.MENU.items()}
    listed[""].append(menu.home_by_name())
    page = st.navigation(listed, expanded=True)  # else Streamlit hides the last pages behind “View more”
    st.set_page_config(page_title=menu.name_in_browser(page.title))
    menu.tidy_up(page.title)
    projects.arrive()
    uploads.sidebar()
    access.sidebar()
    try:
        page.run()
    finally:
        persisted_state.remember()


if __name__ == "__main__":
    frame()
else:  # `streamlit run` imports this file, serves `app`, and runs the file for each visitor
    guard.share_heaps()
    guard.begin()
    guard.stay_inside()
    menu.take_over()
    app = st.App(__file__, middleware=guard.middleware())
