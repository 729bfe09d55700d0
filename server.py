"""The app behind its guard: `streamlit run server.py`, which is what `make run` and `backlink-audit app` do."""

import streamlit as st

from backlink_audit.ui import guard

guard.stay_inside()
app = st.App("app.py", middleware=guard.middleware())
