"""The competition's protocol: words, a series over loopback, everything a client can do wrong, and
that nobody learns a colour before its time."""

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from tests.naive.geister import random_game
from tesuji import competition, players, rng
from tesuji.cli import app
from tesuji.cli.common import fresh
from tesuji.competition import Server, play_series
from tesuji.errors import BadInput
from tesuji.formats import geister_protocol as words
from tesuji.games.geister import game
from tesuji.players import Decision, Player

START = "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u"


# --- Words ---------------------------------------------------------------------------------------


def test_the_published_start_is_what_either_player_sees() -> None:
    state = game.new()
    for reds in ("ABCD", "ABCD"):
        game.play(state, game.parse_move(state, reds))
    board = game.position_text(state).split()[0]
    assert words.veiled(board) == START
    assert words.veiled(words.turned(board)) == START


@pytest.mark.parametrize("seed", range(20))
def test_boards_are_those_of_the_naive_game_in_either_frame(seed: int) -> None:
    model = random_game(seed, 10 * seed)
    board = model.text().split()[0]
    assert words.turned(words.turned(board)) == board
    assert words.veiled(board) == model.text(0).split()[0]
    expected = ""
    for player, letters in ((1, "own"), (0, "enemy")):
        for ghost in model.players[player].values():
            if ghost.place is None:
                expected += ("88" if ghost.escaped else "99") + ghost.colour.lower()
                continue
            x, y = ghost.place if player else (5 - ghost.place[0], 5 - ghost.place[1])
            expected += f"{x}{y}{ghost.colour if letters == 'own' else 'u'}"
    assert words.veiled(words.turned(board)) == expected


@pytest.mark.parametrize(
    ("line", "reds"),
    [
        ("SET:ABCD", "ABCD"),
        ("set:hgfe\r\n", "HGFE"),
        ("SET:AABC", None),
        ("SET:ABC", None),
        ("SET:ABCDE", None),
        ("SET:ABCX", None),
        ("SET ABCD", None),
        ("", None),
    ],
)
def test_placements(line: str, reds: str | None) -> None:
    assert words.read_set(line) == reds


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("MOV:A,NORTH", "A,NORTH"),
        ("MOV:h,w\r\n", "H,W"),
        ("MOV:A,NORTHWEST", None),
        ("MOV:I,N", None),
        ("MOV:A N", None),
        ("MOV:A,", None),
        ("SET:ABCD", None),
    ],
)
def test_moves(line: str, move: str | None) -> None:
    assert words.read_move(line) == move


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    words.read_set(text)
    words.read_move(text)
    with pytest.raises(BadInput, match="does not have a board"):
        words.read_board(text)


# --- A server to talk to -------------------------------------------------------------------------


class Hall:
    """A server on ports of the system's choice, in a thread of its own."""

    def __init__(self, games: int, limit: int = 300, **options: Any):
        self.records: list[competition.Record] = []
        ready = threading.Event()
        server = Server(game.with_options({"limit": limit}), **options)

        def opened(ports: tuple[int, int]) -> None:
            self.ports = ports
            ready.set()

        def over(number: int, record: competition.Record) -> None:
            self.records.append(record)

        self.thread = threading.Thread(
            target=competition.serve, args=(server, "127.0.0.1", (0, 0), games, opened, over)
        )
        self.thread.start()
        assert ready.wait(60)

    def finished(self) -> list[competition.Record]:
        self.thread.join(120)
        assert not self.thread.is_alive()
        return self.records


