from hypothesis import given
from hypothesis import strategies as st

from backlink_audit.labels import contrast, readable_on


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_words_can_be_read_on_any_colour(parts):
    colour = "#{:02X}{:02X}{:02X}".format(*parts)
    assert contrast(readable_on(colour), colour) >= 4.5
