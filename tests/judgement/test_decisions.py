"""When decisions are used, how sure what comes of them is, and which links to read next."""

import numpy as np
import pytest

from backlink_audit.judgement.personal_model import NEVER, USUAL, learn, most_telling, sure_from

CHANCE = np.random.default_rng(0)


def decided(rows, follows="relevance"):
    table = CHANCE.uniform(1, 99, (rows, 3))
    kept = table[:, 0] > 50 if follows == "relevance" else table[:, 1] > 50
    return table, kept, np.arange(rows).astype(str)


def taught(rows, follows="relevance"):
    table, kept, domains = decided(rows, follows)
    return learn(table, kept, domains, 0.1, USUAL[0.1])


def test_on_fewer_than_thirty_decisions_nothing_is_fitted_and_it_is_said():
    learned = taught(29)
    assert learned.layer.numbers == (0, 0, 0, 0)
    assert learned.why_not == "30 decisions are needed; there are 29."


def test_decisions_of_one_kind_alone_teach_nothing():
    table, _, domains = decided(40)
    assert "to keep" in learn(table, np.ones(40, dtype=bool), domains, 0.1, USUAL[0.1]).why_not


def test_decisions_that_follow_something_else_than_the_general_judgement_are_used():
    learned = taught(80)
    assert learned.is_used and learned.own > 0.85 > learned.general


def test_decisions_that_agree_with_the_general_judgement_change_nothing():
    learned = taught(80, follows="worth")
    assert not learned.is_used and learned.layer.numbers == (0, 0, 0, 0)


def test_decisions_about_one_domain_are_never_on_both_sides_of_the_test():
    table = np.repeat(CHANCE.uniform(1, 99, (4, 3)), 10, axis=0)
    kept = np.repeat([True, False, True, False], 10)
    learned = learn(table, kept, np.repeat(["a", "b", "c", "d"], 10), 0.1, USUAL[0.1])
    assert learned.own < 1.0


@pytest.mark.parametrize("errors", [0.05, 0.1, 0.2])
def test_the_promised_share_of_errors_is_kept_on_links_to_come(errors):
    keep = CHANCE.uniform(0, 1, 20_000)
    kept = CHANCE.uniform(0, 1, 20_000) < keep
    limit = sure_from(keep[:2_000], kept[:2_000], errors)
    later, told = keep[2_000:], kept[2_000:]
    sure = np.maximum(later, 1 - later) >= limit
    assert ((later >= 0.5) != told)[sure].mean() <= errors + 0.02
    assert sure.mean() > 0.05


def test_where_no_limit_keeps_the_promise_nothing_is_sure():
    assert sure_from(np.full(10, 0.9), np.zeros(10, dtype=bool), 0.1) == NEVER
    assert sure_from(np.array([]), np.array([], dtype=bool), 0.1) == NEVER


def test_the_links_to_read_are_unsure_unlike_each_other_and_one_of_a_domain():
    table, _, domains = decided(60)
    keep = table[:, 1] / 100
    domains[:30] = "same.example"
    chosen = most_telling(table, keep, domains)
    assert len(chosen) == 20 == len(set(domains[chosen]))
    assert np.abs(keep[chosen] - 0.5).mean() < np.abs(keep - 0.5).mean()
    assert len(most_telling(table[:0], keep[:0], domains[:0])) == 0
