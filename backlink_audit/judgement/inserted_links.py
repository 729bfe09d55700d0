"""Where the meaning of a page breaks at a link: sentence, section, page and site beside the link's target.

A sentence about casinos in the page of a school was probably inserted. One of three things shows it:

- the sentence is farther from the page's other sentences than nearly all of these are from each other, and about other
  fields (by the topics that every page is judged against, so that the limits mean the same for every model);
- it is about a field that is known for link spam, and nothing else on the page is;
- the words of the sentence and of the link itself name such a field, and no other words of the page do: that needs no
  model, and so no language that the model knows.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from backlink_audit.judgement.fields import UNCLEAR, field_names, field_shares, name_topics
from backlink_audit.judgement.meaning import Chance, best_cosine, unit
from backlink_audit.text import FIRM
from backlink_audit.text.field_words import fields_of_texts
from backlink_audit.text.link_texts import PlaceTexts
from backlink_audit.text.text_vectors import BLANK, Embedded
from backlink_audit.wording import uncapitalised

LEAST_APART = 0.9
"""The share of the page's other sentences that are nearer to the rest of the page than the link's sentence is."""
MOST_IN_COMMON = 0.2
"""The cosine of the fields' shares of sentence and page up to which they are about different things. Both limits are
set on one half of the pages of benchmarks/inserted_links.py."""
LEAST_RISKY = 0.5  # the share of the fields that are known for link spam from which a sentence is about one of them
MOST_RISKY_BESIDE = 0.1  # their share up to which the rest of the page is not
NEARER = 2.0
"""Units of nearness (`cosine_spread`) by which a page that is nearer to the target than the sentence is fits it."""
YES, NO = "yes", "no"
FITS = ("sentence_fit", "section_fit", "page_fit", "site_fit")
COLUMNS = (*FITS, "inserted", "inserted_why")


def place_meanings(texts: PlaceTexts, targets: Sequence[Embedded], vectors: np.ndarray, chance: Chance) -> pd.DataFrame:
    """Return what the words around each link mean beside its target: COLUMNS, in the order of the links.

    The fits are cosines with the nearest text of the target, NaN where there is no text. inserted: "yes", "no", or ""
    where the link is not in a sentence of a page that was read; inserted_why: the grounds, "" where it is not "yes".
    """
    every = np.arange(len(texts.words))
    sides = [bags.embedded(vectors) for bags in (texts.sentence, texts.section, texts.page, texts.site)]
    rows = [side.unit_vectors_at(every) for side in sides]
    targeted = [target.unit_vectors_at(every) for target in targets]
    fits = {
        name: np.where(row.any(axis=1), best_cosine(row, targeted), np.nan)
        for name, row in zip(FITS, rows, strict=True)
    }
    known = texts.sentence.codes != BLANK
    sentence, section, page, _ = rows
    nearer = fits["page_fit"] - fits["sentence_fit"] >= NEARER * chance.spread
    apart = (_apart(sentence, sides[2]) >= LEAST_APART) & (in_common(sentence, page, chance) <= MOST_IN_COMMON)
    words, words_beside = (_named(texts.words[name], chance) for name in ("sentence", "beside"))
    of_link = _named(texts.target, chance)
    risky_field = (_risky_share(sentence, chance) >= LEAST_RISKY) & (_risky_share(page, chance) <= MOST_RISKY_BESIDE)
    risky_words = words & of_link & ~words_beside & _bits(chance) != 0
    risky = (risky_field & (words_beside & _bits(chance) == 0)) | risky_words
    inserted = known & ((apart & ~nearer) | risky)
    why = np.full(len(known), "", dtype=object)
    at = np.flatnonzero(inserted)
    why[at] = [
        _broken("paragraph" if common <= MOST_IN_COMMON else "sentence", of_part, of_page, said)
        for common, of_part, of_page, said in zip(
            in_common(section[at], page[at], chance),
            _fields(sentence[at], words[at], chance),
            _fields(page[at], words_beside[at], chance),
            texts.words["sentence"].iloc[at],
            strict=True,
        )
    ]
    said = np.where(inserted, YES, np.where(known, NO, ""))
    table = pd.DataFrame({**fits, "inserted": said, "inserted_why": why}, index=texts.words.index)
    return table.astype(dict.fromkeys(FITS, "float64") | {"inserted": "str", "inserted_why": "str"})


def in_common(ones: np.ndarray, others: np.ndarray, chance: Chance) -> np.ndarray:
    """Return how much two texts of each row are about the same fields, 0-1: the cosine of their fields' shares."""
    shares = [unit(field_shares(rows @ chance.vectors.T, chance.spread, chance.topics)) for rows in (ones, others)]
    common: np.ndarray = np.einsum("ij,ij->i", *shares)
    return common


def _apart(sentences: np.ndarray, pages: Embedded) -> np.ndarray:
    """Return the share of each page's other sentences that are nearer to the rest of the page than the link's is."""
    bags = pages.bags
    found = np.zeros(len(sentences))
    for row in np.flatnonzero(bags.codes != BLANK):
        code = bags.codes[row]
        others = pages.vectors[bags.members[bags.starts[code] : bags.starts[code + 1]]]
        total = others.sum(axis=0)
        near = np.einsum("ij,ij->i", others, unit(total - others))
        found[row] = (sentences[row] @ unit(total) < near).mean()
    return found


def _named(texts: pd.Series, chance: Chance) -> np.ndarray:
    fields = field_names(chance.topics).tolist()
    lines = texts.str.split("\n").explode()
    bits = fields_of_texts(lines.tolist(), fields) & ~FIRM
    return np.bitwise_or.reduceat(bits, np.flatnonzero(~lines.index.duplicated())) if len(lines) else bits


def _risky(chance: Chance) -> np.ndarray:
    return np.isin(field_names(chance.topics), chance.topics.fields[chance.topics.risky].astype(str))


def _risky_share(vectors: np.ndarray, chance: Chance) -> np.ndarray:
    shares = field_shares(vectors @ chance.vectors.T, chance.spread, chance.topics)
    total: np.ndarray = shares[:, _risky(chance)].sum(axis=1)
    return total


def _bits(chance: Chance) -> int:
    return int((1 << np.flatnonzero(_risky(chance))).sum())


def _fields(vectors: np.ndarray, named: np.ndarray, chance: Chance) -> np.ndarray:
    has_text = np.full(len(vectors), True)
    return name_topics(vectors @ chance.vectors.T, has_text, named, chance.spread, chance.topics).field


def _broken(part: str, of_part: str, of_page: str, sentence: str) -> str:
    """Return in words where the chain from a page to its link breaks.

    >>> _broken("sentence", "Gambling", "Education", "Play now.")
    'The page is about education, the sentence with the link about gambling: “Play now.”'
    >>> _broken("paragraph", "unclear", "unclear", "Play now.")
    'The paragraph with the link is about something else than the rest of the page: “Play now.”'
    """
    clear = of_part not in (UNCLEAR, of_page)
    if of_page != UNCLEAR:
        about = uncapitalised(of_part) if clear else "something else"
        said = f"The page is about {uncapitalised(of_page)}, the {part} with the link about {about}"
    elif clear:
        said = f"The {part} with the link is about {uncapitalised(of_part)}, the rest of the page is not"
    else:
        said = f"The {part} with the link is about something else than the rest of the page"
    return f"{said}: “{sentence}”"
