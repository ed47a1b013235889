"""The server as a page meets it, over a real socket: playing, keeping, hiding, refusing."""

import http.client
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.web.conftest import LiveLab, Visitor
from tesuji import games, players
from tesuji.errors import BadInput
from tesuji.web import menu, server, tables, workers
from tesuji.web.store import Kept, Record, Store

# --- Choosing and playing ------------------------------------------------------------------------


def test_the_menu_lists_games_options_and_players(visitor: Visitor) -> None:
    offered = {game["name"]: game for game in visitor.ask("menu")["games"]}
    assert set(games.names()) | {"connect_four"} <= set(offered)
    (size,) = (option for option in offered["go"]["options"] if option["name"] == "size")
    assert size == {
        "name": "size", "kind": "choice", "default": "9", "choices": ["9", "13", "19"],
    }  # fmt: skip
    (maps,) = (option for option in offered["tubstap"]["options"] if option["name"] == "map")
    assert "plains14" in maps["choices"]
    listed = {player["name"]: player for player in visitor.ask("players", game="go")}
    assert set(players.playable("random")) == set(games.names())
    assert {"random", "uct"} <= set(listed)
    kinds = {setting["name"]: setting["kind"] for setting in listed["uct"]["settings"]}
    assert kinds["playouts"] == "whole"
    assert kinds["seconds"] == "number"
    assert visitor.ask("preview", game="go:size=13")["rows"] == 13


def test_a_person_plays_and_takes_back(visitor: Visitor) -> None:
    table = visitor.sit("go", "human", "random")
    assert table["viewer"] == 0
    assert len(table["moves"]) == 82
    visitor.move(3)
    table = visitor.my_turn()
    assert table["ply"] == 2
    passed = table["history"][1][2] == "pass"
    assert len(table["board"]["pieces"]) == (1 if passed else 2)
    assert table["last"] == [piece["at"] for piece in table["board"]["pieces"] if piece["side"]]
    assert visitor.refused("move", ply=0, move=table["moves"][0][0]).startswith("the position has")
    visitor.ask("undo")
    assert visitor.wait(lambda table: table["ply"] == 0)["moves"]
    assert visitor.refused("undo") == "there is nothing to take back"
    visitor.ask("resign")
    table = visitor.wait(lambda table: table["over"])
    assert table["result"] == "White wins by resignation"
    assert table["outcome"] == -1
    assert visitor.refused("resign") == "the game is over"
    visitor.ask("undo") if table["can_undo"] else None


def test_a_move_in_two_stages_and_the_last_turn_marked(visitor: Visitor) -> None:
    visitor.sit("amazons:size=6", "human", "human")
    visitor.move()
    table = visitor.table
    assert table["mover"] == 0
    assert table["board"]["prompt"] == "Shoot an arrow"
    visitor.move()
    assert visitor.table["mover"] == 1
    assert len(visitor.table["last"]) == 3
    visitor.ask("undo")
    assert visitor.wait(lambda table: table["ply"] == 0)["mover"] == 0


def test_chance_is_drawn_by_the_server(visitor: Visitor) -> None:
    visitor.sit("skirmish:rounds=1,abilities=confusion", "human", "random")
    for _ in range(40):
        if visitor.my_turn()["over"]:
            break
        visitor.move()
    assert visitor.table["over"]
    again = visitor.ask("again")
    visitor.ask("join", seat=again[0])
    assert visitor.table["ply"] == 0


def test_the_computer_alone_pauses_and_steps(visitor: Visitor) -> None:
    visitor.sit("go", "uct:seconds=0.2", "uct:seconds=0.2")
    visitor.ask("pause", on=True)
    table = visitor.wait(lambda table: table["paused"] and not table["thinking"])
    visitor.ask("step")
    stepped = visitor.wait(lambda new: new["ply"] > table["ply"])
    assert stepped["ply"] == table["ply"] + 1
    visitor.ask("undo")
    visitor.wait(lambda new: new["ply"] == table["ply"])
    visitor.ask("pause", on=False)
    visitor.wait(lambda new: new["ply"] > table["ply"] + 1)


