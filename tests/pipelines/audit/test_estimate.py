import time
from dataclasses import replace

import numpy as np
import pytest

from backlink_audit.analysis.topics import load_topics
from backlink_audit.embedding import cost as cost_module
from backlink_audit.embedding.cache import vectors_file
from backlink_audit.embedding.cost import LOADING_SECONDS
from backlink_audit.embedding.encoder import CachedEncoder
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.pipelines.audit import estimate
from backlink_audit.pipelines.audit.estimate import estimate_audit
from backlink_audit.pipelines.estimate import Estimate
from backlink_audit.settings import LINK_TEXTS, AuditSettings
from backlink_audit.text.texts import read_link_texts
from tests.pipelines.exports import semrush

WORDS = "oak pine chair table lamp shelf garden kitchen paint carpet window door".split()


def links(rows):
    """An export whose titles, anchors and URLs repeat as those of real ones do."""
    rng = np.random.default_rng(0)

    def words(distinct):
        chosen = rng.integers(0, len(WORDS), (distinct, 6))
        return [f"{' '.join(WORDS[word] for word in row)} {number}" for number, row in enumerate(chosen)]

    titles, anchors, pages = words(rows // 2), words(max(1, rows // 20)), words(rows)
    return semrush(
        "backlinks.csv",
        *(
            {
                "Source title": titles[rng.integers(len(titles))],
                "Anchor": anchors[rng.integers(len(anchors))],
                "Source url": f"https://site{row % 50}.example/{pages[row].replace(' ', '-')}",
                "Target url": f"https://shop.example/{WORDS[row % 12]}",
            }
            for row in range(rows)
        ),
    )


@pytest.mark.parametrize("mode", LINK_TEXTS)
def test_the_number_of_texts_is_estimated_from_a_sample(mode, monkeypatch):
    monkeypatch.setattr(estimate, "SAMPLED_ROWS", 500)
    export, settings = links(3_000), AuditSettings(link_text=mode)
    table = clean_backlinks(export, settings.filters).table
    subjects = len(load_topics().phrases)
    texts = len(read_link_texts(table, mode).vocabulary.texts)
    assert (
        0.9 * texts < estimate_audit(export, settings).texts < (5 if mode == "url-tokens" else 1.6) * texts + subjects
    )


def test_what_an_earlier_run_has_embedded_costs_nothing_again(monkeypatch):
    export = links(300)
    before = estimate_audit(export, AuditSettings())
    vectors_file().parent.mkdir(parents=True, exist_ok=True)
    vectors_file().touch()
    monkeypatch.setattr(CachedEncoder, "known", lambda self, texts: np.ones(len(texts), dtype=bool))
    after = estimate_audit(export, AuditSettings())
    assert (before.texts > 300, after.texts) == (True, 0)
    assert after.seconds < before.seconds
    assert after.bytes < before.bytes


def test_a_slower_model_takes_longer_and_a_larger_file_too():
    quick, slow = (
        estimate_audit(links(300), AuditSettings(model=model)) for model in ("all-MiniLM-L6-v2", "all-mpnet-base-v2")
    )
    assert slow.seconds - LOADING_SECONDS > 6 * (quick.seconds - LOADING_SECONDS) > 0
    assert estimate_audit(links(600), AuditSettings()).bytes > estimate_audit(links(300), AuditSettings()).bytes


def test_a_quicker_model_is_named_only_where_waiting_is_long(monkeypatch):
    export = links(300)
    assert "Instant" not in estimate_audit(export, AuditSettings()).sentence
    monkeypatch.setattr(cost_module, "PIECES_PER_SECOND", 1)
    advised = estimate_audit(export, AuditSettings())
    assert "With the model Instant it takes about" in advised.sentence
    assert "Instant" not in estimate_audit(export, AuditSettings(model="instant")).sentence
    assert "Instant" not in estimate_audit(export, AuditSettings(model="multilingual-e5-small")).sentence


def test_filters_that_leave_nothing_are_left_to_the_run_to_report():
    lost = semrush("backlinks.csv", {"Source url": "https://a.example/", "Lost link": "true"})
    assert estimate_audit(lost, AuditSettings()).sentence.startswith("1 link, ")


def test_a_hundred_thousand_links_are_estimated_in_under_a_second():
    export = links(500)
    table = export.table.iloc[np.arange(100_000) % 500].reset_index(drop=True)
    large = replace(export, table=table)
    estimate_audit(export, AuditSettings())
    start = time.process_time()
    estimate_audit(large, AuditSettings())
    assert time.process_time() - start < 1


def test_the_sentence_has_work_time_memory_and_advice():
    estimate = Estimate("2 links, 5 texts to embed", 5, 700, 1.26e9, "Use a faster machine.")
    assert (
        estimate.sentence
        == "2 links, 5 texts to embed: at most about 12 minutes and 1.3 GB of memory. Use a faster machine."
    )
