"""A preview by Instant while the chosen model works: marked everywhere, replaced in place, and never taken home."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from backlink_audit.embedding import models
from backlink_audit.errors import Cancelled
from backlink_audit.settings import DEFAULT_MODEL, AuditSettings
from backlink_audit.ui import instant, jobs, menu
from tests.toy import ToyEncoder
from tests.ui.app import SECONDS, figures, open_app, sample_file, upload
from tests.ui.test_static_text import FILES

PAGE = "pages/backlinks/audit.py"
RUN = "run:Run the audit"
MARK = f"**Preview by Instant; {AuditSettings().model} follows"


class OtherToy(ToyEncoder):
    """Other vectors than the toy's, so that other figures come of them."""

    def encode(self, texts, on_progress=lambda *_: None):
        return super().encode([text[::2] for text in texts], on_progress)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, Callable[..., ToyEncoder]]]:
    """Instant is ready and quick; the default model waits until it is let go."""
    let_go = threading.Event()

    def load(name, *, on_progress):
        if name == instant.NAME:
            return OtherToy()
        while not let_go.wait(0.01):
            on_progress("Embedding texts", 1, 4)
        return ToyEncoder()

    monkeypatch.setattr(models, "status", lambda model: "ready")
    monkeypatch.setattr(instant, "LEAST_SECONDS", 0.0)
    yield let_go, load
    let_go.set()


def open_audit(monkeypatch, load, page=PAGE):
    app = upload(open_app(monkeypatch, page), *sample_file("backlinks"))
    monkeypatch.setattr(models, "load_encoder", load)
    monkeypatch.setattr(jobs, "WAIT_SECONDS", 0.0)
    return app


def preview_comes(app, label=menu.AUDIT.button):
    job = app.session_state["jobs"][label].job
    for _ in range(2_000):
        if job.previewed is not None:
            return job
        assert not job.wait(0.01), job.problem
    raise AssertionError("No preview came.")


@pytest.fixture
def nothing_runs() -> None:
    """What tests before this one began has ended."""
    end = time.monotonic() + SECONDS
    while not jobs.is_idle():
        assert time.monotonic() < end
        time.sleep(0.01)


def marks(app):
    return [caption.value for caption in app.caption if caption.value.startswith(MARK)]


def test_a_preview_is_marked_on_every_figure_and_offers_no_file(monkeypatch, held):
    let_go, load = held
    app = open_audit(monkeypatch, load)
    app.button(key=RUN).click().run()
    job = preview_comes(app)
    app.run()
    before = figures(app)
    assert before["Backlinks"] != "0"
    # The headline, the figures, the tasks, the list of one of them, and the chart.
    assert len(marks(app)) == 4 + len(app.get("plotly_chart")) == 5
    assert all('"toImage"' in chart.proto.config for chart in app.get("plotly_chart"))

    app.session_state["audit:tabs"] = "Links"
    app.run()
    assert len(marks(app)) == 3
    assert not app.get("download_button")
    app.session_state["audit:tabs"] = "Downloads"
    app.run()
    assert not app.get("download_button")

    let_go.set()
    assert job.wait(60)
    app.run()
    assert not marks(app)
    assert len(app.get("download_button")) == 4
    assert figures(app) != before


def test_a_preview_is_no_result_for_other_pages(monkeypatch, held):
    _, load = held
    app = open_audit(monkeypatch, load)
    app.button(key=RUN).click().run()
    preview_comes(app)
    app.run()
    assert app.session_state["jobs"][menu.AUDIT.button].result is None
    monkeypatch.setattr(jobs, "WAIT_SECONDS", SECONDS)
    app.switch_page("pages/backlinks/profile.py").run()
    assert not marks(app)
    assert any("Run the audit to add" in caption.value for caption in app.caption)


def test_a_preview_that_fails_leaves_the_result_to_come(monkeypatch, held):
    let_go, load = held

    def fails_for_instant(name, *, on_progress):
        if name == instant.NAME:
            raise RuntimeError("broken")
        return load(name, on_progress=on_progress)

    app = open_audit(monkeypatch, fails_for_instant)
    let_go.set()
    app.button(key=RUN).click().run()
    assert app.session_state["jobs"][menu.AUDIT.button].job is None or app.session_state["jobs"][
        menu.AUDIT.button
    ].job.wait(60)
    app.run()
    assert figures(app) and not app.error


@pytest.mark.parametrize(
    ("why", "change"),
    [
        ("not prepared", lambda patch: patch.setattr(models, "status", lambda model: "download")),
        ("switched off", lambda patch: patch.setenv("BACKLINK_AUDIT_PREVIEWS", "0")),
        ("soon there anyway", lambda patch: patch.setattr(instant, "LEAST_SECONDS", 1e9)),
    ],
)
def test_there_is_no_preview_where_it_is(monkeypatch, held, why, change):
    let_go, load = held
    change(monkeypatch)
    app = open_audit(monkeypatch, load)
    let_go.set()
    app.button(key=RUN).click().run()
    job = app.session_state["jobs"][menu.AUDIT.button].job
    assert job is None or job.preview is None


def test_instant_gives_way_to_a_run_while_it_is_made(nothing_runs):
    let_go = threading.Event()
    job = jobs.Job(key=1, work=lambda progress: let_go.wait(20))
    instant._give_way("Distilling", 0, 1)
    assert jobs.submit(job)
    with pytest.raises(Cancelled):
        instant._give_way("Distilling", 0, 1)
    let_go.set()
    assert job.wait(20)
    instant._give_way("Distilling", 0, 1)


def test_instant_is_made_once_nothing_runs(monkeypatch, nothing_runs):
    made: list[str] = []
    monkeypatch.setattr(instant, "CALM_SECONDS", 0.0)
    monkeypatch.setattr(
        models, "status", lambda model: "ready" if len(made) == 2 else "created on this computer in about 15 s"
    )

    def load(name, *, on_progress):
        made.append(name)
        if len(made) == 1:
            raise Cancelled

    monkeypatch.setattr(models, "load_encoder", load)
    instant.prepare()
    assert made == ["Instant", "Instant"]
    assert models.find_model("Instant").teacher == DEFAULT_MODEL


def test_every_file_is_offered_where_previews_are_known():
    offering = [path.name for path in FILES if "download_button(" in path.read_text(encoding="utf-8")]
    assert offering == ["download.py"]