class Talker:
    """A client that says what the test says."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.lines = self.socket.makefile("rb")
        self.heard: list[str] = []

    def say(self, line: str) -> None:
        self.socket.sendall(f"{line}\r\n".encode())

    def hear(self) -> str:
        line = self.lines.readline()
        self.heard.append(line.decode())
        assert not line or line.endswith(b"\r\n")
        return line.decode().rstrip("\r\n")

    def ask(self, line: str) -> str:
        self.say(line)
        return self.hear()

    def close(self) -> None:
        self.lines.close()
        self.socket.close()


@pytest.fixture
def talkers() -> Iterator[list[Talker]]:
    made: list[Talker] = []
    yield made
    for talker in made:
        talker.close()


def seated(hall: Hall, talkers: list[Talker]) -> tuple[Talker, Talker]:
    """Two players whose reds are placed; the first is asked for its move."""
    one, two = Talker(hall.ports[0]), Talker(hall.ports[1])
    talkers += [one, two]
    assert one.hear() == two.hear() == "SET?"
    assert one.ask("SET:ABCD") == "OK "
    assert two.ask("SET:ABCD") == "OK "
    assert one.hear() == f"MOV?{START}"
    return one, two


def test_an_illegal_move_is_refused_and_loses(talkers: list[Talker]) -> None:
    for move in ("A,SOUTH", "E,NORTH", "A,UP", "", "?" * 100):
        hall = Hall(1)
        one, two = seated(hall, talkers)
        assert one.ask(f"MOV:{move}") == "NG "
        assert one.hear() == "LST:" + START[:24] + START[24:].replace("u", "B").replace(
            "41B31B21B11B", "41R31R21R11R"
        )
        assert two.hear().startswith("WON:")
        assert one.hear() == two.hear() == ""
        assert hall.finished()[0].reason == "illegal move"


def test_an_illegal_move_may_be_tried_again_where_the_server_says_so(
    talkers: list[Talker],
) -> None:
    hall = Hall(1, retry=True)
    one, two = seated(hall, talkers)
    assert one.ask("MOV:A,SOUTH") == "NG "
    assert one.ask("rubbish") == "NG "
    assert one.ask("MOV:A,N") == "OK "
    assert two.hear() == "MOV?" + START[:24] + "42u31u21u11u40u30u20u10u"
    two.close()
    assert one.hear().startswith("WON:")
    assert hall.finished()[0].moves == ["A,NORTH"]


def test_out_of_turn_is_refused_and_costs_nothing(talkers: list[Talker]) -> None:
    hall = Hall(1)
    one, two = seated(hall, talkers)
    assert two.ask("MOV:A,N") == "NG "
    assert two.ask("SET:EFGH") == "NG "
    assert one.ask("MOV:A,W") == "OK "
    assert two.hear().startswith("MOV?")
    assert one.ask("MOV:A,N") == "NG "
    assert two.ask("MOV:A,W") == "OK "
    assert one.hear().startswith("MOV?")
    one.close()
    assert two.hear().startswith("WON:")
    record = hall.finished()[0]
    assert (record.winner, record.reason) == (1, "connection lost")


def test_wrong_reds_are_refused_until_they_are_right(talkers: list[Talker]) -> None:
    hall = Hall(1)
    one, two = Talker(hall.ports[0]), Talker(hall.ports[1])
    talkers += [one, two]
    assert one.hear() == "SET?"
    for wrong in ("SET:AABC", "SET:ABC", "SET:ABCZ", "MOV:A,N", "\x00\xff", ""):
        assert one.ask(wrong) == "NG "
    assert one.ask("SET:ABCD") == "OK "
    assert one.ask("SET:EFGH") == "NG "
    assert two.hear() == "SET?"
    assert two.ask("SET:BCDE") == "OK "
    assert one.hear() == f"MOV?{START}"
    two.socket.sendall(b"x" * 10_000)  # a line that never ends is a connection lost
    assert one.hear().startswith("WON:")
    assert hall.finished()[0].reds == ["ABCD", "BCDE"]


def test_silence_loses(talkers: list[Talker]) -> None:
    hall = Hall(1, total=0.2, each=0.2)
    one, two = seated(hall, talkers)
    assert one.hear().startswith("LST:")
    assert two.hear().startswith("WON:")
    assert hall.finished()[0].reason == "time"


def test_silence_at_the_placement_loses(talkers: list[Talker]) -> None:
    hall = Hall(1, total=0.1, each=0.1)
    one, two = Talker(hall.ports[0]), Talker(hall.ports[1])
    talkers += [one, two]
    assert two.hear() == "SET?"
    assert two.ask("SET:ABCD") == "OK "
    assert two.hear().startswith("WON:")
    assert hall.finished()[0].winner == 1


def test_the_clock_is_a_total_and_then_so_much_for_each_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(competition.time, "monotonic", lambda: now[0])
    clock = competition.Clock(600, 10)
    assert clock.ends() == float("inf")
    for used, left in ((500, 100), (105, 0), (9, 0)):
        clock.start()
        assert clock.ends() == now[0] + clock.left + 10
        now[0] += used
        clock.stop()
        assert clock.left == left


def test_who_leaves_before_the_game_may_come_back_and_a_third_is_sent_away(
    talkers: list[Talker],
) -> None:
    hall = Hall(1)
    early = Talker(hall.ports[0])
    assert early.hear() == "SET?"
    assert early.ask("SET:EFGH") == "OK "
    early.close()
    one = Talker(hall.ports[0])
    talkers.append(one)
    while one.hear() != "SET?":  # the server may not have noticed yet that the other has left
        one.close()
        one = Talker(hall.ports[0])
        talkers.append(one)
    third, two = Talker(hall.ports[0]), Talker(hall.ports[1])
    talkers += [third, two]
    assert third.hear() == ""
    assert one.ask("SET:ABCD") == "OK "
    assert two.hear() == "SET?"
    two.close()
    assert one.hear().startswith("WON:")
    assert hall.finished()[0].reds == ["ABCD", ""]


# --- Clients -------------------------------------------------------------------------------------


class Noting(players.Random):
    """Plays at random and notes what it is told."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, int | None]] = []

    def watch(self, view: Any, move: int | None) -> None:
        self.seen.append((game.position_text(view), move))