def test_the_computer_alone_comes_to_an_end(visitor: Visitor) -> None:
    visitor.sit("amazons:size=6", "random", "random")
    assert visitor.wait(lambda table: table["over"])["result"] in ("White wins", "Black wins")
    assert visitor.refused("hint") == "the game is over"
    assert visitor.refused("resign") == "the game is over"


def test_a_game_of_the_users_own_is_text_and_buttons(visitor: Visitor) -> None:
    table = visitor.sit("connect_four", "human", "random")
    assert table["board"]["style"] == "text"
    assert [path for _, path in table["moves"]] == [f"!{letter}" for letter in "abcdefg"]
    visitor.move(3)
    visitor.my_turn()


def test_the_search_is_shown_and_drawn_into_the_graph(visitor: Visitor) -> None:
    visitor.sit("go", "human", "uct:playouts=30000")
    visitor.move(40)
    table = visitor.my_turn()
    searches = [message for message in visitor.pushed if message["push"] == "search"]
    assert [search["done"] for search in searches].count(True) == 1
    assert len(searches) > 1  # it was seen at work
    last = searches[-1]
    assert last["ply"] == 1
    assert last["side"] == 1
    assert last["candidates"][0]["visits"] >= last["candidates"][-1]["visits"]
    assert last["line"][0]["text"] == last["candidates"][0]["text"]
    assert table["values"] == [[1, 1, pytest.approx(last["candidates"][0]["value"], abs=1e-4)]]
    visitor.ask("hint")
    visitor.wait(lambda table: [row[0] for row in table["values"]] == [1, 2])


def test_undo_takes_a_whole_turn_back(visitor: Visitor) -> None:
    visitor.sit("amazons:size=6", "human", "random")
    visitor.move()
    assert visitor.my_turn()["ply"] == 1  # the amazon has moved, and has to shoot
    visitor.move()
    assert visitor.my_turn()["ply"] == 4
    visitor.ask("undo")
    assert visitor.wait(lambda table: table["ply"] < 4)["ply"] == 0


def test_a_player_keeps_its_plan_for_the_turn(visitor: Visitor) -> None:
    visitor.sit("amazons:size=6", "human", "alphabeta:nodes=2000")
    for _ in range(4):
        visitor.move()
        visitor.move()
        visitor.my_turn()
    searched = {message["ply"] for message in visitor.pushed if message["push"] == "search"}
    assert searched == {2, 6, 10, 14}  # the amazon and its arrow at once


def test_a_failure_is_told(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*arguments: Any) -> int:
        raise TypeError("this should not be")

    monkeypatch.setattr(tables.Table, "think", fail)
    visitor.sit("go", "human", "random")
    visitor.ask("move", ply=0, move=21)
    table = visitor.wait(lambda table: table["problem"])
    assert table["problem"] == "the lab has failed here: this should not be"
    assert table["paused"]


def test_undo_stops_a_search(visitor: Visitor) -> None:
    visitor.sit("go", "human", "uct:seconds=60")
    visitor.move(40)
    while not any(message["push"] == "search" for message in visitor.pushed):
        visitor.hear()
    visitor.ask("undo")
    table = visitor.wait(lambda table: table["ply"] == 0)
    assert not table["thinking"]
    visitor.move(20)
    visitor.ask("undo")


# --- Keeping -------------------------------------------------------------------------------------


def test_a_game_goes_on_after_the_connection_is_lost(visitor: Visitor, another: Visitor) -> None:
    visitor.sit("go", "human", "random")
    visitor.move(7)
    table = visitor.my_turn()
    visitor.connection.close()
    another.ask("join", seat=visitor.seats[0])
    assert another.my_turn()["history"] == table["history"]
    assert visitor.seats[0] in [row["seat"] for row in another.ask("games")]
    assert another.refused("forget", seat=visitor.seats[0]) == "somebody is looking at this game"
    another.ask("leave")
    another.ask("forget", seat=visitor.seats[0])
    assert another.refused("join", seat=visitor.seats[0]).startswith("there is no such game")


