"""What a page is called, as other pages' contents are searched for it: its titles, its sections, its words."""

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

import regex

from backlink_audit.text.languages.any_language import is_unspaced, word_spans
from backlink_audit.text.languages.word_forms import form
from backlink_audit.text.pages.exact_names import ExactNames, forms
from backlink_audit.text.pages.read_text import read_text

LEAST_PART_OF_ONE_WORD = 0.5
"""A word of a title can be used alone if it has this share of the title's rarity, …"""
LEAST_PART_OF_A_NAME = 0.2
"""… (in capitals there, this share) …"""
MOST_PAGES_OF_ONE_WORD = 0.05
"""… and is in the content of at most this share of the pages (or in fewer than five), or nowhere as often."""
FEW_PAGES = 5
LEAST_PART = 0.38
"""A phrase says what the target is about if it has at least this share of its title's rarity."""
LEAST_PART_WITH_TOPIC = 0.5
"""The title's own words have at least this share of it where words of the content are used beside them."""
LEAST_PART_IF_CLOSE = 0.25
"""The first of the two where source and target are among the closest pairs of the site."""
TOPIC_WORDS = 40
"""The words of a target that weigh most; the sentence with many of them is the better place."""
HELPING_WORDS = 20
"""So many of them may be used beside the words of the title in an anchor, …"""
HELPING_WORTH = 0.5
"""… each worth this share of a word of the title."""

_CODE = regex.compile(r"[^\s\p{L}\p{N}]*[\p{L}\p{N}][^\s]*")
_JOINED_BEFORE, _JOINED_AFTER = regex.compile(r"[\p{L}\p{N}][-.@_/+]\Z"), regex.compile(r"[-.@_/+][\p{L}\p{N}]")
_SYMBOLS = regex.compile(r"\(\)|[<>$_@]|(?<=\w)[-.](?=\w)")


@dataclass(frozen=True)
class Rarity:
    """How much each word says on this site: its weight, the stop words, and how many pages have it."""

    weights: Mapping[str, float]
    stop: Set[str]
    pages_with: Mapping[str, int]
    pages: int

    def of(self, word: str) -> float:
        """Return a word's weight: 0 for a stop word, most for a word that is in no content."""
        return 0.0 if word in self.stop else self.weights.get(word, math.log(1 + self.pages))

    def is_rare(self, word: str) -> bool:
        """Whether a word alone is enough to know what is meant."""
        return self.pages_with.get(word, 0) < max(FEW_PAGES, MOST_PAGES_OF_ONE_WORD * self.pages)


@dataclass(frozen=True)
class Name:
    """One name of a target as it is looked for.

    `weights` has each word's form and how much it says; `alone` are those that can be used alone, `common` those of
    them that many pages say, this one most often. `whole`: all words must be there. `literal`: a name such as
    "computed()" is looked for letter for letter. `needed`: the title of which a word must be there, where the words of
    the content are beside its own.
    """

    weights: Mapping[str, float]
    alone: Set[str]
    whole: bool = False
    literal: str = ""
    needed: "Name | None" = None
    common: Set[str] = frozenset()

    @property
    def total(self) -> float:
        """The weight of all words together; of a title with other words beside its own, of the title's."""
        return self.needed.total if self.needed else sum(self.weights.values())

    def may_be_told_by(self, words: Set[str], least: float) -> bool:
        """Whether some words of the name, whatever their order, can be enough of it; `least` as in `least_part`."""
        if self.whole:
            return all(word in words for word, weight in self.weights.items() if weight)
        if self.needed:
            return sum(self.needed.weights.get(word, 0.0) for word in words) >= least * self.total
        return sum(self.weights[word] for word in words) >= min(least, LEAST_PART_OF_A_NAME) * self.total

    def turns_round(self, phrase: Sequence[str]) -> bool:
        """Whether words side by side stand in the name the other way round, and others of it are missing.

        They mean another thing then, or one is a verb: "writing guides" of “A guide to the writing lab”. Of a name with
        words of the content, its title alone counts.
        """
        title = self.needed or self
        order = {word: number for number, (word, weight) in enumerate(title.weights.items()) if weight}
        return not order.keys() <= set(phrase) and any(
            one in order and other in order and order[other] < order[one]
            for one, other in zip(phrase, phrase[1:], strict=False)
        )


