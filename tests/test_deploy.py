"""What is deployed: the same version and limits as the code, without rights, and the licences of what it brings."""

import re
import tomllib
from collections.abc import Iterable

import yaml
from streamlit.web.cli import main

from backlink_audit.limited_child import GB, LIMITS
from backlink_audit.ui.access import PREFIX, Limits
from backlink_audit.ui.guard import HEADERS
from locks.licences import packages
from tests.house import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
DEPLOY = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")


def is_within(name: str, places: Iterable[str]) -> bool:
    """Whether a file or folder is one of these places, or in one."""
    return any(name == place or name.startswith(f"{place}/") for place in places)


def test_the_image_runs_without_rights_and_says_whether_it_is_well():
    last = DOCKERFILE[DOCKERFILE.rindex("FROM ") :]
    assert re.search(r"^USER 10001$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last and "/_stcore/health" in last
    assert DOCKERFILE.count("--require-hashes") == 1


def test_every_folder_that_the_image_copies_is_there_and_let_through():
    through = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE)
    copied = {word for line in re.findall(r"^COPY (?!--)(.+) \S+$", DOCKERFILE, re.MULTILINE) for word in line.split()}
    assert [word for word in sorted(copied) if not is_within(word, through)] == []
    assert all((ROOT / word).exists() for word in copied)


def test_the_image_copies_all_that_its_package_is_made_of():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    target = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {"pyproject.toml", project["project"]["readme"], *project["project"]["license-files"]}
    needed |= {*target["packages"], *target["force-include"]}
    build = DOCKERFILE[: DOCKERFILE.rindex("FROM ")]
    copied = [word for line in re.findall(r"^COPY (.+) \S+$", build, re.MULTILINE) for word in line.split()]
    assert [name for name in sorted(needed) if not is_within(name, copied)] == []


def test_the_secrets_of_sign_in_stay_out_of_image_and_repository():
    through = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE)
    copied = [word for line in re.findall(r"^COPY (.+) \S+$", DOCKERFILE, re.MULTILINE) for word in line.split()]
    for place in ("secrets.toml", ".streamlit/secrets.toml"):
        assert not is_within(place, through) and not is_within(place, copied)
    assert "secrets.toml" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_the_proxy_reaches_the_app_where_it_listens_and_alone_is_reached_from_outside():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    port = re.search(r'"--port", "(\d+)"', DOCKERFILE)
    assert port and f"reverse_proxy app:{port[1]}" in (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")
    assert set(services["app"]["networks"]) < set(services["proxy"]["networks"])
    mounted = [volume.split(":")[0] for service in services.values() for volume in service["volumes"]]
    assert all((ROOT / place).exists() for place in mounted if place.startswith("."))


def test_the_app_can_write_only_where_it_must_and_reaches_nothing_outside():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    app = services["services"]["app"]
    assert app["read_only"] is True
    assert app["cap_drop"] == ["ALL"]
    assert "ports" not in app
    assert services["networks"][app["networks"][0]]["internal"] is True


def test_every_limit_is_documented_and_none_is_invented():
    known = {PREFIX + name.upper() for name in Limits.__dataclass_fields__}
    assert known <= set(re.findall(r"BACKLINK_AUDIT_\w+", DEPLOY))
    given = re.findall(r"BACKLINK_AUDIT_\w+", (ROOT / "compose.yaml").read_text(encoding="utf-8"))
    assert set(given) <= known


def test_the_proxy_sends_the_headers_of_the_guard():
    proxy = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")
    assert dict(HEADERS)[b"content-security-policy"].decode() in proxy
    assert "X-Frame-Options DENY" in proxy and "X-Content-Type-Options nosniff" in proxy


def test_the_variable_that_names_another_place_for_secrets_is_one_that_streamlit_reads():
    [option] = [one for one in main.commands["run"].params if "--secrets.files" in one.opts]
    assert f"`{option.envvar}`" in DEPLOY


def test_the_licence_of_every_locked_package_of_this_system_is_listed():
    lines = re.findall(
        r"^\*\*.+?\*\*: (.+)$", (ROOT / "docs" / "licences.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    missing = set(packages()) - {name for line in lines for name in line.split(", ")}
    assert len(missing) < 12, missing  # those of Windows and macOS


def test_the_limits_of_the_child_stand_in_the_docs_as_they_are():
    page = (ROOT / "docs/deploy.md").read_text("utf-8")
    for name, limit in LIMITS.items():
        seconds = str(limit.seconds) if limit.seconds else "15 a page"
        assert f"| {name} | {limit.memory // GB} GB | {seconds} | {limit.why} |" in page
