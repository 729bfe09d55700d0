"""The words around a link on its page: its sentence, its section, the rest of the page, and its site."""

from dataclasses import dataclass

import pandas as pd

from backlink_audit.text.anchors.sentences import sentence_gaps
from backlink_audit.text.links.bags import Bags, Vocabulary
from backlink_audit.text.urls.parts import url_words

AROUND = ("place", "page_anchor", "text_before", "text_after", "heading", "page_title", "main_text", "site_titles")
"""What is known of the page that a link is on; of pages that are not known every one is "" """
IN_CONTENT = ("content", "")
"""Places whose sentences are read: a menu, a footer or a sidebar has none."""
LEAST_BESIDE = 25
"""Letters of a sentence besides the link's own: with fewer, it is an entry of a list or a name in a footer."""
LEAST_SENTENCE = 25
"""Letters from which a line of the page is read as a sentence."""
LEAST_OTHERS = 5
"""Other sentences from which it is known what a page is about."""
MOST_OTHERS = 24
"""Other sentences that are read, spread over the page."""


@dataclass(frozen=True)
class PlaceTexts:
    """The texts around every link; a link that is not in a sentence of a page that is known has none."""

    words: pd.DataFrame
    """`sentence`, the link's own, and `beside`, the rest of the page, one sentence a line."""
    sentence: Bags
    section: Bags
    page: Bags
    site: Bags
    target: pd.Series
    """The anchor and the words of the target URL, in which field words are looked for."""


def read_place_texts(vocabulary: Vocabulary, around: pd.DataFrame, target_urls: pd.Series) -> PlaceTexts:
    """Return the texts around links as bags; `around` has the columns AROUND, in the order of the links."""
    words = pd.DataFrame(
        [_sentences(*row) for row in zip(*(around[name] for name in AROUND), strict=True)],
        columns=["sentence", "section", "beside", "site"],
        index=around.index,
        dtype="str",
    )
    bags = {name: vocabulary.bags(words[name], str.splitlines) for name in words}
    target = (around["page_anchor"] + " " + target_urls.map(url_words)).where(words["sentence"] != "", "")
    return PlaceTexts(
        words[["sentence", "beside"]], bags["sentence"], bags["section"], bags["beside"], bags["site"], target
    )


def sentence_around(before: str, anchor: str, after: str) -> str:
    """Return the sentence that a link stands in.

    >>> sentence_around("It rained. We sat on", "oak chairs", "by the fire. Then we ate.")
    'We sat on oak chairs by the fire.'
    """
    text = " ".join(part for part in (before, anchor, after) if part)
    at = len(before) + bool(before)
    gaps = list(sentence_gaps(text))
    start = max((end for _, end in gaps if end <= at), default=0)
    stop = min((begin for begin, _ in gaps if begin >= at + len(anchor)), default=len(text))
    return text[start:stop].strip()


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, each once, without lines that are too short for one."""
    gaps = [(0, 0), *sentence_gaps(text), (len(text), len(text))]
    found = (" ".join(text[start:stop].split()) for (_, start), (stop, _) in zip(gaps, gaps[1:], strict=False))
    return list(dict.fromkeys(sentence for sentence in found if len(sentence) >= LEAST_SENTENCE))


def _sentences(
    place: str, anchor: str, before: str, after: str, heading: str, title: str, main_text: str, site_titles: str
) -> tuple[str, str, str, str]:
    """Return the sentence of a link, its section, the other sentences of its page, and the titles of its site."""
    nothing = "", "", "", ""
    if place not in IN_CONTENT or not main_text:
        return nothing
    if not (before or after):
        before, after = _found_in(main_text, anchor)
    sentence = sentence_around(before, anchor, after)
    if len(sentence) - len(anchor) < LEAST_BESIDE:
        return nothing
    others = [one for one in sentences_of(f"{title}\n{main_text}") if one not in sentence and sentence not in one]
    if len(others) < LEAST_OTHERS:
        return nothing
    step = max(1.0, len(others) / MOST_OTHERS)
    others = [others[int(number * step)] for number in range(min(len(others), MOST_OTHERS))]
    section = " ".join(part for part in (heading, before, anchor, after) if part)
    return sentence, section, "\n".join(others), site_titles or title


def _found_in(text: str, anchor: str) -> tuple[str, str]:
    """Return the words before and after an anchor in its line, "" where a text does not have it just once."""
    if not anchor or text.count(anchor) != 1:
        return "", ""
    before, _, after = text.partition(anchor)
    return " ".join(before.rpartition("\n")[2].split()), " ".join(after.partition("\n")[0].split())
