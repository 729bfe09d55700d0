"""An audit speaks to nobody: the model is installed, and nothing but the link check asks for anything."""

import os
import subprocess
import sys
from pathlib import Path

from backlink_audit import sample

WATCHED = """
import sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        raise RuntimeError(f"{event} {arguments}")

sys.addaudithook(watch)
from backlink_audit.cli import run
run()
"""


def test_an_audit_asks_nobody_even_where_it_might(tmp_path: Path):
    name, data = sample.files()["backlinks"][0]
    links = tmp_path / name
    links.write_bytes(data)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HF_HUB")}
    command = [sys.executable, "-c", WATCHED, "audit", str(links), "-o", str(tmp_path / "audit.csv")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "audit.csv").is_file()
