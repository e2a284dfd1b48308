"""Values: wording, order, and the view from one ply earlier."""

from hypothesis import given
from hypothesis import strategies as st

from solver.game.value import Value

VALUES = st.builds(Value, st.sampled_from([1, 0, -1]), st.integers(0, 25))


def test_a_value_says_what_it_is() -> None:
    assert [Value(wdl).category for wdl in (1, 0, -1)] == ["win", "draw", "loss"]
    assert [str(value) for value in (Value(1, 3), Value(0, 4), Value(-1, 2))] == ["win in 3", "draw", "loss in 2"]
    assert [str(Value(wdl)) for wdl in (1, 0, -1)] == ["win", "draw", "loss"]


def test_best_first_is_quick_wins_then_draws_then_slow_losses() -> None:
    expected = [Value(1, 1), Value(1, 5), Value(0, 2), Value(-1, 6), Value(-1, 2)]
    assert sorted(set(expected), key=lambda value: value.rank) == expected


def test_without_distances_the_order_is_win_draw_loss() -> None:
    expected = [Value(1), Value(0), Value(-1)]
    assert sorted(set(expected), key=lambda value: value.rank) == expected


@given(VALUES)
def test_two_plies_earlier_the_same_side_sees_the_same_result(value: Value) -> None:
    assert value.before_move().before_move() == Value(value.wdl, (value.distance or 0) + 2)


@given(VALUES, VALUES)
def test_what_is_better_for_one_side_is_worse_for_the_other(one: Value, other: Value) -> None:
    swapped = one.before_move().rank, other.before_move().rank
    assert (one.rank < other.rank) == (swapped[0] > swapped[1])
