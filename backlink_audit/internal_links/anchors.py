"""The words to link for each suggestion: what a target is called, and where the source's content says it."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from functools import cache
from itertools import groupby

import numpy as np
import regex

from backlink_audit.embedding.nearest import spread_evenly
from backlink_audit.internal_links.near_anchors import (
    Likeness,
    Mention,
    choose_near,
    exact_names,
    read_mentions,
    shared_phrases,
)
from backlink_audit.progress import Progress
from backlink_audit.site.links import LinkGraph
from backlink_audit.text.anchor_places import LONGEST_ANCHOR, NO_ANCHOR, Anchor, Content, find_names
from backlink_audit.text.languages import form, words
from backlink_audit.text.page_names import (
    FEW_PAGES,
    MOST_PAGES_OF_ONE_WORD,
    PagesByName,
    Phrase,
    Rarity,
    Target,
    own_names,
    read_target,
    whole_name,
    word_rarity,
)
from backlink_audit.text.page_texts import PageTexts, split_title
from backlink_audit.text.phrases import is_generic, read_word_use
from backlink_audit.text.sentences import read_text, repeated_spans, section_headings

PAGES_OF_A_NAME = 2  # pages that link to another one with the same words, from which on these are a name of it
HEADING_WORDS = 3
"""A page's own headings of at least so many words are looked for in its content, where no anchor is suggested."""
MANY_NAMES = 3
"""Pages in whose names an anchor stands from which it is the name of none: “Composition API” of four of them."""
MANY_NAMES_SHARE = 0.02  # the same as a share of the pages: the larger of both counts
SAMPLED_PAGES = 1_000  # contents in which common phrases are counted, spread over the site
OFTEN = 3  # A page that says words so many times is about them, whatever others say
LEAST_OF_MEDIAN = 1 / 3  # A page with less than this share of the words of the site's median page says little
LONGEST_NAME = 8  # words of a section's heading, or of another page's anchor, that is taken as a name of a page


def find_anchors(
    source: np.ndarray,
    target: np.ndarray,
    texts: PageTexts,
    second_headings: Sequence[str],
    graph: LinkGraph | None,
    on_progress: Progress,
    score: np.ndarray | None = None,
    keys: Sequence[str] = (),
    likeness: Likeness | None = None,
) -> list[Anchor]:
    """Return the anchor of each pair (row numbers, those of one source side by side); without content there is none.

    `score`: how good each pair is, in any unit. For the best of them less of a target's name is enough. `keys`: the
    pages' normalised URLs; the home page gets no anchors, as its name is that of the site. `likeness`: where no name of
    the target stands in the source, words near it in meaning are looked for.
    """
    if not any(texts.bodies):
        return [NO_ANCHOR] * len(source)
    rarity = word_rarity(texts)
    sample = [texts.bodies[page] for page in spread_evenly(len(texts.bodies), SAMPLED_PAGES)]
    use = read_word_use(sample, rarity.stop)
    names = _other_names(texts, graph)
    parts, sections = list(map(split_title, texts.names)), list(map(section_headings, texts.bodies))
    called = PagesByName(_titles(texts, graph), parts, sections, _standing(texts, graph), rarity)
    is_vague = _vague(texts, sample, rarity.stop)
    without = _fragments(texts, graph)
    without[[page for page, key in enumerate(keys) if not regex.search("[/?]", key)]] = True
    leading = _leading(texts)
    exact = exact_names(texts, _link_names(texts, graph), called, rarity.stop)
    close = _closest(score, len(texts.bodies)) if score is not None else np.zeros(len(source), dtype=bool)
    known: dict[int, Target] = {}
    repeated = repeated_spans(texts.bodies)
    shared = shared_phrases(texts, rarity.stop, use) if likeness else None
    mentions: list[Mention] = []
    anchors: list[Anchor] = []
    for page, pairs in groupby(zip(source.tolist(), target.tolist(), strict=True), key=lambda pair: pair[0]):
        on_progress("Finding anchors", len(anchors), len(source))
        targets = [number for _, number in pairs]
        near = close[len(anchors) : len(anchors) + len(targets)].tolist()
        for number in targets:
            if number not in known:
                others, most_said = names[number], leading[number]
                known[number] = Target(()) if without[number] else _target(number, texts, others, rarity, most_said)
        own = (texts.names[page], texts.headings[page])
        own_sections = {whole_name(heading, rarity.stop) for heading in (*sections[page], second_headings[page])} - {()}
        taken = [heading for heading in (*own, second_headings[page]) if len(heading.split()) >= HEADING_WORDS]
        content = Content(
            texts.bodies[page], [*taken, *(graph.anchors[page] if graph else ())], own, repeated[page], rarity.stop, use
        )

        def accepts(
            place: int,
            phrase: Sequence[str],
            targets: list[int] = targets,
            near: list[bool] = near,
            own_sections: Set[Phrase] = own_sections,
        ) -> bool:
            words = tuple(phrase)
            if whole_name(" ".join(words), rarity.stop) in own_sections - exact[targets[place]].whole:
                return False
            return not is_vague(words, targets[place]) and called.means(words, targets[place], close=near[place])

        wanted = [
            replace(known[number], close=is_close, exact=exact[number].without(own_sections))
            for number, is_close in zip(targets, near, strict=True)
        ]
        found = find_names(content, wanted, accepts)
        if shared:
            rest = [
                (len(anchors) + place, number, known[number])
                for place, number in enumerate(targets)
                if found[place] is NO_ANCHOR and not without[number]
            ]
            mentions.extend(read_mentions(content, shared, page, rest, found))
        anchors.extend(found)
    if not likeness or not shared:
        return anchors
    near = choose_near(mentions, shared, source, target, texts, likeness)
    return [near.get(pair, anchor) for pair, anchor in enumerate(anchors)]


