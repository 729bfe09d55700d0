"""Redirect rules as maps for nginx."""

from collections.abc import Iterator, Sequence

from backlink_audit.pipelines.redirects.rules import Rule, Written, as_bytes, pattern, slashes

LONGEST_WORD = 4_000
"""nginx refuses a word of 4,096 bytes or more in its configuration; in bytes, with room for the quotes."""
POINTER, DEFAULT_BUCKET, DEFAULT_ENTRIES = 8, 64, 2_048
"""Bytes of a pointer; and what nginx takes for map_hash_bucket_size and map_hash_max_size if nobody says."""
TOO_LONG = "too long for nginx"


def nginx(rules: Sequence[Rule]) -> Written:
    """Return the rules as two maps: by the path with the query, else by the path alone."""
    by_path: list[str] = []
    by_address: list[str] = []
    patterns, refused = [], {}
    keys: list[str] = []
    for rule in rules:
        target = _quoted(rule.target.replace("$", "%24"))
        if max(len(as_bytes(text)) for text in (target, *_words(rule))) > LONGEST_WORD:
            refused[rule.old_url] = TOO_LONG
            continue
        if rule.exact:
            patterns += [f"    {word} {target};" for word in _words(rule)]
            continue
        keys += _keys(rule)
        (by_address if rule.query else by_path).extend(f"    {word} {target};" for word in _words(rule))
    sizes, notes = _sizes(keys)
    lines = [
        "# Include this file in the http block, and add to the server block:",
        "#     if ($redirect_to) { return 301 $redirect_to; }",
        *sizes,
        "map $uri $redirect_by_path {",
        '    default "";',
        *by_path,
        "}",
        'map "$uri?$args" $redirect_to {',
        "    default $redirect_by_path;",
        *by_address,
        *patterns,
        "}",
    ]
    return Written(lines, refused, notes)


def bucket_size(keys: Sequence[str]) -> int:
    """Return the map_hash_bucket_size that the longest key needs: a power of two, in bytes.

    nginx keeps of each key two pointers, its length and its bytes, filled up to a pointer's size.

    >>> bucket_size(["/chairs"]), bucket_size(["/" + "a" * 46]), bucket_size(["/" + "ä" * 100])
    (64, 128, 256)
    """
    longest = max((len(as_bytes(key)) for key in keys), default=0)
    needed = 2 * POINTER + -(-(longest + 2) // POINTER) * POINTER
    return max(DEFAULT_BUCKET, 1 << (needed - 1).bit_length())


def _sizes(keys: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Return the directives that the maps need, and the sentence about them; none where nginx's own sizes do."""
    bucket, entries = bucket_size(keys), 1 << (2 * len(keys)).bit_length()
    if bucket == DEFAULT_BUCKET and entries <= DEFAULT_ENTRIES:
        return [], ()
    longest = max(len(as_bytes(key)) for key in keys)
    entries = max(entries, DEFAULT_ENTRIES)
    asked = f"map_hash_bucket_size {bucket} and map_hash_max_size {entries}"
    cure = "If nginx -t says “duplicate”, set them above all maps in nginx.conf instead and delete them here."
    lines = [
        f"# {len(keys):,} addresses, the longest of {longest:,} bytes, need these sizes. {cure}",
        f"map_hash_bucket_size {bucket};",
        f"map_hash_max_size {entries};",
    ]
    return lines, (f"nginx: these rules need {asked}; the file sets both. {cure.replace('here', 'in the file')}",)


def _keys(rule: Rule) -> Iterator[str]:
    query = f"?{rule.query}" if rule.query else ""
    return (path + query for path in slashes(rule.path))


def _words(rule: Rule) -> list[str]:
    """Return how the map names the address: with and without a slash at its end, or exactly as a pattern."""
    if rule.exact:
        return [_quoted(rf"~^{pattern(rule.path)}/?\?{pattern(rule.query)}$")]
    return [_quoted(key) for key in _keys(rule)]


def _quoted(text: str) -> str:
    r"""Return a text as nginx reads it in quotes.

    >>> print(_quoted('/a "b"'))
    "/a \"b\""
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
