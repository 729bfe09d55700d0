"""Links rolled up to the domains they come from."""

import pandas as pd

from backlink_audit.analysis.scales import site_authority
from backlink_audit.labels import VERDICTS
from backlink_audit.text.urls.countries import with_countries


def roll_up(links: pd.DataFrame) -> pd.DataFrame:
    """Return one row per referring domain, the one with the best CAS first.

    Columns: referring_domain, links, followed_share (0-1), authority (the best of its links),
    mean_similarity, mean_relevance, best_cas, topic (the most frequent), verdict, first_seen, last_seen, country and
    country_from (by the ending of the domain), and domain_traffic where it is known of any.
    A domain's verdict is the first in the order of `VERDICTS` that any of its links has: what needs action first.
    """
    order = {label.word: place for place, label in enumerate(VERDICTS)}
    columns = {
        "referring_domain": links["referring_domain"],
        "followed": links["followed"].astype("float64"),
        "authority": site_authority(links),
        "verdict": links["verdict"].map(order),
    }
    rows = links[["similarity", "relevance", "cas", "first_seen", "last_seen", "domain_traffic"]].assign(**columns)
    domains = rows.groupby("referring_domain", sort=True).agg(
        links=("verdict", "size"),
        followed_share=("followed", "mean"),
        authority=("authority", "max"),
        mean_similarity=("similarity", "mean"),
        mean_relevance=("relevance", "mean"),
        best_cas=("cas", "max"),
        verdict=("verdict", "min"),
        first_seen=("first_seen", "min"),
        last_seen=("last_seen", "max"),
        domain_traffic=("domain_traffic", "max"),
    )
    domains.insert(
        6, "topic", _most_frequent(links["topic"], links["referring_domain"]).reindex(domains.index, fill_value="")
    )
    domains["verdict"] = domains["verdict"].map({place: word for word, place in order.items()})
    if domains["domain_traffic"].isna().all():
        domains = domains.drop(columns="domain_traffic")
    else:
        domains["domain_traffic"] = domains["domain_traffic"].round()  # tools write 12803.000000000002
    ordered = domains.sort_values("best_cas", ascending=False, kind="stable", na_position="last").reset_index()
    return with_countries(ordered)


def _most_frequent(values: pd.Series, groups: pd.Series) -> pd.Series:
    """Return the most frequent value of each group, the first in the alphabet among equals; blanks do not count."""
    named = values != ""
    counts = pd.DataFrame({"group": groups[named], "value": values[named]}).value_counts(sort=False).reset_index()
    ordered = counts.sort_values(["count", "value"], ascending=[False, True])
    return ordered.drop_duplicates("group").set_index("group")["value"]
