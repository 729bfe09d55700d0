"""Invented attacks on labelled sites: links of one making, put beside the real ones, that the trees learn to bear."""

import zlib
from pathlib import Path

import numpy as np
import pandas as pd

ATTACKS = ("redirect", "hacked", "homepage", "page", "comments", "network")
"""Kinds of attacks: over an open redirect; to pages put there by a break-in; to the homepage; to one page; comments to
many pages; a network of domains with one template."""
LEARNT = 100
"""Links of an attack on each site that are learnt from."""
_WORDS = Path(__file__).parent / "attack_words.csv"
_TITLES = (
    "{w}", "{w} | {h}", "{w} ({n})", "Thread: {w}", "{w}{n}'s profile", "Comments on: {w}", "{w} » {n}", "Tag: {w}",
    "hello, {w}!", "", "", "Guest entries {n}", "Kommentare ({n})", "{w} – {v}", "Latest posts", "{h}", "{W}: {V} {n}",
    "Blog of {h}", "member list, page {n}", "Links", "Новости и статьи", "{v} {w} {n} reviews",
)  # fmt: skip
_PATHS = (
    "/{s}.html", "/node/{n}", "/?p={n}", "/index.php?topic={n}.0", "/2024/03/{s}/", "/users/{s}{n}", "/{s}-{n}",
    "/guests/{n}", "/a/{n}/{s}", "/blog/{n}#c{n}", "/wp-content/uploads/{s}.php",
)  # fmt: skip
_REDIRECTS = (
    "/go.php?u={a}", "/redirect?to={a}", "/click?id={n}&link={a}", "/bitrix/rk.php?goto={a}", "/cgi-bin/exit.cgi?{a}",
    "/tracking/away.aspx?site={a}&lang=en", "/language.php?return={a}", "/r/{a}",
)  # fmt: skip
_HACKED = (
    "/{s}/", "/?{s}={n}", "/product/{n}-{s}.html", "/{n}/{s}.htm", "/wp-includes/{s}.php?id={n}", "/shop/item/{n}{n}",
    "/{s}/{n}/", "/blog/{s}-{n}",
)  # fmt: skip


def attack(exports: dict[str, pd.DataFrame], name: str, count: int, seed: int = 0) -> pd.DataFrame:
    """Return links of an attack on a site, with the columns of its export; everything not invented is as in its rows.

    Titles of some are those of other sites' pages: comments are left anywhere. Every site has one kind and theme.
    """
    random = np.random.default_rng([zlib.crc32(name.encode()), seed])
    themes = pd.read_csv(_WORDS, index_col="theme")["words"].str.split("|")
    kind, words = ATTACKS[random.integers(len(ATTACKS))], themes.iloc[random.integers(len(themes))]
    table = exports[name]
    header = {str(column).lower(): column for column in table.columns}
    others = [other for other in exports if other != name]
    honest = exports[others[random.integers(len(others))]]
    honest_titles = honest[next(column for column in honest.columns if "title" in column.lower())].to_numpy()
    site = table[header["target url"]].iloc[0].split("/")[2]
    hosts = int(random.integers(10, 400))
    targets = table[header["target url"]].to_numpy()
    template, path, deep = (random.choice(list(_TITLES[:9])), random.choice(_PATHS), random.choice(targets))
    shapes = random.choice(_REDIRECTS, 2), random.choice(_HACKED, 2)
    rows = []
    for _ in range(count):
        word, other = random.choice(words, 2)
        number = int(random.integers(2, 9000))
        slug = "-".join(word.split())
        ending = random.choice(["com", "ru", "pl", "top", "org", "com.br", "jp"])
        host = f"{_name(int(random.integers(hosts)), name)}.{ending}"
        said = {"w": word, "v": other, "W": word.title(), "V": other.title(), "h": host, "n": number, "s": slug}
        address = f"https%3A%2F%2F{host}%2F{slug}" if random.random() < 0.6 else f"http://{host}/{number}"
        shape = template if kind == "network" else random.choice(_TITLES)
        title = shape.format(**said)
        if kind in ("comments", "redirect") and random.random() < 0.3:
            title = random.choice(honest_titles)
        target = {
            "redirect": f"https://{site}{random.choice(shapes[0]).format(a=address, **said)}",
            "hacked": f"https://{site}{random.choice(shapes[1]).format(**said)}",
            "homepage": f"https://{site}/",
            "page": deep,
            "network": f"https://{site}/" if seed % 2 else deep,
            "comments": random.choice(targets),
        }[kind]
        rows.append(
            {
                "rating": str(int(random.geometric(0.5) - 1) if random.random() < 0.9 else int(random.integers(30))),
                "title": title,
                "source": f"https://{host}{(path if kind == 'network' else random.choice(_PATHS)).format(**said)}",
                "target": target,
                "anchor": random.choice([word, word, other, site, "", target]),
                "external": str(int(random.choice([3, 9, 25, 90, 150, 480, 1200]))),
                "nofollow": random.choice(["false", "false", "true"]),
            }
        )
    made = pd.DataFrame(rows)
    columns = {
        "rating": header.get("page ascore", header.get("ur", "")),
        "title": next(column for lower, column in header.items() if "title" in lower),
        "source": next(column for lower, column in header.items() if lower in ("source url", "referring page url")),
        "target": header["target url"],
        "anchor": header["anchor"],
        "external": next(column for lower, column in header.items() if lower.startswith("external links")),
        "nofollow": header.get("nofollow", ""),
    }
    like = table.iloc[random.integers(len(table), size=count)].reset_index(drop=True)
    return like.assign(**{column: made[ours] for ours, column in columns.items() if column}, site=name)


def with_attacks(exports: dict[str, pd.DataFrame], most: int = LEARNT) -> dict[str, pd.DataFrame]:
    """Return each site's links, unlabelled, beside as many of an attack, `most` at most, whose topic is attack."""
    return {
        name: pd.concat(
            [table.assign(topic=""), attack(exports, name, min(len(table), most)).assign(topic="attack")],
            ignore_index=True,
        )
        for name, table in exports.items()
    }


def _name(number: int, name: str) -> str:
    """Return a made-up name of a site."""
    random = np.random.default_rng([number, zlib.crc32(name.encode())])
    return "".join(random.choice(list("aeioubdgklmnprstvz"), int(random.integers(5, 12))))
