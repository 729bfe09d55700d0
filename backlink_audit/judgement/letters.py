"""The words to a prospect, from a template the user edits: {placeholders} in plain text, no code."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from string import Formatter

import pandas as pd

from backlink_audit.errors import InvalidSetting
from backlink_audit.judgement.anchor_classes import fold
from backlink_audit.labels import ANOTHER_LINK, NEW_LINK, OUTREACH_REASONS
from backlink_audit.settings import BandLimits
from backlink_audit.text.page_languages import language_code, page_languages, without_language
from backlink_audit.text.page_texts import split_title, without_parts
from backlink_audit.text.urls import registrable_domains, without_tracking

PLACEHOLDERS: Mapping[str, str] = {
    "recipient": "A blank and the name of the person you write to; nothing if it is not known.",
    "sender": "Your name.",
    "our_site": "Your site.",
    "referring_domain": "The prospect's domain.",
    "their_page": "Their page: its title in quotation marks and its URL.",
    "example_title": "The title of that page; if it has no title, its URL.",
    "example_url": "The URL of that page.",
    "our_page": "Your page to pitch; for a site that links to you, the page it links to.",
    "link_text": "For a site that links to you: a blank and the words of the link, in brackets.",
    "our_page_named": "The same page: its title in quotation marks and its URL.",
    "our_page_title": "The title of your page, if a crawl is loaded.",
    "new_page": "What the link should lead to instead of a page that is gone: your home page unless you change it.",
}
"""What a template may name, and what replaces it. A competitor's name or page is nobody's business."""


def template_key(language: str, reason: str) -> str:
    """Return the name of the letter for a reason in a language.

    >>> template_key("de", "lost link")
    'de: lost link'
    """
    return f"{language}: {reason}"


@dataclass(frozen=True)
class Language:
    """A language of letters: its name, the endings of sites that are written to in it, its templates by reason."""

    name: str
    endings: tuple[str, ...]
    templates: Mapping[str, str]


def _languages() -> dict[str, Language]:
    read = tomllib.loads(files("backlink_audit.judgement").joinpath("letters.toml").read_text("utf-8"))
    reasons = [label.word for label in OUTREACH_REASONS]
    return {
        code: Language(one["name"], tuple(one["endings"]), {reason: one[reason].lstrip("\n") for reason in reasons})
        for code, one in read.items()
    }


LANGUAGES: Mapping[str, Language] = _languages()  # the languages of letters by code; the first where no other is chosen
DEFAULT_LANGUAGE = next(iter(LANGUAGES))
TEMPLATES: Mapping[str, str] = {
    template_key(code, reason): text for code, one in LANGUAGES.items() for reason, text in one.templates.items()
}
"""Every letter by `template_key`."""
FALLBACKS = {
    "example_title": "example_url",
    "example_url": "referring_domain",
    "their_page": "example_url",
    "our_page_named": "our_page",
}
"""What takes the place of a value that is not known; whatever has none is left out."""
SPARED = frozenset({"our_page_title", "recipient", "link_text"})  # what a letter reads well without
LONGEST_LINK_TEXT = 60  # letters of a link that a letter quotes
NO_WORDS = r"://|^\S*[-_/.]\S*$"  # in link texts that are an address, or a part of one
MORE_LETTERS = 8  # that the name of a site has beyond its host: "The", "Network"


def language_of(domain: str, title: str = "", url: str = "") -> str:
    """Return the code of the language of a page, as its address or title show, or of its domain.

    >>> language_of("a.se"), language_of("a.com"), language_of("a.com", "Comment choisir une chaise de jardin ?")
    ('sv', 'en', 'fr')
    """
    ending = domain.rpartition(".")[2]
    usual = next((code for code, one in LANGUAGES.items() if ending in one.endings), DEFAULT_LANGUAGE)
    declared = language_code(without_language(url)[1]) or usual
    return page_languages([title], [[declared]])[0] if title else declared


def worth_a_letter(reason: str, relevance: float | None, our_page: str, language: str = DEFAULT_LANGUAGE) -> bool:
    """Return whether a letter may go out: to who links already, or is relevant (0-100; None: not known) to our page.

    Nothing is offered to a page in a `language` that no letter is in.
    """
    if reason == ANOTHER_LINK.word and language not in LANGUAGES:
        return False
    known = relevance is not None and relevance == relevance
    return reason != NEW_LINK.word or not known or (float(relevance or 0) >= BandLimits().relevant and our_page != "")


def check_template(template: str) -> None:
    """Raise InvalidSetting, in one sentence, unless the template names known placeholders only.

    >>> check_template("Dear owner of {referring_domain}, 5 {{braces}} are fine")
    """
    try:
        parts = list(Formatter().parse(template))
    except ValueError as error:
        raise InvalidSetting(
            "The pitch template has a single { or } in it; write {{ or }} where a brace is meant."
        ) from error
    for _, name, form, conversion in parts:
        if name is None:
            continue
        if name not in PLACEHOLDERS or form or conversion:
            wrong = "{" + name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "") + "}"
            known = ", ".join(f"{{{placeholder}}}" for placeholder in PLACEHOLDERS)
            raise InvalidSetting(f"The template has an unknown placeholder {wrong}; use {known}.")


def write_pitch(template: str, prospect: Mapping[str, str]) -> str:
    """Return the template with the prospect's values in place. Raises InvalidSetting.

    `prospect` has texts by placeholder, "" where one is not known; their_page, our_page_named, our_site and new_page
    are made of the others where they are missing.

    >>> write_pitch("Hello{recipient}, {example_title} on {referring_domain}", {"referring_domain": "a.example"})
    'Hello, a.example on a.example'
    """
    check_template(template)
    known = _with_names(prospect)
    return template.format_map({name: _value(name, known) for name in PLACEHOLDERS})


def blanks(template: str, prospect: Mapping[str, str]) -> list[str]:
    """Return which placeholders of a template leave a gap in the pitch to this prospect. Raises InvalidSetting.

    >>> blanks("{example_title} by {sender}", {"referring_domain": "a.example"})
    ['sender']
    """
    check_template(template)
    used, known = dict.fromkeys(name for _, name, _, _ in Formatter().parse(template) if name), _with_names(prospect)
    return [name for name in used if name not in SPARED and not _value(name, known)]


def _with_names(prospect: Mapping[str, str]) -> dict[str, str]:
    """Return the values with what is made of them: pages with their titles, our site, the page that takes over."""
    title, host = prospect.get("example_title", ""), prospect.get("referring_domain", "").partition(".")[0]
    names = {part.casefold() for part in split_title(title) if _is_of_site(part, host)}
    page = without_tracking(prospect.get("our_page", ""))
    prospect = {**prospect, "example_title": without_parts(title, names), "our_page": page}
    site = prospect.get("our_site") or registrable_domains(pd.Series([page], dtype="str"))[0]
    titles = {"their_page": ("example_title", "example_url"), "our_page_named": ("our_page_title", "our_page")}
    made = {
        name: f'"{prospect[title]}" ({prospect[url]})'
        for name, (title, url) in titles.items()
        if prospect.get(title) and prospect.get(url)
    }
    recipient, words = prospect.get("recipient", "").strip(), prospect.get("link_text", "").strip(" \"'«»“”„")
    named = re.search(r"\w", words) and not re.search(NO_WORDS, words) and len(words) <= LONGEST_LINK_TEXT
    own = {"our_site": site, "new_page": f"https://{site}/" if site else ""}
    given = {name: value for name, value in prospect.items() if value}
    spaced = {"recipient": f" {recipient}" if recipient else "", "link_text": f' ("{words}")' if named else ""}
    return own | made | given | spaced


def _is_of_site(part: str, host: str) -> bool:
    """Whether a part of a title is the name of the site, whose host it is without its ending."""
    name, host = ("".join(fold(words)) for words in (part, host))
    return bool(name) and (name in host or (host in name and len(name) <= len(host) + MORE_LETTERS))


def _value(name: str, prospect: Mapping[str, str]) -> str:
    value = prospect.get(name, "")
    return value if value or name not in FALLBACKS else _value(FALLBACKS[name], prospect)
