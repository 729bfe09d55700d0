from backlink_audit.changes.run import compare_exports
from backlink_audit.settings import AuditSettings
from tests.audit.exports import semrush
from tests.changes.made import later, link, newer, older
from tests.toy import ToyEncoder


def test_domains_and_target_pages_are_rolled_up() -> None:
    changes = compare_exports(older(), newer())
    assert changes.domain_counts == {"new": 1, "lost": 3, "changed": 1, "kept": 1}
    assert changes.targets[["target_url", "links_lost", "links_new"]].values.tolist() == [
        ["https://shop.example/oak-tables", 3, 1]
    ]


def test_links_only_the_older_file_has_are_given_with_their_scores() -> None:
    gone = compare_exports(older(), newer(), AuditSettings(), ToyEncoder()).gone_links()
    assert gone is not None
    assert gone["referring_domain"].tolist() == ["lost.example"]
    assert gone["cas"].notna().all()


def test_nothing_changed_is_said() -> None:
    changes = compare_exports(semrush("a.csv", link("kept")), semrush("b.csv", later("kept")))
    assert changes.headline == "Nothing changed: the one link is as it was."
