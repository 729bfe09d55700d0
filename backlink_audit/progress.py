"""How a long stage reports what it is doing: a plain function, called now and then."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""`progress(what, done, total)`: the stage in words, and how far it is. May raise `Cancelled` to stop the run."""


def silent(what: str, done: int, total: int) -> None:
    """Report to nobody: the default."""
