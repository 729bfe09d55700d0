"""`report` writes one HTML file whose numbers are those of the workbook, and in which nothing of others is alive."""

import re
import shutil
from html.parser import HTMLParser
from io import BytesIO

import openpyxl
import pytest
from PIL import Image

from tests.terminal.calls import call, name_of, run, work_in


def report(monkeypatch, capsys, *arguments):
    return run(monkeypatch, capsys, "report", "Shop", "-o", "report.html", *arguments)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The store of a watched project, its report, and workbooks of its exports: made once, changed by no test."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        work_in(folder, patch)
        patch.setenv("BACKLINK_AUDIT_STORE", str(folder / "store" / "projects.sqlite"))
        patch.setenv("BACKLINK_AUDIT_CACHE", str(folder / "cache"))
        for role in ("older", "backlinks"):
            call(patch, "watch", "Shop", name_of(role))
        call(patch, "report", "Shop", "-o", "report.html")
        call(patch, "audit", name_of("backlinks"), "-o", "audit.xlsx")
        call(patch, "profile", name_of("backlinks"), "-o", "profile.xlsx", "--scores")
    return folder


@pytest.fixture
def watched(folder, made, monkeypatch):
    """A folder in which the project can be reported again."""
    shutil.copytree(made / "store", folder / "store")
    monkeypatch.setenv("BACKLINK_AUDIT_STORE", str(folder / "store" / "projects.sqlite"))
    return folder


def cells(html):
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    return {row[0]: row[1:] for row in (re.findall(r"<td>(.*?)</td>", row) for row in rows) if row}


def test_every_number_is_the_workbooks(made):
    html = (made / "report.html").read_text()
    values = {}
    for book in ("audit", "profile"):
        for _, what, value in openpyxl.load_workbook(made / f"{book}.xlsx")["Summary"].iter_rows(
            values_only=True, min_row=2
        ):
            values[f"{book}: {what}"] = value
    verdicts = openpyxl.load_workbook(made / "audit.xlsx")["Verdicts"].iter_rows(values_only=True, min_row=2)
    figures = cells(html)
    assert figures["Backlinks"][0] == values["audit: Links"] == values["profile: Backlinks"]
    assert figures["Referring domains"][0] == values["audit: Referring domains"]
    assert figures["Median DR"][0] == values["profile: Median DR"]
    assert figures["Relevant"][0] == values["audit: Share relevant"]
    assert "Mean CAS" not in figures
    for verdict, links, *_ in verdicts:
        assert figures.get("Protect (most valuable)" if verdict == "Protect" else verdict, ["0"])[0] == f"{links:,}"
        if links:
            assert f"<title>{verdict}: {links:,}</title>" in html


def drawn(html):
    """The numbers of each chart: a title of its own for each bar, before its number."""
    charts = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    return [
        {what: int(number.replace(",", "")) for what, number in re.findall(r"<title>(.*): ([0-9,]+)</title>", chart)}
        for chart in charts
    ]


def test_every_number_of_every_chart_is_the_workbooks(made):
    books = {name: openpyxl.load_workbook(made / f"{name}.xlsx") for name in ("audit", "profile")}

    def sheet(book, name):
        head, *rows = books[book][name].iter_rows(values_only=True)
        return [dict(zip(head, row, strict=True)) for row in rows]

    verdicts, months, topics = drawn((made / "report.html").read_text())
    assert verdicts == {row["Verdict"]: row["Links"] for row in sheet("audit", "Verdicts") if row["Links"]}
    for row in sheet("profile", "New and lost")[-24:]:
        month = f"{row['Month']:%y-%m}"
        assert (months[f"{month}, new"], months[f"{month}, lost"]) == (row["New domains"], row["Lost domains"])
    assert len(months) == 2 * min(24, len(sheet("profile", "New and lost")))
    fields = {row["Field"]: 0 for row in sheet("profile", "Topics")}
    for row in sheet("profile", "Topics"):
        fields[row["Field"]] += row["Links"]
    others = topics.pop("Other topics", 0)
    assert topics and all(fields.pop(field) == links for field, links in topics.items())
    assert others == sum(links for field, links in fields.items() if field != "unclear")


def test_the_report_has_its_charts_and_its_steps_each_with_what_it_is_about(made):
    html = (made / "report.html").read_text()
    assert html.count("<svg") == 3
    plan = re.findall(r"<tr><td>(\d\. [^<]*)</td>", html)
    lists = re.findall(r"<h3>(\d\. [^<]*)</h3>\s*<ul>(.*?)</ul>", html, re.DOTALL)
    assert 2 <= len(plan) <= 5 and plan == [step for step, _ in lists]
    assert all(1 <= rows.count("<li>") <= 8 for _, rows in lists)
    assert len(html.encode()) < 5_000_000


class Alive(HTMLParser):
    """What a page would run or fetch."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        names = {name for name, value in attributes if name.startswith("on") or "http" in (value or "")}
        if tag in {"script", "iframe", "object", "link", "a", "b"} or names & {"src", "href", "onerror"}:
            self.found.append((tag, attributes))


def test_titles_anchors_and_names_of_others_are_inert(folder, monkeypatch, capsys):
    bad = "</title><script>alert(1)</script><img src=http://evil.example/x.png onerror=alert(1)>"
    rows = [f'https://a{n}.example/,https://shop.example/,"{bad}","{bad}",90' for n in range(30)]
    (folder / "bad.csv").write_text("\n".join(["Referring page URL,Target URL,Anchor,Referring page title,DR", *rows]))
    (folder / "bad.csv").rename(folder / "bad <b>.csv")
    run(monkeypatch, capsys, "watch", "Shop", "bad <b>.csv", "--dominant-anchor", "1")
    assert report(monkeypatch, capsys, "--name", bad)[0] == 0
    html = (folder / "report.html").read_text()
    alive = Alive()
    alive.feed(html)
    assert "&lt;script&gt;" in html
    assert alive.found == []


def picture(kind):
    data = BytesIO()
    Image.new("RGB", (40, 20)).save(data, kind)
    return data.getvalue()


def test_a_logo_is_taken_into_the_file(watched, monkeypatch, capsys):
    (watched / "logo.png").write_bytes(picture("PNG"))
    assert report(monkeypatch, capsys, "--logo", "logo.png", "--accent", "#7A1F5C")[0] == 0
    assert '<img src="data:image/png;base64,' in (watched / "report.html").read_text()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"x" * 50_000_000, "the logo can have at most 1 MB, but this file has 50.0"),
        (b"no picture at all", "this is not an image"),
        (b"\x89PNG\r\n\x1a\n and then nothing", "this is not an image"),
        (picture("BMP"), "an image of type BMP"),
    ],
)
def test_a_logo_too_large_or_no_picture_is_refused(watched, monkeypatch, capsys, data, words):
    (watched / "logo.png").write_bytes(data)
    code, said = report(monkeypatch, capsys, "--logo", "logo.png")
    assert code == 2 and words in said and said.count("\n") == 1
    assert not (watched / "report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["report", "Nothing", "-o", "r.html"], "There is no project “Nothing”"),
        (["report", "Shop", "-o", "r.doc"], "must end in .html or .pdf"),
        (["report", "Shop", "-o", "r.html", "--accent", "red;}"], "must be written like #0B5394"),
    ],
)
def test_what_cannot_be_reported_is_one_line(watched, monkeypatch, capsys, arguments, words):
    code, said = run(monkeypatch, capsys, *arguments)
    assert code == 2 and words in said and said.count("\n") == 1
