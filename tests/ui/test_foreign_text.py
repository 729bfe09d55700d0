"""A file's name is shown as it is, wherever it is named: never as markup."""

from tests.ui.app import open_app, upload

NAME = r"![a](https:a.example) \[b](c) &#91;.csv"
ESCAPED = r"!\[a\](https:a.example) \\\[b\](c) \&#91;.csv"
DATA = b"Referring page URL,Target URL\nhttps://a.example/x,https://shop.example/\n"


def test_the_name_of_a_file_is_no_markup_in_the_menu_and_on_its_page(monkeypatch):
    app = upload(open_app(monkeypatch, "pages/backlinks/profile.py"), NAME, DATA)
    named = [expander.label for expander in app.expander] + [caption.value for caption in app.sidebar.caption]
    assert sum(ESCAPED in text for text in named) >= 2
    assert not any("[a](" in text for text in named)
