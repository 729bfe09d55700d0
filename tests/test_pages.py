"""Every page of the app: one file and one entry of the menu, which Home and its title read, and open without fault."""

from pathlib import Path

import pytest

from backlink_audit import sample
from backlink_audit.ui import menu
from tests.ui.app import ROOT, open_app, sentences, upload

FILES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "pages").rglob("*.py"))
PAGES = {page.path: page for pages in menu.MENU.values() for page in pages}
ON_HOME = [page for section, pages in menu.MENU.items() if section for page in pages]
NEED_FILES = [page for page in PAGES.values() if page.needs]


def asks_for_files(app):
    """Whether the page shows what to bring instead of its work."""
    return any(button.key == "sample" for button in app.button)


def test_every_page_file_has_one_entry_in_the_menu():
    assert sorted(page.path for pages in menu.MENU.values() for page in pages) == FILES


def test_every_page_file_is_one_folder_down():
    assert {len(Path(path).parts) for path in FILES} == {3}


def test_home_shows_every_page_with_what_it_gives(monkeypatch):
    app = open_app(monkeypatch)
    links = {link.proto.label: link for link in app.get("page_link")}
    assert set(links) == {f"**{page.title}**" for page in ON_HOME}
    assert {page.gives for page in ON_HOME} <= {text.value for text in app.markdown}


def test_without_files_every_page_opens_and_those_that_need_some_ask_for_them(monkeypatch):
    app = open_app(monkeypatch)
    for path in FILES:
        app.switch_page(path).run()
        assert app.title and not app.exception and not sentences(app), path
        if PAGES[path].needs:
            assert (app.title[0].value, asks_for_files(app)) == (PAGES[path].title, True), path


@pytest.mark.parametrize("page", NEED_FILES, ids=lambda page: page.path)
def test_a_page_works_with_the_files_that_its_entry_names(page, monkeypatch):
    app = open_app(monkeypatch, page.path)
    for roles in sorted(page.needs, key=lambda roles: roles == ("older",)):  # asked for once the newer one is there
        upload(app, *sample.files()[roles[0]][0], role=roles[0])
    assert not asks_for_files(app)
    assert not sentences(app)


def test_the_icon_is_a_file_so_the_browser_fetches_none_from_the_internet():
    assert 'page_icon=str(LOOKS / "icon.svg")' in (ROOT / "app.py").read_text(encoding="utf-8")
    assert (ROOT / "docs" / "icon.svg").is_file()


def test_every_page_opens_with_the_sample_project(monkeypatch):
    app = open_app(monkeypatch, with_sample=True)
    for path in FILES:
        app.switch_page(path).run()
        assert not app.exception and not sentences(app), path
