import pytest

from backlink_audit.text.languages import known_texts

ENGLISH = [
    "Oak chairs and tables for small kitchens",
    "How to prune roses",
    "Best hiking trails near Denver",
    "seo domain research",
    "IKEA",
    "Café Zoë and its terrace in Brooklyn",
    "Café Central, Brooklyn",
    "Harbour Inn | Rooms",
]
FOREIGN = [
    "Comment choisir une table de cuisine en chêne",
    "Die schönsten Wanderwege in der Nähe von München",
    "Las mejores rutas de senderismo cerca de Madrid",
    "Jak przycinać róże w ogrodzie",
    "Gợi ý chọn bàn ăn cho nhà nhỏ",
    "Les prix des tables montent, selon Bank of America",
    "Как выбрать кухонный стол",
    "طاولات المطبخ الصغيرة",
    "小厨房的橡木桌椅",
    "Oak 小さなキッチンのテーブル",
]


@pytest.mark.parametrize("text", ENGLISH)
def test_an_english_title_is_known_to_an_english_model_and_so_is_a_doubtful_one(text: str):
    assert known_texts([text], english_only=True).tolist() == [True]


@pytest.mark.parametrize("text", FOREIGN)
def test_a_title_in_another_language_or_script_is_not(text: str):
    assert known_texts([text], english_only=True).tolist() == [False]


def test_a_multilingual_model_knows_every_text_but_an_empty_one():
    assert known_texts([*FOREIGN, ""], english_only=False).tolist() == [True] * len(FOREIGN) + [False]


def test_texts_keep_their_order_and_repeats():
    assert known_texts([FOREIGN[0], ENGLISH[0], "", FOREIGN[0]], english_only=True).tolist() == [
        False,
        True,
        False,
        False,
    ]
    assert known_texts([], english_only=True).shape == (0,)


def test_the_shared_detector_keeps_all_its_languages():
    import py3langid

    known_texts(["Comment choisir une table"], english_only=True)
    assert py3langid.classify("これは日本語の文章です")[0] == "ja"
