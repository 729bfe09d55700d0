"""Anchors where no name of the target stands in the text: a phrase that both pages use, near the target in meaning.

A phrase counts for a pair if the source has room for a link on it, the target says it too, and of all pages of its
language the target is among the nearest to the phrase. See docs/decisions/anchors.md.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer

from backlink_audit.embedding.encoder import Encoder
from backlink_audit.site.vectors import PageVectors
from backlink_audit.text.anchor_places import LONGEST_ANCHOR, NEAR, NO_ANCHOR, Anchor, Content
from backlink_audit.text.page_names import ExactNames, PagesByName, Target, forms, own_names, phrases, whole_name
from backlink_audit.text.page_texts import PageTexts, language_groups
from backlink_audit.text.phrases import WordUse, noun_phrases
from backlink_audit.text.sentences import read_text

Likeness = Callable[[Sequence[str]], np.ndarray]
"""How near texts are to the pages in meaning: texts -> float32 (texts, pages)."""

FEW_PAGES = 5
MOST_PAGES, MOST_PAGES_OF_ONE_WORD = 0.12, 0.05
"""A phrase on more pages than FEW_PAGES and than this share of them says too little; of one word, than this share."""
EVERYWHERE = 0.5  # A word on this share of the pages adds nothing to a phrase: the site's subject, its brand
LEAST_SAID_OF_ONE_WORD = 3  # times that the target says a single word, at least
MOST_NEARER, MOST_NEARER_TO_ONE_WORD = 9, 2
"""Pages of the target's language that are nearer to the phrase than the target, at most."""
LEAST_NEAR = 3.5
"""The least likeness of phrase and target, in standard deviations over all phrases and pages, repeats included: …"""
REPEATS_WORTH = 0.4  # … what the target says e times as often is worth so much more
BLOCK_PHRASES = 512  # phrases compared with all pages at a time
MOST_LONGER = 4  # times as many words as a phrase in small letters a title may have that holds it
_OWNING = "'’"
MOST_OF_A_TITLE = 2 / 3
"""A phrase in small letters holds so much of its title's rarity to stand for it; a name in capitals may hold less."""


@dataclass(frozen=True, eq=False)
class SharedPhrases:
    """The phrases that at least two pages use, as forms of their words.

    `counts` (pages, phrases): how often each page says each; `alone` (phrases,): whether all words of it but one are
    on many pages, so that it says no more than that one.
    """

    phrases: tuple[str, ...]
    counts: sp.csr_matrix
    alone: np.ndarray


@dataclass(frozen=True)
class Mention:
    """A phrase of a source that its target says too: the pair's number, the phrase's, how often, and the place."""

    pair: int
    phrase: int
    said: int
    anchor: Anchor


def likeness_to(vectors: PageVectors, texts: PageTexts, encoder: Encoder) -> Likeness | None:
    """Return the mean cosine of texts with a page's vector and its title's; None without content or such vectors."""
    if vectors.model != encoder.name or not any(texts.bodies):
        return None
    titles: list[np.ndarray] = []

    def likeness(asked: Sequence[str]) -> np.ndarray:
        if not titles:
            titles.append(encoder.encode(texts.names))
        found = encoder.encode(asked)
        return (found @ vectors.vectors.T + found @ titles[0].T) / 2

    return likeness


def shared_phrases(texts: PageTexts, stop: Set[str], use: WordUse) -> SharedPhrases:
    """Return the phrases that few pages use, but more than one; none that are of the brand alone."""
    reader = CountVectorizer(analyzer=lambda body: noun_phrases(body, stop, use), dtype=np.int32)
    try:
        counts = reader.fit_transform(texts.bodies).tocsc()
    except ValueError:  # no page has any phrase
        return SharedPhrases((), sp.csr_matrix((len(texts.bodies), 0), dtype=np.int32), np.zeros(0, dtype=bool))
    pages, having = sum(map(bool, texts.bodies)), np.diff(counts.indptr)
    phrases = reader.get_feature_names_out()
    pages_with = Counter(word for body in texts.bodies for word in set(read_text(body).forms))
    alone = np.array([_is_alone(phrase, pages_with, EVERYWHERE * pages) for phrase in phrases])
    most = np.maximum(FEW_PAGES, np.where(alone, MOST_PAGES_OF_ONE_WORD, MOST_PAGES) * pages)
    is_brand = np.array([texts.brand_words.issuperset(phrase.split(" ")) for phrase in phrases])
    kept = np.flatnonzero((having > 1) & (having <= most) & ~is_brand)
    return SharedPhrases(tuple(phrases[kept].tolist()), counts[:, kept].tocsr(), alone[kept])


