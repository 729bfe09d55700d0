"""Which page of a site some words mean: the one whose name they are nearest to, if there is one."""

from collections.abc import Mapping, Sequence
from functools import cache

from backlink_audit.text.languages.any_language import words
from backlink_audit.text.languages.word_forms import form
from backlink_audit.text.pages.page_names import Rarity

AS_NEAR = 0.1
"""Pages whose names are within this of the nearest one are as near."""
WHOLE = 0.9
"""From here on words are the whole name of a page."""
MOST_TIED = 2
"""Words that are as near to more pages than so many mean none of them, unless they are a whole name."""
PART_WORTH, SECTION_WORTH = 0.95, 0.6
"""A part of a title between separators, and the heading of a section, count so much beside the title of a page."""
LEAST_NEAR = 0.5
"""Below this words are too far from a name to mean its page, …"""
LEAST_NEAR_IF_CLOSE = 0.3
"""… or below this where the page is one of the closest to the source, and no other name is nearer."""


class PagesByName:
    """The names of all pages, to find which of them some words mean.

    Nearness is the rarity of the words that phrase and name share, as a share of that of all words of both, 0 to 1.
    """

    def __init__(
        self,
        titles: Sequence[Sequence[str]],
        parts: Sequence[Sequence[str]],
        sections: Sequence[Sequence[str]],
        standing: Sequence[tuple[int, int]],
        rarity: Rarity,
    ) -> None:
        """Read the names: `titles` of pages and what links call them, `parts` of titles, and headings of `sections`.

        Of pages whose whole name is the same the one of the highest `standing` is meant.
        """
        self._standing = standing
        self._rarity = rarity
        self._names: list[tuple[int, float, Mapping[str, float]]] = []
        self._with: dict[str, list[int]] = {}
        for worth, kind in ((1.0, titles), (PART_WORTH, parts), (SECTION_WORTH, sections)):
            for page, names in enumerate(kind):
                for weights in map(self.weights, map(words, dict.fromkeys(names))):
                    for word in weights:
                        self._with.setdefault(word, []).append(len(self._names))
                    self._names.append((page, worth, weights))
        self._meant = cache(self._nearest)

    def means(self, phrase: tuple[str, ...], page: int, *, close: bool = False) -> bool:
        """Whether the words (their forms) mean this page rather than any other; `close` to the page that has them."""
        meant, nearest = self._meant(phrase)
        return page in meant or (close and page in nearest)

    def weights(self, name: Sequence[str]) -> dict[str, float]:
        """Return the forms of some words and how much each says, the same in singular and plural."""
        rarity = self._rarity
        forms = {form(word) for word in name if not word.isnumeric()}
        weights = {word: min(rarity.of(word), rarity.of(f"{word}s")) for word in forms}
        return {word: weight for word, weight in weights.items() if weight}

    def _nearest(self, phrase: tuple[str, ...]) -> tuple[frozenset[int], frozenset[int]]:
        """Return the pages that some words mean, and those whose names are nearest to them, if near at all."""
        asked = self.weights(phrase)
        total = sum(asked.values())
        near: dict[int, float] = {}
        for number in {number for word in asked for number in self._with.get(word, ())}:
            page, worth, name = self._names[number]
            shared = sum(name[word] for word in asked if word in name)
            near[page] = max(near.get(page, 0.0), worth * shared / (total + sum(name.values()) - shared))
        if not near or (nearest := max(near.values())) < LEAST_NEAR_IF_CLOSE:
            return frozenset(), frozenset()
        first = frozenset(page for page, value in near.items() if value == nearest)
        if nearest < LEAST_NEAR:
            return frozenset(), first if len(first) <= MOST_TIED else frozenset()
        tied = [page for page, value in near.items() if value > nearest - AS_NEAR]
        if nearest >= WHOLE:
            tied = [max(tied, key=lambda page: (near[page], self._standing[page]))]
        meant = frozenset(tied if len(tied) <= MOST_TIED else ())
        return meant, meant
