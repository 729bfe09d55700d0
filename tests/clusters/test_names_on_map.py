from hypothesis import given
from hypothesis import strategies as st

from backlink_audit.clusters import charts
from backlink_audit.clusters.charts import NARROW, WIDTH, place_names

HEIGHT = 500
shares = st.floats(0, 1)


@given(st.lists(st.tuples(shares, shares, st.text("abc", max_size=24)), max_size=25))
def test_no_name_covers_another_or_a_mark_or_leaves_the_frame(marks):
    x, y, names = [mark[0] for mark in marks], [mark[1] for mark in marks], [mark[2] for mark in marks]
    placed = place_names(x, y, names, height=HEIGHT)
    assert len(placed) == len(marks)
    boxes = [
        charts._box(WIDTH * a, HEIGHT * b, name, side, 12)
        for a, b, (name, side) in zip(x, y, placed, strict=True)
        if name
    ]
    for place, one in enumerate(boxes):
        assert one[0] >= 0 and one[1] >= 0 and one[2] <= WIDTH and one[3] <= HEIGHT
        assert not any(charts._overlap(one, other) for other in boxes[place + 1 :])
        assert not any(one[0] < WIDTH * a < one[2] and one[1] < HEIGHT * b < one[3] for a, b, name in marks if name)


def test_a_second_name_moves_to_a_free_side_and_one_without_room_is_left_out():
    placed = place_names([0.5, 0.5, 0.5], [0.5, 0.53, 0.51], ["Tents", "Stoves", "Mats"], height=HEIGHT)
    assert [name for name, _ in placed][:1] == ["Tents"]
    assert len({side for name, side in placed if name}) == len([name for name, _ in placed if name])


def test_only_so_many_names_are_placed():
    placed = place_names([0.1, 0.5, 0.9], [0.5] * 3, ["a", "b", "c"], height=HEIGHT, most=2)
    assert [name for name, _ in placed] == ["a", "b", ""]


@given(st.lists(st.tuples(shares, shares, st.text("abc", max_size=24)), max_size=25), st.integers(NARROW, 4 * WIDTH))
def test_names_that_are_apart_on_a_telephone_are_so_on_every_wider_screen(marks, wide):
    x, y, names = [mark[0] for mark in marks], [mark[1] for mark in marks], [mark[2] for mark in marks]
    placed = place_names(x, y, names, height=HEIGHT, width=NARROW)
    boxes = [
        charts._box(wide * a, HEIGHT * b, name, side, 12)
        for a, b, (name, side) in zip(x, y, placed, strict=True)
        if name
    ]
    assert all(one[0] >= -1e-9 and one[2] <= wide + 1e-9 for one in boxes)
    assert not any(charts._overlap(one, other) for n, one in enumerate(boxes) for other in boxes[n + 1 :])
