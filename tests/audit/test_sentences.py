"""What is said about the whole: subjects that differ, and redirects."""

import pandas as pd

from backlink_audit.audit.story import redirects_sentence, subject_note


def test_sites_with_another_subject_than_their_links_are_named_the_most_linked_first():
    sites = pd.Series(["a.example", *["b.example"] * 2, "c.example"])
    subjects = pd.Series(["pets, not cars", *["games, not books"] * 2, ""])
    note = subject_note(sites, subjects)
    assert "(b.example: games, not books; a.example: pets, not cars)" in note
    assert "c.example" not in note
    assert subject_note(sites, pd.Series([""] * 4)) == ""


def test_of_many_sites_the_rest_is_counted():
    sites = pd.Series([f"{number}.example" for number in range(9)])
    assert "more sites)" in subject_note(sites, pd.Series(["pets, not cars"] * 9))


def test_redirects_are_counted_and_where_there_are_none_it_is_said_which_files_have_them():
    assert redirects_sentence(2, 10, 1).startswith("2 of 10 links arrive through a redirect, from 1 old URL.")
    assert redirects_sentence(0, 10, 0).startswith("No redirected links found.")
