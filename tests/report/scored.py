"""Scored links as an audit returns them, invented: for charts and tables that need no pipeline."""

import numpy as np
import pandas as pd

from backlink_audit.labels import BANDS, VERDICTS

FIELDS = ("Gardening", "Travel", "Gambling", "Home and furniture")


def scored_links(rows: int = 200, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    similarity = rng.normal(0.4, 0.2, rows).clip(-0.2, 1)
    rating = rng.choice([0, 0, 5, 20, 60], rows).astype(float)
    external = rng.integers(1, 400, rows).astype(float)
    relevance = (similarity * 130).clip(0, 100)
    band = np.select([relevance >= 95, relevance >= 80], [BANDS[0].word, BANDS[1].word], BANDS[2].word)
    links = pd.DataFrame(
        {
            "referring_url": [f"https://www.site{i % 40}.example/a-page-about-garden-chairs-{i}" for i in range(rows)],
            "target_url": [f"https://shop.example/chairs/{i % 7}" for i in range(rows)],
            "referring_domain": [f"site{i % 40}.example" for i in range(rows)],
            "target_domain": "shop.example",
            "referring_title": [f"Garden chairs, part {i}" for i in range(rows)],
            "anchor": [f"chair {i % 9}" for i in range(rows)],
            "url_rating": rating,
            "domain_rating": rng.integers(0, 90, rows).astype(float),
            "external_links": external,
            "http_status": 200.0,
            "link_state": "live",
            "similarity": similarity,
            "relevance": relevance,
            "band": band,
            "topic": "garden tools",
            "topic_field": rng.choice(FIELDS, rows),
            "cas": rating / external * similarity,
            "verdict": rng.choice([label.word for label in VERDICTS], rows),
            "why": "Because.",
        }
    )
    if rows >= 10:
        links.loc[links.index[:5], ["similarity", "relevance", "cas"]] = np.nan
        links.loc[links.index[:5], ["band", "topic", "topic_field"]] = ""
    links["cas_percentile"] = links["cas"].rank(pct=True) * 100
    return links
