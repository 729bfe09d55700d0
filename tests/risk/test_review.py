"""Decisions: nothing by default, kept by domain and URL, saved and loaded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backlink_audit.errors import FileProblem, InvalidSetting, MissingColumns, UnreadableFile
from backlink_audit.report.files import write_csv
from backlink_audit.risk.review import WORDS, Review, read_review
from tests.backlinks import clean_links

LINKS = clean_links(referring_url=["https://a.com/1", "https://a.com/2", "https://b.com/"])


def saved(review: Review) -> bytes:
    return write_csv(review.to_table())


def test_everything_starts_undecided_and_nothing_is_disavowed():
    review = Review()
    assert set(review.states_of_links(LINKS)) == {"undecided"}
    assert review.disavowed_domains == review.disavowed_urls == []


def test_a_domains_state_holds_for_all_its_links():
    review = Review().decide("domain", ["a.com"], "disavow")
    assert review.states_of_links(LINKS).tolist() == ["disavow", "disavow", "undecided"]
    assert review.states_of_domains(LINKS["referring_domain"]).tolist() == ["disavow", "disavow", "undecided"]


def test_a_urls_own_state_goes_before_its_domains():
    review = Review().decide("domain", ["a.com"], "keep").decide("URL", ["http://www.a.com/2/"], "disavow")
    assert review.states_of_links(LINKS).tolist() == ["keep", "disavow", "undecided"]
    assert review.disavowed_urls == ["http://www.a.com/2/"]
    assert review.kept_domains == ["a.com"]


def test_many_are_decided_at_once_and_undecided_forgets():
    review = Review().decide("domain", ["a.com", "b.com"], "disavow").decide("domain", ["a.com"], "undecided")
    assert review.disavowed_domains == ["b.com"]
    assert len(review.decisions) == 1


def test_a_review_is_never_changed_in_place():
    before = Review()
    before.decide("domain", ["a.com"], "disavow")
    assert before == Review()


def test_an_unknown_state_is_refused():
    with pytest.raises(InvalidSetting, match="'burn' is not a state"):
        Review().decide("domain", ["a.com"], "burn")


def test_a_saved_review_is_loaded_again_with_its_notes():
    review = (
        Review()
        .decide("domain", ["a.com"], "remove (asked)", "mail of 3 May, “no answer”")
        .decide("URL", ["https://b.com/x,y"], "keep")
    )
    assert read_review(saved(review), "review.csv") == review


def test_a_review_that_a_spreadsheet_saved_is_loaded():
    data = "Scope;Item;State;Note\r\nDomain;A.com;Disavow;\r\n".encode("utf-8-sig")
    assert read_review(data, "review.csv").disavowed_domains == ["A.com"]
    assert read_review(data.decode("utf-8-sig").encode("utf-16"), "r.csv").states_of_links(LINKS)[0] == "disavow"


def test_a_review_that_excel_saved_in_windows_1252_is_loaded():
    review = Review().decide("domain", ["bücher.example"], "keep", "Geprüft – für später")
    data = saved(review).decode().replace(",", ";").replace("\n", "\r\n").encode("cp1252")
    assert read_review(data, "review.csv") == review


def test_a_loaded_review_joins_the_present_one_and_has_the_last_word():
    now = Review().decide("domain", ["a.com"], "keep").decide("domain", ["c.com"], "disavow")
    both = now.joined(Review().decide("domain", ["a.com"], "disavow"))
    assert sorted(both.disavowed_domains) == ["a.com", "c.com"]


@pytest.mark.parametrize(
    ("data", "error", "sentence"),
    [
        (b"\xff\xd8\x00picture", UnreadableFile, "this is not a text file; use a review"),
        (b"", UnreadableFile, "this is not a CSV file"),
        (b"Domain,Verdict\na.com,x\n", MissingColumns, "it has no column Scope and no column Item"),
        (b"Scope,Item,State\ndomain,a.com,burn\n", FileProblem, "line 2: “burn” is not a state"),
        (
            b"Scope,Item,State\ndomain,a.com,keep\npage,b.com,keep\n",
            FileProblem,
            "line 3: “page” is not a domain or URL",
        ),
        (b"Scope,Item,State\ndomain, ,keep\n", FileProblem, "line 2: the domain or URL is missing"),
    ],
)
def test_a_file_that_is_no_review_is_refused_with_a_sentence(data, error, sentence):
    with pytest.raises(error, match="my.csv: ") as caught:
        read_review(data, "my.csv")
    assert sentence in str(caught.value)


def test_a_note_that_looks_like_a_formula_survives_saving():
    review = Review().decide("domain", ["a.com"], "keep", "=1+1")
    assert b"'=1+1" in saved(review)
    assert read_review(saved(review), "review.csv") == review


domains = st.from_regex(r"[a-z0-9]{1,9}\.com", fullmatch=True)
states = st.sampled_from([word for word in WORDS if word != "undecided"])
notes = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="'"))


@given(st.dictionaries(domains, st.tuples(states, notes)))
def test_any_review_survives_saving(decisions):
    review = Review()
    for domain, (state, note) in decisions.items():
        review = review.decide("domain", [domain], state, note)
    assert read_review(saved(review), "review.csv") == review
