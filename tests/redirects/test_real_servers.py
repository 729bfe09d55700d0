"""The rules in real servers: nginx and Apache load the files of a site's map, and answer every old URL rightly."""

import http.client
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pandas as pd
import pytest

from backlink_audit.redirects.rules import server_file
from backlink_audit.redirects.run import map_redirects
from backlink_audit.settings import RedirectSettings
from tests.redirects.made import site

pytestmark = pytest.mark.servers
SHOP = "https://shop.example"
MODULES = Path("/usr/lib/apache2/modules")
NGINX = """
pid {folder}/pid; error_log {folder}/log; daemon off; master_process off;
events {{ }}
http {{
    access_log off; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
    uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
    include {folder}/redirects.map;
    server {{
        listen 127.0.0.1:{port};
        if ($redirect_to) {{ return 301 $redirect_to; }}
        location / {{ return 200; }}
    }}
}}
"""
APACHE = """
ServerRoot {folder}
ServerName localhost
PidFile {folder}/pid
ErrorLog {folder}/log
Listen 127.0.0.1:{port}
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule rewrite_module {modules}/mod_rewrite.so
DocumentRoot {folder}/site
<Directory {folder}/site>
    AllowOverride All
    Require all granted
</Directory>
"""


def moved_site(folder: str = "handbook", pages: int = 100) -> tuple[list[str], dict[str, str]]:
    """Addresses that stay, and 300 old ones with the new URL of each: renamed, in another case, with a query."""
    stays = [f"{SHOP}/{folder}/how-we-work-with-partners-in-every-agency-part-{page}" for page in range(pages)]
    moved = {}
    for page, url in enumerate(stays):
        moved[f'{SHOP}/old/Grüße aus/part (a+b) "{page}" {"of a very long name " * (page % 9)}.html'] = url
        moved[f"{SHOP}/{folder.upper()}/{url.rsplit('/', 1)[1].title()}/"] = url
        moved[f"{SHOP}/index.php?id={page}&l=d%C3%A9"] = f"{url}?from=a%20b$1"
    return stays, moved


def made_map(stays: list[str], moved: dict[str, str]):
    kept = site(*((url, f"Title {place}", "Some words.") for place, url in enumerate(stays)))
    made = map_redirects(site((f"{SHOP}/gone", "Gone", "Other words.")), kept, RedirectSettings())
    table = pd.DataFrame(moved.items(), columns=["old_url", "new_url"])
    return replace(made, table=table.assign(confidence="sure", flags="", cas_at_risk=0.0))


def path_of(url: str) -> str:
    """What a browser sends: encoded, in the case it has."""
    return quote(url.removeprefix(SHOP), safe="%/?&=+()'")


@contextmanager
def running(kind: str, folder: Path, rules: bytes) -> Iterator[int]:
    """Start a server with the rules, and give its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "site").mkdir()
    config = folder / "server.conf"
    template, name = (NGINX, "redirects.map") if kind == "nginx" else (APACHE, "site/.htaccess")
    config.write_text(template.format(folder=folder, port=port, modules=MODULES))
    (folder / name).write_bytes(rules)
    command = ["nginx", "-p", str(folder), "-c"] if kind == "nginx" else ["apache2", "-X", "-f"]
    program = shutil.which(command[0]) or f"/usr/sbin/{command[0]}"
    if kind == "nginx":
        tried = subprocess.run([program, *command[1:], str(config), "-t"], capture_output=True, text=True, check=False)
        assert tried.returncode == 0 and "[warn]" not in tried.stderr, tried.stderr
    for above in [folder, *folder.parents][:3]:  # a server's own user reads there
        above.chmod(0o755)
    with subprocess.Popen([program, *command[1:], str(config)], stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(300):
                with socket.socket() as asked:
                    if asked.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert server.poll() is None, (folder / "log").read_text()
                time.sleep(0.1)
            yield port
        finally:
            server.terminate()


def answers(port: int, paths: list[str]) -> list[tuple[int, str | None]]:
    """Return the status and the target of each path, asked as it is written."""
    found = []
    for path in paths:
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        link.request("GET", path)
        answer = link.getresponse()
        found.append((answer.status, answer.headers["Location"]))
        link.close()
    return found


@pytest.mark.parametrize(("kind", "ending"), [("nginx", ".map"), ("apache", ".htaccess")])
def test_renamed_cased_and_queried_urls_lead_to_their_pages_and_living_pages_stay(tmp_path, kind, ending):
    stays, moved = moved_site()
    with running(kind, tmp_path, server_file(ending, made_map(stays, moved)).data) as port:
        found = [(status, (to or "").replace("%24", "$")) for status, to in answers(port, list(map(path_of, moved)))]
        other = answers(port, [path_of(url) for url in stays] + ["/index.php?id=7000&l=d%C3%A9", "/index.php"])
    wrong = [(old, got) for (old, new), got in zip(moved.items(), found, strict=True) if got != (301, new)]
    assert not wrong and len(found) == 300
    assert not [(status, target) for status, target in other if status == 301]


@pytest.mark.parametrize(("kind", "ending"), [("nginx", ".map"), ("apache", ".htaccess")])
def test_old_urls_that_are_one_address_get_one_rule_in_every_case_with_and_without_a_slash(tmp_path, kind, ending):
    moved = {f"{SHOP}/About": f"{SHOP}/new", f"{SHOP}/about/": f"{SHOP}/other", f"{SHOP}/%61bout": f"{SHOP}/third"}
    made = server_file(ending, made_map([f"{SHOP}/new"], moved))
    assert any("2 redirects without a rule (same address as a rule above)" in note for note in made.notes)
    with running(kind, tmp_path, made.data) as port:
        assert set(answers(port, ["/About", "/about", "/ABOUT/", "/%41bout?a=1"])) <= {
            (301, f"{SHOP}/new"),
            (301, f"{SHOP}/new?a=1"),
        }


def test_nginx_loads_a_map_of_addresses_that_are_too_long_for_it(tmp_path):
    moved = {f"{SHOP}/{'a' * length}": f"{SHOP}/new" for length in (40, 47, 500, 3_900, 3_990, 4_100, 9_000)}
    made = server_file(".map", made_map([f"{SHOP}/new"], moved))
    assert "2 redirects without a rule (too long for nginx)" in made.notes[-1]
    assert "map_hash_bucket_size 4096" in made.notes[0]
    with running("nginx", tmp_path, made.data) as port:
        assert set(answers(port, [path_of(url) for url in list(moved)[:4]])) == {(301, f"{SHOP}/new")}
