"""The store: once each, and refused in a sentence when it is not what it should be."""

import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tesuji.arena import Record, Store
from tesuji.arena.match import Match
from tesuji.arena.play import play
from tesuji.errors import BadInput


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return [play(task) for task in Match("amazons:size=6", "random", "random", games=3).tasks]


def test_a_game_is_written_once(store: Store, records: list[Record]) -> None:
    assert store.add(records[0])
    assert not store.add(records[0])
    assert store.add(records[1])
    assert store.count() == 2
    found = store.get([record.id for record in records])
    assert found == {record.id: record for record in records[:2]}


def test_games_are_found_by_the_beginning_of_their_id(store: Store, records: list[Record]) -> None:
    for record in records:
        store.add(record)
    assert store.find(records[1].id[:12]) == records[1]
    with pytest.raises(BadInput, match="more than one game"):
        store.find("")
    for wrong in ("xyz", "%", "_" * 20):
        with pytest.raises(BadInput, match="no game"):
            store.find(wrong)
    assert sorted(record.id for record in store.all()) == sorted(record.id for record in records)
    assert len(list(store.all("amazons"))) == 3
    assert not list(store.all("go"))


def test_two_may_write_at_once(tmp_path: Path, records: list[Record]) -> None:
    with Store(tmp_path / "both.sqlite") as one, Store(tmp_path / "both.sqlite") as other:
        one.add(records[0])
        other.add(records[1])
        assert one.count() == other.count() == 2


@pytest.mark.parametrize(("version", "age"), [(0, "older"), (2, "newer")])
def test_another_version_is_refused_and_kept(
    tmp_path: Path, records: list[Record], version: int, age: str
) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        store.add(records[0])
    base = sqlite3.connect(path)
    base.execute(f"PRAGMA user_version = {version}")
    base.close()
    before = path.read_bytes()
    with pytest.raises(BadInput, match=f"is of the {age} version {version}"):
        Store(path)
    assert path.read_bytes() == before


def test_other_files_are_refused_and_kept(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("these are not the games you are looking for" * 100)
    with pytest.raises(BadInput, match="is damaged"):
        Store(text)
    assert text.read_text().startswith("these")
    other = tmp_path / "other.sqlite"
    base = sqlite3.connect(other)
    base.execute("CREATE TABLE things (id)")
    base.close()
    with pytest.raises(BadInput, match="not a store of tesuji's games"):
        Store(other)
    for nowhere in (tmp_path, tmp_path / "missing" / "games.sqlite"):
        with pytest.raises(BadInput, match="cannot be used"):
            Store(nowhere)


def test_a_damaged_game_is_found_out(store: Store, records: list[Record]) -> None:
    store.add(records[0])
    for text in ("not JSON", "[]", "{}", json.dumps({**records[0].as_json(), "seed": 5})):
        base = sqlite3.connect(store.path)
        with base:
            base.execute("UPDATE games SET record = ?", (text,))
        base.close()
        with pytest.raises(BadInput, match="is damaged"):
            store.get([records[0].id])


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_store_with_bytes_changed_works_or_is_refused(
    tmp_path: Path, records: list[Record], data: st.DataObject
) -> None:
    path = tmp_path / "damaged.sqlite"
    for file in tmp_path.glob("damaged.sqlite*"):
        file.unlink()
    with Store(path) as store:
        for record in records:
            store.add(record)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    try:
        with Store(path) as store:
            list(store.all())
            store.get([record.id for record in records])
            store.add(records[0])
    except BadInput as error:
        assert str(path) in str(error)
