"""How the words of a site follow each other: which end a phrase, which lead on, which pairs belong together.

No grammar of any language is needed: stop words are its small words, and where a word pauses shows what it is. The
name of a thing comes before a comma or a full stop now and then; a verb hardly ever does: a small word follows it.
"""

from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress

import regex

from backlink_audit.text.pages.read_text import read_text

KNOWN = 3
"""Places from which on a word or a pair of words is known well enough to say something of it."""
FIXED = 40
"""Two words belong together that meet so many times as often as chance would have it."""
LEADING_ON = 0.4
"""A verb leads on to a small word at this share of its places at least, …"""
PAUSING = 0.2
"""… and pauses at less than this share of the places where it pauses or leads on."""
MOST_LARGE = 0.2
"""A common word is written large inside sentences at no more than this share of its places there."""

_PAUSE = regex.compile(r"[.,;:!?)\]\r\n。、，！？]")


@dataclass(frozen=True)
class WordUse:
    """Counts over the contents of a site, by forms of words; `pairs` were side by side, with a space between them.

    `pausing`: places before a comma or the like; `leading_on`: before a stop word; `large`, `large_pairs`: written with
    a capital inside a sentence, the second word of a pair.
    """

    counts: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    pausing: Counter[str] = field(default_factory=Counter)
    leading_on: Counter[str] = field(default_factory=Counter)
    small: Counter[str] = field(default_factory=Counter)
    large: Counter[str] = field(default_factory=Counter)
    large_pairs: Counter[tuple[str, str]] = field(default_factory=Counter)

    @cached_property
    def total(self) -> int:
        """Words of all contents; used only once they are counted."""
        return self.counts.total()

    def are_fixed(self, one: str, other: str) -> bool:
        """Whether two words side by side are a phrase of this site, such as "open source"."""
        met = self.pairs[one, other]
        return met >= KNOWN and met * self.total >= FIXED * self.counts[one] * self.counts[other]

    def is_verb_like(self, word: str) -> bool:
        """Whether a word leads on to others and hardly ever ends a phrase, as "provides" does."""
        leads, pauses = self.leading_on[word], self.pausing[word]
        known = self.counts[word] >= KNOWN
        return known and leads >= LEADING_ON * self.counts[word] and pauses < PAUSING * (pauses + leads)

    def is_noun_like(self, word: str) -> bool:
        """Whether a word often ends a phrase, as "component" does."""
        leads, pauses = self.leading_on[word], self.pausing[word]
        return self.counts[word] >= KNOWN and pauses > 0 and pauses >= PAUSING * (pauses + leads)

    def is_common(self, word: str) -> bool:
        """Whether a word is written small inside sentences, so that a capital there begins something new."""
        large = self.large[word]
        return self.small[word] >= KNOWN and large <= MOST_LARGE * (large + self.small[word])


def read_word_use(texts: Iterable[str], stop: Set[str]) -> WordUse:
    """Return how the words of some contents are used; `stop` words say nothing."""
    use = WordUse()
    for text in texts:
        read = read_text(text)
        words, after = read.forms, read.forms[1:]
        gaps = [text[end:start] for end, start in zip(read.ends, read.starts[1:], strict=False)]
        beside = [gap == " " for gap in gaps]
        large_after = [near and text[start].isupper() for near, start in zip(beside, read.starts[1:], strict=True)]
        stop_after = [near and word in stop for near, word in zip(beside, read.words[1:], strict=True)]
        small = [text[start].islower() for start in read.starts[:-1]]
        pauses = [not near and _PAUSE.search(gap) is not None for near, gap in zip(beside, gaps, strict=True)]
        use.counts.update(words)
        use.small.update(compress(words, small))
        use.pairs.update(compress(zip(words, after, strict=False), beside))
        use.leading_on.update(compress(words, stop_after))
        use.large.update(compress(after, large_after))
        use.large_pairs.update(compress(zip(words, after, strict=False), large_after))
        use.pausing.update(compress(words, pauses))
    return use
