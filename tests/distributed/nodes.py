"""What the tests on a cluster share: an encoder that takes its time, and a limit to theirs."""

import threading
import time
from typing import Any

from tests.toy import ToyEncoder

TIME_LIMIT = 240
"""Seconds after which a hanging cluster fails the test instead of stopping everything."""


class SlowEncoder(ToyEncoder):
    """Takes a while for each chunk, so that a node can die in the middle."""

    def encode(self, texts, on_progress=lambda *_: None):
        time.sleep(1.0)
        return super().encode(texts, on_progress)


def slow(name: str) -> SlowEncoder:
    return SlowEncoder()


def within(seconds, work):
    """Return what `work` returns, or fail once the time is up."""
    got: dict[str, Any] = {}
    thread = threading.Thread(target=lambda: got.update(result=_caught(work)), daemon=True)
    thread.start()
    thread.join(seconds)
    assert not thread.is_alive(), f"The cluster did not finish within {seconds} seconds."
    if isinstance(got["result"], Exception):
        raise got["result"]
    return got["result"]


def _caught(work):
    try:
        return work()
    except Exception as problem:
        return problem
