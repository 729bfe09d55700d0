"""Pages are taken apart in processes that can be ended."""

import asyncio

import pytest

from backlink_audit.errors import AuditError
from backlink_audit.fetching import readers
from backlink_audit.fetching.readers import TOO_LONG, Readers
from backlink_audit.fetching.reading import Reading, read_page
from backlink_audit.fetching.requests import Response

URL = "https://blog.example/post"
PAGE = '<title>A</title><p>Before <a href="https://our-site.com/" rel="ugc">us</a> after. ' + "Words. " * 100


def read(bodies: list[bytes], seconds: float = 30.0, most: int = 1) -> list[Reading]:
    async def work() -> list[Reading]:
        all_of_them = Readers(seconds, most)
        try:
            headers = {"content-type": "text/html; charset=utf-8"}
            return [await all_of_them.read(Response(URL, 200, headers, body), {"our-site.com"}) for body in bodies]
        finally:
            await all_of_them.close()

    return asyncio.run(work())


def test_a_page_is_read_as_in_this_process():
    assert read([PAGE.encode()]) == [read_page(PAGE.encode(), URL, {"our-site.com"})]


def test_a_page_made_to_take_hours_is_ended_and_the_next_one_is_read():
    [endless, after] = read([b"<div>" * 400_000, PAGE.encode()], seconds=1.0)
    assert endless == Reading(wall=TOO_LONG)
    assert after.title == "A"


@pytest.mark.parametrize("asked", ["while it ends", "after it ended"])
def test_a_process_that_does_not_start_is_no_fault_of_the_page(monkeypatch, asked):
    ask = readers._ask

    async def ask_late(child: asyncio.subprocess.Process, question: bytes) -> bytes:
        await child.wait()
        return await ask(child, question)

    if asked == "after it ended":
        monkeypatch.setattr(readers, "_ask", ask_late)
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    with pytest.raises(AuditError, match="does not start"):
        read([PAGE.encode()])
