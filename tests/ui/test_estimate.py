from backlink_audit.embedding import cost
from backlink_audit.errors import ModelUnavailable
from tests.ui.app import open_app, sample_file, sentences, upload

PAGE = "pages/backlinks/audit.py"
RUN = "run:Run the audit"


def open_audit(monkeypatch):
    return upload(open_app(monkeypatch, PAGE), *sample_file("backlinks"))


def estimate(app):
    return [caption.value for caption in app.caption if " to embed: at most about " in caption.value]


def test_time_and_memory_are_said_before_the_run_and_no_more_after_it(monkeypatch):
    app = open_audit(monkeypatch)
    assert len(estimate(app)) == 1
    app.button(key=RUN).click().run()
    assert not estimate(app.run())


def test_a_quicker_model_is_named_where_waiting_is_long(monkeypatch):
    monkeypatch.setattr(cost, "PIECES_PER_SECOND", 1)
    assert "With the model Instant it takes about" in estimate(open_audit(monkeypatch))[0]


def test_without_an_estimate_the_page_works_on(monkeypatch):
    def unavailable(*_):
        raise ModelUnavailable("The weights are not the expected ones.")

    monkeypatch.setattr("backlink_audit.ui.audit.estimate_audit", unavailable)
    app = open_audit(monkeypatch)
    assert not estimate(app)
    assert not sentences(app)
    assert app.button(key=RUN)


def test_a_gap_says_what_it_needs_before_it_is_run(monkeypatch):
    app = upload(open_app(monkeypatch, "pages/backlinks/gap.py"), *sample_file("backlinks"))
    upload(app, *sample_file("competitors"), role="competitors")
    assert len(estimate(app)) == 1
    app.button(key="run:Find prospects").click().run()
    assert not sentences(app) and not estimate(app.run())


def test_changes_say_what_they_need_with_audits_and_without(monkeypatch):
    app = upload(open_app(monkeypatch, "pages/backlinks/changes.py"), *sample_file("backlinks"))
    upload(app, *sample_file("older"), role="older")
    assert len(estimate(app)) == 1
    app.toggle(key="changes:scores").set_value(False).run()
    assert any("rows to compare: at most about 5 seconds" in caption.value for caption in app.caption)
    app.button(key="run:Compare the exports").click().run()
    assert not any("at most about" in caption.value for caption in app.run().caption)
