"""The page in a real browser: whole games by clicking, the search shown, a reload, no errors."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web.conftest import LiveLab
from tests.web.screens import launch
from tesuji.web import tables

expect.set_options(timeout=30_000)  # the machine may be busy


@pytest.fixture(scope="module")  # no longer: Playwright's event loop is everybody's
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = launch(playwright)
        yield found
        found.close()


@pytest.fixture(autouse=True)
def no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game has one seed: a random player of Go passes once in eighty moves."""
    monkeypatch.setattr(tables.secrets, "randbits", lambda bits: 1)


@pytest.fixture
def page(browser: Browser, lab: LiveLab) -> Iterator[Page]:
    """A fresh page; whatever it complains of in the console fails the test."""
    context = browser.new_context(viewport={"width": 1100, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(60_000)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text))
    yield page
    context.close()
    assert troubles == []


def begin(page: Page, lab: LiveLab, game: str, *players: str, position: str = "") -> None:
    """Open the form by a link, and press Start."""
    query = [("game", game), *(("player", player) for player in players)]
    if position:
        query.append(("position", position))
    page.goto(f"{lab.address}/#/new?{urlencode(query)}")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".play .status")).not_to_be_empty()


MY_TURN = ".status.yours, .status.over"


def click_to_the_end(page: Page, chance: random.Random, most: int = 400) -> str:
    """Click on what can be clicked, at random, until the game is over; the result."""
    for _ in range(most):
        page.locator(MY_TURN).wait_for()
        if page.locator(".status.over").count():
            return page.locator(".status").inner_text()
        click_something(page, chance)
    raise AssertionError("the game does not end")


def click_something(page: Page, chance: random.Random) -> None:
    """A cell that can be chosen next, or one of the buttons."""
    cells = page.eval_on_selector_all(".hit.can", "all => all.map(one => one.dataset.cell)")
    steps = page.eval_on_selector_all(
        ".choices [data-step]", "all => all.map(one => one.dataset.step)"
    )
    if cells and not (steps and chance.random() < 0.2):
        page.locator(f'.hit[data-cell="{chance.choice(cells)}"]').click()
    elif steps:
        page.locator(f'.choices [data-step="{chance.choice(steps)}"]').click()


def test_a_game_of_amazons_by_clicking(page: Page, lab: LiveLab) -> None:
    begin(page, lab, "amazons:size=6", "human", "random")
    assert click_to_the_end(page, random.Random(1)) in ("White wins", "Black wins")
    assert page.locator(".piece.arrow").count() > 4
    assert page.locator(".history li").count() > 4


def test_a_game_of_geister_by_clicking(page: Page, lab: LiveLab) -> None:
    begin(page, lab, "geister:limit=10", "human", "random")
    ready = page.get_by_role("button", name="Ready")
    for cell in (25, 26, 27, 28):
        expect(ready).to_be_disabled()
        page.locator(f'.hit[data-cell="{cell}"]').click()
    page.locator('.hit[data-cell="28"]').click()  # thought better of it
    expect(ready).to_be_disabled()
    page.locator('.hit[data-cell="31"]').click()
    ready.click()
    page.locator(MY_TURN).wait_for()
    expect(page.locator(".piece.ghost .body.red")).to_have_count(4)
    expect(page.locator(".piece.ghost .body.unknown")).to_have_count(8)
    assert click_to_the_end(page, random.Random(2)) in ("A draw", "First wins", "Second wins")
    expect(page.locator(".piece.ghost .body.unknown")).to_have_count(0)


def test_a_game_of_go_by_clicking(page: Page, lab: LiveLab) -> None:
    begin(page, lab, "go", "human", "random")
    for cell, stones in ((40, 2), (20, 4)):
        page.locator(f'.hit[data-cell="{cell}"]').click()
        expect(page.locator(".piece.stone")).to_have_count(stones)
        page.locator(MY_TURN).wait_for()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".piece.stone")).to_have_count(2)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.locator(".status.over")).to_have_text("White wins by resignation")


