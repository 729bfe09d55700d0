"""A project as one file comes back whole, under another id, and what is no such file makes nothing."""

import io
import json
import zipfile

import pandas as pd
import pytest

from backlink_audit import limited_child
from backlink_audit.errors import UnreadableFile
from backlink_audit.projects import one_file, one_file_child
from backlink_audit.projects.decisions import kept_review
from backlink_audit.projects.history import history
from backlink_audit.projects.one_file import read_project, write_project
from backlink_audit.projects.project_files import DISAVOW, kept_files, kept_widgets, replace_files
from backlink_audit.projects.projects import NOBODY, every_project, find_or_refuse
from backlink_audit.projects.snapshots import every_snapshot, scored_links
from backlink_audit.projects.store import open_store
from tests.projects.made import FILES, filled
from tests.toy import run_here


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """Files are looked through here, which is quicker; `test_bombs` has the real child."""
    monkeypatch.setattr(limited_child, "run", run_here)


@pytest.fixture
def project(store):
    return filled(store)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Such a project as one file, made once for all that spoil it and read it into an empty store."""
    with open_store(str(tmp_path_factory.mktemp("one_file") / "projects.sqlite")) as store:
        return write_project(store, filled(store))


def changed(data, **values):
    """The file with other plain data."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w") as new:
        for member in old.namelist():
            content = old.read(member)
            if member == "project.json":
                content = json.dumps(json.loads(content) | values).encode()
            new.writestr(member, content)
    return target.getvalue()


def test_a_project_comes_back_whole_beside_the_first(store, project):
    again = read_project(store, "shop.zip", write_project(store, project), NOBODY)
    assert (again.name, again.site) == ("Shop (2)", project.site)
    for one, other in zip(every_snapshot(store, project), every_snapshot(store, again), strict=True):
        assert (one.day, one.figures, one.settings, one.columns) == (
            other.day,
            other.figures,
            other.settings,
            other.columns,
        )
        pd.testing.assert_frame_equal(scored_links(store, one).links, scored_links(store, other).links)
    assert kept_review(store, again) == kept_review(store, project)
    assert kept_files(store, again) == FILES
    assert kept_widgets(store, again) == {"risk:least": 2}
    here, there = history(store, project), history(store, again)
    assert here is not None and there is not None
    pd.testing.assert_frame_equal(here.figures, there.figures)
    assert there.uncompared == 0


@pytest.mark.parametrize("name", ["x" * 78, "x" * 79, "x" * 80, "y" * 195, "z" * 200, "中" * 40, "***"])
def test_a_project_of_any_name_comes_back_beside_itself_again_and_again(store, data, name, monkeypatch):
    monkeypatch.setattr(one_file, "count", lambda start: iter(range(start, 9)))  # it never ended
    renamed = changed(data, project={"name": name, "site": "shop.example", "settings": {}})
    made = [read_project(store, "shop.zip", renamed, NOBODY) for _ in range(3)]
    assert len({one.key for one in made}) == len({one.id for one in made}) == 3
    assert [one.name[-4:] for one in made[1:]] == [" (2)", " (3)"]
    assert all(find_or_refuse(store, one.name) == one for one in made)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: b"no zip",
        lambda data: data[: len(data) // 2],
        lambda data: changed(data, project={}),
        lambda data: changed(data, snapshots=[{"id": 1}]),
        lambda data: changed(data, decisions=[{"surprise": 1}]),
        lambda data: changed(data, files=[{"role": "backlinks"}] * 2),
        lambda data: changed(data, format=99),
        lambda data: changed(data, comparisons=[{"older_id": 77, "newer_id": 78, "figures": {}}]),
    ],
)
def test_what_is_no_project_file_is_a_sentence_and_makes_nothing(store, data, spoil):
    with pytest.raises(UnreadableFile, match=r"^shop\.zip: it "):
        read_project(store, "shop.zip", spoil(data), NOBODY)
    assert every_project(store) == []