def _is_alone(phrase: str, pages_with: Mapping[str, int], many: float) -> bool:
    return sum(pages_with[word] < max(FEW_PAGES, many) for word in phrase.split(" ")) < 2


def read_mentions(
    content: Content,
    shared: SharedPhrases,
    page: int,
    pairs: Sequence[tuple[int, int, Target]],
    taken: Sequence[Anchor],
) -> Iterator[Mention]:
    """Yield the phrases of a page's content that its targets say too, each where its sentence fits the target best.

    `pairs`: number of the pair, the target's row, and the target; `taken`: what is linked in the content already.
    """
    own = shared.counts[page].indices
    if not len(own) or not pairs:
        return
    said = shared.counts[[row for _, row, _ in pairs]][:, own].tocoo()
    places: dict[int, list[tuple[int, int]]] = {}
    for at, column, times in zip(said.row.tolist(), said.col.tolist(), said.data.tolist(), strict=True):
        phrase = int(own[column])
        words = shared.phrases[phrase].split(" ")
        if shared.alone[phrase] and times < LEAST_SAID_OF_ONE_WORD:
            continue
        if phrase not in places:
            places[phrase] = list(_places(content, words, taken))
        pair, _, target = pairs[at]
        if places[phrase]:
            first, last = max(places[phrase], key=partial(_fit, content, target))
            yield Mention(pair, phrase, times, content.anchor(first, last, NEAR))


def choose_near(
    mentions: Sequence[Mention],
    shared: SharedPhrases,
    source: np.ndarray,
    target: np.ndarray,
    texts: PageTexts,
    likeness: Likeness,
) -> dict[int, Anchor]:
    """Return the anchors of the pairs that have a phrase near enough, by their number; the nearest are served first.

    On a page one phrase leads to one target, and one sentence holds one such anchor.
    """
    if not mentions:
        return {}
    claims = _claims(mentions, shared, source, target, texts)
    mentions = [mention for mention, claim in zip(mentions, claims, strict=True) if claim]
    if not mentions:
        return {}
    near = _nearness(mentions, shared, target, texts, likeness)
    chosen: dict[int, Anchor] = {}
    used: set[tuple[int, object]] = set()
    for number in np.argsort(-near, kind="stable"):
        mention = mentions[number]
        if near[number] < LEAST_NEAR:
            break
        page = int(source[mention.pair])
        place = {(page, mention.phrase), (page, mention.anchor.start - mention.anchor.at)}
        if mention.pair not in chosen and used.isdisjoint(place):
            chosen[mention.pair] = mention.anchor
            used |= place
    return chosen


def _claims(
    mentions: Sequence[Mention], shared: SharedPhrases, source: np.ndarray, target: np.ndarray, texts: PageTexts
) -> list[bool]:
    """Return whether no page has a better claim to a phrase than the target: its title has it, or it says it most.

    A phrase said most shares a word with the title, or is a name; a word in small letters is much of the title. What
    another page is called, whole, leads to that one.
    """
    most = np.asarray(shared.counts.max(axis=0).todense()).ravel()
    titles = [[forms(name) for name in pair] for pair in zip(texts.names, texts.headings, strict=True)]
    whole = {title for pair in titles for title in pair}
    found = []
    for mention in mentions:
        own, phrase = titles[int(target[mention.pair])], tuple(shared.phrases[mention.phrase].split(" "))
        is_name = any(map(str.isupper, mention.anchor.phrase if mention.anchor.at else mention.anchor.phrase[1:]))
        having = [title for title in own if f" {' '.join(phrase)} " in f" {' '.join(title)} "]
        in_title = any(is_name or len(title) <= MOST_LONGER * len(phrase) for title in having)
        less = shared.counts[int(source[mention.pair]), mention.phrase] < mention.said
        leads = less and mention.said >= most[mention.phrase]
        is_near = in_title or (leads and (is_name or any(word in title for title in own for word in phrase)))
        found.append(bool(is_near and (phrase in own or phrase not in whole)))
    return found


def _fit(content: Content, target: Target, place: tuple[int, int]) -> float:
    return content.around(*place, target)


