"""Values: wording, order, and the view from one ply earlier."""

from hypothesis import given
from hypothesis import strategies as st

from solver.game.value import Value

VALUES = st.builds(Value, st.sampled_from([1, 0, -1]), st.integers(0, 25))


@given(VALUES)
def test_two_plies_earlier_the_same_side_sees_the_same_result(value: Value) -> None:
    assert value.before_move().before_move() == Value(value.wdl, (value.distance or 0) + 2)


@given(VALUES, VALUES)
def test_values_that_are_better_for_one_side_are_worse_for_the_other(one: Value, other: Value) -> None:
    swapped = one.before_move().rank, other.before_move().rank
    assert (one.rank < other.rank) == (swapped[0] > swapped[1])
