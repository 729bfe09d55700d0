"""A server that speaks HTTP/2 is asked in it."""

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import h2.config
import h2.connection
import h2.events

from backlink_audit.fetching.answers import Age, AnswerCache
from backlink_audit.fetching.check import check_pages
from tests.fetching.servers import HERE, QUICK

CERTIFICATE = Path(__file__).with_name("server.pem")
PAGE = b'<title>A post</title><p><a href="https://our-site.com/">us</a>'


@contextmanager
def speaking_http2(asked: list[str]) -> Iterator[int]:
    """A server that speaks nothing else; the port of it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    context.set_alpn_protocols(["h2"])
    ports: list[int] = []
    begun, ended = threading.Event(), asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        talk.initiate_connection()
        while data := await reader.read(65_536):
            for event in talk.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    path = next(str(value) for name, value in event.headers if str(name) == ":path")
                    asked.append(path)
                    found = path != "/robots.txt"
                    headers = [(":status", "200" if found else "404"), ("content-type", "text/html")]
                    talk.send_headers(event.stream_id, headers)
                    talk.send_data(event.stream_id, PAGE if found else b"", end_stream=True)
            writer.write(talk.data_to_send())
            await writer.drain()
        writer.close()

    async def serve() -> None:
        server = await asyncio.start_server(talk, "127.0.0.1", 0, ssl=context)
        ports.append(server.sockets[0].getsockname()[1])
        loops.append(asyncio.get_running_loop())
        begun.set()
        await ended.wait()
        server.close()

    loops: list[asyncio.AbstractEventLoop] = []
    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    begun.wait()
    yield ports[0]
    loops[0].call_soon_threadsafe(ended.set)
    thread.join()


def test_a_page_is_asked_in_http_2_where_the_server_speaks_it(tmp_path):
    asked: list[str] = []
    network = replace(HERE, trusted=ssl.create_default_context(cafile=str(CERTIFICATE)))
    with speaking_http2(asked) as port, AnswerCache(tmp_path / "c.sqlite") as kept:
        url = f"https://blog.example:{port}/post"
        [found] = check_pages([url], {"our-site.com"}, kept, QUICK, Age(), network=network)
    assert (found.outcome, found.reading.title) == ("read", "A post")
    assert asked == ["/robots.txt", "/post"]
