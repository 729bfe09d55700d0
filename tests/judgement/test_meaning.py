"""What a page's words mean beside its target: the two sides of a site, votes, and chance."""

import numpy as np
import pytest

from backlink_audit.judgement import meaning
from backlink_audit.judgement.fields import Topics
from backlink_audit.judgement.meaning import Chance, Site, agreement, different_subjects, meanings, unit

WIDE = np.eye(8, dtype=np.float32)
HOME, MUSIC, CARS, SELLING, UNCLEAR = WIDE[:5]
TOPICS = Topics(
    ("oak chairs", "jazz", "engines", "buy links", "member profiles"),
    np.array(["Home", "Music", "Cars", meaning.LINKS_FOR_SALE, "unclear"], dtype=object),
    np.array([False, False, False, True, False]),
)
# Not quite at right angles, so that the cosines of topics have a spread.
VECTORS = unit(WIDE[:5] + 0.2 * WIDE[[1, 2, 3, 4, 5]] + 0.1 * WIDE[[6, 6, 7, 7, 7]])
PHRASES = {"domain_lists": WIDE[[4]], "link_sellers": WIDE[[3]]}
CHANCE = Chance(VECTORS, TOPICS, PHRASES)


class Rows:
    """Vectors of texts, as they are."""

    def __init__(self, *vectors: np.ndarray) -> None:
        """Keep them."""
        self.vectors = np.array(vectors, dtype=np.float32)

    def __len__(self) -> int:
        return len(self.vectors)

    def unit_vectors_at(self, rows: np.ndarray) -> np.ndarray:
        return self.vectors[rows]


def site(pages=(), voters=(), weights=None, name=None) -> Site:
    def rows(vectors) -> np.ndarray:
        return np.array(list(vectors), dtype=np.float32).reshape(-1, 8)

    weights = np.ones(len(voters)) if weights is None else np.array(weights)
    called = np.zeros(8, np.float32) if name is None else name
    return Site(rows(pages), called, rows(voters), weights.astype(np.float32), meaning.risky_fields(CHANCE))


def found(of: Site, *own: np.ndarray, voter_of=None, targets=()) -> dict[str, np.ndarray]:
    none = np.zeros(len(own), dtype=np.int64)
    places = none - 1 if voter_of is None else np.array(voter_of)
    return meanings(Rows(*own), [Rows(*side) for side in targets], none, places, [of], CHANCE, none)


def test_all_features_of_meaning_come_back_and_what_the_page_is_about():
    columns = found(site([HOME], [HOME]), HOME)
    assert set(columns) == set(meaning.COLUMNS)
    assert (columns["topic_field"].tolist(), columns["topic"].tolist()) == (["Home"], ["oak chairs"])


def test_a_page_is_nearer_to_what_the_site_is_about_than_to_chance():
    columns = found(site([HOME], [HOME, HOME], name=HOME), HOME, CARS)
    for name in ("to_linking_pages", "to_site_name", "to_subject"):
        near, far = columns[name]
        assert near > 0.9 and far < 0.5, name


def test_the_domain_of_the_link_has_no_vote_on_itself():
    columns = found(site([], [CARS, HOME]), CARS, CARS, voter_of=[0, -1])
    judged, other = columns["to_linking_pages"]
    assert judged < 0.5 < other


def test_the_only_link_of_a_site_has_nothing_to_be_compared_with():
    columns = found(site([], [HOME]), HOME, voter_of=[0])
    for name in ("to_linking_pages", "to_subject"):
        assert np.isnan(columns[name]).all(), name


def test_a_site_without_voters_is_known_from_its_pages():
    columns = found(site([HOME]), HOME)
    assert np.isnan(columns["to_linking_pages"][0])
    assert columns["to_subject"][0] == pytest.approx(1)


def test_a_site_whose_homepage_alone_is_linked_is_known_from_its_name_and_its_links():
    columns = found(site([], [MUSIC, MUSIC], name=HOME), HOME, MUSIC)
    assert columns["to_subject"][1] > columns["to_subject"][0]


def test_a_page_without_text_has_no_meaning():
    columns = found(site([HOME], [HOME, HOME]), 0 * HOME, HOME)
    numbers = [values for name, values in columns.items() if not name.startswith("topic")]
    assert all(np.isnan(values[0]) for values in numbers)
    assert columns["topic_field"].tolist() == ["", "Home"]


def test_the_best_text_of_the_target_page_counts():
    columns = found(site([HOME]), HOME, HOME, HOME, targets=[[CARS, CARS, 0 * CARS], [HOME, 0 * HOME, 0 * HOME]])
    assert columns["to_target"][0] > 1.5 > 0.5 > columns["to_target"][1]
    assert np.isnan(columns["to_target"][2])


def test_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch):
    random = unit(np.random.default_rng(4).standard_normal((25, 8)))
    of = site(random[:4], random[4:12])
    whole = found(of, *random, targets=[random[::-1]])
    monkeypatch.setattr(meaning, "ROWS_AT_ONCE", 4)
    parts = found(of, *random, targets=[random[::-1]])
    for name, values in whole.items():
        if values.dtype == object:
            assert values.tolist() == parts[name].tolist()
        else:
            np.testing.assert_allclose(values, parts[name], atol=1e-4)