def _closest(score: np.ndarray, pages: int) -> np.ndarray:
    if len(score) <= pages:
        return np.ones(len(score), dtype=bool)
    return score >= np.partition(score, len(score) - pages)[len(score) - pages]


def _leading(texts: PageTexts) -> list[set[str]]:
    """Return for each page the words (their forms) that it says OFTEN or more, and no other page as often."""
    most: dict[str, tuple[int, list[int]]] = {}
    for page, body in enumerate(texts.bodies):
        for word, said in Counter(read_text(body).forms).items():
            record, pages = most.get(word, (OFTEN, []))
            if said > record:
                most[word] = said, [page]
            elif said == record:
                most[word] = said, [*pages, page]
    leading: list[set[str]] = [set() for _ in texts.bodies]
    for word, (_, pages) in most.items():
        if len(pages) == 1:
            leading[pages[0]].add(word)
    return leading


def _titles(texts: PageTexts, graph: LinkGraph | None) -> list[list[str]]:
    linked = _link_names(texts, graph)
    pages_of = Counter(name for names in linked for name in set(map(_forms, names)))
    return [
        [*own_names(name), *own_names(heading), *(anchor for anchor in names if pages_of[_forms(anchor)] == 1)]
        for name, heading, names in zip(texts.names, texts.headings, linked, strict=True)
    ]


def _link_names(texts: PageTexts, graph: LinkGraph | None) -> list[tuple[str, ...]]:
    """Return the words of the links to each page that are a name of it: several pages use them, or they are like it.

    What one page calls it may be anything: "ask for feedback", "our board".
    """
    if not graph:
        return [() for _ in texts.names]
    return [
        tuple(anchor for anchor, pages in anchors.items() if pages >= PAGES_OF_A_NAME or _shares_words(anchor, own))
        for anchors, own in zip(graph.anchors_to, _own_words(texts), strict=True)
    ]


def _own_words(texts: PageTexts) -> list[set[str]]:
    called = zip(texts.names, texts.headings, texts.slugs, strict=True)
    return [set(_forms(" ".join(own))) for own in called]


def _shares_words(anchor: str, own: Set[str]) -> bool:
    found = [word for word in _forms(anchor)]
    return 2 * sum(word in own for word in found) >= len(found)


def _standing(texts: PageTexts, graph: LinkGraph | None) -> list[tuple[int, int]]:
    inlinks = graph.inlinks.tolist() if graph else [0] * len(texts.bodies)
    return list(zip(inlinks, map(len, texts.bodies), strict=True))