def with_figures(data, table, **values):
    """The file with other figures in each row of a table."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        rows = json.loads(archive.read("project.json"))[table]
    return changed(data, **{table: [row | {"figures": row["figures"] | values} for row in rows]})


@pytest.mark.parametrize(
    ("table", "values"),
    [
        ("snapshots", {"earned": []}),
        ("snapshots", {"earned": {"clicks": 1}}),
        ("snapshots", {"earned": {"file": "a.csv", "fingerprint": "a", "pages": 1, "clicks": "many"}}),
        ("snapshots", {"verdicts": []}),
        ("snapshots", {"states": {"live": None}}),
        ("snapshots", {"domains": None}),
        ("snapshots", {"mean_cas": "high"}),
        ("snapshots", {"mean_cas": float("inf")}),
        ("snapshots", {"links": 10**400}),
        ("snapshots", {"headline": 3}),
        ("snapshots", {"months": {"month": ["2025-01-01"], "new_domains": []}}),
        ("snapshots", {"months": {"month": ["soon"], "new_domains": [1]}}),
        ("snapshots", {"months": {"month": ["2025-01-01"], "spike": [""]}}),
        ("snapshots", {"months": {"month": ["2025-01-01"], "spike": [""], "new_domains": [1], "x": [1]}}),
        ("snapshots", {"months": {"month": ["2025-01-01"], "new_domains": ["one"]}}),
        ("snapshots", {"months": {"month": ["2025-01-01"], "spike": [""], "new_domains": [float("nan")]}}),
        ("snapshots", {"months": {"month": ["2025-01-01"], "spike": [""], "new_domains": [None]}}),
        (
            "snapshots",
            {"months": {"month": ["2025-01-01"], "spike": [""], "new_domains": [1], "net_per_day": [float("nan")]}},
        ),
        ("comparisons", {"new_links": "one"}),
    ],
)
def test_figures_that_the_app_never_writes_make_nothing(store, data, table, values):
    with pytest.raises(UnreadableFile, match=r"^shop\.zip: it is not a project file"):
        read_project(store, "shop.zip", with_figures(data, table, **values), NOBODY)
    assert every_project(store) == []


@pytest.mark.parametrize(
    ("table", "values"),
    [
        ("snapshots", {"made_at": "yesterday"}),
        ("snapshots", {"made_at": "2026-01-01T09:00:00"}),
        ("decisions", {"state": "burn"}),
        ("decisions", {"scope": "planet"}),
        ("decisions", {"item": " "}),
        ("decisions", {"item": 3}),
        ("decisions", {"note": None}),
        ("decisions", {"version": "1"}),
        ("page_states", {"value": [1]}),
        ("page_states", {"value": None}),
        ("page_states", {"value": {"risk:least": {"a": 1}}}),
        ("page_states", {"value": {"risk:least": [[1]]}}),
        ("files", {"mapping": ["a"]}),
        ("files", {"mapping": {"url": 1}}),
        ("prospects", {"chosen_at": "x"}),
        ("prospects", {"facts": []}),
        ("prospects", {"facts": {"relevance": "high"}}),
        ("prospects", {"note": 1}),
    ],
)
def test_what_was_decided_chosen_and_typed_is_as_this_app_writes_it(store, data, table, values):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        rows = json.loads(archive.read("project.json"))[table]
    bad = changed(data, **{table: [row | values for row in rows]})
    with pytest.raises(UnreadableFile, match=r"^shop\.zip: it is not a project file"):
        read_project(store, "shop.zip", bad, NOBODY)
    assert rows and every_project(store) == []


def test_an_item_of_a_stranger_is_found_by_what_it_is(store, data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        rows = json.loads(archive.read("project.json"))["decisions"]
    again = read_project(
        store, "s.zip", changed(data, decisions=[row | {"key": "good.example"} for row in rows]), NOBODY
    )
    assert list(kept_review(store, again).review.decisions) == [("domain", "spam.example")]


def test_a_disavow_file_that_nobody_could_read_makes_nothing(store, project):
    replace_files(store, project, {DISAVOW: [("disavow.txt", b"domain:a.example\0\n")]})
    with pytest.raises(UnreadableFile, match=r"^shop\.zip: it is not a project file"):
        read_project(store, "shop.zip", write_project(store, project), NOBODY)


@pytest.mark.parametrize("limit", ["MOST_MEMBERS", "MOST_PLAIN", "MOST_OF_MEMBER", "MOST_BYTES", "MOST_VALUES"])
@pytest.mark.parametrize("more", [0, 1])
def test_every_limit_of_a_project_file_is_held(data, tmp_path, limit, more, monkeypatch):
    (tmp_path / "shop.zip").write_bytes(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sizes = [member.file_size for member in archive.infolist()]
        plain = archive.read("project.json")
    reached = {
        "MOST_MEMBERS": len(sizes),
        "MOST_PLAIN": len(plain),
        "MOST_OF_MEMBER": max(sizes),
        "MOST_BYTES": sum(sizes),
        "MOST_VALUES": plain.count(b",") + plain.count(b"[") + plain.count(b"{"),
    }
    monkeypatch.setattr(one_file_child, limit, reached[limit] - more)
    assert one_file_child.main(str(tmp_path / "shop.zip")) == (limited_child.TOO_LARGE if more else b"")


@pytest.mark.parametrize("limit", ["ROWS_OF_PART", "MOST_COLUMNS", "MOST_OF_PART"])
def test_every_limit_of_a_snapshots_links_is_held(data, tmp_path, limit, monkeypatch):
    (tmp_path / "shop.zip").write_bytes(data)
    monkeypatch.setattr(one_file_child, limit, 5)
    assert one_file_child.main(str(tmp_path / "shop.zip")) == limited_child.TOO_LARGE


def test_a_file_of_a_newer_version_asks_for_an_update(store, data):
    with pytest.raises(UnreadableFile, match="update the app"):
        read_project(store, "shop.zip", changed(data, format=99), NOBODY)
