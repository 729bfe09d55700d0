import pandas as pd

from backlink_audit.changes.links import compare_domains


def domains(**links: float | None) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "referring_domain": [f"{name}.example" for name in links],
            "backlinks": pd.array(list(links.values()), "float64"),
            "followed_backlinks": float("nan"),
            "domain_rating": 30.0,
            "scale": "Ahrefs",
            "lost_date": pd.NaT,
        }
    ).astype({"lost_date": "datetime64[us]"})


def test_domains_are_new_lost_kept_or_changed() -> None:
    changes = compare_domains(domains(a=3, b=1, c=2), domains(d=1, b=1, c=5))
    found = dict(zip(changes["referring_domain"], changes["change"], strict=True))
    assert found == {"d.example": "new", "b.example": "kept", "c.example": "changed", "a.example": "lost"}
    assert changes.loc[changes["change"] == "changed", "what_changed"].item() == "Backlinks: 2 to 5"


def test_a_domain_with_a_lost_date_does_not_link_any_more() -> None:
    newer = domains(a=3).assign(lost_date=pd.Timestamp("2025-04-01"))
    changes = compare_domains(domains(a=3), newer)
    assert changes["change"].tolist() == ["lost"]
    assert changes[["links_before", "links_after"]].to_numpy().tolist() == [[3.0, 0.0]]


def test_unknown_numbers_of_links_are_no_difference() -> None:
    changes = compare_domains(domains(a=None), domains(a=None))
    assert changes["change"].tolist() == ["kept"]
    assert changes["links_after"].isna().all()


def test_a_rating_has_the_name_of_its_scale_and_is_compared_within_it_alone() -> None:
    changes = compare_domains(domains(a=3).assign(scale="Moz"), domains(a=3).assign(scale="Moz", domain_rating=31.0))
    assert changes["what_changed"].tolist() == ["DA: 30 to 31"]
    changes = compare_domains(domains(a=3), domains(a=3).assign(scale="Moz", domain_rating=31.0))
    assert changes["change"].tolist() == ["kept"]


def test_a_lost_domain_keeps_the_rating_and_scale_of_the_older_list() -> None:
    changes = compare_domains(domains(a=3), domains(b=1).assign(scale="Semrush", domain_rating=5.0))
    found = changes.set_index("referring_domain")[["domain_rating", "scale"]].to_numpy().tolist()
    assert found == [[5.0, "Semrush"], [30.0, "Ahrefs"]]