def test_games_outlive_the_server(tmp_path: Path) -> None:
    store = Store(tmp_path / "lab.sqlite")
    game = games.load("go")
    record = tables.new_record(game, ["human", "human"], None, 5)
    kept = Kept("id", tables.seats_for(game, record.players), record)
    table = tables.Table(kept, store, pool=None)  # type: ignore[arg-type]
    record.values.append((1, 1, 0.5))
    for move in (21, 31, 41):
        table.play(move)
    store.close()
    (seat,) = kept.seats
    again = Store(tmp_path / "lab.sqlite").find(seat)
    assert again is not None
    assert again.record == record
    assert tables.Table(again, store, pool=None).ply == 3  # type: ignore[arg-type]


def test_the_store_drops_the_oldest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.web.store.MOST_GAMES", 3)
    store = Store(tmp_path / "lab.sqlite")
    for number in range(5):
        store.make_room()
        store.keep(Kept(str(number), {f"seat{number}": None}, Record("0", "go", 1, [], 0)))
    assert [kept.id for kept in store.newest(10)] == ["4", "3", "2"]
    assert store.find("seat0") is None
    store.close()


def test_a_record_is_saved_and_opened(visitor: Visitor) -> None:
    visitor.sit("amazons:size=6", "human", "random")
    visitor.move()
    visitor.move()
    table = visitor.my_turn()
    record = visitor.ask("record")
    assert record["game"] == "amazons:size=6"
    assert len(record["moves"]) == table["ply"]
    assert {"tesuji", "game", "version", "players", "opening", "seed", "moves", "outcome"} <= set(
        record
    )
    seats = visitor.ask("open", record=record)
    visitor.ask("join", seat=seats[0])
    assert visitor.my_turn()["history"] == table["history"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"moves": ["D4", "D4"]}, "move 2: D4 is not a legal move here"),
        ({"moves": ["E5"] * 500}, "500 moves are more than a game of go can have"),
        ({"moves": "D4"}, "moves must be a list of texts"),
        ({"version": 99}, "version 99 of the rules"),
        ({"players": ["human"]}, "players must be two texts"),
        ({"players": ["human", "nobody"]}, "there is no player called 'nobody'"),
        ({"outcome": 7}, "outcome must be 1, 0, -1 or null"),
        ({"values": [[1, 2, 3]]}, "values must be rows"),
        ({"seed": "x"}, "seed must be a whole number"),
        ({"start": 3}, "start must be a position or null"),
        ({"game": "go:size=8"}, "size must be one of 9, 13, 19"),
        ({"game": "nothing.py"}, "there is no game called"),
        ({"opening": 1}, "opening must be a list of texts"),
    ],
)
def test_a_record_that_is_wrong_is_refused(
    visitor: Visitor, change: dict[str, Any], sentence: str
) -> None:
    record = {"game": "go", "version": 1, "players": ["human", "random"], "moves": ["D4"]}
    assert sentence in visitor.refused("open", record={**record, **change})
    assert "is missing" in visitor.refused("open", record={"game": "go"})
    assert "one JSON object" in visitor.refused("open", record=[1])


def test_a_position_is_opened_again(visitor: Visitor) -> None:
    visitor.sit("go", "human", "human")
    visitor.move(5)
    position = visitor.ask("position")
    assert visitor.ask("preview", game="go", position=position)["pieces"][0]["side"] == 0
    table = visitor.sit("go:size=13", "random", "human", position=position)
    assert table["game"]["spec"] == "go"
    assert table["board"]["rows"] == 9
    assert "6 parts" in visitor.refused("preview", game="go", position="x")


# --- What must not be known ----------------------------------------------------------------------

START = "14R24R34R44R15B25B35B45B41{}31{}21{}11{}40{}30{}20{}10{} 2 40"


def wire(visitor: Visitor, colours: str) -> list[str]:
    """Everything that a person gets to read in a game against ghosts of these colours."""
    record = {
        "game": "geister", "version": 1, "players": ["human", "random"], "seed": 11,
        "start": START.format(*colours), "moves": [],
    }  # fmt: skip
    visitor.frames.clear()
    seats = visitor.ask("open", record=record)
    visitor.ask("join", seat=seats[0])
    for text in ("A,WEST", "A,EAST", "A,WEST", "A,EAST"):
        table = visitor.my_turn()
        labels = {piece["letter"]: piece["at"] for piece in table["board"]["pieces"][:8]}
        origin = labels["A"]
        target = origin + (-1 if text == "A,WEST" else 1)
        (move,) = (move for move, *path in table["moves"] if path == [origin, target])
        visitor.ask("move", ply=table["ply"], move=move)
        visitor.wait(lambda new, ply=table["ply"]: new["ply"] > ply)
    visitor.my_turn()
    assert "secrets" in visitor.refused("record")
    visitor.ask("position")
    frames = [re.sub(r'"seconds":\[[^]]*\]|"id":\d+', "", frame) for frame in visitor.frames]
    return [frame.replace(seats[0], "") for frame in frames]