def series(hall: Hall, side: int, games: int, seed: int, out: dict[int, Any], make: Any) -> None:
    local = game.with_options({"limit": 60})
    out[side] = list(
        play_series(local, "127.0.0.1", hall.ports[side], make, games, rng.seeded(seed))
    )


def test_two_clients_play_a_series_without_an_error() -> None:
    count, results, made = 6, {}, [[], []]
    hall = Hall(count, limit=60)

    def maker(side: int) -> Any:
        def make() -> Player:
            made[side].append(Noting())
            return made[side][-1]

        return make

    threads = [
        threading.Thread(target=series, args=(hall, side, count, side, results, maker(side)))
        for side in (0, 1)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    records = hall.finished()
    opposite = {"WON": "LST", "LST": "WON", "DRW": "DRW"}
    assert [opposite[played.result] for played in results[0]] == [p.result for p in results[1]]
    assert all(played.refused == 0 for played in results[0] + results[1])
    assert {record.reason for record in records} == {"rules"}
    for number, record in enumerate(records):
        # The players were told what a game between them here would have told them.
        state = game.new(limit=60)
        told: list[list[tuple[str, int | None]]] = [[], []]
        for text in [*record.reds, *record.moves]:
            move = game.parse_move(state, text)
            mover = game.player_to_move(state)
            for side in (0, 1):
                known = side == mover or not game.is_secret(state, move)
                seen = game.position_text(game.view(state, side))
                told[side].append((seen, move if known else None))
            game.play(state, move)
        first = made[0][number].seen
        second = made[1][2 * number + 1].seen  # the first one only placed the reds
        # What happens after a side's last move, it is not told.
        assert first == told[0][: len(first)]
        assert second == told[1][: len(second)]
        assert len(first) >= len(told[0]) - 1
        assert len(second) >= len(told[1]) - 1


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["HELLO"], "'HELLO' is not in the protocol"),
        (["SET?", "OK ", "MOV?14R"], "does not have a board"),
        (["SET?"], "closed the connection"),
        (["SET?", "MOV?" + START, "MOV?" + START], "does not follow"),
        (["SET?", "MOV?" + START.replace("24R", "14R")], "another ghost"),
        (["SET?", "MOV?" + START, "SET?"], "'SET[?]' is not in the protocol"),
        (["SET?", "MOV?99r99r99r99r" + START[12:]], "the game is over"),
    ],
)
def test_a_client_says_what_is_wrong_with_a_server(lines: list[str], reason: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                for line in lines:
                    connection.sendall(f"{line}\r\n".encode())
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(100):
                    pass

        thread = threading.Thread(target=serve)
        thread.start()
        port = listener.getsockname()[1]
        with pytest.raises(BadInput, match=reason):
            list(play_series(game, "127.0.0.1", port, players.Random, 1, rng.seeded(1)))
        thread.join(120)


def test_a_client_that_finds_no_server_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(competition, "PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    for host, wrong in (("127.0.0.1", port), ("127.0.0.1", 99999), ("10.0..1", port)):
        with pytest.raises(BadInput, match="cannot connect"):
            list(play_series(game, host, wrong, players.Random, 1, rng.seeded(1)))


def test_a_port_that_is_taken_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(BadInput, match=f"cannot listen on port {port}"):
            asyncio.run(Server(game).open("127.0.0.1", (port, 0)))


# --- Nobody learns a colour before its time ------------------------------------------------------


def overheard(reds: str, moves: list[str], talkers: list[Talker]) -> str:
    """All that the first player hears before the end, if the second player has these reds."""
    hall = Hall(1)
    one, two = Talker(hall.ports[0]), Talker(hall.ports[1])
    talkers += [one, two]
    assert one.hear() == two.hear() == "SET?"
    assert one.ask("SET:ABCD") == two.ask(f"SET:{reds}") == "OK "
    for number, move in enumerate(moves):
        mover = (one, two)[number % 2]
        assert mover.hear().startswith("MOV?")
        assert mover.ask(f"MOV:{move}").startswith("OK")
        assert not hall.records  # and so there is nothing to log
    assert one.hear().startswith("MOV?")
    before = "".join(one.heard)
    two.close()
    assert one.hear().startswith("WON:")
    hall.finished()
    return before


def test_the_wire_tells_no_colour_that_is_not_captured(talkers: list[Talker]) -> None:
    moves = ["B,N", "A,W", "B,N", "A,N", "B,N", "E,W"]  # the first player's B captures c
    told = {reds: overheard(reds, moves, talkers) for reds in ("ABCD", "CEFG", "ABEH", "EFGH")}
    assert "OKR" in told["ABCD"]
    assert told["ABCD"] == told["CEFG"]
    assert told["ABEH"] == told["EFGH"]
    assert "OKB" in told["ABEH"]


def test_the_log_gets_a_game_when_it_is_over(talkers: list[Talker], tmp_path: Path) -> None:
    log, ports = tmp_path / "games.jsonl", []
    words = ["geister", "server", "--ports", "0", "0", "--games", "1", "--log", str(log)]
    process = subprocess.Popen(
        [sys.executable, "-m", "tesuji", *words], stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        ports = [int(word.strip(",")) for word in process.stdout.readline().split()[3::4]]
        one, two = Talker(ports[0]), Talker(ports[1])
        talkers += [one, two]
        for talker in (one, two):
            assert talker.hear() == "SET?"
            assert talker.ask("SET:ABCD") == "OK "
        assert one.hear().startswith("MOV?")
        assert one.ask("MOV:A,N") == "OK "
        assert two.hear().startswith("MOV?")
        assert log.read_text() == ""
        one.close()
        assert two.hear().startswith("WON:")
        assert "ABCD" not in process.stdout.read()
    record = json.loads(log.read_text())
    assert record["reds"] == ["ABCD", "ABCD"]
    assert (record["moves"], record["winner"]) == (["A,NORTH"], 1)


def test_a_client_whose_limit_is_lower_plays_on() -> None:
    hall, results = Hall(1, limit=80), {}  # its clients take 60 for the limit
    threads = [
        threading.Thread(target=series, args=(hall, side, 1, 8, results, Pacing)) for side in (0, 1)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert [played.result for played in (results[0][0], results[1][0])] == ["DRW", "DRW"]
    assert len(hall.finished()[0].moves) == 80


class Pacing(Player):
    """Steps forth and back."""

    def choose(self, view: Any, rng: Any, report: Any = None) -> Decision:
        ply = int(view[0].ply)
        text = "ABCD" if ply < 2 else "A,N" if ply // 2 % 2 else "A,S"
        return Decision(game.parse_move(view, text))


def test_a_server_that_ends_is_quiet_about_who_waits(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> socket.socket:
        server = Server(game)
        ports = await server.open("127.0.0.1", (0, 0))
        waiting = socket.create_connection(("127.0.0.1", ports[1]), timeout=60)
        assert (await server.events.get()).connected
        server.close()
        return waiting

    with asyncio.run(run()) as waiting, contextlib.suppress(ConnectionResetError):
        assert waiting.recv(100) == b""  # it is let go
    assert caplog.text == ""


def test_who_does_not_read_is_cut_off() -> None:
    class Seat:
        transport: Any = None
        aborted = False

        def is_closing(self) -> bool:
            return False

        def write(self, data: bytes) -> None: ...

        def get_write_buffer_size(self) -> int:
            return competition.MOST_UNREAD + 1

        def abort(self) -> None:
            self.aborted = True

    seat: Any = Seat()
    seat.transport = seat
    competition._send(seat, "NG ")
    assert seat.aborted


def test_a_server_of_another_limit_is_refused_before_it_opens() -> None:
    answer = CliRunner().invoke(app, ["geister", "server", "--limit", "5000", "--ports", "0", "0"])
    assert isinstance(answer.exception, BadInput)
    assert answer.stdout == ""


def test_nobody_can_foresee_where_a_client_puts_its_reds() -> None:
    assert fresh(7) == 7
    assert fresh(None) != fresh(None)


def client_command(hall: Hall, games: int) -> Any:
    """The command plays two games as the second player, in a hall that has so many."""
    options = ["--player", "random", "--games", "2", "--limit", "20", "--json"]
    thread = threading.Thread(target=series, args=(hall, 0, games, 1, {}, players.Random))
    thread.start()
    answer = CliRunner().invoke(
        app, ["geister", "client", "127.0.0.1", str(hall.ports[1]), *options]
    )
    thread.join(120)
    hall.finished()
    return answer


def test_the_client_command_tells_what_was_played_when_the_server_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(competition, "PATIENCE", 0.1)
    answer = client_command(Hall(1, limit=20), 1)
    assert isinstance(answer.exception, BadInput)
    assert json.loads(answer.stdout)["games"] == 1


def test_the_client_command_reports_a_series() -> None:
    report = json.loads(client_command(Hall(2, limit=20), 2).stdout)
    assert report["games"] == report["won"] + report["lost"] + report["drawn"] == 2
    assert report["refused"] == 0
