"""The offer of a multilingual model, on every page of backlinks that judges by meaning."""

import pytest

from backlink_audit.embedding import models
from backlink_audit.errors import ModelUnavailable
from backlink_audit.settings import DEFAULT_MODEL, LINKS_MODEL
from tests.toy import ToyEncoder
from tests.ui.app import open_app, sentences, upload

TITLES = (
    "Så väljer du rätt stolar till köket och trädgården",
    "Hvordan man vedligeholder et gammelt bord af eg",
    "Kuinka valita oikea pöytä keittiöön ja puutarhaan",
)
HEADER = "Referring page URL,Referring page title,Target URL,First seen\n"


def foreign(target: str, site: str) -> bytes:
    rows = [f"https://{site}{n}.example/a,{title},https://{target}/oak,2025-01-01" for n, title in enumerate(TITLES)]
    return (HEADER + "\n".join(rows)).encode()


def page(monkeypatch, name):
    app = upload(open_app(monkeypatch, f"pages/backlinks/{name}.py"), "ours.csv", foreign("shop.example", "a"))
    if name == "gap":
        upload(app, "them.csv", foreign("them.example", "b"), role="competitors")
    return app


@pytest.mark.parametrize("name", ["audit", "gap", "changes"])
def test_one_click_chooses_the_multilingual_model_and_says_its_size(monkeypatch, name):
    monkeypatch.setattr(models, "status", lambda model: "ready" if model.name == DEFAULT_MODEL else "download")
    app = page(monkeypatch, name)
    assert any("100% of the 3 pages" in warning.value for warning in app.warning)
    button = app.button(key=f"{name}:model:multilingual")
    assert button.label == "Use multilingual-e5-small (471 MB, downloaded once)"
    button.click().run()
    assert app.selectbox(key=f"{name}:model").value == models.MULTILINGUAL
    assert not any("100% of the 3 pages" in warning.value for warning in app.warning)
    assert not app.exception


def test_a_failed_download_is_a_sentence_and_the_default_keeps_working(monkeypatch):
    app = page(monkeypatch, "audit")

    def load(name, **_):
        if name != LINKS_MODEL:
            raise ModelUnavailable("The model is not on this machine and could not be downloaded.")
        return ToyEncoder()

    monkeypatch.setattr(models, "load_encoder", load)
    app.button(key="audit:model:multilingual").click().run()
    app.button(key="run:Run the audit").click().run()
    assert "could not be downloaded" in sentences(app)[0]
    app.selectbox(key="audit:model").set_value(LINKS_MODEL).run()
    app.button(key="run:Run the audit").click().run()
    assert not sentences(app) and app.metric


def test_a_crawl_in_another_language_is_said_on_the_clusters_page_with_one_click_to_the_other_model(monkeypatch):
    rows = [f"https://a.example/{n},200,{title}" for n, title in enumerate(TITLES)]
    crawl = "\n".join(["Address,Status Code,Title 1", *rows]).encode()
    app = upload(open_app(monkeypatch, "pages/internal_links/clusters.py"), "crawl.csv", crawl, role="pages")
    assert not any(
        "100% of the 3 pages" in warning.value for warning in app.warning
    )  # the default follows the language
    app.selectbox(key="clusters:model").set_value("paraphrase-MiniLM-L3-v2").run()
    assert any("100% of the 3 pages" in warning.value for warning in app.warning)
    app.button(key="clusters:model:multilingual").click().run()
    assert app.selectbox(key="clusters:model").value == models.MULTILINGUAL
    assert not any("100% of the 3 pages" in warning.value for warning in app.warning)