def test_the_wire_is_the_same_whatever_the_other_side_hides(visitor: Visitor) -> None:
    one, other = wire(visitor, "RRRRBBBB"), wire(visitor, "BBRBRRRB")
    assert one == other
    assert sum("table" in frame for frame in one) >= 8


def test_a_whole_game_of_geister_tells_nothing_before_its_end(visitor: Visitor) -> None:
    visitor.sit("geister:limit=30", "human", "uct:playouts=30")
    positions = []
    while not visitor.my_turn()["over"]:
        positions.append(visitor.ask("position"))
        visitor.move(0)
    assert "u" not in visitor.ask("position")
    *before, last = (message for message in visitor.pushed if message["push"] == "table")
    for table in before:
        for piece in table["board"]["pieces"]:
            assert piece["side"] == 0 or piece["tone"] == "unknown"
        assert all(text == "a move in secret" for _, ply, text in table["history"] if ply == 1)
        assert table["values"] == []
    for position in positions:
        signs = [position[i : i + 3] for i in range(24, 48, 3)]
        assert all(sign.endswith("u") or sign.startswith(("99", "88")) for sign in signs)
    assert all(message["push"] == "table" for message in visitor.pushed)  # no search
    tones = {piece["tone"] for piece in last["board"]["pieces"] if piece["side"] == 1}
    assert "unknown" not in tones
    assert visitor.ask("record")["moves"][1] != "a move in secret"
    assert visitor.refused("undo") == "Geister takes nothing back: what was seen stays seen"
    assert not any(table["can_undo"] for table in before)


def test_a_hint_is_for_the_own_side_only(visitor: Visitor, another: Visitor) -> None:
    visitor.sit("geister", "human", "human")
    first, second = visitor.seats
    another.ask("join", seat=second)
    assert another.table["viewer"] == 1
    assert another.table["moves"] == []
    assert another.refused("hint") == "it is not your turn"
    assert another.refused("move", ply=0, move=4111) == "it is not your turn"
    visitor.ask("hint")
    visitor.wait(lambda table: any(message["push"] == "search" for message in visitor.pushed))
    visitor.move()
    another.wait(lambda table: table["ply"] == 1)
    assert another.table["history"][0][2] == "a move in secret"
    assert another.table["last"] == []
    assert not [message for message in another.pushed if message["push"] == "search"]
    assert all(table["values"] == [] for table in another.pushed)
    assert visitor.refused("undo").startswith("Geister takes nothing back")
    assert not {first, second} & {row["seat"] for row in visitor.ask("games")}
    tones = {piece["tone"] for piece in visitor.table["board"]["pieces"] if piece["side"] == 1}
    assert tones == {"unknown"}


def test_computers_are_watched_with_open_cards(visitor: Visitor) -> None:
    visitor.sit("geister:limit=4", "random", "random")
    visitor.wait(lambda table: table["ply"] > 1)
    pieces = visitor.table["board"]["pieces"]
    assert {piece["tone"] for piece in pieces} == {"red", "blue"}


def test_playing_a_position_again_draws_what_is_hidden_anew(visitor: Visitor) -> None:
    position = START.format(*"RRRRBBBB")
    visitor.sit("geister", "human", "random", position=position)
    colours = set()
    for _ in range(4):
        visitor.ask("resign")
        shown = visitor.wait(lambda table: table["over"])["board"]["pieces"]
        assert [piece["tone"] for piece in shown[:4]] == ["red"] * 4
        colours.add(tuple(piece["tone"] for piece in shown[8:]))
        visitor.ask("join", seat=visitor.ask("again")[0])
    assert len(colours) > 1


