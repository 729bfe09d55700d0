from collections import Counter

from backlink_audit.glossary import GLOSSARY


def test_every_name_stands_for_one_thing():
    assert [name for name, times in Counter(term.name for term in GLOSSARY).items() if times > 1] == []
