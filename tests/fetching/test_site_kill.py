"""A crawl that was killed goes on where it was: nothing is lost, and what was answered is not asked again."""

import csv
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from backlink_audit.fetching.site_crawl import AT_ONCE
from tests.fetching.servers import serving

ROOT = Path(__file__).parent.parent.parent
PAGES = 200


@pytest.mark.slow
def test_after_a_kill_nothing_is_lost_and_nothing_answered_is_asked_twice(tmp_path):
    pages = {
        f"/{number}": "".join(f'<a href="/{(number * 3 + place) % PAGES}">a page</a>' for place in range(4))
        for number in range(PAGES)
    }
    with serving({**pages}) as server:
        crawl = [sys.executable, "-m", "backlink_audit", "crawl", f"http://127.0.0.1:{server.port}/0"]
        crawl += ["-o", str(tmp_path / "crawl.csv"), "--local", "--pace", "0", "--yes"]
        first = subprocess.Popen(crawl, cwd=ROOT, stderr=subprocess.DEVNULL)
        while len(server.paths()) < PAGES // 2:
            assert first.poll() is None
            time.sleep(0.005)
        first.send_signal(signal.SIGKILL)
        first.communicate()
        assert not (tmp_path / "crawl.csv").exists()
        subprocess.run(crawl, cwd=ROOT, stderr=subprocess.DEVNULL, check=True)
    times = Counter(server.paths())
    with (tmp_path / "crawl.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert set(times) == set(pages)
    assert sorted(row["Address"].rpartition("/")[2] for row in rows) == sorted(map(str, range(PAGES)))
    assert sum(count > 1 for count in times.values()) <= AT_ONCE, "more than were under way when it was killed"