def test_a_game_of_go_ends_with_two_passes(page: Page, lab: LiveLab) -> None:
    rows = ["1XXXXXXXX", *["XXXXXXXXX"] * 7, "XXXXXXXX1"]
    position = f"{'/'.join(rows)} X - 0 90 7.5"  # White has nowhere to play
    begin(page, lab, "go", "human", "random", position=position)
    page.keyboard.press("p")
    expect(page.locator(".status.over")).to_have_text("Black wins")
    expect(page.locator(".facts")).to_contain_text("Black is ahead by 73.5")


def test_a_game_of_tubstap_by_clicking(page: Page, lab: LiveLab) -> None:
    begin(page, lab, "tubstap:map=tesuji01", "human", "random")
    assert click_to_the_end(page, random.Random(4)) in ("A draw", "Red wins", "Blue wins")


def test_a_game_of_skirmish_by_clicking(page: Page, lab: LiveLab) -> None:
    begin(page, lab, "skirmish:rounds=2", "human", "random")
    result = click_to_the_end(page, random.Random(5))
    assert result in ("A draw", "First wins", "Second wins")
    expect(page.locator(".roster tbody tr")).to_have_count(6)


def test_a_game_of_the_users_own_by_its_buttons(page: Page, lab: LiveLab) -> None:
    begin(page, lab, "connect_four", "human", "random")
    assert click_to_the_end(page, random.Random(6)) in ("A draw", "Yellow wins", "Red wins")
    expect(page.locator(".drawing")).to_contain_text("a b c d e f g")


def test_the_search_is_shown_as_heat_table_and_graph(page: Page, lab: LiveLab) -> None:
    begin(page, lab, "go", "human", "uct:playouts=3000")
    page.locator('.hit[data-cell="40"]').click()
    page.locator(MY_TURN).wait_for()
    expect(page.locator(".thoughts h3")).to_have_text("White: uct:playouts=3000")
    assert page.locator(".candidates tbody tr").count() > 1
    expect(page.locator(".graph .curve")).to_have_count(1)
    expect(page.locator(".heat .spot")).to_have_count(0)  # it was about another position
    page.keyboard.press("h")
    expect(page.locator(".thoughts h3")).to_have_text("Black: best")
    page.locator(".heat .spot").first.wait_for()
    page.get_by_label("Show the search").uncheck()
    expect(page.locator(".heat .spot")).to_have_count(0)
    page.keyboard.press("s")
    page.locator(".heat .spot").first.wait_for()


def test_a_reload_and_a_lost_connection_resume(page: Page, lab: LiveLab) -> None:
    begin(page, lab, "go", "human", "random")
    page.locator('.hit[data-cell="40"]').click()
    expect(page.locator(".piece.stone")).to_have_count(2)
    page.reload()
    expect(page.locator(".piece.stone")).to_have_count(2)
    page.locator(MY_TURN).wait_for()
    page.goto(f"{lab.address}/#/")
    expect(page.locator(".recent a").first).to_contain_text(re.compile(r"20\d\d"))
    page.locator(".recent a").first.click()
    page.locator(MY_TURN).wait_for()
    page.locator('.hit[data-cell="20"]').click()
    expect(page.locator(".piece.stone")).to_have_count(4)


def test_a_link_and_a_file_open_the_game_again(page: Page, lab: LiveLab, tmp_path: Path) -> None:
    begin(page, lab, "amazons:size=6", "human", "human")
    page.locator('.hit[data-cell="31"]').click()
    page.locator('.hit[data-cell="25"]').click()
    expect(page.locator(".status")).to_contain_text("Shoot an arrow")
    page.locator('.hit[data-cell="19"]').click()
    expect(page.locator(".piece.arrow")).to_have_count(1)
    page.get_by_role("button", name="Link").click()
    place = page.locator(".address")
    expect(place).to_be_visible()  # the position is asked for: the link comes later than the click
    address = place.input_value()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save").click()
    saved = tmp_path / "game.json"
    download.value.save_as(saved)
    assert json.loads(saved.read_text())["moves"] == ["b1-b2", "/b3"]
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator(".preview .arrow")).to_have_count(1)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".play .arrow")).to_have_count(1)
    page.goto(f"{lab.address}/#/")
    page.locator("input[type=file]").set_input_files(saved)
    expect(page.locator(".play .arrow")).to_have_count(1)
    expect(page.locator(".history li")).to_have_count(1)


