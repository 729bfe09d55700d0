"""The layer on made scores: relevance, worth and suspicion of links, and what a user decided about them."""

import numpy as np
import pytest

from backlink_audit.judgement.personal_model import Layer, fit_layer


def scores(worth, relevance=50.0, suspicion=50.0):
    worth = np.asarray(worth, dtype=float)
    return np.column_stack([np.full(len(worth), relevance), worth, np.full(len(worth), suspicion)])


def test_without_decisions_it_says_what_the_general_judgement_says():
    assert Layer().keep(scores([20, 50, 90])) == pytest.approx([0.2, 0.5, 0.9])


def test_of_a_user_who_drops_what_the_general_judgement_keeps_it_learns_to_drop_it():
    layer = fit_layer(scores([70] * 40), np.zeros(40, dtype=bool))
    assert layer.keep(scores([70]))[0] < 0.3


def test_few_decisions_move_it_less_than_many():
    few, many = (fit_layer(scores([70] * n), np.zeros(n, dtype=bool)).keep(scores([70]))[0] for n in (3, 60))
    assert many < few < 0.7


def test_a_user_who_goes_by_relevance_alone_is_followed():
    table = np.column_stack([np.tile([10.0, 90.0], 30), np.full(60, 50.0), np.full(60, 50.0)])
    layer = fit_layer(table, table[:, 0] > 50)
    assert (layer.keep(table) > 0.5).tolist() == (table[:, 0] > 50).tolist()


def test_decisions_that_contradict_each_other_leave_it_unsure():
    layer = fit_layer(scores([90] * 60), np.tile([True, False], 30))
    assert layer.keep(scores([90]))[0] == pytest.approx(0.5, abs=0.1)


def test_blank_scores_count_as_even():
    assert Layer().keep(np.array([[np.nan, np.nan, np.nan]]))[0] == pytest.approx(0.5)
