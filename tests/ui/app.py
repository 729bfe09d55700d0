"""The app under AppTest: with a toy encoder instead of the model, and every job waited for."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import FileUploader

from backlink_audit import sample
from backlink_audit.embedding import models
from backlink_audit.ui import jobs
from tests.toy import ToyEncoder
from tests.ui import made_once

ROOT = Path(__file__).parent.parent.parent
SECONDS = 120
"""For one run of a page, on a machine that is busy."""


def open_app(
    monkeypatch: pytest.MonkeyPatch, page: str | None = None, *, with_sample: bool = False, anew: bool = False
) -> AppTest:
    """Open the app at a page ("pages/backlinks/audit.py"; None: home), with the sample project loaded if wanted.

    `anew`: nothing is taken that other tests have made.
    """
    if not anew:
        made_once.share(monkeypatch)
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(jobs, "WAIT_SECONDS", SECONDS)
    monkeypatch.setattr(models, "load_encoder", lambda name, **_: ToyEncoder())
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS).run()
    if with_sample:
        app.button(key="sample").click().run()
    if page:
        app.switch_page(page).run()
    return app


def upload(app: AppTest, name: str, data: bytes, role: str = "backlinks", place: str = "empty") -> AppTest:
    """Put a file into the uploader of a role; that of a page's panel ("page", "replace") is opened first."""
    if place in ("page", "replace"):
        open_panel(app, role)
    uploader = next(box for box in app.get("file_uploader") if f"upload:{role}:{place}" in (box.key or ""))
    assert isinstance(uploader, FileUploader)
    uploader.upload(name, data, "text/csv")
    return app.run()


def open_panel(app: AppTest, role: str) -> AppTest:
    """Open the panel of a role's file, whose uploader and columns are drawn only then."""
    app.session_state[f"panel-of-{role}"] = True
    return app.run()


def sample_file(role: str) -> tuple[str, bytes]:
    """The first file of the sample project for a role."""
    return sample.files()[role][0]


def sentences(app: AppTest) -> list[str]:
    """What the page says is wrong."""
    return [error.value for error in app.error]


def figures(app: AppTest) -> dict[str, str]:
    """The figures on screen, by label."""
    return {metric.label: metric.value for metric in app.metric}
