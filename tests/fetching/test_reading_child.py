"""The child that takes pages apart: a page in, a line of JSON out, also where a page cannot be read."""

import json
import logging
from io import BytesIO
from typing import Any

import pytest

from backlink_audit.fetching import reading
from backlink_audit.fetching.reading import answer_all

HTML = b'<p>We like <a href="https://our-site.com/">chairs</a> of oak.</p>'


@pytest.fixture(autouse=True)
def logs():
    yield
    logging.disable(logging.NOTSET)


def answers(*bodies: bytes) -> list[dict[str, Any]]:
    asked = {"seconds": 30, "url": "https://blog.example/post", "sites": ["our-site.com"]}
    pages = b"".join(json.dumps(asked | {"bytes": len(body)}).encode() + b"\n" + body for body in bodies)
    written = BytesIO()
    answer_all(BytesIO(pages), written)
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_each_page_has_its_answer_in_turn():
    first, second = answers(HTML, b"<p>nothing</p>")
    assert [link["anchor"] for link in first["links"]] == ["chairs"]
    assert second["links"] == []


def test_a_page_that_cannot_be_read_is_said_to_be_so_and_the_next_one_is_read(monkeypatch):
    read = reading.read_page

    def nested(body, *rest, **told):
        if body == b"deep":
            raise TypeError("a text of another kind than was asked for")
        return read(body, *rest, **told)

    monkeypatch.setattr(reading, "read_page", nested)
    first, second = answers(b"deep", HTML)
    assert first == {"wall": "HTML that cannot be read"}
    assert len(second["links"]) == 1