def _fragments(texts: PageTexts, graph: LinkGraph | None) -> np.ndarray:
    if not graph:
        return np.zeros(len(texts.bodies), dtype=bool)
    lengths = np.array([len(read_text(body).words) for body in texts.bodies])
    little = lengths < LEAST_OF_MEDIAN * np.median(lengths[lengths > 0])
    return little & ~np.array([bool(anchors) for anchors in graph.anchors_to])


def _vague(texts: PageTexts, sample: Sequence[str], stop: Set[str]) -> Callable[[tuple[str, ...], int], bool]:
    """Return whether words could mean many pages, unless they are a page's whole name.

    These are words in the names of MANY_NAMES pages, words of no name of the page that many contents have, and words of
    several contents that the page itself says seldom: a few times and less than half as often as the one that says them
    most, or, unless they are its name but for `stop` words, less than two thirds as often.
    """
    small = {form(word) for word in stop}
    names = [{_forms(name) for name in pair} for pair in zip(texts.names, texts.headings, strict=True)]
    called = [{frozenset(name) - small for name in own} for own in names]
    in_names = Counter(run for own in names for run in {run for name in own for run in _runs(name)})
    bodies = [read_text(body) for body in sample]
    saying: dict[str, set[int]] = {}
    for number, body in enumerate(bodies):
        for word in set(body.forms):
            saying.setdefault(word, set()).add(number)
    many = max(MANY_NAMES, MANY_NAMES_SHARE * len(names))
    most = max(FEW_PAGES, MOST_PAGES_OF_ONE_WORD * len(bodies))

    @cache
    def said(phrase: tuple[str, ...]) -> tuple[int, int]:
        """Return how many contents say a phrase, and how often the one does that says it most."""
        having = set.intersection(*(saying.get(word, set()) for word in set(phrase)))
        counts = [bodies[number].says(phrase) for number in having]
        return sum(map(bool, counts)), max(counts, default=0)

    @cache
    def says_seldom(phrase: tuple[str, ...], page: int) -> bool:
        pages, most_often = said(phrase)
        often = read_text(texts.bodies[page]).says(phrase)
        if pages < FEW_PAGES or 3 * often >= 2 * most_often:
            return False
        return (often < OFTEN and 2 * often < most_often) or frozenset(phrase) - small not in called[page]

    def is_vague(phrase: tuple[str, ...], page: int) -> bool:
        if not phrase or phrase in names[page]:
            return False
        named = any(phrase in _runs(name) for name in names[page])
        if in_names[phrase] >= many or (not named and said(phrase)[0] > most):
            return True
        return says_seldom(phrase, page)

    return is_vague


def _forms(text: str) -> tuple[str, ...]:
    return tuple(form(word) for word in words(text))


def _runs(name: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for start in range(len(name)):
        for stop in range(start + 1, min(len(name), start + LONGEST_ANCHOR) + 1):
            yield name[start:stop]


def _target(page: int, texts: PageTexts, others: Sequence[str], rarity: Rarity, leading: Set[str]) -> Target:
    name, heading, body = texts.names[page], texts.headings[page], texts.bodies[page]
    parts = [part for part in split_title(name) if len(words(part)) > 1]
    counts = Counter(read_text(body).words).items()
    topic = {word: rarity.of(word) * (1 + math.log(found)) for word, found in counts if not word.isnumeric()}
    return read_target(dict.fromkeys((name, heading, *parts)), others, topic, rarity, body, leading)


def _other_names(texts: PageTexts, graph: LinkGraph | None) -> list[list[str]]:
    """Return what each page is called besides: by its sections, and by other pages that link to it."""
    found = [
        dict.fromkeys([*section_headings(body), *linked])
        for body, linked in zip(texts.bodies, _link_names(texts, graph), strict=True)
    ]
    pages_of = Counter(name for names in found for name in set(map(_forms, names)))
    return [
        [
            name
            for name in names
            if 0 < len(words(name)) <= LONGEST_NAME and pages_of[_forms(name)] == 1 and not is_generic(name)
        ]
        for names in found
    ]
