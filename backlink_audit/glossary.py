"""The glossary: what each column is called, how its values are written and drawn, and the help text behind it.

Widgets, charts and sheets all look it up here. Columns of the exports themselves have theirs in schema.py, and
`describe` knows both.
"""

from dataclasses import dataclass
from typing import Literal

from backlink_audit import labels
from backlink_audit.schema import TABLES, Column, Kind

Style = Literal["text", "url", "count", "number", "rating", "similarity", "score", "percent", "date", "month", "flag"]
"""How a column's values are written: similarity and score with 3 decimals, rating with at most 1, count whole."""


@dataclass(frozen=True)
class Term:
    """A column: its name in code, its label on screen and in files, its style, its help text, and how it is drawn.

    `width`: on screen, in pixels, for texts that would take more, or headers that are short; 0: measured. `letters`:
    that in a sheet, in characters. `up_to`: the upper end of a score that is drawn as a bar. `marks`: the words with
    their colours. `pinned`: as a table's first column it stays when that is scrolled sideways.
    """

    name: str
    label: str
    style: Style
    help: str
    width: int = 0
    letters: int = 0
    up_to: float = 0
    marks: tuple[labels.Label, ...] = ()
    pinned: bool = False


MAY_MOVE = (
    "It can change slightly for an unchanged link, because the subject of a homepage and the verdict are determined "
    "from all links in the file."
)
"""Why a score of the same link differs between two exports."""

EVERY_VERDICT = tuple(
    {one.word: one for one in (*labels.AUTHORITY_VERDICTS, *labels.INLINK_VERDICTS, *labels.VERDICTS)}.values()
)
"""Of links, of pages and of links inside a site."""

