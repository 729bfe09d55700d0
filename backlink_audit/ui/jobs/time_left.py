"""How long a stage of work still takes, estimated from its reports of progress: nothing too early, and no jumps."""

import math
from collections import deque

LEAST_SHARE = 0.05
LEAST_SECONDS = 3.0
"""Before so much is done, and so long is worked on, nothing is promised."""
FOLLOWING_SECONDS = 15.0
"""A changed speed moves the promised end two thirds of the way in so many seconds."""


class TimeLeft:
    """The pace of one stage. Shares are 0 to 1; times are seconds of any clock that only goes on.

    It is measured from the first step that was done, so that what comes before, such as loading a model, is no part of
    it, and over the later half of the time since, so that a lasting change is followed.
    """

    def __init__(self) -> None:
        self._steps: deque[tuple[float, float]] = deque()
        self._first: tuple[float, float] | None = None
        self._end: float | None = None
        """When the stage is promised to end."""

    def report(self, share: float | None, now: float) -> None:
        """Note how much is done; None or 0: it is not known yet."""
        if not share:
            self._steps.clear()
            self._first = self._end = None
            return
        if self._first is None:
            self._first = (share, now)
        elif share <= self._steps[-1][0]:
            return
        first, began = self._first
        before = self._steps[-1][1] if self._steps else now
        self._steps.append((share, now))
        while len(self._steps) > 2 and self._steps[1][1] <= (began + now) / 2:
            self._steps.popleft()
        if share - first < LEAST_SHARE or now - began < LEAST_SECONDS:
            return
        earlier, then = self._steps[0]
        end = now + (1 - share) * (now - then) / (share - earlier)
        followed = 1 - math.exp((before - now) / FOLLOWING_SECONDS)
        self._end = end if self._end is None else self._end + followed * (end - self._end)

    def seconds_left(self, now: float) -> float | None:
        """Return how long it still takes; None while nothing can be promised."""
        return None if self._end is None else max(0.0, self._end - now)
