"""What a server gives at most is said by its environment."""

import pytest

from backlink_audit.errors import AuditError
from backlink_audit.ui import access as module
from backlink_audit.ui.access import Limits, limits, memory_mb, refuse_without_memory
from tests.ui.app import open_app, sample_file, sentences, upload


def test_the_environment_says_the_limits(monkeypatch):
    monkeypatch.setenv("BACKLINK_AUDIT_VISITORS", "7")
    monkeypatch.setenv("BACKLINK_AUDIT_MEMORY_MB", "2000")
    assert limits() == Limits(visitors=7, memory_mb=2000)


@pytest.mark.parametrize("value", ["many", "-1", "1.5"])
def test_a_limit_that_is_no_number_is_named(monkeypatch, value):
    monkeypatch.setenv("BACKLINK_AUDIT_ROWS", value)
    with pytest.raises(ValueError, match="BACKLINK_AUDIT_ROWS must be a whole number"):
        limits()


def test_with_its_memory_full_the_server_reads_nothing_more(monkeypatch):
    monkeypatch.setenv("BACKLINK_AUDIT_MEMORY_MB", "100")
    monkeypatch.setattr(module, "memory_mb", lambda: 101)
    with pytest.raises(AuditError, match="no free memory"):
        refuse_without_memory()
    app = upload(open_app(monkeypatch, "pages/backlinks/audit.py"), *sample_file("backlinks"))
    assert any("no free memory" in sentence for sentence in sentences(app))


def test_the_memory_of_this_process_is_known_on_linux():
    assert memory_mb() == 0 or memory_mb() > 20


def test_more_rows_than_the_server_takes_are_refused_with_both_numbers(monkeypatch):
    monkeypatch.setenv("BACKLINK_AUDIT_ROWS", "299")
    app = upload(open_app(monkeypatch, "pages/backlinks/audit.py"), *sample_file("backlinks"))
    assert [sentence for sentence in sentences(app) if "rows, but this server allows 299" in sentence], sentences(app)