def test_each_link_is_compared_with_its_own_site():
    none = np.zeros(2, dtype=np.int64)
    sites = [site([HOME]), site([CARS])]
    columns = meanings(Rows(CARS, CARS), [], np.array([1, 0]), none - 1, sites, CHANCE, none)
    assert columns["to_subject"][0] > 0.9 > 0.5 > columns["to_subject"][1]


def test_pages_with_many_links_without_words_or_a_subject_have_no_vote():
    vectors = np.stack([HOME, HOME, HOME, 0 * HOME, SELLING, UNCLEAR])
    weights = meaning.vote_weights(vectors, np.array([399, 400, np.nan, 1, 1, 1]), CHANCE)
    assert weights[0] == weights[2] > 0.9
    assert weights[1] == weights[3] == 0
    assert (weights[4:] < 0.1).all()


ENOUGH = meaning.PAGES_TO_DIFFER


def test_a_site_whose_sides_are_about_different_things_says_so():
    words = different_subjects(site([HOME] * ENOUGH, [WIDE[6] - WIDE[0]] * ENOUGH), CHANCE)
    assert words.startswith("own pages “oak chairs”, linking pages “")


@pytest.mark.parametrize(
    ("pages", "votes"), [(ENOUGH - 1, ENOUGH), (ENOUGH, meaning.ENOUGH_EVIDENCE - 1), (0, ENOUGH), (ENOUGH, 0)]
)
def test_few_pages_or_votes_say_nothing_of_different_subjects(pages, votes):
    assert different_subjects(site([HOME] * pages, [WIDE[6] - WIDE[0]] * votes), CHANCE) == ""


def test_sides_agree_from_what_two_topics_do_by_chance(monkeypatch: pytest.MonkeyPatch):
    same, other = site([HOME] * ENOUGH, [HOME] * ENOUGH), site([HOME] * ENOUGH, [WIDE[7] - WIDE[0]] * ENOUGH)
    assert agreement(same, CHANCE) > 1 and agreement(other, CHANCE) < 0
    assert different_subjects(same, CHANCE) == ""
    assert np.isnan(agreement(site([HOME]), CHANCE)) and np.isnan(agreement(site([], [HOME]), CHANCE))
    monkeypatch.setattr(meaning, "LEAST_AGREEMENT", 100.0)
    assert different_subjects(same, CHANCE) != ""


def test_a_side_of_the_subject_can_be_chosen():
    both = site([HOME], [CARS, CARS], name=MUSIC)
    of_pages, of_links = both.seen_from("pages"), both.seen_from("links")
    assert of_pages.linking.tolist() == HOME.tolist() and len(of_pages.voters) == 2
    assert of_links.own.tolist() == of_links.name.tolist() == CARS.tolist()
    assert both.seen_from("both") is both


def test_a_page_between_two_fields_has_that_of_the_other_linking_pages():
    between = unit(HOME + 1.18 * MUSIC)
    assert found(site([], [CARS] * 20), between)["topic_field"].tolist() == ["Home"]
    musical = site([], [MUSIC] * 20)
    assert found(musical, between)["topic_field"].tolist() == ["Music"]
    assert found(musical, HOME)["topic_field"].tolist() == ["Home"]  # what the page says itself counts more


def test_the_only_vote_of_a_domain_says_nothing_of_its_own_field():
    musical = site([], [MUSIC])
    expected = meaning.expected_fields(musical, meaning.voted_fields(musical, CHANCE), np.array([0, -1]))
    assert np.ptp(expected[0]) == pytest.approx(0, abs=1e-6) and np.ptp(expected[1]) > 0


def test_a_page_of_spam_is_risky_but_not_where_spam_is_the_site_s_own_trade():
    rated = np.full(5, 20.0)
    selling, others = np.stack([SELLING] * 5), np.stack([HOME] * 5)
    honest = meaning.risky_beside(np.stack([SELLING]), selling, rated, CHANCE)
    attacked = [
        meaning.risky_beside(np.stack([HOME]), selling, rated, CHANCE),
        meaning.risky_beside(np.stack([SELLING]), selling, np.zeros(5), CHANCE),
        meaning.risky_beside(np.stack([SELLING]), others, rated, CHANCE),
        meaning.risky_beside(np.zeros((0, 8)), selling, rated, CHANCE),
    ]
    assert honest.sum() == 0 and [risky.sum() for risky in attacked] == [1] * 4
    shares = meaning.risky_shares(Rows(SELLING, HOME, 0 * HOME), np.zeros(3, int), [site()], CHANCE).sum(axis=1)
    assert shares[0] > 0.8 > 0.2 > shares[1] and np.isnan(shares[2])


@pytest.mark.parametrize(
    ("targets", "pages"), [([], 0), ([7], 1), ([7] * 40, 1), (list(range(40)), 10), ([1, 1, 2, 2], 2)]
)
def test_variety_is_how_many_pages_a_sample_of_links_goes_to(targets, pages):
    assert meaning.variety(np.array(targets)) == pytest.approx(pages)


def test_half_of_the_links_has_the_variety_of_all():
    targets = np.repeat(np.arange(20), 20)
    assert meaning.variety(targets[::2]) == pytest.approx(meaning.variety(targets), abs=0.2)