GLOSSARY = (
    Term(
        "referring_domain",
        "Referring domain",
        "text",
        "The registrable domain of the referring page (such as example.co.uk).",
    ),
    Term("referring_page", "Referring page", "text", "The page with the link: its site and its title.", width=290),
    Term("example_page", "Linking page", "text", "The page with the best link: its site and its title.", width=290),
    Term("target_domain", "Target domain", "text", "The registrable domain of the target page."),
    Term(
        "similarity",
        "Similarity",
        "similarity",
        "How similar two texts are: the cosine of their embeddings, -1 to 1. Of a backlink: the title of the referring "
        "page and the target page, or the subject of the target's site, whichever is more similar. Between pages of "
        "one site: their texts.",
        up_to=1,
    ),
    Term(
        "match",
        "Match",
        "text",
        "Why a search found the row: it contains exactly these words, some of these words, or a similar meaning.",
    ),
    Term(
        "second_opinion",
        "Second opinion",
        "text",
        "The tool flags the link as spam or toxic, but the audit finds it worth keeping, for this reason.",
    ),
    Term(
        "keep",
        "Worth keeping",
        "rating",
        "How likely it is that the link is worth keeping, 0-100: the general judgement, with what your decisions taught.",
    ),
    Term(
        "certainty",
        "Certainty",
        "text",
        "Whether the verdict can be used without a check. Of the links called sure, at most 10% were wrong in tests on "
        "other sites.",
    ),
    Term(
        "site_similarity",
        "Similarity to the site",
        "similarity",
        "How similar the page is to what the pages of its language are about on average: cosine, -1 to 1.",
    ),
    Term("shared_words", "Shared words", "text", "The words that both titles have."),
    Term(
        "shared_queries",
        "Shared queries",
        "text",
        "Search queries that find both pages, each with at least 10% of the query's impressions.",
    ),
    Term(
        "query_similarity",
        "Search similarity",
        "similarity",
        "How similar the row is to what was searched for: the cosine of their embeddings, -1 to 1.",
    ),
    Term(
        "relevance",
        "Relevance",
        "rating",
        "How certain it is that the referring page is about the target's subject, 0-100. The scale is the same for "
        "every model. A page that lists unrelated sites, or sells links, has little.",
        width=92,
        up_to=100,
    ),
    Term("band", "Band", "text", "Relevance in three steps: relevant, weak, off-topic.", marks=labels.BANDS),
    Term("topic_field", "Field", "text", "The subject area of the topic, for instance health or travel."),
    Term(
        "topic",
        "Topic",
        "text",
        "The topic that matches the referring page best; if no topic is clear, only the field.",
    ),
    Term(
        "page_kind",
        "Page kind",
        "text",
        "The kind of the referring page: page (a normal page), list (a directory, a list of sites or search results, "
        "domain statistics, or a copied or generated page), spam, visitors (user-generated: a forum, comment, "
        "profile or guest book) or unclear.",
        marks=labels.PAGE_KINDS,
    ),
    Term("kind_why", "Why this kind", "text", "The reason for the page kind."),
    Term(
        "anchor_fit",
        "Anchor fit",
        "similarity",
        "How similar the anchor is to the target page (cosine, -1 to 1). It does not depend on the referring page.",
    ),
    Term(
        "names_site",
        "Names the site",
        "text",
        "Where the name of the target's site is used: in the title or the URL of the referring page, or in the anchor.",
    ),
    Term(
        "cas",
        "CAS",
        "score",
        "Contextual Authority Score: (authority of the referring page or domain / external links on the page) x "
        "similarity.",
    ),
    Term(
        "cas_percentile",
        "CAS percentile",
        "rating",
        "Percentile of the CAS among all links that have a CAS, 0-100; 100 is the highest.",
        up_to=100,
    ),
    Term(
        "at_stake",
        "At stake",
        "rating",
        "What you would lose without the link: the authority of its site x relevance / 100. Half for links that are "
        "not followed, up to double with monthly visits to the page. 0 to 200.",
        width=78,
    ),
    Term(
        "verdict",
        "Verdict",
        "text",
        "What to do with the link. The column Why has the reason.",
        width=132,
        marks=EVERY_VERDICT,
        pinned=True,
    ),
    Term("why", "Why", "text", "The reason for the verdict, in words and numbers.", width=420, letters=44),
    Term(
        "link_state",
        "State",
        "text",
        "Whether the link exists: live, lost, or dead page (the referring page is dead: it returns an error).",
        marks=labels.LINK_STATES,
    ),
    Term("check_state", "State on the page", "text", "What was found on the referring page."),
    Term("check_note", "Details", "text", "What differs from the export, or why the page was not read."),
    Term("place", "Place on the page", "text", "Content, navigation, header, footer, aside or head."),
    Term("sentence_fit", "Sentence fit", "similarity", "How similar the sentence with the link is to the target."),
    Term(
        "section_fit", "Section fit", "similarity", "How similar the heading and the words around the link are to it."
    ),
    Term("page_fit", "Page fit", "similarity", "How similar the other sentences of the referring page are to it."),
    Term("site_fit", "Site fit", "similarity", "How similar the titles of the referring site are to it."),
    Term(
        "inserted",
        "Probably inserted",
        "text",
        "yes: the sentence with the link is about something else than its page. Blank where the link is in a menu, a "
        "list or a footer, or the page was not read.",
    ),
    Term("inserted_why", "Why inserted", "text", "What the page and the sentence with the link are about.", width=420),
    Term("text_before", "Text before", "text", "The text just before the link, as it is on the page now."),
    Term("text_after", "Text after", "text", "The text just after the link, as it is on the page now."),
    Term("page_anchor", "Anchor on the page", "text", "The clickable text of the link, as it is on the page now."),
    Term("final_url", "Final URL", "url", "Where the referring page is now, after redirects."),
    Term("placement", "Placement", "text", "Where the link is on its page: in content, outside content, or unknown."),
    Term("followed", "Followed", "flag", "The link is not nofollow, UGC or sponsored."),
    Term("is_lost", "Lost", "flag", "The export marks the link as lost (lost date, lost status or drop reason)."),
    Term("links", "Links", "count", "Number of backlinks.", width=64),
    Term("domains", "Referring domains", "count", "Number of registrable domains with these links."),
    Term(
        "followed_domains", "Domains with followed links", "count", "Referring domains with at least one followed link."
    ),
    Term("share", "Share", "percent", "Share among the links whose value is known."),
    Term(
        "domain_share",
        "Share of followed domains",
        "percent",
        "Share of the referring domains with a followed link that use this anchor.",
    ),
    Term("followed_share", "Follow share", "percent", "Share of the links that are not nofollow, UGC or sponsored."),
    Term(
        "authority",
        "Authority",
        "rating",
        "Authority of the referring domain in your SEO tool; if the tool only has an authority of pages, that of its "
        "best page.",
    ),
    Term("mean_similarity", "Mean similarity", "similarity", "Mean similarity of the links to their target pages."),
    Term("mean_relevance", "Mean relevance", "rating", "Mean relevance of the links, 0-100."),
    Term("best_cas", "Best CAS", "score", "The highest Contextual Authority Score among its links."),
    Term(
        "anchor_class",
        "Anchor class",
        "text",
        "The type of the anchor: branded, exact match, partial match, generic, naked URL, image or empty, or other.",
    ),
    Term("month", "Month", "month", "From the first to the last day of the month."),
    Term("texts", "Linking texts", "count", "Number of linking texts in Google's list."),
    Term("new_domains", "New domains", "count", "Referring domains first seen in this month."),
    Term("lost_domains", "Lost domains", "count", "Referring domains that lost their last link in this month."),
    Term("net_domains", "Net", "count", "New minus lost referring domains."),
    Term(
        "net_per_day",
        "Net domains per day",
        "similarity",
        "Net link velocity: new minus lost referring domains, per day of the month.",
    ),
    Term(
        "spike",
        "Spike",
        "text",
        "Months with far more new or lost domains than usual (modified z-score above 3.5).",
    ),
    Term(
        "signals",
        "Signals",
        "count",
        "Number of risk signals of the link, or of all links of the domain. Signals with the same cause count once.",
        width=72,
    ),
    Term(
        "to_review",
        "To review",
        "flag",
        "The audit's verdict is Review, for the link or a link of the domain. Without an audit: enough risk signals.",
    ),
    Term(
        "proposed",
        "Proposed",
        "flag",
        "Proposed for disavowal: a followed link is manipulative with a probability of 85% or more and shows a risk "
        "signal, and no link of the domain looks worth keeping. You decide.",
    ),
    Term("risk_evidence", "Evidence of risk", "text", "The details of each risk signal.", width=400),
    Term(
        "state",
        "State",
        "text",
        "Your decision in the risk review: keep, whitelist, remove (asked), disavow or undecided.",
        width=116,
        marks=labels.STATES,
        pinned=True,
    ),
    Term("note", "Note", "text", "Your own note."),
    Term("seen_by", "Seen by", "text", "The tools whose exports contain the link."),
    Term(
        "google_lists",
        "Google lists it",
        "text",
        "Whether Search Console lists the page, only its domain, or neither. Its lists are samples, so “no” does "
        "not mean that Google ignores the link.",
    ),
    Term(
        "gap_class",
        "Class",
        "text",
        "Which sites the domain links to: missing (all competitors), several, unique (one competitor), weak (more "
        "links to a competitor), shared, or ours alone.",
    ),
    Term("competitors", "Competitors", "text", "The competitors that the domain links to."),
    Term(
        "authority_scale",
        "Authority scale",
        "text",
        "The metric used as authority: that of the domain, or that of its best page if the export has no other.",
    ),
    Term("our_links", "Links to you", "count", "Links from the domain to your site."),
    Term(
        "linked_before",
        "Linked before",
        "flag",
        "Your export has a link from this domain that is lost or was excluded.",
    ),
    Term(
        "tied_to",
        "Tied to",
        "text",
        "Why the domain probably belongs to one of the compared sites: its name, or the URLs of its pages.",
    ),
    Term("our_page", "Our page to pitch", "url", "Your page that is most similar to the prospect's page.", width=130),
    Term("our_page_title", "Title of our page", "text", "The title of that page, if a crawl is loaded."),
    Term(
        "example_url",
        "Example page",
        "url",
        "The domain's best page with a link to a competitor: followed, strong and with few other links.",
    ),
    Term("example_title", "Example title", "text", "The title of that page."),
    Term("example_anchor", "Example anchor", "text", "The anchor of its link.", width=130),
    Term("example_target", "Example target", "url", "The page the link points to.", width=130),
    Term("example_author", "Author", "text", "The author of the example page, if the export has it."),
    Term(
        "prospect_kind",
        "Kind of prospect",
        "text",
        "The type of the example page, by its title and URL: list, resource page, review, guest post, news, forum, "
        "directory, coupon or profile. Empty if unclear.",
    ),
    Term(
        "prospect_cas",
        "CAS of a link",
        "score",
        "The CAS of a new link from the example page: (authority of the page / (external links on it + 1)) x "
        "similarity to your page.",
    ),
    Term("country", "Country", "text", "The country of the referring domain."),
    Term(
        "country_from",
        "Country from",
        "text",
        "The source of the country: a column of the export, or the domain ending (ccTLD).",
    ),
    Term(
        "change",
        "Change",
        "text",
        "The change between the two files: new, lost, changed or kept.",
    ),
    Term(
        "what_changed",
        "What changed",
        "text",
        "What changed, with the old and the new value, or how the link was lost.",
    ),
    Term("changed_columns", "Changed columns", "text", "The columns with different values in the two files."),
    Term("links_new", "New links", "count", "Links that are only in the newer file, or live again."),
    Term(
        "links_lost",
        "Lost links",
        "count",
        "Links that are only in the older file, or marked as lost in the newer file.",
    ),
    Term("links_changed", "Changed links", "count", "Links in both files with different values."),
    Term("links_kept", "Kept links", "count", "Links in both files without changes."),
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
        "CAS of new links, plus the gains of links in both files. Links without a CAS or marked as lost count as "
        f"0. {MAY_MOVE}",
    ),
    Term(
        "cas_lost",
        "CAS lost",
        "score",
        "CAS of lost links, plus the losses of links in both files. Links without a CAS or marked as lost count as "
        f"0. {MAY_MOVE}",
    ),
    Term(
        "over_redirect",
        "Links via a redirect",
        "flag",
        "The link points to another URL, which redirects to the target page.",
    ),
    Term("linked_url", "Linked URL", "url", "The URL in the link itself; it redirects to the target page."),
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
    Term("outreach_reason", "Reason", "text", "Why the site is asked; each reason has an email of its own."),
    Term(
        "asks", "What to ask for", "text", "The problem with the link, and what to ask the site owner for.", width=360
    ),
    Term("to_do", "What to do", "text", "What to do, and why.", width=360),
    Term("advice", "What to do", "text", "What to do about the lost link, by what happened to it.", width=360),
    Term("how_lost", "How lost", "text", "How the link was lost, or which HTTP status its target page returns."),
    Term(
        "target_status",
        "Target status",
        "text",
        "HTTP status of the target page: in the crawl, in the export, or the error at the end of its redirects.",
    ),
    Term(
        "redirect_to", "Redirect to", "url", "The live page in the crawl that is most similar to the dead target page."
    ),
    Term("cited_before", "Citations before", "count", "Citations at the earlier of the last two dates."),
    Term("cited_change", "Change of citations", "count", "Citations at the last date less those before."),
    Term("cited_on", "Date of the file", "text", "The date in the name of the file of citations."),
    Term("linking_domains", "Linking domains", "count", "Domains that link to the page, in the backlinks."),
    Term("bot_visits", "Visits of bots", "count", "How often bots asked for the page, in the server's logs."),
    Term("answered", "Has a page", "flag", "A page of the crawl is near the query in meaning, by its title or H1."),
    Term("page_url", "Nearest page", "url", "The page of the crawl that is nearest to the query in meaning."),
    Term("bot", "Bot", "text", "The bot that the request names."),
    Term(
        "bot_verified",
        "Verified",
        "text",
        "yes: the address is in the ranges that the bot's owner publishes; no: it is not; “says it is”: no ranges loaded.",
    ),
    Term("page_path", "Path", "text", "The path that was asked for, without its query."),
    Term("answer_status", "Answer", "text", "HTTP status of the server's answer."),
    Term("visited_on", "Day", "text", "The day of the visits."),
    Term("visits", "Visits", "count", "How often it was asked for."),
    Term("cluster", "Cluster", "text", "A group of pages about the same subject, named after its typical phrases."),
    Term("source_cluster", "Source cluster", "text", "The cluster of the source page."),
    Term("target_cluster", "Target cluster", "text", "The cluster of the target page."),
    Term("size", "Pages", "count", "Number of pages."),
    Term("page_share", "Share of pages", "percent", "Share of all pages."),
    Term(
        "is_hub",
        "Hub",
        "flag",
        "The main page of the cluster: near its centre, with words of the cluster's name in its title, and with links "
        "in the content of most other pages of the cluster. If links are unknown, the most general page (short path, "
        "title words that many pages share). Where no title fits, there is no hub.",
    ),
    Term("hub_title", "Hub page", "text", "The main page of the cluster: link the other pages with it."),
    Term("hub_url", "Hub page URL", "url", "The address of the cluster's hub page."),
    Term(
        "missing_links",
        "Missing links",
        "count",
        "Links that do not exist yet in the content of the cluster's pages: to and from its hub, and to the most "
        "similar pages (up to 3 per page).",
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
        "How likely an editor would set the link, 0-100: how near the two pages are among all pages, from both sides, "
        "by shared words and by meaning; mentions of the target, folders in common, and whether there is an anchor. "
        "With “Similarity only”, it is the similarity.",
    ),
    Term(
        "near_top",
        "Striking distance",
        "flag",
        "The target's average position in search is 4 to 20, so a few more links may move it to the top.",
    ),
    Term("target_clicks", "Target clicks", "count", "Clicks from search to the target page."),
    Term("target_impressions", "Target impressions", "count", "Impressions of the target page in search."),
    Term("target_position", "Target average position", "rating", "The target page's average position in search."),
    Term("target_views", "Target views", "count", "Views of the target page."),
    Term("target_sessions", "Target sessions", "count", "Visits to the target page."),
    Term("target_traffic", "Target organic traffic", "count", "Monthly visits from search, as Ahrefs estimates them."),
    Term("rank", "Rank", "count", "Rank among the suggestions for the source page."),
    Term("sentence", "Sentence", "text", "The sentence on the source page that contains the suggested anchor."),
    Term(
        "anchor_match",
        "Anchor match",
        "text",
        "Exact: the anchor is the target's title or H1, a phrase found only in its title (most of the title, or a capitalised name), or an anchor that other pages use for it. It is not part of a longer phrase. Partial: a part of one of these names. Near in meaning: a phrase that both pages use, and that has nearly the meaning of the target; read the sentence before you link it.",
    ),
    Term("anchor_at", "Anchor at", "count", "Position of the anchor in the sentence: number of characters before it."),
    Term(
        "existing",
        "Existing link",
        "text",
        "Whether the source already links to the target (such links are not suggested). Unknown without an inlinks export.",
    ),
    Term(
        "near_duplicate",
        "Near duplicate",
        "flag",
        "The two pages are nearly identical: consider merging them instead of linking.",
    ),
    Term("reverse", "Reverse link", "text", "Whether the target already links back to the source."),
    Term("source_title", "Source title", "text", "The page to add the link to.", width=190),
    Term("target_title", "Target title", "text", "The page to link to.", width=190),
    Term("nearest", "Similarity to the nearest page", "similarity", "The highest similarity to any other page."),
    Term("nearest_title", "Nearest page", "text", "The most similar page of the site."),
    Term("nearest_url", "Nearest page URL", "url", "The URL of the most similar page of the site."),
    Term("ready_links", "Links ready to add", "count", "Number of suggested links to this page that have an anchor."),
    Term("ready_source", "Best page to link from", "url", "The source page of the best of these links."),
    Term("ready_anchor", "Its anchor", "text", "The anchor of the best of these links."),
    Term(
        "link_score",
        "Link score",
        "rating",
        "How much of the site's authority reaches the page through links, 0-100: the logarithm of its share "
        "(PageRank). The strongest page has 100, a page without inlinks has 0.",
        up_to=100,
    ),
    Term(
        "pagerank",
        "Share",
        "percent",
        "The page's share of the site's authority (PageRank, damping 0.85). All shares together are 1.",
    ),
    Term(
        "from_outside",
        "From outside",
        "similarity",
        "The page's share of the authority from backlinks: CAS of its live followed backlinks / CAS of all pages. "
        "Empty without backlinks.",
    ),
    Term("links_in", "Links in", "count", "Number of other pages of the site with a followed link to this page."),
    Term(
        "links_out",
        "Links out",
        "count",
        "Number of other pages of the site that this page links to with a followed link.",
    ),
    Term("share_after", "Share after", "percent", "The share with the tested links added."),
    Term("score_after", "Link score after", "rating", "The link score with the tested links added."),
    Term("share_change", "Change of share", "percent", "How much the share increases or decreases."),
    Term(
        "page_relevance",
        "Page relevance",
        "score",
        "How similar the two pages are, compared with the rest of the site: the share of its pages that are less "
        "similar, 0-100. Two random pages have about 50.",
        up_to=100,
    ),
    Term(
        "passes",
        "Would pass",
        "percent",
        "The authority that the link would pass: the source's share / (its links + 1) x the page relevance "
        "of the two pages / 100.",
    ),
    Term(
        "outreach_state",
        "Outreach state",
        "text",
        "State of the prospect: to contact, contacted, follow up, answered, won, lost again or declined. Later "
        "snapshots set “won” and “lost again”.",
        width=116,
        marks=labels.OUTREACH_STATES,
        pinned=True,
    ),
    Term("follow_up", "Follow-up date", "date", "When to contact the prospect again."),
    Term("is_due", "Due", "flag", "The follow-up date is today or in the past."),
    Term(
        "found",
        "Found or lost",
        "text",
        "The date of the snapshot in which a link from the site was found, or in which it was lost.",
    ),
    Term("contact", "Contact", "text", "The email address of the contact."),
    Term("chosen", "Added on", "date", "The date when the prospect was added."),
    Term("entry", "Line of the disavow file", "text", "The line that disavows the link."),
    Term("day", "Day", "date", "The date of the snapshot's file."),
    Term("file", "File", "text", "The file the snapshot was made from."),
    Term("share_relevant", "Relevant", "percent", "Share of the live links with a relevant referring page."),
    Term("mean_cas", "Mean CAS", "score", "The mean Contextual Authority Score of the live links."),
    Term(
        "risk_share",
        "With several risk signals",
        "percent",
        "Share of the live links with enough risk signals for the verdict Review (default: 2). Not all of them have "
        "it: links that are not followed, for instance, do not.",
    ),
    Term(
        "top_anchor",
        "Most frequent anchor",
        "percent",
        "The share of the referring domains with followed links that use the most used anchor, whatever its class.",
    ),
    Term(
        "dominant_anchor",
        "Most frequent exact match",
        "percent",
        "The share of the referring domains with followed links that use the most used exact-match anchor.",
    ),
    Term(
        "protect_lost",
        "Protect links lost",
        "count",
        "Links with the verdict Protect that were lost since the previous snapshot.",
    ),
    Term("position", "Position", "text", "Where the link is on its page, as the crawler reports it."),
    Term("depth", "Depth", "count", "Clicks from the homepage; empty if no link leads to the page."),
    Term("anchors", "Anchors", "count", "Number of different anchors of links to the page."),
    Term("top_anchors", "Most frequent anchors", "text", "The three most used anchors of links to the page."),
    Term("targets", "Targets", "count", "Number of pages that this anchor links to."),
    Term("example_targets", "Example targets", "text", "Three of the pages that this anchor links to."),
    Term("old_url", "Old URL", "url", "A URL of the old site that is not in the new crawl."),
    Term("new_url", "New URL", "url", "The best page of the new site to redirect to."),
    Term(
        "confidence",
        "Confidence",
        "text",
        "How certain the redirect is: sure (no check needed), likely (check quickly), choose (compare the "
        "alternatives), no good target.",
        marks=labels.CONFIDENCES,
    ),
    Term(
        "redirect_score",
        "Score",
        "score",
        "How similar the two pages are, 0 to 1: the mean cosine of the words of the URL, of title and H1, and of the "
        "content, as far as the old page has them; 0.1 less for a page that the old site had at the same URL.",
        up_to=1,
    ),
    Term("reason", "Reason", "text", "What the two pages have in common, with the cosines."),
    Term("alternative_1", "Alternative 1", "url", "The second-best page."),
    Term("alternative_2", "Alternative 2", "url", "The third-best page."),
    Term(
        "cas_at_risk",
        "CAS at risk",
        "score",
        "The sum of the Contextual Authority Scores of the live links to the old URL; empty without backlinks.",
    ),
    Term(
        "flags",
        "Flags",
        "text",
        "many to one: other old URLs have the same target. target not indexable. chain: the old URL had several "
        "redirects in a row. loop: its redirects never ended. same address: to a server another old URL is the same, "
        "as they differ in upper and lower case or percent-encoding alone; one rule serves both.",
    ),
)
"""Result columns that more than one page, chart or sheet shows. Input columns have theirs in schema.py."""

TERMS = {term.name: term for term in GLOSSARY}

STYLE_OF_KIND: dict[Kind, Style] = {
    "text": "text",
    "prose": "text",
    "vector": "text",
    "url": "url",
    "number": "number",
    "flag": "flag",
    "date": "date",
}


def describe(name: str) -> Term:
    """Return what is said of a column, by its name in code or by its label; unknown ones are their own label.

    >>> describe("cas").label, describe("CAS").name, describe("my_column").label
    ('CAS', 'cas', 'My column')
    """
    known = KNOWN.get(name) or _BY_LABEL.get(name)
    return known or Term(name, name[:1].upper() + name[1:].replace("_", " "), "text", "")


def _of_export(column: Column) -> Term:
    style = "count" if column.counted else STYLE_OF_KIND[column.kind]
    return Term(column.name, column.label, style, column.help, width=column.width)


_OF_EXPORTS = {column.name: _of_export(column) for table in reversed(TABLES.values()) for column in table.columns}
KNOWN: dict[str, Term] = _OF_EXPORTS | TERMS
"""Every column that has a word of its own: of results, and of exports."""
_BY_LABEL: dict[str, Term] = {term.label: term for term in KNOWN.values()}
