"""Answers match their declared types, and JSON schemas can be generated from the types."""

from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from solver.game.position import Position
from solver.study.answers import (
    PositionAnswer,
    RepliesAnswer,
    TableAnswer,
    position_answer,
    replies_answer,
    table_answer,
)
from solver.tablebase import open_tablebase
from tests.slow_build import slow_build


def test_answers_are_of_the_types_declared(tmp_path: Path) -> None:
    with open_tablebase(slow_build("3,3,3", tmp_path)) as table:
        start = Position.start(table.rules)
        for position in (start, start.play(4), Position.parse(table.rules, "XXX/OO./...")):
            answer = position_answer(table, position)
            assert TypeAdapter(PositionAnswer).validate_python(answer, strict=True) == answer
            replies = replies_answer(table, position)
            assert TypeAdapter(RepliesAnswer).validate_python(replies, strict=True) == replies
        with pytest.raises(ValidationError, match="Extra inputs"):
            TypeAdapter(PositionAnswer).validate_python({**position_answer(table, start), "more": 1})
        facts = table_answer(table)
        assert TypeAdapter(TableAnswer).validate_python(facts, strict=True) == facts
