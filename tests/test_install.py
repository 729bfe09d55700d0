"""What is installed: the wheel with all that the app needs, and the lists of packages, which must say the same."""

import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import backlink_audit
from backlink_audit import sample
from backlink_audit.terminal.commands import script
from locks.lock import LOCKS, requirements
from tests.ui.app import ROOT

PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
EXTRAS = tomllib.loads(PROJECT)["project"]["optional-dependencies"]
NEEDED = tomllib.loads(PROJECT)["project"]["dependencies"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, source = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore", "app.py"):
        shutil.copy(ROOT / name, source)
    for name in ("backlink_audit", "pages", "docs", ".streamlit"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.png"))
    (source / ".streamlit" / "secrets.toml").write_text("[auth]\n")  # as with whoever runs the app from here
    build = [
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        str(folder),
        str(source),
    ]
    subprocess.run([sys.executable, *build], check=True)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel, far from the repository; what it needs is lent by the environment of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    paths = {"base": str(folder), "platbase": str(folder)}
    Path(sysconfig.get_path("purelib", vars=paths), "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    programs = Path(sysconfig.get_path("scripts", vars=paths))
    install = ["-m", "pip", "--python", str(programs / "python"), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([sys.executable, *install, str(wheel)], check=True)
    return programs


def test_the_wheel_holds_every_module_and_every_data_file_of_the_package(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())
    files = [path for path in (ROOT / "backlink_audit").rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert {path.relative_to(ROOT).as_posix() for path in files} <= held


def test_the_wheel_holds_the_app_as_it_stands_at_the_root(wheel):
    archive = zipfile.ZipFile(wheel)
    files = [ROOT / "app.py", ROOT / ".streamlit" / "config.toml", *(ROOT / "pages").rglob("*.py")]
    files += [ROOT / "docs" / "icon.svg", ROOT / "docs" / "logo.svg"]
    for path in files:
        assert archive.read(f"backlink_audit/app/{path.relative_to(ROOT).as_posix()}") == path.read_bytes()


def test_the_wheel_holds_no_secrets_of_whoever_built_it(wheel):
    assert [name for name in zipfile.ZipFile(wheel).namelist() if "secrets.toml" in name] == []


def test_the_installed_command_says_its_version_from_any_folder(environment, tmp_path):
    said = subprocess.run([environment / "backlink-audit", "--version"], cwd=tmp_path, capture_output=True, text=True)
    assert said.stdout == f"backlink-audit {backlink_audit.__version__}\n"
    assert said.returncode == 0


def test_the_installed_command_compares_two_exports_from_any_folder(environment, tmp_path):
    for role in ("older", "backlinks"):
        [(_, data)] = sample.files()[role]
        (tmp_path / f"{role}.csv").write_bytes(data)
    arguments = ["changes", "older.csv", "backlinks.csv", "--no-scores", "-o", "changes.csv"]
    subprocess.run([environment / "backlink-audit", *arguments], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "changes.csv").read_text(encoding="utf-8-sig").startswith("Change,")


def test_the_installed_app_opens_from_any_folder(environment, tmp_path):
    code = """
from streamlit.testing.v1 import AppTest
from backlink_audit.terminal.commands import script
app = AppTest.from_file(str(script()), default_timeout=120).run()
assert not app.exception, app.exception
print(script())
print(app.title[0].value)
"""
    answer = subprocess.run(
        [environment / "python", "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    place, title = answer.stdout.splitlines()
    assert ROOT not in Path(place).parents
    assert title == "Which links matter, and which are missing?"


def test_in_the_repository_the_app_is_the_one_at_the_root():
    assert script() == ROOT / "app.py"


def test_the_version_is_the_last_one_released_in_the_changelog():
    versions = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert versions[0] == "Unreleased"
    assert versions[1] == backlink_audit.__version__


def test_requirements_txt_is_the_list_of_pyproject():
    assert (ROOT / "requirements.txt").read_text(encoding="utf-8") == requirements(PROJECT)


def locked(name: str) -> dict[str, list[Requirement]]:
    """What a lock pins, by package: several where systems or Pythons differ."""
    found: dict[str, list[Requirement]] = {}
    for line in (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if re.match(r"[a-z]", line):
            pin = Requirement(line.removesuffix("\\"))
            found.setdefault(canonicalize_name(pin.name), []).append(pin)
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_every_requirement_is_locked_within_its_bounds(name):
    pins = locked(name) | {"torch": [Requirement((ROOT / "locks" / "torch.txt").read_text().splitlines()[-1])]}
    for line in [*NEEDED, *(line for extra in LOCKS[name] for line in EXTRAS[extra])]:
        wanted = Requirement(line)
        if wanted.name == "backlink-audit":  # an extra that holds another one
            assert wanted.extras <= set(LOCKS[name])
            continue
        for pin in pins[canonicalize_name(wanted.name)]:
            assert wanted.specifier.contains(str(pin.specifier).removeprefix("=="))


@pytest.mark.parametrize("name", LOCKS)
def test_everything_locked_has_a_hash_and_no_registry_is_named(name):
    text = (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8")
    assert "://" not in text and "index" not in text
    entries = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    assert len(entries) > 50
    assert all("--hash=sha256:" in entry for entry in entries)


def test_a_larger_lock_pins_what_a_smaller_one_does():
    app, dev, cluster = (
        {(package, str(pin.specifier)) for package, pins in locked(name).items() for pin in pins}
        for name in ("app", "dev", "cluster")
    )
    assert app < dev < cluster


def test_every_extra_is_in_a_lock():
    assert set(EXTRAS) == {extra for extras in LOCKS.values() for extra in extras}
