"""Which addresses app and terminal connect to in an audit, from a foreign page too: `make connections`, with strace."""

import base64
import os
import socket
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.export import write_export
from benchmarks.processes import STRACE, run
from benchmarks.served import bring, chromium, served
from benchmarks.trust_results import write
from tests.browser import journey

ROWS = 200
SECONDS = 600
FOREIGN = "foreign.example"


def main() -> None:
    """Audit under strace in the terminal and in the app, and write the section."""
    if STRACE is None:
        raise SystemExit("strace is not installed, and nothing else tells whom a program speaks to.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "links.csv"
        write_export(path, ROWS)
        # Nothing of HF_HUB_OFFLINE and the like: only what the project itself says keeps it still.
        allowed = ("PATH", "HOME", "LANG", "VIRTUAL_ENV")
        environment = {key: value for key, value in os.environ.items() if key in allowed}
        environment |= {"BACKLINK_AUDIT_CACHE": str(folder / "cache")}
        command = [sys.executable, "-m", "backlink_audit", "audit", str(path), "-o", str(folder / "out.xlsx")]
        ran = run(command, environment, SECONDS)
        lines = [f"- `backlink-audit audit` (exit code {ran.code}): {_connected(ran.outside)}"]
        with served(environment, folder, traced=True) as server, chromium() as browser:
            page = browser.new_page()
            page.set_default_timeout(SECONDS * 1000)
            page.goto(server.address)
            said = bring(page, path)
            journey.open_page(page, "Backlink audit")
            journey.run(page, "Run the audit")
            figures = journey.figures(page)
            lines.append(f"- the app, upload ({said}) and audit ({figures}): {_connected(server.outside())}")
            port = urlsplit(server.address).port or 0
            answers = [_answer(port, **headers) for headers in _strangers(port)]
            lines.append(f"- then {len(answers)} requests with foreign names ({'; '.join(answers)}): ")
            lines[-1] += _connected(server.outside())
            calls = server.calls.read_text(errors="replace").count("\n")
        lines.append(f"- calls that strace saw of the app: {calls:,}")
    write(
        "Nobody outside is spoken to",
        "`make connections`; strace of every process and its children.\n\n" + "\n".join(lines),
    )


def _strangers(port: int) -> list[dict[str, str]]:
    ours, foreign = f"127.0.0.1:{port}", f"http://{FOREIGN}"
    return [
        {"host": FOREIGN, "origin": f"http://{ours}"},
        {"host": f"{FOREIGN}:{port}", "origin": foreign},
        {"host": ours, "origin": foreign},
        {"host": ours, "origin": f"https://{FOREIGN}:{port}"},
        {"host": ours, "origin": "null"},
        {"host": ours, "origin": f"http://{ours}"},
    ]


def _answer(port: int, host: str, origin: str) -> str:
    """Ask for the app's connection under these names; return them with the status of the answer."""
    key = base64.b64encode(b"0123456789abcdef").decode()
    lines = [
        "GET /_stcore/stream HTTP/1.1",
        f"Host: {host}",
        f"Origin: {origin}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {key}",
    ]
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        status = connection.recv(4096).split(b"\r\n")[0].decode("ascii", "replace").split(" ")[1]
    return f"Host {host.replace(str(port), '…')}, Origin {origin.replace(str(port), '…')}: {status}"


def _connected(addresses: tuple[str, ...]) -> str:
    return f"SPOKE TO {', '.join(addresses)}" if addresses else "nobody but this machine"


if __name__ == "__main__":
    main()
