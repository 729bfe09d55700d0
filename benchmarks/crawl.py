"""A crawl of 10,000 made-up pages on this machine, without a pause: `python -m benchmarks.crawl [PAGES]`.

Each page links to twenty others and has 300 words.
"""

import http.server
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measure import machine, run_step, step_asked_for, table, timed, write_section

MODULE = "benchmarks.crawl"
PAGES, LINKS, WORDS = 10_000, 20, 300


def page(number: int, pages: int) -> bytes:
    """Return a made-up page; its links lead to every other within a few clicks."""
    targets = [(number * LINKS + place + 1) % pages for place in range(LINKS - 1)] + [(number * 7 + 1) % pages]
    menu = "".join(f'<li><a href="/page-{target}">Article number {target}</a></li>' for target in targets)
    text = " ".join(f"word{(number * 31 + place * 17) % 5000}" for place in range(WORDS))
    body = f"<nav><a href='/page-0'>Home</a></nav><main><h1>Article {number}</h1><p>{text}.</p><ul>{menu}</ul></main>"
    return f"<!doctype html><html lang=en><title>Article {number} | Shop</title><body>{body}</body></html>".encode()


@contextmanager
def served(pages: int) -> Iterator[str]:
    """Serve the pages on this machine."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            name = self.path.removeprefix("/page-")
            body = page(int(name), pages) if name.isdecimal() else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/page-0"
    finally:
        server.shutdown()
        server.server_close()


def ours(start: str, folder: str) -> dict[str, float]:
    """Time the command; the process with most memory counts."""
    out, links = f"{folder}/crawl.csv", f"{folder}/inlinks.csv"
    command = ["backlink_audit", "crawl", start, "-o", out, "--inlinks", links, "--yes", "--local", "--pace", "0"]
    return run([*command, "--limit", "1000000"], Path(out))


def run(command: list[str], out: Path) -> dict[str, float]:
    """Time a command as a process of its own."""
    figures: dict[str, float] = {}
    with timed(figures):
        subprocess.run([sys.executable, "-m", *command], check=True)
    with out.open(encoding="utf-8") as file:
        figures["pages"] = sum("/page-" in line for line in file)
    return figures


def main(pages: int) -> None:
    """Measure, and write the table."""
    before = machine()
    with tempfile.TemporaryDirectory() as folder, served(pages) as start:
        made = run_step(MODULE, "ours", start, folder)
    row = [f"{made['pages']:,.0f}", f"{made['seconds']:.1f}", f"{made['peak']:,.0f}"]
    told = (
        f"{before}. {pages:,} made-up pages with {LINKS + 1} links each, served on the same machine, no pause. `crawl` "
        "sends one request at a time, obeys robots.txt, reads HTML in child processes, and writes the whole table."
    )
    write_section("Crawl", f"{told}\n\n{table(('pages', 'seconds', 'peak MiB of one process'), [row])}")


STEPS = {step.__name__: step for step in (ours,)}

if __name__ == "__main__" and not step_asked_for(STEPS):
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PAGES)
