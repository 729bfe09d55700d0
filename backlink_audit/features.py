"""The features, as the terminal lists them. Each is one record in its folder."""

from backlink_audit import feature
from backlink_audit.ai_answers.feature import FEATURE as CITATIONS
from backlink_audit.audit.feature import FEATURE as AUDIT
from backlink_audit.authority.feature import FEATURE as AUTHORITY
from backlink_audit.changes.feature import FEATURE as CHANGES
from backlink_audit.changes.feature import RECLAIM
from backlink_audit.check.feature import FEATURE as CHECK
from backlink_audit.clusters.feature import FEATURE as CLUSTERS
from backlink_audit.competitors.feature import FEATURE as COMPETITORS
from backlink_audit.crawl import FEATURE as CRAWL
from backlink_audit.existing_links.feature import FEATURE as INLINKS
from backlink_audit.gap.feature import FEATURE as GAP
from backlink_audit.internal_links.feature import FEATURE as INTERLINKS
from backlink_audit.profile.feature import FEATURE as PROFILE
from backlink_audit.redirects.feature import FEATURE as REDIRECTS
from backlink_audit.risk.feature import FEATURE as RISK
from backlink_audit.search.feature import FEATURE as SEARCH

__all__ = ["AUDIT", "AUTHORITY", "CHANGES", "CHECK", "CITATIONS", "CLUSTERS", "COMPETITORS", "CRAWL", "FEATURES", "GAP"]
__all__ += ["INLINKS", "INTERLINKS", "PROFILE", "RECLAIM", "REDIRECTS", "RISK", "SEARCH"]

FEATURES: dict[str, feature.Feature] = {
    one.name: one
    for one in (
        *(AUDIT, PROFILE, COMPETITORS, RISK, GAP, CHANGES, RECLAIM, CHECK),
        *(CRAWL, INTERLINKS, CLUSTERS, AUTHORITY, INLINKS, REDIRECTS, SEARCH, CITATIONS),
    )
}
