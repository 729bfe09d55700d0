import numpy as np
import pandas as pd
import pytest

from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.load import load
from backlink_audit.profile import charts
from backlink_audit.profile.result import FOLLOWED_DOMAINS
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.settings import CHOSEN_LINKS, BacklinkFilters, LinkChoice
from backlink_audit.sources import Sources
from backlink_audit.wording import percent
from tests.audit.exports import semrush_domains
from tests.exported import SEMRUSH, ahrefs_row, exported
from tests.profile.made import LINKS


def test_figures_count_the_chosen_links():
    profile = profile_backlinks(LINKS, LinkChoice("live in content"))
    assert profile.backlinks == 3
    assert profile.referring_domains["referring_domain"].tolist() == ["a.com", "b.com"]
    assert profile.median_authority == 41
    assert profile.follow_share == pytest.approx(2 / 3)
    assert profile.headline == (
        "3 backlinks from 2 referring domains with a median DR of 41; 67% of the links are followed; "
        "1 exact-match anchor dominates."
    )


def test_the_share_in_content_is_that_of_the_chosen_links_like_every_other_figure():
    shares = {choice: profile_backlinks(LINKS, LinkChoice(choice)).content_share for choice in CHOSEN_LINKS}
    live = profile_backlinks(LINKS).links
    assert shares["everything"] == pytest.approx(5 / 6)
    assert shares["live"] == pytest.approx((live["placement"] == "in content").mean()) != shares["everything"]
    assert shares["live in content"] == 1


def test_the_most_frequent_anchor_and_the_most_frequent_exact_match_are_two_figures():
    profile = profile_backlinks(LINKS)
    anchors = profile.anchors.sort_values("domain_share", ascending=False, kind="stable")
    words, share = profile.most_frequent_anchor
    assert share is not None
    assert (words, share) == tuple(anchors[anchors["anchor"] != ""].iloc[0][["anchor", "domain_share"]])
    exact = anchors[anchors["anchor_class"] == "exact match"]
    assert profile.most_frequent_exact_match == tuple(exact.iloc[0][["anchor", "domain_share"]])
    shown = {label: (value, why) for label, value, why in profile.figures}
    assert shown["Most frequent anchor"] == (percent(share), f"“{words}”: {FOLLOWED_DOMAINS}")
    assert "Most frequent exact match" in shown


def test_attributes_and_months_count_every_link():
    profile = profile_backlinks(LINKS)
    placement = profile.attributes["placement"].set_index("value")["links"].to_dict()
    assert placement == {"in the content": 5, "outside the content": 1}
    assert profile.attributes["http_status"].set_index("value")["links"].to_dict() == {"200": 5, "404": 1}
    assert profile.months["new_domains"].tolist() == [5, 0, 0, 0, 0]
    assert profile.months["lost_domains"].tolist() == [0, 0, 1, 0, 0]


def test_the_net_velocity_is_over_all_days_the_export_knows():
    assert profile_backlinks(LINKS).net_per_day == pytest.approx((5 - 1) / (26 + 29 + 31 + 30 + 31 + 1))


def test_semrush_figures_are_of_the_ascore():
    rows = [{"Source url": f"https://s{n}.com/", "Page ascore": str(score)} for n, score in enumerate((60, 30, 5))]
    profile = profile_backlinks(exported(*rows, base=SEMRUSH))
    assert profile.authority_word == "Page ascore"
    assert profile.median_authority == 30
    assert profile.authority_bands.set_index("value")["domains"].to_dict()["1–19 (check)"] == 1


def test_counts_equal_those_of_pandas_on_a_larger_export():
    rng = np.random.default_rng(1)
    rows = [
        ahrefs_row(
            f"https://d{rng.integers(40)}.com/{n}",
            anchor=str(rng.choice(["oak", "Oak", "elm desk", ""])),
            nofollow=str(rng.choice(["true", "false"])),
            target_url=f"https://our-site.com/{rng.integers(5)}",
            language=str(rng.choice(["en", "de", ""])),
            domain_rating=str(rng.integers(90)),
        )
        for n in range(300)
    ]
    export = exported(*rows)
    profile = profile_backlinks(export)
    table = clean_backlinks(export, BacklinkFilters()).table
    domains = profile.referring_domains.set_index("referring_domain")
    assert domains["links"].to_dict() == table["referring_domain"].value_counts().to_dict()
    assert domains["authority"].to_dict() == table.groupby("referring_domain")["domain_rating"].max().to_dict()
    pages = profile.target_pages.set_index("target_url")["domains"].to_dict()
    assert pages == table.groupby("target_url")["referring_domain"].nunique().to_dict()
    languages = profile.attributes["language"].set_index("value")["links"].to_dict()
    assert languages == table.loc[table["language"] != "", "language"].value_counts().to_dict()
    anchors = profile.anchors.set_index("anchor")["domains"]
    assert anchors.max() == table.groupby(table["anchor"].str.lower())["referring_domain"].nunique().max()


def test_an_export_that_knows_sitewide_links_alone_has_no_share_in_content():
    row = {"Source url": "https://a.com/1", "Sitewide": "true"}
    profile = profile_backlinks(exported(row, base=SEMRUSH))
    assert profile.content_share is None
    shown = [(value, why) for label, value, why in profile.figures if label == "In content"]
    assert shown == [(None, "The export does not show which links are in the main content.")]


