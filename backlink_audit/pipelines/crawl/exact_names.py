"""What each page of a site is called, whole, and no other page with it."""

from collections import Counter
from collections.abc import Sequence, Set

from backlink_audit.text.anchors.places import LONGEST_ANCHOR
from backlink_audit.text.pages.exact_names import ExactNames, forms, own_names, phrases, whole_name
from backlink_audit.text.pages.page_texts import PageTexts
from backlink_audit.text.pages.pages_by_name import PagesByName

MOST_OF_A_TITLE = 2 / 3
"""A phrase in small letters holds so much of its title's rarity to stand for it; a name in capitals may hold less."""


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
    """Return in how many pages' titles each of the wanted phrases stands."""
    lengths = {len(phrase) for phrase in wanted}
    found: Counter[tuple[str, ...]] = Counter()
    for own in titles:
        runs = {name[at : at + length] for name in own for length in lengths for at in range(len(name) - length + 1)}
        found.update(runs & wanted)
    return found
