"""What the tests of disavow files are made of, and a checker of Google's rules of their own."""

import re

from hypothesis import strategies as st

from backlink_audit.risk.disavow_file import DisavowFile, parse_disavow_file


def breaks_googles_rules(data: bytes) -> list[str]:
    """An independent reading of the rules in Search Console's help."""
    if len(data) > 2 * 1000 * 1000:
        return ["larger than 2 MB"]
    text = data.decode("utf-8")
    lines = text.split("\n")
    if lines[-1] == "":
        lines = lines[:-1]
    problems = ["more than 100,000 lines"] if len(lines) > 100_000 else []
    problems += ["byte order mark"] if text.startswith("\ufeff") else []
    for number, line in enumerate(lines, 1):
        if line == "" or line.startswith("#"):
            continue
        domain = re.fullmatch(r"domain:[^\s/:*?#.]+(\.[^\s/:*?#.]+)+", line)
        url = re.fullmatch(r"https?://[^\s/]+\.[^\s/]+(/\S*)?", line, re.IGNORECASE)
        if not domain and not (url and len(line) <= 2048):
            problems.append(f"line {number}: {line}")
    return problems


def parsed(text: str) -> DisavowFile:
    return parse_disavow_file(text.encode())


EXISTING = """# Disavowed in 2023 after the agency's clean-up
domain:spam.example.com

# asked twice, no answer
https://blog.example.org/links.html
domain:links.example.net
"""


hosts = st.from_regex(r"[a-z][a-z0-9]{0,8}(\.[a-z][a-z0-9]{1,6}){0,2}\.(example|test)", fullmatch=True)
urls = st.builds(
    lambda host, path: f"https://{host}/{path}", hosts, st.from_regex(r"[a-z0-9/?=&%-]{0,20}", fullmatch=True)
)
texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30)
entries = st.one_of(hosts.map("domain:{}".format), urls, st.just(""), texts.map("#{}".format))
anything = st.one_of(entries, texts)
