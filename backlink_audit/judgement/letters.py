"""The words to a prospect, from a template the user edits: {placeholders} in plain text, no code."""

from collections.abc import Mapping
from string import Formatter

import pandas as pd

from backlink_audit.errors import InvalidSetting
from backlink_audit.labels import ANOTHER_LINK, DEAD_PAGE, LOST_LINK, NEW_LINK, NOT_FOLLOWED

PLACEHOLDERS: Mapping[str, str] = {
    "referring_domain": "The prospect's domain.",
    "competitors": "The competitors it links to.",
    "example_title": "The title of its best page with a link to a competitor or to you; if it has no title, its URL.",
    "example_url": "The URL of that page.",
    "example_anchor": "The anchor of that link.",
    "example_target": "The competitor's page it points to.",
    "topic": "The topic of that page.",
    "our_page": "Your page to pitch; for a site that links to you, the page it links to.",
    "our_page_title": "The title of that page, if a crawl is loaded.",
}
"""What a template may name, and what replaces it."""

DEFAULT_TEMPLATE = """\
Subject: A source for "{example_title}"

Hello,

I read "{example_title}" ({example_url}) and saw that you point your readers to {competitors}.
We have a page that may help them too: {our_page_title} {our_page}

If it is useful, I would welcome a link. Thank you for your time.
"""

TEMPLATES: Mapping[str, str] = {
    NEW_LINK.word: DEFAULT_TEMPLATE,
    LOST_LINK.word: """\
Subject: Your link to us on "{example_title}"

Hello,

your page "{example_title}" ({example_url}) had a link to our page {our_page}. It seems to be gone.

Was it removed by accident? If so, I would be glad to have it back. Thank you for your time.
""",
    DEAD_PAGE.word: """\
Subject: A broken link on "{example_title}"

Hello,

your page "{example_title}" ({example_url}) links to {our_page}, which does not work any more.
The page is now here: [new URL]

Could you change the link, so that your readers find it? Thank you for your time.
""",
    NOT_FOLLOWED.word: """\
Subject: Your link to us on "{example_title}"

Hello,

thank you for the link to {our_page} on "{example_title}" ({example_url}).

I saw that it is marked as nofollow. As it is not an advertisement, would you remove the mark? Thank you for your time.
""",
    ANOTHER_LINK.word: """\
Subject: After "{example_title}"

Hello,

thank you for the link to {our_page} on "{example_title}" ({example_url}).

We have more on this subject that may help your readers, and could write an article for you: [your suggestion]

Would that be of use? Thank you for your time.
""",
}
"""The email for each reason (`labels.OUTREACH_REASONS`). What is in brackets only the sender knows."""

FALLBACKS = {"example_title": "example_url", "example_url": "referring_domain"}
"""What takes the place of a value that is not known; whatever has none is left out."""


SPARED = frozenset({"our_page_title"})
"""What a letter reads well without."""


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

    `prospect` has a text for each placeholder, "" where it is not known.

    >>> write_pitch("{example_title} on {referring_domain}", {"referring_domain": "a.example"})
    'a.example on a.example'
    """
    check_template(template)
    return template.format_map({name: _value(name, prospect) for name in PLACEHOLDERS})


def blanks(template: str, prospect: Mapping[str, str]) -> list[str]:
    """Return which placeholders of a template leave a gap in the pitch to this prospect. Raises InvalidSetting.

    >>> blanks("{example_title} on {topic}", {"referring_domain": "a.example"})
    ['topic']
    """
    check_template(template)
    used = dict.fromkeys(name for _, name, _, _ in Formatter().parse(template) if name)
    return [name for name in used if name not in SPARED and not _value(name, prospect)]


def write_pitches(template: str, prospects: pd.DataFrame) -> pd.Series:
    """Return the pitch to each prospect; `prospects` has a text column per placeholder. Raises InvalidSetting."""
    check_template(template)
    rows = zip(*(prospects[name] for name in PLACEHOLDERS), strict=True)
    pitches = [write_pitch(template, dict(zip(PLACEHOLDERS, row, strict=True))) for row in rows]
    return pd.Series(pitches, index=prospects.index, dtype="str")


def _value(name: str, prospect: Mapping[str, str]) -> str:
    value = prospect.get(name, "")
    return value if value or name not in FALLBACKS else _value(FALLBACKS[name], prospect)