@dataclass(frozen=True)
class Target:
    """What is looked for: the names of a page, and the words that its content is full of, with their share.

    `said`: all that the page says, its names among it, as `ReadText.line` has it. `close`: its subject is so near to
    the source's that less of a name is enough. `exact`: what the page and no other is called by, whole.
    """

    names: tuple[Name, ...]
    topic: Mapping[str, float] = field(default_factory=dict)
    said: str = ""
    close: bool = False
    exact: ExactNames = ExactNames()

    def least_part(self, name: Name) -> float:
        """Return the share of a title's rarity that a phrase must have, 0 to 1."""
        if name.needed:
            return LEAST_PART_WITH_TOPIC
        return LEAST_PART_IF_CLOSE if self.close else LEAST_PART

    def says(self, phrase: Sequence[str]) -> bool:
        """Whether the page itself says some words (their forms) side by side."""
        return f" {' '.join(phrase)} " in self.said


def read_name(text: str, rarity: Rarity, *, whole: bool = False, leading: Set[str] = frozenset()) -> Name:
    """Return a name ready to be looked for in many contents; `whole`: not a word of it may be missing.

    `leading`: forms of the words that no page says as often as the one with this name.
    """
    spans = list(word_spans(text))
    weights: dict[str, float] = {}
    for word, _, _ in spans:
        weights[form(word)] = 0.0 if word.isnumeric() else rarity.of(word)
    total, shortest = sum(weights.values()), 2 if is_unspaced(text) else 3
    alone = {
        form(word)
        for word, start, end in spans
        if len(word) >= shortest
        and not _is_joined(text, start, end)
        and (rarity.is_rare(word) or form(word) in leading)
        and weights[form(word)] >= (LEAST_PART_OF_A_NAME if text[start].isupper() else LEAST_PART_OF_ONE_WORD) * total
    }
    literal = text if _CODE.fullmatch(text) and _SYMBOLS.search(text) else ""
    common = alone & {form(word) for word, _, _ in spans if not rarity.is_rare(word)}
    return Name(weights, alone, whole, literal, common=common)


def _is_joined(text: str, start: int, end: int) -> bool:
    """Whether a sign joins a word to another, as in "oak.example": alone it is another name."""
    return _JOINED_BEFORE.search(text, 0, start) is not None or _JOINED_AFTER.match(text, end) is not None


def read_target(
    titles: Iterable[str],
    others: Iterable[str],
    topic: Mapping[str, float],
    rarity: Rarity,
    text: str = "",
    leading: Set[str] = frozenset(),
) -> Target:
    """Return a page as a target: its titles, other names, the words of its content with their weights, its content.

    `leading` as in `read_name`.
    """
    titles = list(titles)
    names = [read_name(title, rarity, leading=leading) for title in titles if title]
    names += [read_name(other, rarity, whole=True, leading=leading) for other in others]
    weighing = (word for word in topic if topic[word])
    heaviest = sorted(weighing, key=lambda word: (-topic[word], word))[:TOPIC_WORDS]
    names += [_with_topic(name, heaviest[:HELPING_WORDS]) for name in names[:1]]
    total = sum(topic[word] for word in heaviest) or 1.0
    shares = {form(word): topic[word] / total for word in heaviest}
    said = "|".join([*(f" {' '.join(forms(title))} " for title in titles), read_text(text).line])
    return Target(tuple(name for name in names if name.total), shares, said)


def _with_topic(title: Name, topic: Iterable[str]) -> Name:
    """Return a title with words of the content beside its own: "onboarding sprint" of "How we improved onboarding"."""
    weighing = [weight for weight in title.weights.values() if weight]
    each = HELPING_WORTH * title.total / max(1, len(weighing))
    return Name({form(word): each for word in topic} | dict(title.weights), frozenset(), needed=title)