def shares(table):
    return table.set_index("value")["links"].to_dict()


def test_sitewide_links_of_semrush_stand_outside_the_content_and_of_the_others_nothing_is_known():
    rows = [{"Source url": f"https://a.com/{n}", "Sitewide": flag} for n, flag in enumerate(("true", "false"))]
    profile = profile_backlinks(exported(*rows, base=SEMRUSH))
    assert shares(profile.attributes["placement"]) == {"outside the content": 1}


def test_endings_countries_and_toxic_scores_are_counted():
    pages = ("https://a.de/1", "https://b.de/1", "https://c.co.uk/1", "https://d.io/1", "https://e.com/1")
    rows = [
        {"Source url": page, "Toxic Score": str(score), "Target url": "https://our-site.com/"}
        for page, score in zip(pages, (80, 50, 3, 0, 60), strict=True)
    ]
    profile = profile_backlinks(exported(*rows, base={"Source url": "", "Target url": "", "Toxic Score": ""}))
    assert shares(profile.attributes["ending"]) == {".de": 2, ".uk": 1, ".io": 1, ".com": 1}
    assert shares(profile.attributes["country"]) == {"DE": 2, "GB": 1}
    assert shares(profile.attributes["toxic"]) == {
        "toxic (60 or more)": 2,
        "below 45": 2,
        "potentially toxic (45 to 59)": 1,
    }
    assert "toxic" in profile_backlinks(LINKS).missing


def test_a_sample_is_the_same_for_the_same_number_and_another_for_another():
    rows = [ahrefs_row(f"https://s{n}.com/") for n in range(60)]
    profile = profile_backlinks(exported(*rows))
    assert len(profile.sample(1)) == 20
    assert profile.sample(1).index.tolist() == profile.sample(1).index.tolist() != profile.sample(2).index.tolist()
    assert len(profile_backlinks(LINKS).sample(1)) == 4


def test_clicks_stand_beside_the_months_of_new_and_lost_domains():
    chart = "Date,Clicks,Impressions\n2024-02-01,5,50\n2024-02-29,6,60\n2024-05-01,1,10\n"
    pages = "Top pages,Clicks,Impressions,CTR,Position\nhttps://our-site.com/,12,400,3%,8.4\n"
    earned = load([("Chart.csv", chart.encode()), ("Pages.csv", pages.encode())], "performance")
    months = profile_backlinks(LINKS, sources=Sources(performance=earned)).months.set_index("month")
    alone = profile_backlinks(LINKS).months.set_index("month")
    assert months["clicks"].dropna().to_dict() == {pd.Timestamp("2024-02-01"): 11, pd.Timestamp("2024-05-01"): 1}
    assert months["new_domains"].reindex(alone.index).tolist() == alone["new_domains"].tolist()
    profile = profile_backlinks(LINKS, sources=Sources(performance=earned))
    assert profile.earned is not None
    days = profile.earned.days_in_words
    assert days == "The clicks are from 2024-02-01 to 2024-05-01."
    drawn = charts.months(months.reset_index(), "", days)
    assert drawn.layout.title.subtitle.text.endswith(days)
    assert days not in charts.months(months.reset_index().drop(columns="clicks"), "", days).layout.title.subtitle.text
    assert drawn.data[-1].name == "Clicks from search" and drawn.data[-1].yaxis == "y2"
    no_dates = months.reset_index()[["month", "clicks"]].dropna()
    assert charts.months(no_dates).layout.title.text == "12 clicks from search"


def test_countries_of_a_list_of_domains_go_before_endings():
    links = exported(ahrefs_row("https://a.com/1"), ahrefs_row("https://b.de/1"), ahrefs_row("https://c.fr/1"))
    listed = semrush_domains(
        "domains.csv", {"Domain": "www.a.com", "Country": "us"}, {"Domain": "b.de", "Country": "AT"}
    )
    profile = profile_backlinks(links, sources=Sources(domains=listed))
    domains = profile.referring_domains.set_index("referring_domain")[["country", "country_from"]]
    assert domains.T.to_dict("list") == {
        "a.com": ["US", "export"],
        "b.de": ["AT", "export"],
        "c.fr": ["FR", "domain ending"],
    }
    assert set(profile.attributes["country"]["value"]) == {"US", "AT", "FR"}
    assert "country" in profile_backlinks(exported(ahrefs_row("https://a.com/1"))).missing


def test_a_chart_without_a_number_of_clicks_adds_no_months():
    pages = "Top pages,Clicks,Impressions,CTR,Position\nhttps://our-site.com/,12,400,3%,8.4\n"
    chart = "Date,Clicks,Impressions\n2025-01-01,n/a,3\n"
    earned = load([("Chart.csv", chart.encode()), ("Pages.csv", pages.encode())], "performance")
    dates = ("First seen", "Last seen", "Lost", "Lost status", "Drop reason")
    undated = exported(ahrefs_row("https://a.com/"), without=dates)
    assert profile_backlinks(undated, sources=Sources(performance=earned)).months.empty
    assert "clicks" not in profile_backlinks(LINKS, sources=Sources(performance=earned)).months
