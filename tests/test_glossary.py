from collections import Counter

from backlink_audit.glossary import GLOSSARY


def test_every_name_stands_for_one_thing():
    assert [name for name, times in Counter(term.name for term in GLOSSARY).items() if times > 1] == []


def test_a_label_is_written_one_way_since_tables_know_their_columns_by_it():
    styles = {(term.label, term.style) for term in GLOSSARY}
    assert [label for label, times in Counter(label for label, _ in styles).items() if times > 1] == []
