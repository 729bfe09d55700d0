"""Whatever a database reports is one sentence with the store's name."""

import pytest
import sqlalchemy as sa

from backlink_audit.errors import StoreProblem
from backlink_audit.projects.store import problems_in_words


@pytest.mark.parametrize(
    ("kind", "said", "words"),
    [
        (sa.exc.OperationalError, "database is locked", "another program is using it"),
        (
            sa.exc.OperationalError,
            "server closed.\nmore",
            r"the server does not respond \(server closed\);",
        ),
        (sa.exc.IntegrityError, "", r"the database reported an error \(no reason given\); nothing was saved"),
    ],
)
def test_what_a_database_reports_is_a_sentence(kind, said, words):
    with pytest.raises(StoreProblem, match=f"^shop: {words}"), problems_in_words("shop"):
        raise kind("SELECT 1", {}, Exception(said))


def test_data_that_cannot_be_read_is_damaged():
    with pytest.raises(StoreProblem, match="shop: "), problems_in_words("shop"):
        b"\xff".decode()
