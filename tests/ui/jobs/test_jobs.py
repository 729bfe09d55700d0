import logging
import threading

import pytest
from streamlit.testing.v1 import AppTest

from backlink_audit.errors import AuditError
from backlink_audit.ui import jobs
from backlink_audit.ui.access import limits

RUN, STOP = "run:Count", "stop:Count"


def page():
    import streamlit as st

    from backlink_audit.ui import jobs

    result = jobs.run(st.session_state["key"], "Count", st.session_state["work"])
    if result is not None:
        st.markdown(f"The result is {result}.")


def automatic_page():
    import streamlit as st

    from backlink_audit.ui import jobs

    st.markdown(
        f"The result is {jobs.run(st.session_state['key'], 'Count', st.session_state['work'], automatic=True)}."
    )


def open_page(work, script=page, key=1):
    app = AppTest.from_function(script, default_timeout=30)
    app.session_state["key"] = key
    app.session_state["work"] = work
    return app.run()


def words(app):
    return [markdown.value for markdown in app.markdown]


@pytest.fixture(autouse=True)
def long_wait(monkeypatch):
    monkeypatch.setattr(jobs, "WAIT_SECONDS", 20)


@pytest.fixture
def under_way(monkeypatch):
    """A job that reports once and goes on until it is let go."""
    monkeypatch.setattr(jobs, "WAIT_SECONDS", 0.2)
    let_go = threading.Event()

    def work(progress):
        progress("Counting", 1, 4)
        while not let_go.wait(0.01):
            progress("Counting", 1, 4)
        return 7

    yield work, let_go
    let_go.set()


def test_nothing_runs_before_the_click():
    app = open_page(lambda progress: pytest.fail("ran"))
    assert words(app) == []


def test_a_click_brings_the_result():
    app = open_page(lambda progress: 42)
    app.button(key=RUN).click().run()
    assert words(app) == ["The result is 42."]
    assert not app.warning


def test_the_result_stays_on_the_next_run_of_the_page():
    app = open_page(lambda progress: 42)
    app.button(key=RUN).click().run()
    assert words(app.run()) == ["The result is 42."]


def test_a_result_of_other_settings_is_kept_and_marked():
    app = open_page(lambda progress: 42)
    app.button(key=RUN).click().run()
    app.session_state["key"] = 2
    app.run()
    assert words(app) == ["The result is 42."]
    assert "earlier file or settings" in app.warning[0].value


def test_a_new_run_replaces_the_marked_result():
    app = open_page(lambda progress: 42)
    app.button(key=RUN).click().run()
    app.session_state["key"] = 2
    app.session_state["work"] = lambda progress: 43
    app.run()
    app.button(key=RUN).click().run()
    assert words(app) == ["The result is 43."]
    assert not app.warning


def fails(progress):
    raise AuditError("a.csv: it is empty.")


def test_a_problem_of_the_user_is_said_in_one_sentence():
    app = open_page(fails)
    app.button(key=RUN).click().run()
    assert [error.value for error in app.error] == ["a.csv: it is empty."]


def test_after_a_problem_the_former_result_stays():
    app = open_page(lambda progress: 42)
    app.button(key=RUN).click().run()
    app.session_state["key"], app.session_state["work"] = 2, fails
    app.run()
    app.button(key=RUN).click().run()
    assert words(app) == ["The result is 42."]
    assert app.error and app.warning


def test_an_unexpected_exception_is_kept_from_the_visitor_and_logged(caplog):
    app = open_page(lambda progress: 1 / 0)
    with caplog.at_level(logging.ERROR):
        app.button(key=RUN).click().run()
    assert [error.value for error in app.error] == [jobs.SORRY]
    assert "ZeroDivisionError" in caplog.text


def test_a_job_under_way_shows_how_far_it_is(under_way):
    work, let_go = under_way
    app = open_page(work)
    app.button(key=RUN).click().run()
    assert app.get("progress")[0].proto.text == "Counting: 25%"
    job = app.session_state["jobs"]["Count"].job
    let_go.set()
    assert job.wait(20)
    assert words(app.run()) == ["The result is 7."]


def test_stop_ends_the_job(under_way):
    work, _ = under_way
    app = open_page(work)
    app.button(key=RUN).click().run()
    job = app.session_state["jobs"]["Count"].job
    app.button(key=STOP).click().run()
    assert job.wait(20)
    app.run()
    assert [info.value for info in app.info] == ["The run was stopped."]
    assert not app.error
    app.session_state["key"] = "another file"
    assert not app.run().info


def test_whoever_comes_while_all_places_are_taken_sees_his_place(under_way):
    work, let_go = under_way
    apps = [open_page(work) for _ in range(limits().runs + 2)]
    for app in apps:
        app.button(key=RUN).click().run()
    assert [app.get("progress")[0].proto.text for app in apps[-2:]] == [
        "Waiting: position 1 in the queue.",
        "Waiting: position 2 in the queue.",
    ]
    waiting = [app.session_state["jobs"]["Count"].job for app in apps]
    let_go.set()
    assert all(job.wait(20) for job in waiting)


def test_a_full_queue_asks_to_come_back(monkeypatch):
    monkeypatch.setenv("BACKLINK_AUDIT_WAITING", "0")
    app = open_page(lambda progress: 42)
    app.button(key=RUN).click().run()
    assert "try again in a few minutes" in app.error[0].value


def test_light_work_starts_by_itself_and_again_for_another_key():
    app = open_page(lambda progress: 42, automatic_page)
    assert words(app) == ["The result is 42."]
    app.session_state["key"], app.session_state["work"] = 2, lambda progress: 43
    assert words(app.run()) == ["The result is 43."]
    assert not app.button


def test_light_work_that_failed_is_not_repeated_without_a_click():
    app = open_page(fails, automatic_page)
    assert app.error
    app.session_state["work"] = lambda progress: 42
    app.run()
    assert words(app) == ["The result is None."]
    app.button(key=RUN).click().run()
    assert words(app) == ["The result is 42."]


def test_the_time_left_is_said_once_it_is_known(monkeypatch):
    now = 1000.0
    monkeypatch.setattr("backlink_audit.ui.jobs.time.monotonic", lambda: now)
    job = jobs.Job(key=1, work=lambda progress: None)
    job.progress("Embedding", 0, 100)
    now += 30
    job.progress("Embedding", 1, 100)
    assert jobs.describe(job) == "Embedding: 1%"
    for done in range(2, 26):
        now += 1
        job.progress("Embedding", done, 100)
    assert jobs.describe(job) == "Embedding: 25%, about 75 seconds left"