def _places(content: Content, words: list[str], taken: Sequence[Anchor]) -> Iterator[tuple[int, int]]:
    """Yield the first and last word of each place where the content has room for a link on some words."""
    if content.boundaries is None or any(own.issuperset(words) for own in content.own):
        return
    used = [(anchor.start, anchor.start + len(anchor.phrase)) for anchor in taken if anchor is not NO_ANCHOR]
    for first in content.at.get(words[0], ()):
        last = first + len(words) - 1
        if content.words[first : last + 1] != words or not content.are_free(first, last):
            continue
        start, end = content.spans[first][0], content.spans[last][1]
        if (
            all(map(content.side_by_side, range(first, last)))
            and content.in_one_sentence(first, last)
            and not any(sign in content.text[start:end] for sign in _OWNING)
            and not any(start < stop and begin < end for begin, stop in used)
            and content.has_room(first, last)
            and not content.is_part_of_more(first, last)
            and not content.is_in_a_title(first, last)
            and content.boundaries.phrase(first, last, lambda _: False) is not None
        ):
            yield first, last


def _nearness(
    mentions: Sequence[Mention], shared: SharedPhrases, target: np.ndarray, texts: PageTexts, likeness: Likeness
) -> np.ndarray:
    """Return how near each phrase is to its target, in standard deviations; -inf where other pages are nearer."""
    groups = language_groups(texts)
    written = {mention.phrase: mention.anchor.phrase for mention in reversed(mentions)}
    asking: dict[int, list[int]] = {}
    for number, mention in enumerate(mentions):
        asking.setdefault(mention.phrase, []).append(number)
    near = np.full(len(mentions), -np.inf)
    count = total = squares = 0.0
    phrases = sorted(written)
    for start in range(0, len(phrases), BLOCK_PHRASES):
        block = phrases[start : start + BLOCK_PHRASES]
        likenesses = likeness([written[phrase] for phrase in block])
        count, total = count + likenesses.size, total + float(likenesses.sum())
        squares += float(np.square(likenesses, dtype=np.float64).sum())
        for phrase, row in zip(block, likenesses, strict=True):
            most = MOST_NEARER_TO_ONE_WORD if shared.alone[phrase] else MOST_NEARER
            for number in asking[phrase]:
                page = target[mentions[number].pair]
                if np.count_nonzero(row[groups == groups[page]] > row[page]) <= most:
                    near[number] = row[page]
    mean = total / count
    spread = max(0.0, squares / count - mean**2) ** 0.5
    said = np.array([mention.said for mention in mentions])
    return (near - mean) / spread + REPEATS_WORTH * np.log(said) if spread else near


def exact_names(
    texts: PageTexts, linked: Sequence[Sequence[str]], called: PagesByName, stop: Set[str]
) -> list[ExactNames]:
    """Return what each page is called, whole. `linked`: the words of the links to each page.

    These are its title and H1, phrases of them that no other page has in its title, and the words of links that lead to
    it alone.
    """
    titles = list(zip(texts.names, texts.headings, strict=True))
    title_forms = [{forms(name) for name in pair} for pair in titles]
    parts = [{part for name in pair for part in phrases(name, stop) if len(part) <= LONGEST_ANCHOR} for pair in titles]
    taken = _in_titles(set().union(*parts), title_forms)
    links = [set(map(forms, anchors)) for anchors in linked]
    of_links = Counter(phrase for found in links for phrase in found)
    names = []
    for pair, own, found, link in zip(titles, title_forms, parts, links, strict=True):
        whole = {whole_name(name, stop) for title in pair for name in own_names(title)} | {
            phrase for phrase in link if of_links[phrase] == 1
        }
        alone = {phrase for phrase in found if taken[phrase] == 1}
        least = MOST_OF_A_TITLE * min((_weight(called, name) for name in own if name), default=0.0)
        whole |= {phrase for phrase in alone if _weight(called, phrase) >= least}
        names.append(ExactNames(frozenset(whole - {()}), frozenset(alone)))
    return names


def _weight(called: PagesByName, phrase: Sequence[str]) -> float:
    return sum(called.weights(phrase).values())


def _in_titles(wanted: Set[tuple[str, ...]], titles: Sequence[Set[tuple[str, ...]]]) -> Counter[tuple[str, ...]]:
    lengths = {len(phrase) for phrase in wanted}
    found: Counter[tuple[str, ...]] = Counter()
    for own in titles:
        runs = {name[at : at + length] for name in own for length in lengths for at in range(len(name) - length + 1)}
        found.update(runs & wanted)
    return found
