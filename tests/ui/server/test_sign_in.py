"""Sign-in: who comes in, which way is shown to whom, and under what projects are kept."""

import pytest
from streamlit.errors import StreamlitMissingAuthlibError

from backlink_audit.projects.projects import create, every_project
from backlink_audit.projects.store import open_store
from backlink_audit.ui import access
from tests.ui.app import open_app, sentences
from tests.ui.pages.test_projects_page import PROJECTS
from tests.ui.server.test_visitors import open_full

ANN = {"is_logged_in": True, "iss": "https://id.example", "sub": "17", "email": "<b>ann</b>@site.example"}
PROVIDER = """
client_id = "a"
client_secret = "b"
server_metadata_url = "https://id.example"
"""
AUTH = f"[auth]{PROVIDER}"


@pytest.fixture
def visitor(monkeypatch, secrets):
    """Say who visits, and what is in secrets.toml."""

    def is_one(user, text=AUTH):
        class User:
            @staticmethod
            def to_dict():
                return dict(user)

        monkeypatch.setattr("streamlit.user", User)
        secrets(text)

    return is_one


def test_without_sign_in_set_up_everybody_comes_in_and_nothing_is_said_of_it(monkeypatch):
    app = open_app(monkeypatch)
    assert not [one for one in app.button if (one.key or "").startswith("sign-")]
    assert access.owner() == ""


def test_who_has_not_signed_in_sees_the_way_in_and_nothing_else(monkeypatch, visitor):
    visitor({"is_logged_in": False})
    app = open_app(monkeypatch)
    assert not app.exception
    assert [one.label for one in app.button] == ["Sign in"] and not app.sidebar.children
    assert [one.value for one in app.title] == ["Backlink Audit"]


@pytest.mark.parametrize(
    ("unnamed", "buttons"),
    [
        ('\ncookie_secret = "c"', ["Sign in with one", "Sign in with two"]),
        (PROVIDER, ["Sign in", "Sign in with one", "Sign in with two"]),
    ],
)
def test_every_provider_is_offered(monkeypatch, visitor, unnamed, buttons):
    visitor({"is_logged_in": False}, f"[auth]{unnamed}\n[auth.one]{PROVIDER}[auth.two]{PROVIDER}")
    assert [one.label for one in open_app(monkeypatch).button] == buttons


def test_sign_in_that_cannot_work_is_a_sentence(monkeypatch, visitor):
    visitor({"is_logged_in": False})

    def refuse(provider=None):
        raise StreamlitMissingAuthlibError

    monkeypatch.setattr("streamlit.login", refuse)
    app = open_app(monkeypatch)
    app.button(key="sign-in-").click().run()
    assert not app.exception and "requires Authlib" in sentences(app)[0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[auth\n", "secrets.toml cannot be read"),
        (b"\xff\xfe", "secrets.toml cannot be read"),
        ("[auth]\n", "[auth] section in secrets.toml is empty"),
        (f"[Auth]{PROVIDER}", "its name is not in lower case"),
        ('auth = "yes"\n', "[auth] section in secrets.toml is empty"),
    ],
)
def test_secrets_that_cannot_mean_what_somebody_meant_let_nobody_in(monkeypatch, secrets, text, says):
    secrets(text)
    app = open_app(monkeypatch)
    assert says in sentences(app)[0] and not app.button and not app.sidebar.children and not app.exception


def test_secrets_of_another_user_let_nobody_in(monkeypatch, secrets):
    path = secrets("")
    path.unlink()
    path.mkdir()  # nobody can open it, not even root
    app = open_app(monkeypatch)
    assert "secrets.toml cannot be read" in sentences(app)[0] and not app.button and not app.exception


def test_secrets_without_sign_in_let_everybody_in(monkeypatch, secrets):
    secrets('[other]\nkey = "a"\n')
    app = open_app(monkeypatch)
    assert not app.error and app.get("file_uploader")


@pytest.mark.parametrize(("most", "is_in"), [("1", False), ("2", True)])
def test_who_has_not_signed_in_takes_nobodys_place(monkeypatch, visitor, most, is_in):
    visitor(ANN)
    app = open_full(monkeypatch, "third", most, first=ANN, third=ANN)
    assert ([info.value for info in app.info] == [access.FULL]) != is_in
    assert bool(app.get("file_uploader")) == is_in


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
    assert len(access.owner_of(long)) <= access.LONGEST_OWNER
    assert access.owner_of(long) != access.owner_of(long | {"sub": "18"})
