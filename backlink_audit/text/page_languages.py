"""Which language each page of a site is in: the one it is declared to be in, where its text does not say otherwise.

What is declared (hreflang, the language attribute, a code in the address) is a template's mistake now and then, and a
detector misjudges short texts. So the one checks the other: a code is believed where the texts of its pages are in that
language, and a page's own text overrules it only if another language is much likelier.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any
from urllib.parse import urlsplit

import regex

LANGUAGES = frozenset(
    (
        "af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km "
        "kn ko lo lt lv mk ml mn mr ms my nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz "
        "vi zh"
    ).split()
)
"""Languages that a web page is likely to be written in (ISO 639-1). The detector knows many rarer ones, and names them
for short texts and names of brands."""
SAME = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "cn": "zh", "jp": "ja"}
"""Codes that are written for another one of the same language."""
ENOUGH_LETTERS = 200
"""A text shorter than this many characters is in a language of its site: a title of four words is often misjudged."""
SAMPLED_PLACES, SAMPLE_CHARACTERS = 4, 300
"""A text is read in so many places, of so many characters: it may begin with a menu in another language."""
MOST_PIECES = 60  # pieces of text by which a code is checked
LIKELIER, MUCH_LIKELIER = 10.0, 30.0
"""Difference of log-likelihoods (nats) from which a text is in another language than the pages around it, or than it is
declared to be in."""
REMEMBERED = 10_000  # texts whose likelihoods are kept, since most are asked for twice: some 50 MB

Key = tuple[Hashable, ...]

_CODE = regex.compile(r"\s*(\p{L}{2})(?:[-_]\p{L}{2,8})*\s*(?:[,;]|$)")
_REGION = regex.compile(r"(\p{L}{2})[-_]\p{L}{2,4}")
_LETTER, _LATIN = regex.compile(r"\p{L}"), regex.compile(r"\p{Script=Latin}")


def page_languages(
    texts: Sequence[str], declared: Sequence[Sequence[str]] = (), likely: Iterable[str] = ()
) -> list[str]:
    """Return the language of each page (ISO 639-1).

    `texts`: what each page says; `declared`: lists of the language code of each page, "" where it has none; those to be
    trusted most come first. `likely`: further languages that a short text may be in, beside those of the other texts.
    """
    samples = [_sample(text) for text in texts]
    codes = [""] * len(samples)
    for found in reversed([_believed(list(map(language_code, kind)), samples) for kind in declared]):
        codes = [code or other for code, other in zip(found, codes, strict=True)]
    usual = site_language([sample for sample, code in zip(samples, codes, strict=True) if not code])
    own = [_language(sample, None) for sample in samples]
    on_site = {code for code in (usual, *codes, *own, *likely) if code}
    return [
        code or usual if not sample else _language(sample, code or usual, on_site, sure=bool(code)) or code or usual
        for sample, code in zip(samples, codes, strict=True)
    ]


def site_language(texts: Sequence[str]) -> str:
    """Return the language most of a site's texts are in (ISO 639-1), by an even sample, in groups; "en" without any."""
    votes = Counter(map(_likeliest, _pieces(texts)))
    return votes.most_common(1)[0][0] if votes else "en"


def language_code(text: str) -> str:
    """Return the language that a declared code names, without its region; "" for none that is known.

    >>> language_code("pt-BR"), language_code("nb"), language_code("x-default"), language_code("en, fr")
    ('pt', 'no', '', 'en')
    """
    match = _CODE.match(text)
    code = match[1].lower() if match else ""
    code = SAME.get(code, code)
    return code if code in LANGUAGES else ""


def without_language(url: str) -> tuple[Key, str]:
    """Return an address without its first language code, and the code, "" where it has none.

    >>> without_language("https://a.example/de/lamps"), without_language("https://pt-br.a.example/lamps")
    ((('a.example', 'lamps', ''), 'de'), (('a.example', 'lamps', ''), 'pt-br'))
    """
    parts = urlsplit(url.lower())
    host = (parts.hostname or "").removeprefix("www.")
    first, _, domain = host.partition(".")
    if "." in domain and (first in LANGUAGES or is_region(first)):
        return (domain, parts.path.strip("/"), parts.query), first
    pieces = parts.path.strip("/").split("/")
    for place, piece in enumerate(pieces):
        if piece in LANGUAGES or (is_region(piece) and language_code(piece)):
            return (host, "/".join([*pieces[:place], *pieces[place + 1 :]]), parts.query), piece
    return (host, "/".join(pieces), parts.query), ""


def is_region(code: str) -> bool:
    return _REGION.fullmatch(code) is not None


def _sample(text: str) -> str:
    most = SAMPLED_PLACES * SAMPLE_CHARACTERS
    if len(text) <= most:
        return text.strip()
    step = (len(text) - SAMPLE_CHARACTERS) // (SAMPLED_PLACES - 1)
    return " ".join(text[place * step :][:SAMPLE_CHARACTERS] for place in range(SAMPLED_PLACES)).strip()


def _believed(codes: Sequence[str], samples: Sequence[str]) -> list[str]:
    trusted = {code: _is_in(code, [s for s, c in zip(samples, codes, strict=True) if c == code]) for code in set(codes)}
    return [code if code and trusted[code] else "" for code in codes]


def _is_in(code: str, samples: Sequence[str]) -> bool:
    judged = [_likeliest(piece, code) for piece in _pieces(samples)]
    return 2 * judged.count(code) >= len(judged)


def _language(sample: str, usual: str | None, on_site: Iterable[str] = (), *, sure: bool = False) -> str:
    """Return the language of one text; of a short one "" without a usual language, else one of those on the site."""
    is_long = len(sample) >= ENOUGH_LETTERS or not _is_latin(sample)
    if not is_long and (usual is None or sure):
        return usual or ""
    scores = _scores(sample)
    allowed = LANGUAGES if is_long else set(on_site)
    best = max((code for code in allowed if code in scores), key=scores.__getitem__, default="")
    if usual is None or usual not in scores or not best:
        return best or usual or ""
    return best if scores[best] > scores[usual] + (MUCH_LIKELIER if sure else LIKELIER) else usual


def _likeliest(text: str, usual: str = "") -> str:
    scores = _scores(text)
    best = max(scores, key=scores.__getitem__)
    return usual if scores.get(usual, -float("inf")) >= scores[best] - LIKELIER else best


@lru_cache(REMEMBERED)
def _scores(text: str) -> dict[str, float]:
    return {code: float(score) for code, score in _detector().rank(text)}


@cache
def _detector() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    detector = LanguageIdentifier.from_model_file(MODEL_FILE)
    detector.set_languages(sorted(LANGUAGES & set(detector.nb_classes)))
    return detector


def _is_latin(text: str) -> bool:
    return text.isascii() or 2 * len(_LATIN.findall(text)) >= len(_LETTER.findall(text))


def _pieces(texts: Sequence[str]) -> list[str]:
    """Return some of the distinct texts, neighbours joined until each piece is long enough to be judged."""
    distinct = [text for text in dict.fromkeys(texts) if _LETTER.search(text)]
    pieces: list[str] = []
    for text in distinct:
        if pieces and len(pieces[-1]) < ENOUGH_LETTERS:
            pieces[-1] += f" {text}"
        else:
            pieces.append(text)
    return pieces[:: max(1, len(pieces) // MOST_PIECES)]
