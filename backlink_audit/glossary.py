"""The glossary: what each result column is called, how its values are written, and the help text behind it.

Widgets, charts and sheets all look it up here. Columns of the exports themselves have theirs in schema.py.
"""

from dataclasses import dataclass
from typing import Literal

Style = Literal["text", "url", "count", "rating", "similarity", "score", "percent", "date", "month", "flag"]
"""How a column's values are written: similarity and score with 3 decimals, rating with at most 1, count whole."""


@dataclass(frozen=True)
class Term:
    """A result column: its name in code, its label on screen and in files, its style, and its help text."""

    name: str
    label: str
    style: Style
    help: str


MAY_MOVE = (
    "It may change slightly for an unchanged link: a homepage is also scored by the site's other linked pages in "
    "the same file, and a verdict by the link's place among the other links."
)
"""Why a score of the same link differs between two exports."""

GLOSSARY = (
    Term("referring_domain", "Referring domain", "text", "The registrable domain the link comes from (example.co.uk)."),
    Term("referring_page", "Referring page", "text", "The page the link stands on: its title above its address."),
    Term("example_page", "Linking page", "text", "The page of the best link: its title above its address."),
    Term("target_domain", "Target domain", "text", "The registrable domain the link points to."),
    Term(
        "similarity",
        "Similarity",
        "similarity",
        "How close the referring page's title is to the target page or to its site's subject, whichever is closer: the cosine of two embeddings, -1 to 1.",
    ),
    Term(
        "relevance",
        "Relevance",
        "rating",
        "How sure it is that the referring page is about the target's subject, 0-100. Means the same for every model. 0 for a page without a subject of its own.",
    ),
    Term("band", "Band", "text", "Relevance in three steps: relevant, weak, off-topic."),
    Term("topic_field", "Field", "text", "The field the topic belongs to."),
    Term(
        "topic",
        "Topic",
        "text",
        "The topic nearest to the referring page's text; the field in general where none is clear.",
    ),
    Term(
        "page_kind",
        "Page kind",
        "text",
        "What kind of page the link stands on: page, list (of sites, domains or search results), spam, visitors (forum, profile, comment), unclear.",
    ),
    Term("kind_why", "Why this kind", "text", "Why the page is of this kind."),
    Term(
        "anchor_fit",
        "Anchor fit",
        "similarity",
        "How close the anchor is to the target page: a cosine, -1 to 1. It says nothing about the page that the link stands on.",
    ),
    Term("names_site", "Names the site", "text", "Where the target's site is named: title, URL, anchor."),
    Term(
        "cas",
        "CAS",
        "score",
        "Contextual Authority Score: authority of the referring page / its external links x similarity.",
    ),
    Term(
        "cas_percentile",
        "CAS percentile",
        "rating",
        "Where this link's CAS stands among the links that have one, 0-100.",
    ),
    Term("verdict", "Verdict", "text", "What to do about the link, and the Why column says why."),
    Term("why", "Why", "text", "The reason for the verdict, in words and numbers."),
    Term(
        "link_state", "State", "text", "Whether the link is there: live, lost, or on a page that answers with an error."
    ),
    Term("placement", "Placement", "text", "Where on its page the link stands: in content, outside it, or unknown."),
    Term("followed", "Followed", "flag", "Neither nofollow, UGC nor sponsored."),
    Term("is_lost", "Lost", "flag", "The link is gone: a lost date, a lost status or a drop reason."),
    Term("links", "Links", "count", "How many backlinks."),
    Term("domains", "Referring domains", "count", "How many registrable domains these links come from."),
    Term("followed_domains", "Followed domains", "count", "Referring domains with at least one followed link."),
    Term("share", "Share", "percent", "Part of all links that have a value here."),
    Term(
        "domain_share",
        "Share of followed domains",
        "percent",
        "Part of all referring domains with a followed link that use this anchor.",
    ),
    Term(
        "followed_share", "Follow share", "percent", "Part of the links that are neither nofollow, UGC nor sponsored."
    ),
    Term(
        "authority",
        "Authority",
        "rating",
        "Authority of the referring domain as the tool rates it, the best of its links; where the tool rates pages alone, that of the best page.",
    ),
    Term("mean_similarity", "Mean similarity", "similarity", "Mean of the links' similarity to their target pages."),
    Term("mean_relevance", "Mean relevance", "rating", "Mean of the links' relevance, 0-100."),
    Term("best_cas", "Best CAS", "score", "The highest Contextual Authority Score of its links."),
    Term(
        "anchor_class",
        "Anchor class",
        "text",
        "What the anchor is made of: brand, the target page's own words, a generic phrase, an address, or nothing.",
    ),
    Term("month", "Month", "month", "From its first day to its last."),
    Term("texts", "Linking texts", "count", "How many linking texts Google lists."),
    Term("new_domains", "New domains", "count", "Referring domains first seen in this month."),
    Term("lost_domains", "Lost domains", "count", "Referring domains whose last link was lost in this month."),
    Term("net_domains", "Net", "count", "New minus lost referring domains."),
    Term(
        "net_per_day",
        "Net per day",
        "similarity",
        "Net link velocity: new minus lost referring domains, per day of the month.",
    ),
    Term(
        "spike",
        "Spike",
        "text",
        "Months in which far more domains than usual came or went (modified z-score above 3.5).",
    ),
    Term(
        "signals",
        "Signals",
        "count",
        "How many risk signals the link, or any link of the domain, has; two that tell one fact count once.",
    ),
    Term("risk_evidence", "Evidence of risk", "text", "The risk signals in words."),
    Term(
        "state",
        "State",
        "text",
        "What was decided in the risk review: keep, whitelist, remove (asked), disavow, or undecided.",
    ),
    Term("note", "Note", "text", "Your own note."),
    Term("seen_by", "Seen by", "text", "The tools whose files have the link."),
    Term(
        "google_lists",
        "Google lists it",
        "text",
        "Whether Search Console lists the page, its domain only, or neither. Its lists are samples: “no” proves nothing.",
    ),
    Term(
        "gap_class",
        "Class",
        "text",
        "Which of the sites the domain links to: missing, several, unique, weak, shared or ours alone.",
    ),
    Term("competitors", "Competitors", "text", "The competitors that the domain links to."),
    Term(
        "authority_scale",
        "Authority scale",
        "text",
        "What the authority is: a tool's figure for the domain, or for its best page where the export has no other.",
    ),
    Term("our_links", "Links to you", "count", "Links from the domain to your site."),
    Term(
        "linked_before",
        "Linked before",
        "flag",
        "Your export has a link from the domain that is lost or was set aside.",
    ),
    Term(
        "tied_to",
        "Tied to",
        "text",
        "Why the domain counts as one of the compared sites, or as made for it: its name, or its pages' addresses.",
    ),
    Term("our_page", "Our page to pitch", "url", "The page of yours that is most similar to the prospect's page."),
    Term("our_page_title", "Title of our page", "text", "Its title, where a crawl is loaded."),
    Term(
        "example_url",
        "Example page",
        "url",
        "The domain's best page that links to a competitor: followed, strong, with few other links.",
    ),
    Term("example_title", "Example title", "text", "The title of that page."),
    Term("example_anchor", "Example anchor", "text", "The words of its link."),
    Term("example_target", "Example target", "url", "The page the link points to."),
    Term("example_author", "Author", "text", "Who wrote the example page, where the export says."),
    Term(
        "prospect_kind",
        "Kind of prospect",
        "text",
        "What the example page is by its title and URL: a list, resource page, review, guest post, news, forum, directory, coupon or profile; blank when unclear.",
    ),
    Term(
        "prospect_cas",
        "CAS of a link",
        "score",
        "The CAS that a link from the example page would have: its page rating / (its external links + 1) x its similarity to your page.",
    ),
    Term("country", "Country", "text", "The country of the referring domain."),
    Term(
        "country_from",
        "Country from",
        "text",
        "Where the country comes from: a column of the export, or the ending of the domain (ccTLD).",
    ),
    Term(
        "change",
        "Change",
        "text",
        "What happened to the link or domain between the two files: new, lost, changed or kept.",
    ),
    Term(
        "what_changed",
        "What changed",
        "text",
        "What differs, with the older and the newer value, or how the link was lost.",
    ),
    Term("changed_columns", "Changed columns", "text", "The columns in which the two files differ."),
    Term("links_new", "New links", "count", "Links that only the newer file has, or that are back."),
    Term(
        "links_lost", "Lost links", "count", "Links that only the older file has, or that the newer one marks as lost."
    ),
    Term("links_changed", "Changed links", "count", "Links in both files that differ."),
    Term("links_kept", "Kept links", "count", "Links in both files that do not differ."),
    Term("net", "Net", "count", "New minus lost links."),
    Term("links_before", "Links before", "count", "Links from the domain in the older file."),
    Term("links_after", "Links after", "count", "Links from the domain in the newer file."),
    Term("cas_before", "CAS before", "score", f"The link's Contextual Authority Score in the older file. {MAY_MOVE}"),
    Term("cas_after", "CAS after", "score", f"The link's Contextual Authority Score in the newer file. {MAY_MOVE}"),
    Term("verdict_before", "Verdict before", "text", f"The link's verdict in the older file. {MAY_MOVE}"),
    Term("verdict_after", "Verdict after", "text", f"The link's verdict in the newer file. {MAY_MOVE}"),
    Term(
        "cas_gained",
        "CAS gained",
        "score",
        f"CAS of new links, and what links in both files gained. Links without a CAS or marked as lost count 0. {MAY_MOVE}",
    ),
    Term(
        "cas_lost",
        "CAS lost",
        "score",
        f"CAS of lost links, and what links in both files lost. Links without a CAS or marked as lost count 0. {MAY_MOVE}",
    ),
    Term(
        "over_redirect",
        "Arrives over a redirect",
        "flag",
        "The page links to another URL, which redirects to the target.",
    ),
    Term("linked_url", "Linked URL", "url", "The URL that the page really links to; it redirects to the target."),
    Term("redirects", "Redirects", "count", "Number of redirects from the linked URL to the target."),
    Term(
        "redirect_status",
        "Last redirect status",
        "text",
        "Status code of the last redirect before the target; 0: not checked.",
    ),
    Term(
        "redirect_chain",
        "Redirect chain",
        "text",
        "The whole redirect chain from the linked URL to the target, with the status code of each step.",
    ),
    Term("asks", "What to ask for", "text", "What is wrong with the site's link, and what to ask its owner for."),
    Term("to_do", "What to do", "text", "What to do about it, and why."),
    Term("how_lost", "How lost", "text", "How the link was lost, or what its target page answers."),
    Term(
        "target_status",
        "Target status",
        "text",
        "HTTP status of the target page in the crawl of the site, or the error that its redirects end in.",
    ),
    Term("redirect_to", "Redirect to", "url", "The working page of the crawl that is most similar to the dead one."),
    Term(
        "cluster", "Cluster", "text", "A group of pages about the same subject, named by the phrases that set it apart."
    ),
    Term("source_cluster", "Source cluster", "text", "The cluster of the page that links."),
    Term("target_cluster", "Target cluster", "text", "The cluster of the page that is linked to."),
    Term("size", "Pages", "count", "How many pages."),
    Term("page_share", "Share of pages", "percent", "Part of all pages."),
    Term(
        "is_hub",
        "Hub",
        "flag",
        "The main page of the cluster: of the pages near the cluster's centre the one that most of its pages link to in their content; where existing links are unknown, the most general one (a short path, title words that the cluster shares).",
    ),
    Term("hub_title", "Hub page", "text", "The page nearest to the cluster's centre: the one to link the others with."),
    Term("hub_url", "Hub page URL", "url", "The page nearest to the cluster's centre."),
    Term(
        "missing_links",
        "Missing links",
        "count",
        "Links inside the cluster that do not exist in the content: between its pages and its hub, both ways, and from a page to the pages most like it, at most 3.",
    ),
    Term(
        "direction",
        "Direction",
        "text",
        "From the page to its hub, from the hub to the page, or between two other pages of the cluster.",
    ),
    Term(
        "score",
        "Score",
        "score",
        "The order of suggestions: shared words, mentions of the target's title and meaning, in standard deviations over random pairs; or the similarity.",
    ),
    Term(
        "near_top",
        "Near the top",
        "flag",
        "The target's average position in search is 4 to 20: a few links may bring it to the top.",
    ),
    Term("target_clicks", "Target clicks", "count", "Clicks from search to the target page."),
    Term("target_impressions", "Target impressions", "count", "How often search showed the target page."),
    Term("target_position", "Target average position", "rating", "The target page's average position in search."),
    Term("target_views", "Target views", "count", "Views of the target page."),
    Term("target_sessions", "Target sessions", "count", "Visits to the target page."),
    Term("target_traffic", "Target organic traffic", "count", "Monthly visits from search, as Ahrefs estimates them."),
    Term("rank", "Rank", "count", "Place among the suggestions for the source page."),
    Term("sentence", "Sentence", "text", "The sentence of the source page that the suggested anchor stands in."),
    Term(
        "anchor_match",
        "Anchor match",
        "text",
        "Exact: the anchor is the target's title or H1, a phrase that only its title has and that is most of it or a name in capitals, or what other pages link to it with; no longer phrase holds it. Partial: any other.",
    ),
    Term("anchor_at", "Anchor at", "count", "Where in the sentence the anchor begins: characters before it."),
    Term("existing", "Existing link", "text", "Links that exist are left out; unknown without an inlinks export."),
    Term(
        "near_duplicate", "Near duplicate", "flag", "The two pages are nearly the same: consider merging them instead."
    ),
    Term("reverse", "Reverse link", "text", "Whether the target already links back to the source."),
    Term("source_title", "Source title", "text", "The page to put the link on."),
    Term("target_title", "Target title", "text", "The page to link to."),
    Term("nearest", "Nearest similarity", "similarity", "The highest similarity to any other page."),
    Term("nearest_title", "Nearest page", "text", "The page of the site that is most similar."),
    Term("nearest_url", "Nearest page URL", "url", "The address of the page of the site that is most similar."),
    Term(
        "link_score",
        "Link score",
        "rating",
        "How much of the site's authority reaches the page by its links, 0-100: the logarithm of its share (PageRank), 100 for the strongest page, 0 for one that no link leads to.",
    ),
    Term(
        "pagerank",
        "Share",
        "percent",
        "The page's share of the site's authority (PageRank, damping 0.85); the shares of all pages add up to 1.",
    ),
    Term(
        "from_outside",
        "From outside",
        "similarity",
        "The page's share of the authority of backlinks: the CAS of its live followed backlinks, divided by that of all pages. Blank without backlinks.",
    ),
    Term("links_in", "Links in", "count", "Other pages of the site with a followed link to it, each counted once."),
    Term("links_out", "Links out", "count", "Other pages of the site it has a followed link to, each counted once."),
    Term("share_after", "Share after", "percent", "The share after the links that are tried out are added."),
    Term("score_after", "Link score after", "rating", "The link score after the links that are tried out are added."),
    Term("share_change", "Change of share", "percent", "How much larger or smaller the share becomes."),
    Term(
        "page_relevance",
        "Page relevance",
        "score",
        "How close the two pages of the link are, judged against the rest of the site: the share of its pages that are less alike, 0-100. Two random pages have about 50.",
    ),
    Term(
        "passes",
        "Would pass",
        "percent",
        "What the link would pass on: the source's share of the site's authority, divided by its links and one more, times the relevance of the two pages.",
    ),
    Term(
        "outreach_state",
        "Outreach state",
        "text",
        "Where the prospect stands: to contact, contacted, follow up, answered, won, lost again, declined. Later snapshots mark what was won and lost again.",
    ),
    Term("follow_up", "Follow up on", "date", "The follow-up date."),
    Term("is_due", "Due", "flag", "The follow-up date is today or has passed."),
    Term(
        "found",
        "Found by snapshots",
        "text",
        "From later snapshots: since when the site links, or since when it no longer does.",
    ),
    Term("contact", "Contact", "text", "The e-mail address to write to."),
    Term("chosen", "Chosen", "date", "The day on which the prospect was put on the desk."),
    Term("entry", "Line of the disavow file", "text", "The line that disavows the link."),
    Term("day", "Day", "date", "The date of the snapshot's file."),
    Term("file", "File", "text", "The file the snapshot was made from."),
    Term("share_relevant", "Relevant", "percent", "Share of the live links whose page is relevant."),
    Term("mean_cas", "Mean CAS", "score", "The mean Contextual Authority Score of the live links."),
    Term("risk_share", "With risk signals", "percent", "Share of the live links with enough risk signals for Review."),
    Term(
        "dominant_anchor",
        "Dominant anchor",
        "percent",
        "The largest share of the followed domains that one exact-match anchor has.",
    ),
    Term(
        "protect_lost",
        "Protect links lost",
        "count",
        "Links lost since the snapshot before that were worth protecting.",
    ),
    Term("position", "Position", "text", "Where on its page the link stands, as the crawler says it."),
    Term("depth", "Depth", "count", "Clicks from the home page; blank where no link leads to it."),
    Term("anchors", "Anchors", "count", "Different anchors that lead to the page."),
    Term("top_anchors", "Most frequent anchors", "text", "The three anchors that lead to the page most often."),
    Term("targets", "Targets", "count", "Pages that this anchor leads to."),
    Term("example_targets", "Example targets", "text", "Three of the pages that this anchor leads to."),
    Term("old_url", "Old URL", "url", "A URL of the old site that the new crawl lacks."),
    Term("new_url", "New URL", "url", "The page of the new site to redirect it to: the best there is."),
    Term(
        "confidence",
        "Confidence",
        "text",
        "How sure the redirect is: sure (needs no check), likely, choose (look at the alternatives), no good target.",
    ),
    Term(
        "redirect_score",
        "Score",
        "score",
        "How alike the two pages are, 0 to 1: the mean cosine of what the old page has of URL words, title, H1, content words and meaning.",
    ),
    Term("reason", "Reason", "text", "What the two pages have alike, with the cosines."),
    Term("alternative_1", "Alternative 1", "url", "The second best page."),
    Term("alternative_2", "Alternative 2", "url", "The third best page."),
    Term(
        "cas_at_risk",
        "CAS at risk",
        "score",
        "The Contextual Authority Score of the live links to the old URL, added up; blank without backlinks.",
    ),
    Term(
        "flags",
        "Flags",
        "text",
        "many to one: other old URLs have the same target; target not indexable; chain: the old URL redirected over several steps; loop: it redirected in a circle.",
    ),
)
"""Result columns that more than one page, chart or sheet shows. Input columns have theirs in schema.py."""

TERMS = {term.name: term for term in GLOSSARY}