def test_a_position_with_unknown_colours_is_filled_in(visitor: Visitor) -> None:
    position = START.format(*"uuuuuuuu")
    table = visitor.sit("geister", "random", "random", position=position)
    assert {piece["tone"] for piece in table["board"]["pieces"]} == {"red", "blue"}


# --- What is refused -----------------------------------------------------------------------------

HOSTILE = [
    "", "null", "[]", "1", '"x"', "{", '{"do": 1}', '{"do": "nothing"}', '{"do": "__init__"}',
    '{"do": "join"}', '{"do": "join", "seat": 5}', '{"do": "join", "seat": "x"}',
    '{"do": "move"}', '{"do": "move", "ply": 0}', '{"do": "move", "ply": 0, "move": "D4"}',
    '{"do": "move", "ply": 0, "move": 99999999999999999999}',
    '{"do": "move", "ply": 0, "move": 3}', '{"do": "move", "ply": true, "move": 1}',
    '{"do": "move", "ply": 0, "move": -1}', '{"do": "move", "ply": NaN, "move": 1}',
    '{"do": "new"}', '{"do": "new", "game": "go", "players": ["human"]}',
    '{"do": "new", "game": "go", "players": ["human", 3]}',
    '{"do": "new", "game": "go", "players": ["human", "utc"]}',
    '{"do": "new", "game": "go", "players": ["human", "uct:c=-1"]}',
    '{"do": "new", "game": "go", "players": ["human", "random"], "position": 4}',
    '{"do": "new", "game": "/etc/passwd.py", "players": ["human", "random"]}',
    '{"do": "new", "game": "examples/connect_four.py", "players": ["human", "random"]}',
    '{"do": "new", "game": "tubstap:map=/etc/passwd.tbsmap", "players": ["human", "random"]}',
    '{"do": "new", "game": "tubstap:\\"/etc/passwd.tbsmap\\"", "players": ["human", "random"]}',
    '{"do": "preview", "game": "tubstap:map=../x.tbsmap"}', '{"do": "preview", "game": "x"}',
    '{"do": "players", "game": "x"}', '{"do": "open", "record": "x"}', '{"do": "step", "id": {}}x',
    '{"do": "pause", "on": true, "id": [1', "[" * 100_000, '{"do": "hint"',
]  # fmt: skip


def test_hostile_messages_get_an_error_and_change_nothing(visitor: Visitor) -> None:
    before = visitor.sit("go", "human", "random")
    for text in HOSTILE:
        answer = visitor.say(text, None)
        assert set(answer) == {"id", "error"}, text
        assert len(answer["error"]) < 500
    oversized = visitor.say(json.dumps({"do": "menu", "more": "x" * 300_000}), None)
    assert "at most" in oversized["error"]
    visitor.ask("join", seat=visitor.seats[0])
    del before["seconds"], visitor.table["seconds"]
    assert visitor.table == before


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.dictionaries(
        st.sampled_from(["do", "game", "players", "seat", "ply", "move", "position", "record"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=20)
            | st.sampled_from(["go", "join", "move", "open", "preview", "undo", "human"]),
            lambda inner: st.lists(inner, max_size=3)
            | st.dictionaries(st.text(max_size=8), inner, max_size=3),
            max_leaves=6,
        ),
    )
)  # fmt: skip
def test_any_message_is_answered(visitor: Visitor, message: dict[str, Any]) -> None:
    answer = visitor.say(json.dumps({**message, "id": 7}), 7)
    assert ("ok" in answer) != ("error" in answer)


@pytest.mark.parametrize("nonsense", [b"\x00\xff", "x" * (1 << 21)], ids=["bytes", "too large"])
def test_what_is_no_text_or_too_large_ends_the_connection_only(
    visitor: Visitor, another: Visitor, nonsense: Any
) -> None:
    visitor.connection.send(nonsense)
    with pytest.raises(ConnectionClosed):
        visitor.connection.recv(timeout=30)
    assert another.ask("menu")["games"]


