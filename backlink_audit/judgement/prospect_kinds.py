"""What sort of page a prospect's best example is: a list, a review, a forum … judged by its title and its URL alone."""

from dataclasses import dataclass

import pandas as pd

from backlink_audit.judgement.evidence import matched


@dataclass(frozen=True)
class ProspectKind:
    """A sort of page: its word, and patterns (RE2) of which one in the title or one in the URL is enough."""

    word: str
    title: str
    url: str


PROSPECT_KINDS = (
    ProspectKind(
        "coupon",
        r"\b(coupons?|(promo|discount|voucher) codes?|vouchers?|gutschein(e|code|codes)?|rabattcodes?|codes? promo|"
        r"cup[oó]n(es)?|c[oó]digos?( de)? descuentos?|codic[ei] sconto|cupo(m|ns)|kortingscodes?)\b",
        r"/(coupons?|promo-codes?|vouchers?|gutscheine?|code-promo|cupones)(/|-|\.|$)",
    ),
    ProspectKind(
        "profile",
        r"^(user )?profile( of|:)|'s profile\b|^(profil (von|de)|perfil de|profilo di)\b",
        r"/(users?|members?|profiles?|profil|perfil)(/[^/]|\.php\?)",
    ),
    ProspectKind(
        "forum",
        r"\b(forums?|message board|foro)\b",
        r"^https?://(forums?|board|community|foro)\.|/(forums?|viewtopic|showthread|threads?|foro)(/|\.|-|\?|$)",
    ),
    ProspectKind(
        "directory",
        r"\b(web |business |company )?(directory|listings)\b|\b(yellow pages|branchenbuch|branchenverzeichnis|annuaire|"
        r"directorio|elenco aziende)\b",
        r"director(y|ies)|/(listings?|annuaire|branchenbuch|directorio)/",
    ),
    ProspectKind(
        "guest post",
        r"^guest (post|blog|article)\b|\bguest (post|blog|article)( by|:| from)|\bguest (author|contributor)|"
        r"\bgast(beitrag|autor|artikel)|\b(article|auteur) invité",
        r"/(guest-?(post|author|blog)|gastbeitrag|gastartikel)",
    ),
    ProspectKind(
        "review",
        r"\breviews?\b|\breviewed\b|\b(test|erfahrungs)bericht\b|\berfahrungen\b|\bim test\b|\bnotre avis\b|"
        r"\b(avis|test) (sur|de|:)|\brese(ñ|n)as?\b|\brecensioni?e?\b|\bopiniones\b",
        r"[/-](reviews?|testbericht|erfahrungen|resena|recensione)([/.-]|$)",
    ),
    ProspectKind(
        "resource page",
        r"\b(useful|helpful|recommended|related|our) (links|resources|sites|reading|websites)\b|^(links|resources)\b|"
        r"\bresources? (page|for|list)\b|\b(nützliche|hilfreiche) links\b|\bliens utiles\b|\benlaces\b|\blink utili\b",
        r"/(resources?|links?|useful-links|linkliste|liens(-utiles)?|enlaces|ressources|recursos)(/?$|\.|\?)",
    ),
    ProspectKind(
        "list",
        r"\b(top|best) [0-9]+\b|\b[0-9]+ ?\+? (of the )?(best|top|great|amazing|must|ways|tools|things|ideas|tips|"
        r"sites|websites|reasons|examples|products|brands|alternatives|gifts|places)\b|"
        r"^[0-9]{1,3}\+? ([a-z-]+ ){0,3}[a-z]+s\b|"
        r"\b[0-9]+ (besten|meilleure?s|mejores|migliori|melhores)\b|\balternatives to\b|^the best\b",
        r"/(the-)?(top|best)-[0-9]+|/[0-9]+-(best|top|great|ways|tools|things|tips)-",
    ),
    ProspectKind(
        "news",
        r"\b(press release|breaking news|pressemitteilung|communiqué de presse|comunicado de prensa)\b|\bnews$|^news\b",
        r"^https?://news\.|/(news|press|presse|press-releases?|nachrichten|actualites?|noticias|notizie)/",
    ),
)
"""Sorts of pages, the first that fits counts."""


def prospect_kinds(titles: pd.Series, urls: pd.Series) -> pd.Series:
    """Return the sort of each page, same index; "" where neither its title nor its URL says one.

    >>> prospect_kinds(pd.Series(["The 10 best tents", "About us"]), pd.Series(["https://a.example/x"] * 2)).tolist()
    ['list', '']
    """
    found = pd.Series("", titles.index, dtype="str")
    for kind in reversed(PROSPECT_KINDS):
        fits = matched(titles, f"(?i){kind.title}") | matched(urls, f"(?i){kind.url}")
        found = found.mask(fits, kind.word)
    return found
