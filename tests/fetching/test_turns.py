"""One request to a host at a time, and a pause after each."""

import asyncio

from backlink_audit.fetching.requests import RateLimit
from tests.fetching.servers import FakeClock


def asked(turns: RateLimit, clock: FakeClock, *hosts: str, takes: float = 0.0) -> list[tuple[str, float, float]]:
    """Ask hosts side by side; return when each request began and ended."""
    times = []

    async def ask(host: str) -> None:
        async with turns.turn(host):
            begun = clock()
            clock.now += takes
            times.append((host, begun, clock()))

    async def all_of_them() -> None:
        await asyncio.gather(*map(ask, hosts))

    asyncio.run(all_of_them())
    return times


def test_two_requests_to_one_host_are_apart_from_the_end_of_the_first():
    clock = FakeClock()
    [first, second] = asked(RateLimit(2.0, 8, clock, clock.sleep), clock, "a.example", "a.example", takes=5.0)
    assert second[1] - first[2] >= 2.0


def test_with_and_without_www_is_one_host():
    clock = FakeClock()
    asked(RateLimit(2.0, 8, clock, clock.sleep), clock, "a.example", "www.a.example")
    assert clock.slept == [2.0]


def test_other_hosts_do_not_wait():
    clock = FakeClock()
    asked(RateLimit(2.0, 8, clock, clock.sleep), clock, "a.example", "b.example")
    assert clock.slept == []


def test_a_host_that_asks_for_time_gets_it():
    clock = FakeClock()
    turns = RateLimit(2.0, 8, clock, clock.sleep)
    asked(turns, clock, "a.example")
    turns.pause("a.example", 60)
    assert turns.wait_for("a.example") == 60
    asked(turns, clock, "a.example")
    assert sum(clock.slept) == 60


def test_a_host_may_ask_for_a_slower_pace_but_not_for_a_quicker_one():
    clock = FakeClock()
    turns = RateLimit(2.0, 8, clock, clock.sleep)
    turns.slow_down("a.example", 10)
    turns.slow_down("a.example", 1)
    asked(turns, clock, "a.example", "a.example")
    assert sum(clock.slept) == 10
