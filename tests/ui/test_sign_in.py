"""Sign-in: who comes in, which way is shown to whom, and under what projects are kept."""

import pytest
from streamlit.errors import StreamlitMissingAuthlibError

from backlink_audit.projects.projects import create, every_project
from backlink_audit.projects.store import open_store
from backlink_audit.ui import sign_in
from tests.ui.app import open_app, sentences
from tests.ui.test_projects_page import PROJECTS

ANN = {"is_logged_in": True, "iss": "https://id.example", "sub": "17", "email": "<b>ann</b>@site.example"}
PROVIDER = {"client_id": "a", "client_secret": "b", "server_metadata_url": "https://id.example"}


@pytest.fixture
def visitor(monkeypatch):
    """Say who visits, and what secrets.toml holds."""

    def is_one(user, auth=None):
        class User:
            @staticmethod
            def to_dict():
                return dict(user)

        monkeypatch.setattr("streamlit.user", User)
        monkeypatch.setattr("streamlit.secrets", {"auth": auth or PROVIDER})

    return is_one


def test_without_sign_in_set_up_everybody_comes_in_and_nothing_is_said_of_it(monkeypatch):
    app = open_app(monkeypatch)
    assert not [one for one in app.button if (one.key or "").startswith("sign-")]
    assert sign_in.owner() == ""


def test_who_has_not_signed_in_sees_the_way_in_and_nothing_else(monkeypatch, visitor):
    visitor({"is_logged_in": False})
    app = open_app(monkeypatch)
    assert not app.exception
    assert [one.label for one in app.button] == ["Sign in"] and not app.sidebar.children
    assert [one.value for one in app.title] == ["Backlink Audit"]


def test_several_providers_are_named(monkeypatch, visitor):
    visitor({"is_logged_in": False}, {"cookie_secret": "c", "one": PROVIDER, "two": PROVIDER})
    assert [one.label for one in open_app(monkeypatch).button] == ["Sign in with one", "Sign in with two"]


def test_sign_in_that_cannot_work_is_a_sentence(monkeypatch, visitor):
    visitor({"is_logged_in": False})

    def refuse(provider=None):
        raise StreamlitMissingAuthlibError

    monkeypatch.setattr("streamlit.login", refuse)
    app = open_app(monkeypatch)
    app.button(key="sign-in-").click().run()
    assert not app.exception and "requires Authlib" in sentences(app)[0]


def test_secrets_that_cannot_be_read_let_nobody_in(monkeypatch, tmp_path):
    (tmp_path / "secrets.toml").write_text("[auth\n")
    monkeypatch.setattr("streamlit.get_option", lambda name: [str(tmp_path / "secrets.toml")])
    app = open_app(monkeypatch)
    assert "secrets.toml cannot be read" in sentences(app)[0] and not app.button


def test_a_user_sees_their_own_projects_alone(monkeypatch, visitor):
    visitor(ANN)
    with open_store() as store:
        create(store, "Nobody's")
        create(store, "Ann's", "17 https://id.example")
        create(store, "Bob's", "18 https://id.example")
        app = open_app(monkeypatch, PROJECTS)
        shown = " ".join(one.value for one in app.markdown)
        assert "Ann's" in shown and "Bob's" not in shown and "Nobody's" not in shown
        assert "\\<b\\>ann" in app.sidebar.caption[-1].value or "&lt;b" in app.sidebar.caption[-1].value
        assert len(every_project(store, "17 https://id.example")) == 1


def test_a_pair_too_long_for_the_store_is_one_owner_still():
    long = {"iss": "https://id.example/" + "x" * 400, "sub": "17"}
    assert len(sign_in.owner_of(long)) <= sign_in.LONGEST_OWNER
    assert sign_in.owner_of(long) != sign_in.owner_of(long | {"sub": "18"})
