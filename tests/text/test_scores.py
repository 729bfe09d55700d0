"""The scores of py3langid's model, for many texts at once."""

import numpy as np
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from backlink_audit.text.languages import language_scores

LANGUAGES = ["de", "en", "fr", "sr", "zh"]
TEXTS = [
    "Les chaises de la cuisine",
    "",
    "Eichenstühle für draußen",
    "КУХИЊСКЕ СТОЛИЦЕ",
    "oak",
    "東京のホテル",
    "17 · 4",
]


def test_the_scores_are_those_of_py3langid_one_text_after_the_other():
    detector = LanguageIdentifier.from_model_file(MODEL_FILE)
    detector.set_languages(LANGUAGES)
    expected = [[dict(detector.rank(text))[language] for language in LANGUAGES] for text in TEXTS]
    assert np.allclose(language_scores(TEXTS, LANGUAGES), expected, rtol=1e-4)


def test_no_texts_have_no_scores():
    assert language_scores([], LANGUAGES).shape == (0, 5)
    assert (language_scores([""], ["en"]) < -1e30).all()
