"""What a run will need, in one form for every pipeline."""

from dataclasses import dataclass

from backlink_audit.wording import count


@dataclass(frozen=True)
class Estimate:
    """What a run needs at most on this machine; texts that an earlier run has embedded cost nothing again."""

    subject: str
    """What is worked on, in words."""
    texts: int
    """How many texts have to be embedded."""
    seconds: float
    bytes: float
    advice: str = ""
    """A sentence on a quicker way, where one is worth it."""

    @property
    def sentence(self) -> str:
        """The estimate in words."""
        needed = f"at most about {in_words(self.seconds)} and {self.bytes / 1e9:.1f} GB of memory"
        return f"{self.subject}: {needed}. {self.advice}".strip()


def in_words(seconds: float) -> str:
    """Say a time in words.

    >>> in_words(3), in_words(90), in_words(600), in_words(9000)
    ('5 seconds', '90 seconds', '10 minutes', '2.5 hours')
    """
    if seconds < 120:
        return count(max(5, round(seconds / 5) * 5), "second")
    minutes = seconds / 60
    return count(round(minutes), "minute") if minutes < 120 else f"{minutes / 60:.1f} hours"
