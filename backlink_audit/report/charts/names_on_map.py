"""Where names are put beside their marks on a map, so that none covers another and none leaves the frame."""

from collections.abc import Sequence

import numpy as np

WIDTH = 760
"""Pixels of a map's frame that names are placed for: less than a wide screen's, more than a telephone's."""
NARROW = 340
"""The same on a telephone."""
CHARACTER_WIDTH = 0.55
"""Width of a letter, in font sizes."""
LINE_HEIGHT = 1.3
"""Height of a line, in font sizes."""
MARK = 16
"""Pixels of a mark, with the gap to its name."""
SIDES = ("top center", "bottom center", "middle right", "middle left")
"""plotly's names of the sides that a name can be on; the first that has room wins."""
NO_NAME = "top center"

Box = tuple[float, float, float, float]


def place_names(
    x: Sequence[float] | np.ndarray,
    y: Sequence[float] | np.ndarray,
    names: Sequence[str],
    *,
    height: int,
    font: int = 12,
    most: int = 20,
    width: int = WIDTH,
) -> list[tuple[str, str]]:
    """Return each mark's name with the side it is on; "" for a name that would cover another or leave the frame.

    Args:
        x: Places from left to right, as shares of the frame, 0 to 1.
        y: Places from the bottom up, as shares of the frame, 0 to 1.
        names: One for each place; the first ones are placed first. "" is none.
        height: Pixels of the frame.
        font: Pixels of the letters.
        most: How many names are placed at most.
        width: Pixels of the frame. What has room in it has room in every wider one.
    """
    left, top = np.asarray(x) * width, np.asarray(y) * height
    marks: list[Box] = [
        (a - MARK / 2, b - MARK / 2, a + MARK / 2, b + MARK / 2)
        for a, b, name in zip(left, top, names, strict=True)
        if name
    ]
    taken: list[Box] = []
    placed = []
    for a, b, name in zip(left, top, names, strict=True):
        side = _free_side(a, b, name, (width, height), font, [*taken, *marks]) if name and len(taken) < most else None
        if side:
            taken.append(_box(a, b, name, side, font))
        placed.append((name, side) if side else ("", NO_NAME))
    return placed


def _free_side(a: float, b: float, name: str, frame: tuple[int, int], font: int, taken: list[Box]) -> str | None:
    for side in SIDES:
        box = _box(a, b, name, side, font)
        inside = box[0] >= 0 and box[1] >= 0 and box[2] <= frame[0] and box[3] <= frame[1]
        if inside and not any(_overlap(box, other) for other in taken):
            return side
    return None


def _box(a: float, b: float, name: str, side: str, font: int) -> Box:
    wide, high = CHARACTER_WIDTH * font * len(name), LINE_HEIGHT * font
    vertical, horizontal = side.split()
    middle = {"left": a - MARK / 2 - wide / 2, "center": a, "right": a + MARK / 2 + wide / 2}[horizontal]
    level = {"bottom": b - MARK / 2 - high / 2, "middle": b, "top": b + MARK / 2 + high / 2}[vertical]
    return middle - wide / 2, level - high / 2, middle + wide / 2, level + high / 2


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