@pytest.mark.parametrize(
    "origin", [None, "http://evil.example", "null", "https://127.0.0.1:8037", "http://127.0.0.1"]
)
def test_other_sites_cannot_open_the_socket(lab: LiveLab, origin: Any) -> None:
    with (
        pytest.raises(InvalidStatus),
        connect(f"ws://127.0.0.1:{lab.port}/ws", origin=origin),
    ):
        pass


def get(lab: LiveLab, path: str, host: str | None = None) -> http.client.HTTPResponse:
    line = http.client.HTTPConnection("127.0.0.1", lab.port, timeout=30)
    line.putrequest("GET", path, skip_host=True)
    line.putheader("Host", host or f"127.0.0.1:{lab.port}")
    line.endheaders()
    response = line.getresponse()
    response.body = response.read()  # type: ignore[attr-defined]
    line.close()
    return response


def test_every_answer_forbids_what_is_not_ours(lab: LiveLab) -> None:
    for path in ("/", "/main.js", "/lab.css", "/nothing"):
        response = get(lab, path)
        policy = response.getheader("content-security-policy") or ""
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert response.getheader("x-content-type-options") == "nosniff"
    assert get(lab, "/", "evil.example").status == 421
    assert get(lab, "/", f"evil.example:{lab.port}").status == 421
    assert get(lab, "/", f"localhost:{lab.port}").status == 200


@pytest.mark.parametrize(
    "path",
    ["/../server.py", "/..%2fserver.py", "/%2e%2e/server.py", "/static/../../server.py",
     "//etc/passwd", "/etc/passwd", "/lab.sqlite", "/../lab.sqlite", "/openapi.json", "/docs"],
)  # fmt: skip
def test_no_file_but_the_page_is_served(lab: LiveLab, path: str) -> None:
    assert get(lab, path).status == 404


def test_the_page_loads_nothing_from_elsewhere_and_has_no_inline_code() -> None:
    for file in server.STATIC.iterdir():
        text = file.read_text()
        assert not re.search(r"(src|href)=\"(https?:)?//|@import|url\(", text), file
        if file.suffix == ".html":
            assert not re.search(r"<script(?![^>]*src=)|style=|\son\w+=", text)


def test_limits_on_pages_and_games(
    lab: LiveLab, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor.sit("go", "human", "random")
    with monkeypatch.context() as patch:
        patch.setattr(server, "MOST_TABLES", 1)
        lab.app.state.lab.tables = {
            id: table for id, table in lab.app.state.lab.tables.items() if table.watchers
        }
        sentence = visitor.refused("new", game="go", players=["human", "random"])
        assert "games are open already" in sentence
    with monkeypatch.context() as patch:
        patch.setattr(server, "MOST_PAGES", 1)
        with (
            pytest.raises(InvalidStatus),
            connect(f"ws://127.0.0.1:{lab.port}/ws", origin=Origin(lab.address)),
        ):
            pass


def test_a_search_that_takes_too_long_is_stopped(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor.sit("go", "human", "uct:seconds=60")
    monkeypatch.setattr(workers, "SECONDS", 0.5)
    visitor.move(3)
    table = visitor.wait(lambda table: table["problem"])
    assert "thought for more than 0.5 seconds" in table["problem"]
    assert table["paused"]
    visitor.ask("undo")
    visitor.wait(lambda table: table["ply"] == 0)


@pytest.fixture
def loud() -> Any:
    """A player with a setting that would run a program."""

    @players.player
    def loud(game: Any, command: str = "", voice: str = "soft") -> players.Player:
        return players.Random()

    yield loud
    del players._makers["loud"]


def test_free_text_may_name_no_file_and_no_program(loud: Any) -> None:
    assert menu.check_player("loud:voice=harsh")
    for text in (
        'loud:"gnugo --mode gtp"', 'loud:command="sh -c x"', "loud:command=sh", "loud:command=../x",
        "loud:command=/bin/sh", "loud:command=README.md", "loud:command=.hidden", "loud:a=1",
    ):  # fmt: skip
        with pytest.raises(BadInput):
            menu.check_player(text)


def test_a_busy_port_is_a_sentence(lab: LiveLab) -> None:
    with pytest.raises(BadInput, match="is in use"):
        server.listen(lab.port)
    with server.listen() as listener:
        assert server.address(listener) != lab.address
