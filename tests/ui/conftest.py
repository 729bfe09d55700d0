"""A secrets.toml of its own for a server without one."""

from pathlib import Path

import pytest
import streamlit as st
from streamlit import config


@pytest.fixture
def secrets(monkeypatch, tmp_path):
    """Write the server's secrets.toml; gives its path."""
    path, former = tmp_path / "secrets.toml", config.get_option("secrets.files")

    def hold(text: str | bytes) -> Path:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        st.secrets._reset()
        return path

    monkeypatch.setattr(type(st.secrets), "_maybe_install_file_watchers", lambda self: None)
    config.set_option("secrets.files", [str(path)])
    yield hold
    config.set_option("secrets.files", former)
    st.secrets._reset()
