"""The phrases of a text that can name what it is about: one to three words, none of which says nothing."""

from collections.abc import Collection

from backlink_audit.text.languages.any_language import is_unspaced, stop_words_of, word_spans

BODY_CHARACTERS = 4_000
"""How much of a page's content is read for its phrases: about 700 English words."""


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
        if touch(text[stopped:start]):
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


def capitalised(text: str) -> str:
    """Return a text that begins with a capital."""
    return text[:1].upper() + text[1:]


def touch(between: str) -> bool:
    """Whether what is between two words leaves them one phrase: a space, a hyphen or nothing, and no line's end."""
    return between in ("", "-") or (between.isspace() and "\n" not in between)
