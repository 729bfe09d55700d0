"""Served to others with sign-in: nobody comes in without, and each user has their own projects.

The app is asked by a name that is not localhost, and asks an OpenID Connect provider that runs here, over HTTP.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, Page, Playwright, expect

from backlink_audit.projects.projects import create
from backlink_audit.projects.snapshots import save
from backlink_audit.projects.store import PROJECTS, open_store
from tests.browser import journey
from tests.browser.conftest import FLAGS, free_port, serving, wait_until_it_answers
from tests.projects.made import audit_of

pytestmark = pytest.mark.browser

NAME = "audit.example"
USERS = {"ann": "ann@site.example", "bob": "bob@site.example"}
SECRETS = """
[auth]
redirect_uri = "http://audit.example:{{port}}/oauth2callback"
cookie_secret = "long enough for the tests, and for nothing else"
client_id = "backlink-audit"
client_secret = "any"
server_metadata_url = "{provider}/.well-known/openid-configuration"
"""


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An OpenID Connect provider that knows Ann and Bob; gives its address."""
    port, log = free_port(), tmp_path_factory.mktemp("provider") / "log.txt"
    users = [
        f"--user-claims={json.dumps({'sub': sub, 'email': email, 'email_verified': True})}"
        for sub, email in USERS.items()
    ]
    with log.open("w") as out:
        command = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port), *users]
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=os.environ | {"NO_COLOR": "1"})
        try:
            wait_until_it_answers(f"http://127.0.0.1:{port}/.well-known/openid-configuration", process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store") / "projects.sqlite"


@pytest.fixture(scope="module")
def address(chromium: str, provider: str, store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app, as others reach it: by a name of its own, with sign-in."""
    folder = tmp_path_factory.mktemp("signed")
    secrets = folder / "secrets.toml"
    secrets.write_text(SECRETS.format(provider=provider))
    settings = {
        "STREAMLIT_SECRETS_FILES": str(secrets),
        "BACKLINK_AUDIT_STORE": str(store),
        "BACKLINK_AUDIT_VISITORS": "3",
    }
    with serving(folder, "--host", NAME, **settings) as found:
        yield found.replace("127.0.0.1", NAME)


@pytest.fixture
def outside(chromium: str, playwright: Playwright) -> Iterator[Browser]:
    """A browser to which the app's name is this machine."""
    browser = playwright.chromium.launch(
        executable_path=chromium, args=[*FLAGS, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    )
    yield browser
    browser.close()


def visit(browser: Browser, address: str) -> Page:
    """Open the app as somebody who was never there: no cookies."""
    page = browser.new_context().new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    page.get_by_role("button", name="Sign in", exact=True).wait_for()
    return page


def sign_in(page: Page, user: str) -> None:
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("button", name=user, exact=True).first.click()
    expect(page.get_by_text(f"Signed in as {USERS[user]}")).to_be_visible()


def test_nobody_comes_in_without_and_each_has_their_own_projects(outside, address, provider, store):
    for _ in range(3):  # as many as the server serves: who has not signed in takes nobody's place
        visit(outside, address)
    ann = visit(outside, f"{address}/projects?project=shop")
    expect(ann.get_by_text("Page not found")).to_have_count(0)  # the first visit of all, and not to Home
    expect(ann.get_by_test_id("stSidebarNav")).to_have_count(0)
    expect(ann.get_by_role("heading", name="Projects")).to_have_count(0)
    ann.context.add_cookies([{"name": "_streamlit_user", "value": '{"sub": "ann"}', "url": address}])  # made up
    ann.goto(address)
    sign_in(ann, "ann")
    with open_store(str(store)) as opened:
        save(opened, create(opened, "Shop", f"ann {provider}"), audit_of("older"))
    journey.open_page(ann, "Projects")
    ann.get_by_role("button", name="Open", exact=True).click()
    expect(ann.get_by_text("Shop (open)")).to_be_visible()
    journey.open_page(ann, "History")
    journey.open_tab(ann, "Report")
    with ann.expect_download() as fetched:
        ann.get_by_role("button", name="Report (HTML)", exact=True).click()
    status = "address => fetch(address).then(answer => answer.status)"
    assert "/media/" in fetched.value.url and ann.evaluate(status, fetched.value.url) == 200
    assert visit(outside, address).evaluate(status, fetched.value.url) == 401

    bob = visit(outside, address)
    sign_in(bob, "bob")
    journey.open_page(bob, "Projects")
    expect(bob.get_by_text("There are no projects yet.")).to_be_visible()
    bob.goto(f"{address}/projects?project=shop")
    expect(bob.get_by_text("There is no project “shop”.")).to_be_visible()

    ann.goto(f"{address}/history?project=shop")
    expect(ann.get_by_text("One snapshot:")).to_be_visible()
    with open_store(str(store)) as opened:
        with opened.reading() as connection:
            [owner] = connection.execute(sa.select(PROJECTS.c.owner)).scalars()
    assert owner == f"ann {provider}"
    ann.get_by_role("button", name="Sign out", exact=True).click()
    ann.get_by_role("button", name="End session", exact=True).click()  # the provider asks
    ann.get_by_role("button", name="Sign in", exact=True).wait_for()
    ann.goto(f"{address}/history?project=shop")
    ann.get_by_role("button", name="Sign in", exact=True).wait_for()
    expect(ann.get_by_text("One snapshot:")).to_have_count(0)


def test_who_is_refused_by_the_provider_comes_back_to_the_way_in(outside, address):
    page = visit(outside, address)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Deny", exact=True).click()
    page.get_by_role("button", name="Sign in", exact=True).wait_for()
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)
