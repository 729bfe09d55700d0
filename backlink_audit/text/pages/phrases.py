"""The phrases of a text that can name what it is about: one to three words, none of which says nothing."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import regex

from backlink_audit.text.languages.any_language import is_unspaced, stop_words_of, word_spans, words

BODY_CHARACTERS = 4_000
"""How much of a page's content is read for its phrases: about 700 English words."""

SMALL = 0.25
"""Share of its places from which on a word that is written small there is a common word."""

_SPELLING = regex.compile(
    r"(?<![\p{L}\p{N}][./@]|[\p{L}\p{N}])[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’](?=\p{L})|(?<=[lL])·(?=[lL]))*+(?![./@:][\p{L}\p{N}/])"
)
"""A word as it is written; parts of addresses are none, since addresses are written small."""


def page_phrases(text: str, languages: Collection[str], most: int = 2) -> set[str]:
    """Return the distinct phrases of one to `most` words of a text, casefolded, without stop words and bare numbers.

    The words of a phrase are side by side in the text, with nothing but a space or a hyphen between them. `languages`
    are those whose stop words are left out.

    >>> sorted(page_phrases("The waterproof panniers of 2024: panniers", ["en"]))
    ['panniers', 'waterproof', 'waterproof panniers']
    """
    nothing = stop_words_of(languages)
    found: set[str] = set()
    before: list[str] = []
    stopped = 0
    for word, start, end in word_spans(text):
        if not may_name(word, nothing):
            before = []
            continue
        endings = [word]
        if _touch(text[stopped:start]):
            endings += [join(phrase, word) for phrase in before[: most - 1]]
        found.update(endings)
        before, stopped = endings, end
    return found


def may_name(word: str, nothing: frozenset[str]) -> bool:
    """Whether a word can name a text's subject: no stop word, number or single letter.

    >>> [may_name(word, frozenset()) for word in ("panniers", "2024", "x", "車")]
    [True, False, False, True]
    """
    if word in nothing or word.isdigit():
        return False
    return len(word) > 1 or is_unspaced(word)


def join(first: str, second: str) -> str:
    """Return two neighbouring words as they are in a text: overlapping pairs of characters share their middle.

    >>> join("bike", "rack"), join("東京", "京の")
    ('bike rack', '東京の')
    """
    if first[-1] == second[0] and is_unspaced(first) and is_unspaced(second):
        return first + second[1:]
    return f"{first} {second}"


def spellings(texts: Iterable[str]) -> dict[str, str]:
    """Return how each word is written in the texts: names and abbreviations keep their capitals.

    A word that is small now and then is a common word, which titles and the beginnings of sentences write large.

    >>> found = spellings(["Mending with GPS in Kendal", "mending, GPS"])
    >>> found["kendal"], found["gps"], found["mending"]
    ('Kendal', 'GPS', 'mending')
    """
    forms: dict[str, Counter[str]] = {}
    for form, count in Counter(form for text in texts for form in _SPELLING.findall(text)).items():
        for key in words(form)[:1]:
            forms.setdefault(key, Counter())[form] += count
    return {key: _usual(counts) for key, counts in forms.items()}


def spell(phrases: Sequence[str], written: Mapping[str, str]) -> list[str]:
    """Return casefolded phrases as `written` (see `spellings`) has their words; the first begins with a capital.

    >>> spell(["gps units", "maps"], {"gps": "GPS"}), spell(["maps"], {})
    (['GPS units', 'maps'], ['Maps'])
    """
    spelt = [" ".join(written.get(word, word) for word in phrase.split(" ")) for phrase in phrases]
    return [spelt[0][:1].upper() + spelt[0][1:], *spelt[1:]]


def _usual(forms: Counter[str]) -> str:
    small = [form for form, count in forms.most_common() if form.islower() and count >= SMALL * forms.total()]
    return small[0] if small else forms.most_common(1)[0][0]


def _touch(between: str) -> bool:
    """Whether what is between two words leaves them one phrase: a space, a hyphen or nothing."""
    return between in ("", "-") or between.isspace()
