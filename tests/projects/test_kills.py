"""Killed at any moment of saving, the store opens and has the old or the new state, whole."""

import os
import random
import signal
import time

import pytest

from backlink_audit.projects.projects import create
from backlink_audit.projects.snapshots import every_snapshot, save, scored_links
from backlink_audit.projects.store import open_store
from tests.projects.made import as_another_file, audit_of

KILLS = 50


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows makes processes another way")
@pytest.mark.filterwarnings("ignore:This process")  # that it forks with threads: the child lives for a moment alone
def test_fifty_kills_in_the_middle_of_saving_leave_whole_snapshots_only(address):
    with open_store(address) as store:
        project = create(store, "Shop")
        save(store, project, as_another_file(audit_of("older"), "first.csv"))  # what is loaded once is loaded now
        began = time.monotonic()
        save(store, project, as_another_file(audit_of("older"), "second.csv"))
        whole = time.monotonic() - began
    chance, saved, cut_short = random.Random(7), 2, 0
    for number in range(KILLS):
        audit = as_another_file(audit_of("older"), f"{number}.csv")
        child = os.fork()
        if not child:
            with open_store(address) as store:
                save(store, project, audit)
            os._exit(0)
        time.sleep(chance.uniform(0, 3 * whole))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with open_store(address) as store:
            kept = every_snapshot(store, project)
            assert len(kept) in (saved, saved + 1)
            assert len(scored_links(store, kept[-1]).links) == sum(kept[-1].figures["states"].values())
        cut_short += len(kept) == saved
        saved = len(kept)
    print(f"{cut_short} cut short, {saved - 2} saved")  # noqa: T201
    assert cut_short, "no kill came before the end"
