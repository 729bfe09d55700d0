"""What the frame adds to each page: readable words on what is chosen, and nothing above the page's title."""

import pytest
from playwright.sync_api import Locator

from tests.browser import journey

pytestmark = pytest.mark.browser

COLOUR = "element => getComputedStyle(element).color"


def colour(words: Locator) -> str:
    return words.first.evaluate(COLOUR)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_chosen_option_and_a_sliders_value_are_as_readable_as_text(page, scheme):
    page.emulate_media(color_scheme=scheme)
    journey.open_sample(page)
    journey.open_inputs(page)
    main = page.get_by_test_id("stMain")
    text = colour(main.get_by_role("heading", level=1))
    assert colour(main.get_by_role("radio", name="Live", exact=True).get_by_text("Live")) == text
    assert main.inner_text().startswith("Backlink audit\n")
    journey.open_page(page, "Backlink profile")
    journey.open_tab(page, "Referring domains")
    assert colour(main.get_by_test_id("stSliderThumbValue").get_by_role("paragraph")) == text
