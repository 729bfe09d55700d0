"""Every page of the app: registered in the frame, linked from home, and open without an exception."""

from pathlib import Path

import pytest

from tests.ui.app import ROOT, open_app, sentences

HOME = "pages/start/home.py"
PAGES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "pages").rglob("*.py"))


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_registered_in_the_frame(page):
    assert f'st.Page("{page}"' in (ROOT / "app.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in PAGES if page != HOME])
def test_every_page_is_linked_from_home(page):
    assert f'"{page}"' in (ROOT / HOME).read_text(encoding="utf-8")


def test_the_icon_is_a_file_so_the_browser_fetches_none_from_the_internet():
    assert 'page_icon="docs/icon.svg"' in (ROOT / "app.py").read_text(encoding="utf-8")
    assert (ROOT / "docs" / "icon.svg").is_file()


@pytest.mark.parametrize("page", PAGES)
def test_every_page_file_is_one_folder_down(page):
    assert len(Path(page).parts) == 3


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_without_files(page, monkeypatch):
    app = open_app(monkeypatch, page)
    assert not app.exception
    assert not sentences(app)
    assert app.title


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_with_the_sample_project(page, monkeypatch):
    app = open_app(monkeypatch, page, with_sample=True)
    assert not app.exception
    assert not sentences(app)
