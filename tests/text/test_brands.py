from backlink_audit.text.page_texts import find_brands, strip_brands


def test_a_part_shared_by_most_titles_is_found_at_either_end():
    assert find_brands([f"{name} | Acme" for name in ("Sofas", "Beds", "Lamps", "Rugs")]) == ("Acme",)
    assert find_brands([f"Acme: {name}" for name in ("Sofas", "Beds", "Lamps", "Rugs")]) == ("Acme",)


def test_several_shared_parts_are_found_from_the_outside_in():
    titles = [f"{name} – Help centre – Acme" for name in ("Pay", "Return", "Track", "Cancel")]
    assert find_brands(titles) == ("Acme", "Help centre")
    assert strip_brands(titles, ("Acme", "Help centre")) == ["Pay", "Return", "Track", "Cancel"]


def test_identical_titles_are_no_brand():
    assert find_brands(["Plumber in CITY"] * 100) == ()


def test_words_with_hyphens_are_not_taken_apart():
    assert find_brands([f"E-bike {name}" for name in ("one", "two", "three", "four")]) == ()


def test_a_title_of_nothing_but_brands_keeps_one():
    assert strip_brands(["Acme | Acme"], ["Acme"]) == ["Acme"]


def test_the_brand_is_cut_in_either_case():
    assert strip_brands(["Sofas | ACME"], ["acme"]) == ["Sofas"]


def test_japanese_separators_are_known():
    titles = [f"{name}｜東京ホテル" for name in ("予約", "朝食", "客室", "温泉")]
    assert find_brands(titles) == ("東京ホテル",)


def test_a_brand_with_one_more_word_is_a_brand_too():
    titles = [f"{thing} | AI SEO Turbo" for thing in ("Plans", "Prices", "Help", "About us", "Contact")]
    blog = ["How to write | AI SEO Turbo Blog", "How to read | AI SEO Turbo Blog", "SEO news | Turbo Weekly"]
    assert find_brands([*titles, *blog]) == ("AI SEO Turbo", "AI SEO Turbo Blog")