def test_the_keyboard_alone(page: Page, lab: LiveLab) -> None:
    begin(page, lab, "go", "human", "random")
    page.locator(MY_TURN).wait_for()
    page.locator(".grid").focus()
    for key in ("ArrowUp", "ArrowLeft", "ArrowLeft"):  # the first key shows the cursor
        page.keyboard.press(key)
    expect(page.locator("#announce")).to_have_text("C5, empty, can be chosen")
    page.keyboard.press("Enter")
    expect(page.locator(".piece.stone")).to_have_count(2)
    page.locator(MY_TURN).wait_for()
    page.keyboard.press("u")
    expect(page.locator(".piece.stone")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.locator("dialog dd").first).to_contain_text("move on the board")
    page.keyboard.press("Escape")
    before = page.url
    page.keyboard.press("n")
    page.wait_for_url(lambda address: address != before)
    page.locator(MY_TURN).wait_for()
    page.keyboard.press("x")
    page.keyboard.press("x")
    expect(page.locator(".status.over")).to_have_text("White wins by resignation")


def test_dragging(page: Page, lab: LiveLab) -> None:
    begin(page, lab, "amazons:size=6", "human", "human")
    page.locator('.hit[data-cell="31"]').drag_to(page.locator('.hit[data-cell="13"]'))
    expect(page.locator(".status")).to_contain_text("Shoot an arrow")
    page.keyboard.press("u")
    expect(page.locator(".status")).to_contain_text("Move an amazon")


def test_two_people_hand_the_board_over(page: Page, lab: LiveLab) -> None:
    begin(page, lab, "geister", "human", "human")
    page.get_by_role("button", name="I am First").click()
    page.get_by_role("button", name="Choose for me").click()
    page.get_by_role("button", name="Ready").click()
    expect(page.locator(".veil")).to_be_visible()
    page.get_by_role("button", name="I am Second").click()
    expect(page.locator(".status")).to_contain_text("Choose your four red ghosts")
    expect(page.locator(".piece.ghost .body.red")).to_have_count(0)


def test_the_computer_alone_is_paused_by_the_space_bar(page: Page, lab: LiveLab) -> None:
    begin(page, lab, "go", "uct:seconds=0.3", "uct:seconds=0.3")
    page.keyboard.press(" ")
    expect(page.locator(".status")).to_contain_text("Paused")
    before = page.locator(".history li").count()
    page.keyboard.press(".")
    expect(page.locator(".history li")).to_have_count(before + 1)


def test_bad_settings_are_a_sentence(page: Page, lab: LiveLab) -> None:
    page.goto(f"{lab.address}/#/new?game=go&player=human&player=uct:c=-1")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".trouble")).to_contain_text("exploration constant")
    page.goto(f"{lab.address}/#/game/nothing")
    expect(page.locator("h1")).to_have_text("No such game")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_form_fits_and_its_cards_take_arrow_keys(page: Page, lab: LiveLab, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(lab.address)
    cards = page.get_by_role("radio")
    cards.first.click()
    page.keyboard.press("ArrowRight")
    expect(cards.nth(1)).to_have_attribute("aria-checked", "true")
    expect(cards.nth(1)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(cards.last).to_have_attribute("aria-checked", "true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_another_site_cannot_reach_the_lab(browser: Browser, lab: LiveLab) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.route("http://evil.example/", lambda route: route.fulfill(body="<p>evil</p>"))
    page.goto("http://evil.example/")
    opened: Any = page.evaluate(
        """address => new Promise(resolve => {
            const socket = new WebSocket(address);
            socket.onopen = () => resolve("open");
            socket.onerror = () => resolve("refused");
        })""",
        f"ws://127.0.0.1:{lab.port}/ws",
    )
    assert opened == "refused"
    context.close()
