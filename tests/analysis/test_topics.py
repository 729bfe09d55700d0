from backlink_audit.analysis.topics import load_site_names, load_topics


def test_the_taxonomy_is_wide_enough_and_every_topic_stands_once():
    topics = load_topics()
    assert len(topics) >= 250
    assert len(set(topics.fields)) >= 25
    assert len(set(topics.phrases)) == len(topics)
    assert all(phrase.strip() for phrase in topics.phrases)


def test_the_fields_of_link_spam_are_there_and_marked_risky():
    topics = load_topics()
    risky = set(topics.fields[topics.risky])
    assert {"Adult", "Gambling", "Pharmacy", "Loans", "Essay mills", "Counterfeit goods"} <= risky
    assert not risky & set(topics.fields[~topics.risky])


def test_site_names_are_single_words_that_stand_once():
    names = load_site_names()
    assert len(names) >= 100
    assert len(set(names)) == len(names)
    assert all(name.isalpha() and name.islower() for name in names)
