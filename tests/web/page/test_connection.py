"""A server that stops, and returns."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect
from serving import Server

from tests.web.page.conftest import Open

pytestmark = pytest.mark.browser

REFUSED = "ERR_SOCKET_NOT_CONNECTED|ERR_CONNECTION_REFUSED|ERR_FAILED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE"


@pytest.mark.slow
def test_the_page_waits_for_a_server_that_stopped_and_loses_nothing(visit: Open, tables: Path) -> None:
    with Server(tables) as server:
        page = visit("?game=3,3,3", at=server.address, expected=REFUSED)
        page.play("a1", "b1")
        port = server.port
    page.square("b2").click()
    expect(page.notice).to_contain_text("Nothing is lost")
    page.has_stones("XO..X....")
    with Server(tables, port):
        expect(page.notice).to_be_empty(timeout=15_000)
        expect(page.verdict).to_have_text("O to move: loses in 4 moves")
        expect(page.page.locator("#spoken")).to_contain_text("Connected again")
        page.play("c3")


FAULT = '{"error": {"status": 503, "code": "CODE", "message": "The table is damaged."}}'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "code", "said"),
    [(503, "damaged_table", "is damaged."), (502, "", "does not respond"), (503, "busy", "is damaged.")],
)
def test_a_fault_of_the_server_is_shown_in_its_words(visit: Open, status: int, code: str, said: str) -> None:
    page = visit("?game=3,3,3", expected=f"status of {status}")
    body = "<h1>Bad gateway</h1>" if status == 502 else FAULT.replace("CODE", code)
    page.page.route("**/v1/3,3,3?**", lambda route: route.fulfill(status=status, body=body))
    page.square("b2").click()
    expect(page.notice).to_contain_text(said)
    page.has_stones("....X....")
    page.page.unroute_all()
    expect(page.notice).to_have_text(
        re.compile("damaged" if code == "damaged_table" else "^$")
    )  # otherwise it asks again


@pytest.mark.slow
def test_the_value_of_a_move_is_shown_before_the_answer_about_its_position(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=a1")
    expect(page.square("b1")).to_have_accessible_name("b1, L in 6, 4 of 7 replies miss the win, loses in 6 moves")
    held: list[Route] = []
    page.page.route("**/v1/3,3,3?**", lambda route, _: held.append(route))
    page.square("b1").click()
    expect(page.verdict).to_have_text("X to move: wins in 5 moves")
    expect(page.square("b2")).to_have_attribute("aria-disabled", "true")
    page.wait_for(lambda: bool(held), True)  # the move is shown before the request is sent
    page.page.route("**/v1/3,3,3?**", lambda route, _: route.continue_())  # later requests are not held
    for route in held:
        route.continue_()
    expect(page.square("b2")).to_have_accessible_name(
        re.compile("b2, ([WL] in [0-9]+, )?([0-9]+ of [0-9]+ replies [a-z ]+, )?(wins|draws|loses)")
    )


def test_without_a_connection_only_the_squares_of_moves_look_open(visit: Open) -> None:
    page = visit("?game=3,4,3,gravity&hints=off", expected=REFUSED)
    page.page.route("**/v1/**", lambda route: route.abort())
    page.square("a1").click()
    expect(page.notice).to_contain_text("does not respond")
    expect(page.page.locator(".square.floating")).to_have_count(7)
