"""Every tool's ratings keep the tool's own names, from the file to the screen and to the workbook."""

from io import BytesIO

import openpyxl
import pytest

from backlink_audit.audit import tables as audit_tables
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.exports.load import recognise_file
from backlink_audit.gap.run import find_gap
from backlink_audit.profile import result as profile_tables
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.report.files import to_xlsx
from backlink_audit.settings import AuditSettings, GapSettings
from tests.toy import ToyEncoder
from tests.ui.app import open_app, upload

FILES = {
    "Moz": (
        "URL,Title,Anchor text,PA,DA,External links,Target URL,First Seen,Last Seen\n"
        "https://oak.example/p,Oak tables,oak,31,42,5,https://shop.example/oak,2024-09-25,{seen}\n"
        "https://blog.example/p,Oak chairs,oak,{rating},12,5,https://shop.example/oak,2024-09-25,{seen}\n",
        "PA",
        "DA",
    ),
    "Majestic": (
        "TargetURL,SourceURL,AnchorText,SourceCitationFlow,SourceTrustFlow,OutLinksExternal,FirstIndexedDate,LastSeenDate\n"
        "https://shop.example/oak,https://oak.example/p,oak,31,22,5,2024-09-25,{seen}\n"
        "https://shop.example/oak,https://blog.example/p,oak,{rating},12,5,2024-09-25,{seen}\n",
        "Citation Flow",
        "Trust Flow",
    ),
    "Semrush": (
        "Page ascore,Source title,Source url,Target url,Anchor,External links,First seen,Last seen,Lost link\n"
        "31,Oak tables,https://oak.example/p,https://shop.example/oak,oak,5,2024-09-25,{seen},false\n"
        "{rating},Oak chairs,https://blog.example/p,https://shop.example/oak,oak,5,2024-09-25,{seen},false\n"
        "9,Oak,https://lost.example/p,https://shop.example/oak,oak,5,2024-09-25,{seen},true\n",
        "Page ascore",
        "Page ascore",
    ),
    "plain": (
        "Linking page,Target page,PA,DA,External links,First seen,Last seen\n"
        "https://oak.example/p,https://shop.example/oak,31,42,5,2024-09-25,{seen}\n"
        "https://blog.example/p,https://shop.example/oak,{rating},12,5,2024-09-25,{seen}\n",
        "PA",
        "DA",
    ),
}
WRONG = {"UR", "DR", "Best page ascore"}
EACH = pytest.mark.parametrize("tool", sorted(FILES))


def file(tool: str, rating: str = "4", seen: str = "2025-05-06") -> bytes:
    return FILES[tool][0].format(rating=rating, seen=seen).encode()


def headers(book: bytes) -> dict[str, set[object]]:
    """The headers of each sheet."""
    opened = openpyxl.load_workbook(BytesIO(book))
    return {sheet.title: {cell.value for cell in sheet[1]} for sheet in opened}


@EACH
def test_the_audits_workbook_and_reasons_use_the_tools_names(tool):
    _, page, domain = FILES[tool]
    audit = audit_backlinks(recognise_file("links.csv", file(tool, rating="")), AuditSettings(), ToyEncoder())
    sheets = headers(to_xlsx(audit_tables.tables(audit)))
    assert {page} <= sheets["Top performers"] and domain in sheets["Referring domains"]
    assert not WRONG & (sheets["Top performers"] | sheets["Referring domains"])
    assert list(audit.blank_cas) == [f"{page} not known"]
    assert audit.authority_label == page


@EACH
def test_the_profiles_workbook_and_sentence_use_the_tools_names(tool):
    domain = FILES[tool][2]
    profile = profile_backlinks(recognise_file("links.csv", file(tool)))
    sheets = headers(to_xlsx(profile_tables.tables(profile)))
    assert f"a median {domain} of " in profile.headline
    assert {domain, f"{domain} band"} <= sheets["Referring domains"]
    assert domain in sheets["Target pages"] and f"{domain} band" in sheets["Authority"]


@EACH
def test_the_changes_on_screen_use_the_tools_names(tool, monkeypatch):
    _, page, domain = FILES[tool]
    app = upload(open_app(monkeypatch, "pages/backlinks/changes.py"), "newer.csv", file(tool))
    upload(app, "older.csv", file(tool, rating="7", seen="2025-03-01"), role="older")
    app.button(key="run:Compare the exports").click().run()
    assert not app.exception and not app.error
    app.pills(key="changes:columns").select("url_rating").run()
    links, domains = app.dataframe[0], app.dataframe[1]
    assert f"{page}: 7 to 4" in links.value["what_changed"].tolist()
    assert f'"label": "{page}"' in links.proto.columns
    for table in (links, domains):
        assert '"label": "UR"' not in table.proto.columns and '"label": "DR"' not in table.proto.columns


def test_what_is_to_reclaim_on_screen_uses_the_tools_names(monkeypatch):
    app = upload(open_app(monkeypatch, "pages/backlinks/changes.py"), "links.csv", file("Semrush"))
    app.session_state["changes:tabs"] = "Reclaim"
    app.run()
    app.button(key="run:Find links to reclaim").click().run()
    assert not app.exception and len(app.dataframe[0].value) == 1
    assert '"label": "Page ascore"' in app.dataframe[0].proto.columns
    assert '"label": "UR"' not in app.dataframe[0].proto.columns


def test_a_majestic_list_of_domains_is_called_trust_flow_for_what_it_holds():
    theirs = b"Domain,TrustFlow,CitationFlow,MatchedLinks\nstrong.example,16,10,3\nweak.example,14,90,1\n"
    gap = find_gap(
        recognise_file("ours.csv", file("Majestic")),
        [recognise_file("theirs.csv", theirs)],
        GapSettings(),
        ToyEncoder(),
    )
    ratings = gap.domains.set_index("referring_domain")[["authority", "authority_scale"]].to_numpy().tolist()
    assert [16, "Trust Flow"] in ratings and [14, "Trust Flow"] in ratings
    assert gap.prospects["referring_domain"].tolist() == ["strong.example"]
    assert gap.headline.startswith("1 site of Trust Flow 15 or more")
