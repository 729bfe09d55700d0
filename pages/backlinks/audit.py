"""Which backlinks come from pages about the same subject as the page they point to?"""

import streamlit as st

from backlink_audit.pipelines.audit.result import LowestBy, TopBy
from backlink_audit.pipelines.audit.tables import tables
from backlink_audit.report.charts import audit as charts
from backlink_audit.report.charts import distributions
from backlink_audit.ui import audit, choices, columns, inputs, languages, menu, report, show
from backlink_audit.wording import percent

TOP_BY: tuple[TopBy, ...] = ("cas", "similarity")
LOWEST_BY: tuple[LowestBy, ...] = ("similarity", "cas", "url_rating")

REDIRECTED = (
    *("linked_url", "to_do", "links", "domains", "cas", "target_url", "redirects", "redirect_chain"),
    *("followed_domains", "redirect_status", "example_url"),
)

st.title(menu.AUDIT.title)
backlinks = inputs.file("backlinks")
pages = inputs.optional_file("pages")
with st.expander("Settings"):
    settings = inputs.audit_settings()
languages.offer_multilingual(settings.model, [backlinks], "audit:model")
whole = audit.run(backlinks, settings, pages)
if whole is None:
    st.stop()

result = audit.chosen(whole, choices.shown_links())
links, words = result.links, result.authority_labels
if links.empty:
    show.nothing_chosen(result.state_counts)
    st.stop()

authorities = columns.filled(links, ("url_rating", "domain_rating"))
show.headline(result.headline)
show.note(result.choice_sentence)
show.note(result.subject_note)
show.removed(result.cleaned.removed, len(result.cleaned.export.raw))
show.figures(
    [
        ("Backlinks", result.backlinks, "The links chosen above."),
        ("Referring domains", result.domains, "Registrable domains with at least one link to you."),
        ("Relevant", percent(result.share_relevant), f"Links rated “relevant”: {result.relevant_words}."),
        (
            "Mean similarity",
            result.mean_similarity,
            "How similar the referring page and the target page are: cosine of their embeddings, -1 to 1. The mean of "
            "the links chosen above that have one.",
        ),
        (
            "Median similarity",
            result.median_similarity,
            "Half of the links chosen above have a higher similarity.",
        ),
        (
            "Mean CAS",
            result.mean_cas,
            f"CAS (Contextual Authority Score) = {result.authority_label} / external links x similarity. The mean of "
            "the links chosen above that have one.",
        ),
    ]
)
show.counts("Without a CAS", result.blank_cas)

tabs = ["Overview", "Top performers", "Flow", "Explore", "Lowest performers", "Outreach", "Redirects", "Table"]
overview, top, flow, explore, lowest, outreach, redirects, table, download = st.tabs(
    [*tabs, "Download"], on_change="rerun", key="audit:tabs"
)
if overview.open:
    with overview, st.grid(2, min_column_width=330, gap="medium"):
        show.chart_of(links, charts.verdicts, "verdicts")
        show.chart_of(links, distributions.relevance_histogram, "relevance")
        show.chart_of(links, distributions.similarity_histogram, "similarity")
        show.chart_of(links, distributions.cas_histogram, "cas")
        show.chart_of(links, charts.topics, "topics")
if top.open:
    with top:
        by, number = choices.ranking("top", TOP_BY, words)
        best = result.top(by, number)
        show.chart(charts.ranking(best, by, len(links)), "top-chart")
        audit.table(best, "top", result, stem="top-performers")
if flow.open:
    with flow:
        show.chart(charts.flow(links, *choices.flow("flow")), "flow-chart")
if explore.open:
    with explore:
        authority = choices.one_of("Authority", authorities, "explore:by", words) if authorities else "url_rating"
        left = audit.filtered(audit.strongest_first(links), "explore")
        selection = show.chart(charts.scatter(left, authority, words[authority]), "scatter", select=True)
        chosen = selection.rows(left, "similarity", authority)
        audit.table(chosen, "chosen", result, stem="chosen")
if lowest.open:
    with lowest:
        least, number = choices.ranking("lowest", LOWEST_BY, words)
        worst = result.lowest(least, number)
        show.chart(charts.ranking(worst, least, len(links), best=False, label=words.get(least, "")), "lowest-chart")
        audit.table(worst, "lowest", result, stem="lowest")
if outreach.open:
    with outreach:
        show.note(
            "Sites worth an email: a lost link, a link to a dead page, a nofollow link in a text, or only one link "
            "from a strong site. Lost links come first, then the most relevant and strongest. All links of the file "
            "are used."
        )
        show.table(whole.outreach, "outreach", noun="site", stem="outreach", labels={"authority": result.site_word})
if redirects.open:
    with redirects:
        show.note(result.redirects_sentence)
        show.table(result.redirected, "redirected", columns=REDIRECTED, noun="old URL", stem="redirected-links")
if table.open:
    with table:
        if choices.links_or_domains("table") == "links":
            audit.table(audit.strongest_first(links), "links", result, stem="links", with_filters=True)
        else:
            show.table(result.referring_domains, "domains", filters=("verdict",), noun="domain", stem="domains")
if download.open:
    with download:
        st.caption(
            "Every scored link. The workbook also contains excluded rows, if there are any. Files are created when "
            "you click."
        )
        show.downloads(tables(result), "backlink-audit")
        report.offer(result)
