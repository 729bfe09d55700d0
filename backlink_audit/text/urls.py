"""URLs: a key to join them on, the site they belong to, and the words in them.

The Series versions work on distinct values only, so that a million rows cost what their distinct URLs (or hosts) cost.
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from urllib.parse import parse_qsl, unquote, urlsplit

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import tldextract
from w3lib.url import canonicalize_url, url_query_cleaner

from backlink_audit.text import read_list

_TRACKING = frozenset(
    """
    fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid ysclid twclid ttclid igshid igsh li_fat_id epik srsltid
    mc_cid mc_eid _ga _gl _hsenc _hsmi hsctatracking mkt_tok vero_id oly_anon_id oly_enc_id wickedid sscid irclickid
    cmpid ncid campaign_id utm_source utm_medium utm_campaign utm_term utm_content utm_id utm_name utm_reader
    utm_referrer utm_source_platform utm_creative_format utm_marketing_tactic utm_social utm_cid utm_swu
    pk_source pk_medium pk_campaign pk_kwd pk_keyword mtm_source mtm_medium mtm_campaign mtm_keyword mtm_content
    piwik_campaign matomo_campaign phpsessid jsessionid
    """.split()
)
"""Query parameters that say where a visitor came from, not which page it is."""

_PLAIN = re.compile(
    r"""
    (?:https?://)?
    (?P<host> [A-Za-z0-9.-]+ )
    (?P<path> /(?:[A-Za-z0-9_~/-]|(?<!/)\.)* )?
    (?: \? (?P<query> (?:[A-Za-z0-9._~-]+=[A-Za-z0-9._~-]*&?)* ) )?
    (?: \#.* )?
    """,
    re.VERBOSE,
)
"""A URL with nothing to decode or encode: by far the most frequent kind, and the fast way through."""
_SESSION = re.compile(r"(?i);(?:jsessionid|phpsessid)=[^/;]*")
_SCHEME = re.compile(r"\A[A-Za-z][A-Za-z0-9+.-]*://|\A//")
_DEFAULT_PAGE = re.compile(r"/(?:index|default)\.(?:html?|php\d?|aspx?|jsp|cfm|shtml)\Z", re.IGNORECASE)
_FILE_EXTENSION = re.compile(r"\.(?:[xsp]?html?|php\d?|aspx?|jspx?|cfm|cgi|pdf|docx?|xml|txt|amp)\Z", re.IGNORECASE)
_FILE_SUFFIXES = frozenset("md py pl do zip mov sh rs js css json csv jpg jpeg png gif webp svg mp3 mp4".split())
"""Endings of file names that are, or look like, top-level domains."""
_HOST = r"\A\s*(?:(?:[A-Za-z][A-Za-z0-9+.-]*:)?//)?(?:[^/?#@\s]*@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^/?#:\s]+)"
_HOST_PATTERN = re.compile(_HOST)
_IP_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_WORD = re.compile(r"[^\W_]+")
_ORIGINAL_SCHEME = re.compile(r"https?://")
_ORIGINAL_SEPARATORS = re.compile(r"[/.\-?=_&]+")
_HOSTS_REMEMBERED = 200_000
_LONGEST_HOST = 253
"""Characters of a name that can be looked up (RFC 1035). Longer ones are not remembered: they would fill the memory."""

WEB_ADDRESS = r"(?i)^\s*(?:https?://[^\s/?#]+\S*|(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#]\S*)?)\s*$"
"""An http(s) URL, or one without scheme, as some tools write them."""
COUNTRIES_IN_NAME_ONLY = frozenset("ac ai cc co eu fm gg im io la ly me nu sh st to tv ws".split())
"""Two-letter endings that sites of any country take, and the EU's."""
NO_COUNTRIES = pd.Series(dtype="str")  # where no export has the country of any domain
BY_EXPORT, BY_ENDING = "export", "domain ending"  # where the country of a site comes from
COUNTRY_CODE = 2
"""Letters of a top-level domain of a country. A word in the name counts only there: anybody can buy one under .com."""
VISITORS = "visitors"
"""The shapes of pages that a site's visitors write: forums, comments, guest books, archives of mails."""
MEMBERS = "members"  # profiles
FILES = "spam"  # folders for files that hold pages after a break-in, and pages that a program wrote

SERVICES = "service"  # what each is, in words, is in the column seen_in
"""Logins, job advertisements, legal notices, storage buckets: a link there says nothing of its host's good opinion."""


def normalise_url(url: str) -> str:
    """Return the key under which the same page is found in another export or in a crawl.

    No scheme, no www., host in lower case and IDNA, no fragment, no tracking parameters, the other parameters in
    order, no default index page, no slash at the end, one way of percent-encoding.

    >>> normalise_url("https://www.Example.com/Shoes/index.html?utm_source=x#top")
    'example.com/Shoes'
    >>> normalise_url("http://münchen.example/caf%c3%a9/?b=2&a=1")
    'xn--mnchen-3ya.example/caf%C3%A9?a=1&b=2'
    >>> normalise_url("//xn--mnchen-3ya.example/café?a=1&b=2")
    'xn--mnchen-3ya.example/caf%C3%A9?a=1&b=2'
    >>> normalise_url("https://example.com/shoes;jsessionid=1A2B")
    'example.com/shoes'
    """
    url = url.strip()
    plain = _PLAIN.fullmatch(url)
    if plain:
        pairs = sorted(pair.split("=") for pair in (plain["query"] or "").split("&") if pair)
        return _join(_host_key(plain["host"].lower()), plain["path"] or "", ["=".join(pair) for pair in pairs])
    if not _SCHEME.match(url):
        url = f"//{url}"
    try:
        parts = urlsplit(canonicalize_url(url))
        host = _host_key(parts.netloc.rpartition("@")[2].lower())
    except ValueError:
        return url.removeprefix("//")
    return _join(host, _SESSION.sub("", parts.path), parts.query.split("&"))


def registrable_domain(url: str) -> str:
    """Return the site of a URL: the domain that someone registered, in lower case and IDNA; "" where there is no host.

    Where many owners share a domain, each has a host there, and that host is the site: each blog of a blog host.
    Source: the private part of the public suffix list, and `shared_hosts.csv`.

    >>> registrable_domain("https://blog.shop.example.co.uk/post")
    'example.co.uk'
    >>> registrable_domain("http://my-blog.blogspot.com/2020/"), registrable_domain("https://www.anna.tumblr.com/")
    ('my-blog.blogspot.com', 'anna.tumblr.com')
    >>> registrable_domain("https://www.shop.example/"), registrable_domain("http://[2001:db8::1]:8080/a")
    ('shop.example', '[2001:db8::1]')
    """
    match = _HOST_PATTERN.match(url)
    return _domain_of_host(match["host"]) if match else ""


def owners_share(domain: str) -> bool:
    """Return whether a domain belongs to many: to the sites under it, or to those who publish on its pages.

    So it is for a public ending too, and for a domain under which there is one. What one of them does says nothing
    about the others.

    >>> owners_share("wordpress.com"), owners_share("anna.wordpress.com"), owners_share("medium.com")
    (True, False, True)
    >>> owners_share("co.uk"), owners_share("example.co.uk"), owners_share("amazonaws.com")
    (True, False, True)
    """
    domain = idna_host(domain)
    parts = _extract().extract_str(domain)
    if parts.suffix and not parts.domain:
        return True
    return domain in _shared_domains() or (not parts.subdomain and f"{parts.domain}.*" in _shared_hosts())


def is_domain(text: str) -> bool:
    """Return whether a text is a host name under a public suffix, and no file's name.

    >>> is_domain("shop.example.co.uk"), is_domain("node.js"), is_domain("index.php"), is_domain("co.uk")
    (True, False, False, False)
    """
    host = idna_host(text)
    if _FILE_EXTENSION.search(host) or host.rpartition(".")[2] in _FILE_SUFFIXES or _IP_ADDRESS.fullmatch(host):
        return False
    parts = _extract().extract_str(host)
    return bool(parts.suffix and parts.domain)


def url_words(url: str) -> str:
    """Return the words of a URL's host, path and parameter values, in lower case, separated by spaces.

    Percent-decoded; without scheme, www, public suffix, file extension, tracking parameters and bare numbers.

    >>> url_words("https://www.garden-tools.example.co.uk/2024/03/caf%C3%A9_chairs.html?utm_source=news")
    'garden tools example café chairs'
    """
    url = url.strip()
    try:
        parts = urlsplit(url if _SCHEME.match(url) else f"//{url}")
    except ValueError:
        return ""
    host = _HOST_PATTERN.match(parts.netloc)
    values = [value for name, value in parse_qsl(parts.query) if name.lower() not in _TRACKING]
    path = _FILE_EXTENSION.sub("", unquote(_without_default_page(parts.path)))
    text = " ".join([_words_of_host(host["host"]) if host else "", path, *values])
    return " ".join(word for word in _WORD.findall(text.lower()) if not word.isdigit())


def last_part(url: str) -> str:
    """Return the last part of a URL's path in lower case, without a file's ending and parameters.

    >>> last_part("https://shop.example/chairs/Oak-Chair.html?a=1"), last_part("https://shop.example/")
    ('oak-chair', '')
    """
    try:
        path = urlsplit(url.strip() if _SCHEME.match(url.strip()) else f"//{url.strip()}").path
    except ValueError:
        return ""
    return _FILE_EXTENSION.sub("", unquote(_without_default_page(path))).rpartition("/")[2].lower()


def url_tokens(url: str) -> list[str]:
    """Return the tokens of a URL as the original app took them, to the letter.

    >>> url_tokens("https://www.example.com/Blue-Shoes?id=7")
    ['www', 'example', 'com', 'blue', 'shoes', 'id', '7']
    """
    return [token.lower() for token in _ORIGINAL_SEPARATORS.split(_ORIGINAL_SCHEME.sub("", url)) if token]


def normalise_urls(urls: pd.Series) -> pd.Series:
    return map_distinct(urls, normalise_url)


def registrable_domains(urls: pd.Series) -> pd.Series:
    """Return `registrable_domain` of each value; missing values give "". Each distinct host is looked up once."""
    hosts = pc.struct_field(pc.extract_regex(_as_arrow(urls), pattern=_HOST), "host")
    return map_distinct(pd.Series(hosts, index=urls.index, name=urls.name, dtype="str"), _domain_of_host)


def are_web_addresses(urls: pd.Series) -> pd.Series:
    """Return which values are web addresses, as bool; missing values are not."""
    found = pc.match_substring_regex(pc.fill_null(_as_arrow(urls), ""), WEB_ADDRESS)
    return pd.Series(found.to_numpy(zero_copy_only=False), index=urls.index, name=urls.name)


def map_distinct(values: pd.Series, function: Callable[[str], str]) -> pd.Series:
    """Return a text Series of `function(value)`, calling it once for each distinct value; missing values give ""."""
    encoded = _as_arrow(values).dictionary_encode()
    mapped = pa.array([function(value) for value in encoded.dictionary.to_pylist()], pa.large_string())
    result = pc.fill_null(mapped.take(encoded.indices), "")
    return pd.Series(result, index=values.index, name=values.name, dtype="str")


def _as_arrow(values: pd.Series) -> pa.Array:
    array = pa.array(values, type=pa.large_string(), from_pandas=True)
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _join(host: str, path: str, pairs: list[str]) -> str:
    query = "&".join(pair for pair in pairs if pair and _name(pair) not in _TRACKING)
    return host + _without_default_page(path) + (f"?{query}" if query else "")


def _without_default_page(path: str) -> str:
    return _DEFAULT_PAGE.sub("", path.rstrip("/")).rstrip("/")


def without_tracking(url: str) -> str:
    return url_query_cleaner(url, tuple(_TRACKING), remove=True, keep_fragments=True)


def _name(pair: str) -> str:
    return pair.partition("=")[0].lower()


def _host_key(host: str) -> str:
    host = re.sub(r":(?:80|443)?\Z", "", host).rstrip(".")
    return host.removeprefix("www.")


@cache
def _extract() -> tldextract.TLDExtract:
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


@cache
def _shared_hosts() -> dict[str, str]:
    return {row["host"]: row["owners"] for row in read_list("shared_hosts")}


@cache
def _shared_domains() -> frozenset[str]:
    private = _extract().tlds
    public = set(tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None).tlds)
    shared = [name.removeprefix("*.") for name in private if name not in public] + list(_shared_hosts())
    parents = (name.split(".", start)[-1] for name in shared for start in range(name.count(".")))
    return frozenset(parents)


def _domain_of_host(host: str) -> str:
    return _remembered_domain(host) if len(host) <= _LONGEST_HOST else _find_domain(host)


def _words_of_host(host: str) -> str:
    return _remembered_words(host) if len(host) <= _LONGEST_HOST else _find_words(host)


def _find_domain(host: str) -> str:
    host = idna_host(host)
    if _IP_ADDRESS.fullmatch(host) or host.startswith("["):
        return host
    parts = _extract().extract_str(host)
    if not parts.suffix:
        return ".".join(host.split(".")[-2:])
    if not parts.domain or (parts.is_private and parts.domain == "www"):
        return parts.suffix
    registered = f"{parts.domain}.{parts.suffix}"
    shared = _shared_hosts()
    by_host = "host" in (shared.get(registered), shared.get(f"{parts.domain}.*"))
    return host.removeprefix("www.") if by_host else registered


def _find_words(host: str) -> str:
    host = _unicode(host.lower().removeprefix("www."))
    if _IP_ADDRESS.fullmatch(host):
        return ""
    parts = _extract().extract_str(host)
    return f"{parts.subdomain} {parts.domain}".removeprefix("www.")


_remembered_domain = lru_cache(_HOSTS_REMEMBERED)(_find_domain)
_remembered_words = lru_cache(_HOSTS_REMEMBERED)(_find_words)


def idna_host(host: str) -> str:
    """Return a host in lower case, its non-ASCII labels in IDNA; as it is where that is not possible."""
    host = host.lower().rstrip(".")
    try:
        return host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        return host


def _unicode(host: str) -> str:
    try:
        return host.encode().decode("idna") if "xn--" in host else host
    except UnicodeError:
        return host


def urls_of(chain: str) -> tuple[str, ...]:
    """Return the URLs of a chain as the tool writes it; a comma inside a URL is kept.

    >>> urls_of("http://a.example/x,1, https://a.example/x,1")
    ('http://a.example/x,1', 'https://a.example/x,1')
    """
    found = chain.replace(", http", "\0http").split("\0")
    return tuple(url.strip() for url in found)


def old_addresses(links: pd.DataFrame) -> pd.Series:
    """Return the key of the page that each link really names, "" where that is its target.

    `links` has redirect_urls and target_key. A URL that differs from the target by scheme, www or slash alone names it.
    """
    linked = map_distinct(links["redirect_urls"], lambda chain: urls_of(chain)[0])
    keys = normalise_urls(linked).where(linked != "", "")
    return keys.where(keys != links["target_key"], "").astype("str")


def hops(links: pd.DataFrame) -> pd.DataFrame:
    """Return the other domains that links arrive over, each once: target_domain, referring_domain, written."""
    if "redirect_urls" not in links:
        return pd.DataFrame(columns=["target_domain", "referring_domain", "written"], dtype="str")
    over = links.loc[links["redirect_urls"] != "", ["target_domain", "referring_domain", "redirect_urls"]]
    chains = pd.Series([urls_of(chain) for chain in over["redirect_urls"]], over.index, dtype="object")
    steps = over.drop(columns="redirect_urls").assign(written=chains).explode("written")
    steps["written"] = registrable_domains(steps["written"].astype("str"))
    return steps[steps["written"] != steps["target_domain"]].drop_duplicates()


def endings(domains: pd.Series) -> pd.Series:
    """Return the top-level domain of each referring domain, with its dot; "" for an IP address.

    >>> endings(pd.Series(["blog.example.co.uk", "10.0.0.1"])).tolist()
    ['.uk', '']
    """
    last = domains.str.replace(r"^.*\.", "", regex=True)
    return ("." + last).where(last.str.contains("[a-z]", regex=True), "").astype("str")


def countries(domains: pd.Series) -> pd.Series:
    """Return the country that each referring domain's ending names, in its two letters; "" where it names none.

    >>> countries(pd.Series(["a.example.de", "b.example.co.uk", "c.example.io", "d.example.com"])).tolist()
    ['DE', 'GB', '', '']
    """
    ending = endings(domains).str.removeprefix(".")
    names_one = ending.str.fullmatch("[a-z]{2}") & ~ending.isin(COUNTRIES_IN_NAME_ONLY)
    return ending.str.upper().replace("UK", "GB").where(names_one, "").astype("str")


def with_countries(table: pd.DataFrame, exported: pd.Series = NO_COUNTRIES) -> pd.DataFrame:
    """Return a table with referring_domain with country and country_from, both "" where nothing shows it.

    `exported`: the country of domains (its index) as an export gives it, which goes before that of the ending.

    >>> exported = pd.Series(["", "at"], index=["a.de", "a.de"])
    >>> domains = pd.DataFrame({"referring_domain": ["a.de", "b.fr", "c.com"]})
    >>> with_countries(domains, exported)[["country", "country_from"]].to_numpy().tolist()
    [['AT', 'export'], ['FR', 'domain ending'], ['', '']]
    """
    domains = table["referring_domain"]
    known = exported[exported != ""]
    said = known[~known.index.duplicated()].map(_short).astype("str").reindex(domains).fillna("").set_axis(table.index)
    by_ending = countries(domains)
    source = pd.Series("", table.index, dtype="str").mask(by_ending != "", BY_ENDING).mask(said != "", BY_EXPORT)
    return table.assign(country=said.where(said != "", by_ending), country_from=source)


def _short(country: str) -> str:
    return country.upper() if len(country) == 2 else country


@cache
def institution_of(host: str) -> str:
    """Return what a host's name shows that it is, "" where it shows nothing.

    >>> institution_of("water.example.gov.uk"), institution_of("www.gov.example.com")
    ('a public authority', '')
    >>> institution_of("vallbykommun.se"), institution_of("uni-beispiel.de"), institution_of("vallbykommun.com")
    ('a public authority', 'a university or school', '')
    >>> institution_of("www.google.co.uk"), institution_of("t.co"), institution_of("google.example.com")
    ('a search engine', 'a URL shortener', '')

    A host that many owners share is none, whoever runs it: sites.google.com.
    """
    host = idna_host(host).removeprefix("www.")
    site = registrable_domain(host)
    if host != site and owners_share(host):
        return ""
    endings, names, beginnings, anywhere = _lists()
    labels = host.split(".")
    ending = next((endings[end] for start in range(len(labels)) if (end := ".".join(labels[start:])) in endings), "")
    owned = site.partition(".")[0]
    if ending or owned in anywhere:
        return ending or anywhere[owned]
    if len(labels[-1]) != COUNTRY_CODE:
        return ""
    second = endings.get(f"{labels[-2]}.*", "") if len(labels) > COUNTRY_CODE else ""
    begins = (what for word, what in beginnings.items() if owned.startswith(word))
    return second or next(begins, "") or next((what for word, what in names.items() if word in owned), "")


@cache
def _lists() -> tuple[dict[str, str], ...]:
    rows, places = read_list("institutions"), ("at the end", "in the name", "the name begins", "any ending")
    return tuple({row["host"]: row["what"] for row in rows if row["found"] == place} for place in places)


@cache
def shape_pattern(kind: str) -> str:
    return "|".join(row["pattern"] for row in read_list("page_shapes") if row["kind"] == kind)


def main_domain(domains: pd.Series) -> str:
    """Return the most frequent domain that is not blank; "" where there is none."""
    counts = domains[domains != ""].value_counts()
    return str(counts.index[0]) if len(counts) else ""
