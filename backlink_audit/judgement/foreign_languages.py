"""Links from pages in another language than the target site's own.

No export has the language the target site is in. It is taken to be the one that most of its referring domains
share: the first language of the export's language column; where a page's language is not given, the script its title
and anchor are written in. Without a majority (more than half of the domains) nothing is judged foreign.
"""

import re

import numpy as np
import pandas as pd

from backlink_audit.judgement.evidence import counted, matched, words_where
from backlink_audit.text.languages import DETECTED, likeliest_languages

MAJORITY = 0.5
SCRIPTS = {
    "Latin": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
    "Cyrillic": "\u0400-\u052f",
    "Greek": "\u0370-\u03ff",
    "Arabic": "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff",
    "Hebrew": "\u0590-\u05ff",
    "Indic": "\u0900-\u0dff",
    "Thai": "\u0e00-\u0e7f",
    "Korean": "\u1100-\u11ff\uac00-\ud7af",
    "Chinese or Japanese": "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff",
}
"""Scripts by their Unicode blocks, those that a web page is likely to be written in."""
_LATIN = f"[{SCRIPTS['Latin']}]"
_OTHERS = f"[{''.join(block for name, block in SCRIPTS.items() if name != 'Latin')}]"


def languages_and_scripts(links: pd.DataFrame) -> pd.DataFrame:
    """Return columns language of each link's page, and script where no language is given; "" where not known."""
    languages = first_languages(links["language"])
    scripts = scripts_of((links["referring_title"] + " " + links["anchor"]).where(languages == "", ""))
    return pd.DataFrame({"language": languages, "script": scripts}, index=links.index)


def usual(values: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the value that most referring domains of each target domain share: columns value and share (0.5-1).

    `values` has target_domain, referring_domain and the column, once or more for each; targets without a majority are
    left out. The index is the target domain.
    """
    known = values.loc[values[column] != "", ["target_domain", column, "referring_domain"]].drop_duplicates()
    counts = known.groupby(["target_domain", column], sort=False).size()
    totals = known.drop_duplicates(["target_domain", "referring_domain"]).groupby("target_domain", sort=False).size()
    shares = (counts / totals.reindex(counts.index, level="target_domain")).rename("share").reset_index()
    most = shares.sort_values("share", ascending=False, kind="stable").drop_duplicates("target_domain")
    most = most[most["share"] > MAJORITY].set_index("target_domain")
    return most.rename(columns={column: "value"})


def at_home(values: pd.DataFrame, languages: pd.DataFrame, scripts: pd.DataFrame) -> pd.DataFrame:
    """Return the referring domains with a page in the usual language, or script, of their target.

    Their other pages are translations, not foreign sites. `values` as `usual` takes it, with language and script.
    Columns: target_domain, referring_domain, by ("language" or "script"), each row once.
    """
    found = []
    for column, most in (("language", languages), ("script", scripts)):
        here = (values[column] != "") & (values[column] == _usual_here(values, most))
        found.append(values.loc[here, ["target_domain", "referring_domain"]].drop_duplicates().assign(by=column))
    return pd.concat(found, ignore_index=True).astype("str")


def foreign_links(links: pd.DataFrame, languages: pd.DataFrame, scripts: pd.DataFrame, home: pd.DataFrame) -> pd.Series:
    """Report links from pages in another language, else another script, than most referring domains of the target."""
    own = languages_and_scripts(links)
    by_language = _unlike_most(
        links, own["language"], languages, "page in {own}, but {share:.0%} of the referring domains are in {most}"
    )
    by_language = by_language.mask(_mentions(links["language"], _usual_here(links, languages)), "")
    by_language = by_language.mask(_is_at_home(links, home, "language"), "")
    by_language = by_language.mask(_reads_like(links, _usual_here(links, languages), by_language != ""), "")
    by_script = _unlike_most(
        links,
        own["script"],
        scripts,
        "written in {own} script, but {share:.0%} of the referring domains use {most} script",
    )
    by_script = by_script.mask(_is_at_home(links, home, "script"), "")
    return by_language.mask(by_language == "", by_script)


def _reads_like(links: pd.DataFrame, wanted: pd.Series, asked: pd.Series) -> pd.Series:
    """Return which of the links `asked` are on pages whose title, or the words around the link, are in that language.

    What a page says of its language is often wrong.
    """
    found = pd.Series(False, links.index)
    around = links["left_context"] + " " + links["anchor"] + " " + links["right_context"]
    for texts in (links["referring_title"], around):
        rows = asked & ~found & wanted.isin(DETECTED)
        if rows.any():
            found[rows] = (likeliest_languages(texts[rows]) == wanted[rows]).to_numpy()
    return found


def first_languages(languages: pd.Series) -> pd.Series:
    """Return the first language code of each page, in lower case and without its region.

    >>> first_languages(pd.Series(["es, en", "pt-BR", ""])).tolist()
    ['es', 'pt', '']
    """
    return languages.str.lower().str.extract(r"^\s*([a-z]+)", expand=False).fillna("")


def scripts_of(texts: pd.Series) -> pd.Series:
    """Return the script most letters of each text belong to, a key of `SCRIPTS`; "" for a text without letters.

    >>> scripts_of(pd.Series(["Bitcoin price", "Цена Bitcoin сегодня", "123"])).tolist()
    ['Latin', 'Cyrillic', '']
    """
    codes, distinct = pd.factorize(texts)
    values = pd.Series(distinct, dtype="str")
    # Letters are counted only where there are others than Latin ones.
    scripts = pd.Series("", index=values.index, dtype="str").mask(matched(values, _LATIN), "Latin")
    in_others = matched(values, _OTHERS)
    others = values[in_others]
    if len(others):
        letters = pd.DataFrame({name: counted(others, f"[{block}]") for name, block in SCRIPTS.items()}, others.index)
        scripts[in_others] = letters.idxmax(axis=1).where(letters.max(axis=1) > 0, "").astype("str")
    return scripts.take(codes).set_axis(texts.index)


def _is_at_home(links: pd.DataFrame, home: pd.DataFrame, by: str) -> pd.Series:
    there = home[home["by"] == by]
    pairs = links["target_domain"] + "\0" + links["referring_domain"]
    return pairs.isin(set(there["target_domain"] + "\0" + there["referring_domain"]))


def _usual_here(links: pd.DataFrame, most: pd.DataFrame) -> pd.Series:
    return links["target_domain"].map(most["value"]).astype("str").fillna("")


def _unlike_most(links: pd.DataFrame, values: pd.Series, most: pd.DataFrame, sentence: str) -> pd.Series:
    """Return the sentence where a value differs from the target's usual one."""
    here = _usual_here(links, most)
    share = links["target_domain"].map(most["share"])

    def words(rows: np.ndarray) -> pd.Series:
        table = zip(values[rows], here[rows], share[rows], strict=True)
        return pd.Series([sentence.format(own=own, most=most, share=share) for own, most, share in table], dtype="str")

    return words_where((values != "") & (here != "") & (values != here), words)


def _mentions(languages: pd.Series, wanted: pd.Series) -> np.ndarray:
    codes, distinct = pd.factorize(languages.str.lower() + "\0" + wanted)
    found = [wanted in re.findall(r"[a-z]+", named) for named, wanted in (key.split("\0") for key in distinct)]
    return np.array(found, dtype=bool)[codes]
