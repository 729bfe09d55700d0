"""What a server shows instead of the page: a login, a shell without text, a wall against programs."""

import re

from selectolax.lexbor import LexborHTMLParser

NO_TEXT = "no text without JavaScript"
LITTLE_TEXT = 250
"""Characters; a page of less, with scripts, is put together only in a browser."""
SHORT_TEXT = 3_000
"""Characters; an article that only speaks of robots or logins is longer than a wall."""
_LOGIN = re.compile(r"(?:log|sign)[-_]?(?:in|on)\b|/(?:auth|account|anmelden|connexion|acceso|accedi)\b", re.IGNORECASE)
_BOT_WALL = re.compile(
    r"just a moment\.\.\.|attention required! \| cloudflare|checking your browser|checking if the site connection"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|are you a (?:robot|human)\b|i'?m not a robot|ddos protection by"
    r"|access denied|request unsuccessful\. incapsula|please enable cookies|unusual traffic|pardon our interruption"
    r"|enable javascript and cookies to continue|sicherheitsüberprüfung|vérification de sécurité",
    re.IGNORECASE,
)
_MARKS = "#challenge-form, #challenge-running, #px-captcha, .g-recaptcha, .h-captcha, [class*=cf-challenge]"


def wall_of(tree: LexborHTMLParser, url: str) -> str:
    """Return what is shown instead of the page, in a few words; "" where it is the page itself."""
    title = tree.css_first("title")
    text = _visible(tree)
    words = f"{title.text() if title is not None else ''} {text[:SHORT_TEXT]}"
    if len(text) < SHORT_TEXT and (_BOT_WALL.search(words) or tree.css_first(_MARKS) is not None):
        return "a wall against programs"
    if tree.css_first("input[type=password i]") is not None and (_LOGIN.search(url) or len(text) < SHORT_TEXT // 3):
        return "a login"
    if len(text) < LITTLE_TEXT and tree.css_first("script") is not None:
        return NO_TEXT
    return ""


def _visible(tree: LexborHTMLParser) -> str:
    """Return the text that a visitor sees."""
    copy = tree.clone()
    copy.strip_tags(["script", "style", "noscript", "template", "title"])
    return " ".join(copy.body.text(deep=True, separator=" ").split()) if copy.body is not None else ""
