"""A check that was killed goes on where it was: what was answered is not asked again."""

import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.fetching.servers import QUICK, serving

ROOT = Path(__file__).parent.parent.parent
HOSTS, PAGES = 20, 15
CHECK = """
import sys
from pathlib import Path
from backlink_audit.fetching.check import check_pages
from backlink_audit.fetching.answers import Age, AnswerCache
from backlink_audit.progress import silent
from tests.fetching.servers import HERE, QUICK
port, path = int(sys.argv[1]), Path(sys.argv[2])
urls = [f"http://site{host}.example:{port}/{page}" for host in range(%d) for page in range(%d)]
with AnswerCache(path) as kept:
    answers = check_pages(urls, {"our-site.com"}, kept, QUICK, Age(), silent, HERE)
    print(sum(answer.outcome == "read" for answer in answers))
""" % (HOSTS, PAGES)  # noqa: UP031 (the code has braces of its own)


def begin(port: int, path: Path) -> "subprocess.Popen[str]":
    code = [sys.executable, "-c", CHECK, str(port), str(path)]
    return subprocess.Popen(code, cwd=ROOT, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_after_a_kill_at_half_nothing_answered_is_asked_twice(tmp_path):
    total = HOSTS * PAGES
    with serving({f"/{page}": "<p>Text</p>" for page in range(PAGES)}) as server:
        first = begin(server.port, tmp_path / "c.sqlite")
        while len(server.paths()) < total // 2:
            assert first.poll() is None
            time.sleep(0.005)
        first.send_signal(signal.SIGKILL)
        first.communicate()
        asked = len(server.paths())
        assert asked < total
        second = begin(server.port, tmp_path / "c.sqlite")
        assert second.communicate()[0].strip() == str(total)
        times = Counter((one.host, one.path) for one in server.asked)
    twice = [page for page, count in times.items() if count > 1]
    assert len(times) == total + HOSTS
    assert len(twice) <= QUICK.at_once, "more than were under way when it was killed"
