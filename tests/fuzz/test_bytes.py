"""Whatever bytes come: a file is read, or refused in one sentence that names it. `make fuzz` tries many more.

Files begin as sound ones and are then cut, doubled, overwritten and mixed. What was found is kept as an example.
"""

import io
import os
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from backlink_audit import sample
from backlink_audit.errors import AuditError
from backlink_audit.exports.load import recognise_file
from backlink_audit.exports.read import to_utf8
from backlink_audit.risk.disavow_file import parse_disavow_file
from backlink_audit.risk.review import read_review
from backlink_audit.site.vectors import read_page_vectors
from backlink_audit.text.urls import normalise_urls

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "25"))
FEW = settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), deadline=None)
HEAD = 6_000
"""Bytes of a sound file that the broken ones are made of."""


def saved_npz() -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, urls=np.array(["a", "b"]), vectors=np.eye(2, dtype=np.float32), model="m", text="h1")
    return file.getvalue()


def saved_xlsx() -> bytes:
    file = io.BytesIO()
    pd.DataFrame({"Referring page URL": ["https://a.example/"], "Target URL": ["https://b.example/"]}).to_excel(file)
    return file.getvalue()


SOUND = {
    "utf-16 csv": sample.files()["backlinks"][0][1][:HEAD],
    "csv": sample.files()["older"][0][1][:HEAD],
    "crawl": sample.files()["pages"][0][1][:HEAD],
    "plain": b"Referring page URL,Target URL\nhttps://a.example/,https://b.example/\n",
    "disavow": b"# ours\ndomain:spam.example\nhttps://bad.example/page\n",
    "review": b"Scope,Item,State,Note\ndomain,spam.example,disavow,no\n",
    "npz": saved_npz(),
}
PIECES = [
    b"\0",
    b"\r",
    b"\n",
    b'"',
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b",;\t|",
    b"\x80",
    b"sep=;\n",
    b"=1+1",
    b"PK\x03\x04",
    b"\x1a",
]


@st.composite
def broken(draw: Callable[..., Any], *kinds: str) -> bytes:
    """A sound file with a few of its bytes cut, doubled or overwritten."""
    data = bytearray(SOUND[draw(st.sampled_from(kinds))])
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, max(0, len(data) - 1)))
        length = draw(st.integers(0, 40))
        piece = draw(st.sampled_from(PIECES) | st.binary(max_size=12))
        match draw(st.sampled_from(["cut", "put", "overwrite", "double", "end"])):
            case "cut":
                del data[place : place + length]
            case "put":
                data[place:place] = piece
            case "overwrite":
                data[place : place + len(piece)] = piece
            case "double":
                data[place:place] = data[place : place + length]
            case "end":
                del data[place:]
    return bytes(data)


def read_or_refused(read: Callable[[], object]) -> None:
    """Whether it ends well or in one sentence; anything else is raised and so found."""
    try:
        read()
    except AuditError as problem:
        assert "\n" not in str(problem)
        assert str(problem).startswith("file")


@FEW
@given(broken("utf-16 csv", "csv", "crawl", "plain") | st.binary(max_size=300))
@example(b"\xff\xfe\x00")
@example(b'sep=;\n"')
@example(b'"\nddress","Content Type","Status Code"\nhttps://a.example/,text/html,200\n')
def test_an_export_is_read_or_refused(data: bytes):
    read_or_refused(lambda: recognise_file("file.csv", data))


@FEW
@given(broken("utf-16 csv", "csv", "plain") | st.binary(max_size=300))
def test_what_is_decoded_is_sound_utf_8(data: bytes):
    try:
        text = to_utf8(data, "file.csv")
    except AuditError:
        return
    assert b"\0" not in text
    text.decode()


@FEW
@given(broken("disavow") | st.binary(max_size=200))
def test_a_disavow_file_is_read_or_refused(data: bytes):
    read_or_refused(lambda: parse_disavow_file(data, "file.txt"))


@FEW
@given(broken("review") | st.binary(max_size=200))
def test_a_review_is_read_or_refused(data: bytes):
    read_or_refused(lambda: read_review(data, "file.csv"))


@FEW
@given(broken("npz"))
def test_embeddings_are_read_or_refused(data: bytes):
    read_or_refused(lambda: read_page_vectors("file.npz", data))


@settings(FEW, max_examples=max(3, EXAMPLES // 20))
@given(st.data())
def test_a_workbook_is_read_or_refused(data: st.DataObject):
    source, target = io.BytesIO(saved_xlsx()), io.BytesIO()
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(target, "w") as after:
        names = before.namelist()
        chosen = data.draw(st.sampled_from(names))
        for name in names:
            part = before.read(name)
            place = data.draw(st.integers(0, len(part))) if name == chosen else 0
            noise = data.draw(st.binary(max_size=30)) if name == chosen else b""
            after.writestr(name, part[:place] + noise + part[place + len(noise) :])
    read_or_refused(lambda: recognise_file("file.xlsx", target.getvalue()))


ADDRESS = st.text("htps:/.?#&=%@[]()-_~ aé東\u202e\0\r\n0123456789ABx", max_size=40)


@FEW
@given(st.lists(ADDRESS | st.text(max_size=30).map("https://".__add__), min_size=1, max_size=6))
@example(["http://[::1", "https://xn--a/", "https://\u202e.example/", "http://a:99999999/"])
def test_keys_of_addresses_are_found_for_any_text_and_stay_as_they_are(urls: list[str]):
    keys = normalise_urls(pd.Series(urls, dtype="str"))
    assert len(keys) == len(urls)
    hosted = keys[keys.str.match(r"[a-z0-9][a-z0-9.-]*(/|$)")]
    pd.testing.assert_series_equal(normalise_urls(hosted), hosted)


@pytest.mark.parametrize("name", SOUND)
def test_the_sound_files_are_sound(name: str):
    assert SOUND[name]
