"""Stores with flipped bits, lost pages and values that are none: every command says so or is right, and what can be
read is rescued. `STEPSCOPE_FUZZ=N` tries N damages in the place of a dozen."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from stepscope.core.domain.human_order import HumanOrder
from stepscope.core.domain.web_answer import WebAnswer
from stepscope.core.errors import StoreError
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import human_orders, sessions, web_answers
from stepscope.core.store.rescue import rescue

CASES = int(os.environ.get("STEPSCOPE_FUZZ", "12"))
PAGE = 4096
VALUES = ("NULL", "x'ff80'", "CAST(x'ff80' AS TEXT)", "'zzz'", "-7", "3.5e300", "'[['", "'" + "[" * 3000 + "'", "'{}'")


@pytest.fixture(scope="module")
def _sound(cli, _shared_data, _evaluated, tmp_path_factory) -> Path:
    home = tmp_path_factory.mktemp("sound")
    (home / "data").mkdir()
    store = Path(shutil.copy(_evaluated, home / "data"))
    recordings = _shared_data.folder / "recordings"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STEPSCOPE_HOME", str(home))
        assert cli("evaluate", "automation", recordings, "--model", "random").status == 0
        assert cli("runs", "rescore", "last", "--rule", "aitw-exact").status == 0
        assert cli("annotate", recordings, "lamp", "--star", "--note", "a long note " * 20, "--tag", "odd").status == 0
        assert cli("campaign", "new", "study").status == 0
    with Database.open(store_url(store)) as database, database.unit_of_work() as db:
        sessions.save(db, "work", {"open": ["a"]})
        made = datetime(2024, 1, 1, tzinfo=UTC)
        web_answers.put(db, WebAnswer("data", "t", "t/1", "one", {"q": "é"}, made))
        human_orders.replace(db, (), [HumanOrder("data", "p", "one", True, (("b", "é"), ("é", "b")), made, 1.0, 3)])
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return store


@pytest.fixture
def sound(_sound, store, recordings, predictions) -> Path:
    """Two runs, annotations, a session, an answer and a campaign, in one file without a log."""
    return Path(shutil.copy(_sound, store))


def rows(path: Path) -> dict[str, set[str]]:
    """All rows of the tables that are rescued, but for what a rescue may say of a run."""
    with closing(sqlite3.connect(path)) as raw:
        raw.row_factory = sqlite3.Row
        names = (
            "selection",
            "prediction",
            "score",
            "session",
            "annotation",
            "web_answer",
            "human_order",
            "campaign",
            "scoring",
        )
        return {
            name: {repr({k: row[k] for k in sorted(row.keys()) if k != "changed"}) for row in raw.execute(query)}
            for name in names
            for query in [f"SELECT * FROM {name}"]
        }


def damaged(blob: bytes, number: int) -> tuple[str, bytes]:
    """The file with a deterministic fault, and what it is."""
    draw, data = random.Random(number), bytearray(blob)
    pages = len(blob) // PAGE
    at, page = draw.randrange(len(blob)), draw.randrange(pages)
    match number % 6:
        case 0 | 1:
            data[at] ^= 1 << draw.randrange(8)
            return f"bit flipped in byte {at}", bytes(data)
        case 2:
            data[at : at + 40] = draw.randbytes(len(data[at : at + 40]))
            return f"40 bytes from {at}", bytes(data)
        case 3:
            data[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
            return f"page {page + 1} zeroed", bytes(data)
        case 4:
            return f"cut at {at}", blob[:at]
        case _:
            return "value", blob


def put_value(store: Path, number: int) -> str:
    """A value in some row that the program never writes there."""
    draw = random.Random(number)
    with closing(sqlite3.connect(store)) as raw:
        tables = ("run", "selection", "prediction", "scoring", "score", "session", "annotation", "episode", "source")
        table = draw.choice(tables)
        column = draw.choice([row[1] for row in raw.execute(f"PRAGMA table_info({table})")])
        raw.execute("PRAGMA writable_schema=ON")
        raw.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE name = ?", [table])
        raw.commit()
    value = draw.choice(VALUES)
    with closing(sqlite3.connect(store)) as raw:
        raw.execute(f"UPDATE OR IGNORE {table} SET {column} = {value}")
        raw.commit()
    return f"{table}.{column} = {value[:20]}"


def test_every_command_on_a_damaged_store_is_right_or_says_so(cli, sound, recordings, tmp_path):
    blob, out = sound.read_bytes(), tmp_path / "out"
    ids = [run["run"] for run in cli("runs", "list", "--json").json]
    commands = (
        ("runs", "list", "--json"),
        ("runs", "show", "last", "--filter", "wrong:A", "--json"),
        ("runs", "compare", *ids, "--json"),
        ("runs", "export", "last", "-o", out / "run.bundle"),
        ("runs", "rescore", "last", "--rule", "aitw-exact", "--json"),
        ("annotations", recordings, "--json"),
        ("campaign", "list"),
        ("evaluate", "automation", recordings, "--resume", ids[0]),
        ("annotate", recordings, "chair", "--note", "new"),
        ("runs", "delete", ids[1], "--yes"),
    )
    for number in range(CASES):
        what, data = damaged(blob, number)
        for leftover in sound.parent.glob(f"{sound.name}-*"):
            leftover.unlink()
        sound.write_bytes(data)
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        what = put_value(sound, number) if what == "value" else what
        for command in commands:
            ended = cli(*command)
            assert ended.status in (0, 1, 2), (what, command, ended.err)
            assert ended.status != 2 or ended.err.startswith("stepscope: "), (what, command)
            assert "internal error" not in ended.err, (what, command)


def test_what_is_rescued_is_what_was_written(cli, sound, tmp_path):
    """Where whole pages are lost, nothing that is rescued is another row than one that was there."""
    blob, before = sound.read_bytes(), rows(sound)
    for number in range(CASES):
        what, data = damaged(blob, number)
        store, out = tmp_path / f"{number}.db", tmp_path / f"out{number}.db"
        store.write_bytes(data)
        what = put_value(store, number) if what == "value" else what
        ended = cli("runs", "rescue", store, "-o", out, "--json")
        if ended.status == 2:
            assert not out.exists() and "There is nothing of a store" in ended.line, (what, ended.err)
            continue
        assert ended.status in (0, 1), (what, ended.err)
        with closing(sqlite3.connect(out)) as raw:
            assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)], what
            assert raw.execute("PRAGMA foreign_key_check").fetchall() == [], what
        assert cli("runs", "list", "--json", "--store", store_url(out)).status == 0, what
        if number % 6 in (3, 4):
            after = rows(out)
            assert all(after[name] <= before[name] for name in before), what


def test_a_sound_store_is_rescued_whole(cli, sound, tmp_path):
    listed, before = cli("runs", "list", "--json").json, sound.read_bytes()
    ended = cli("runs", "rescue", "-o", tmp_path / "new.db")
    assert (ended.status, ended.err) == (0, "")
    assert "All rows were read" in ended.out
    assert rows(tmp_path / "new.db") == rows(sound)
    assert cli("runs", "list", "--json", "--store", store_url(tmp_path / "new.db")).json == listed
    assert sound.read_bytes() == before
    assert sorted(path.name for path in tmp_path.glob("*new.db*")) == ["new.db"]


def page_of(store: Path, name: str, kind: str = "table") -> int:
    with closing(sqlite3.connect(store)) as raw:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ? AND type = ?"
        return int(raw.execute(query, [name, kind]).fetchone()[0])


def without_page(store: Path, number: int) -> None:
    data = bytearray(store.read_bytes())
    data[(number - 1) * PAGE : number * PAGE] = bytes(PAGE)
    store.write_bytes(data)


def test_a_run_that_lost_items_can_be_resumed(cli, sound, recordings, tmp_path):
    """One of the five scores of the earlier run is made unreadable, and with it its item is lost."""
    done = cli("runs", "list", "--json").json[1]
    with closing(sqlite3.connect(sound)) as raw:
        raw.execute("UPDATE score SET value = 'x' WHERE prediction_id = 2")
        raw.commit()
    new = tmp_path / "new.db"
    ended = cli("runs", "rescue", "-o", new, "--json")
    assert ended.status == 1
    (run,) = [run for run in ended.json["runs"] if run["run"] == done["run"]]
    assert (run["state"], run["items"], run["missing"]) == ("interrupted", 4, 1)
    assert "1 of 5 items were lost" in run["message"]
    assert {"table": "score", "why": "value is another text, not a number", "rows": 1} in ended.json["skipped"]
    again = cli("evaluate", "automation", recordings, "--resume", done["run"], "--json", "--store", store_url(new))
    assert (again.status, again.json["state"], again.json["metrics"]) == (0, "done", done["metrics"])


def test_a_run_whose_episodes_are_lost_is_not_taken_for_a_whole_one(cli, sound, recordings, tmp_path):
    done = cli("runs", "list", "--json").json[1]
    with closing(sqlite3.connect(sound)) as raw:
        raw.execute("UPDATE score SET value = 'x' WHERE prediction_id = 2")
        raw.execute("UPDATE selection SET episodes = '[['")
        raw.commit()
    new = tmp_path / "new.db"
    assert cli("runs", "rescue", "-o", new).status == 1
    again = cli("evaluate", "automation", recordings, "--resume", done["run"], "--store", store_url(new))
    assert again.status == 2 and "Which episodes" in again.line
    after = cli("runs", "list", "--json", "--store", store_url(new)).json[1]
    assert (after["state"], after["n"]) == ("failed", 4)


def test_what_lies_below_a_lost_page_is_found(cli, sound, tmp_path):
    """The first page names all tables; without it every page speaks for itself."""
    before = rows(sound)
    without_page(sound, 1)
    assert cli("runs", "list").status == 2
    ended = cli("runs", "rescue", "-o", tmp_path / "new.db", "--json")
    assert ended.status == 1
    assert rows(tmp_path / "new.db")["prediction"] == before["prediction"]
    assert rows(tmp_path / "new.db")["annotation"] == before["annotation"]


def test_the_rule_of_a_run_is_made_anew(cli, sound, tmp_path):
    shown = cli("runs", "list", "--json").json
    with closing(sqlite3.connect(sound)) as raw:
        raw.execute("DELETE FROM score WHERE scoring_id NOT IN (SELECT id FROM scoring WHERE own)")
        raw.execute("DELETE FROM scoring WHERE NOT own")
        raw.commit()
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    without_page(sound, page_of(sound, "scoring"))
    assert cli("runs", "rescue", "-o", tmp_path / "new.db").status == 1
    assert cli("runs", "list", "--json", "--store", store_url(tmp_path / "new.db")).json == shown


@pytest.mark.parametrize("size", [1024, 3, 0])
def test_a_header_that_says_another_page_size(cli, sound, tmp_path, size):
    before, data = rows(sound), bytearray(sound.read_bytes())
    data[16:18] = size.to_bytes(2, "big")
    sound.write_bytes(data)
    assert cli("runs", "list").status == 2
    assert cli("runs", "rescue", "-o", tmp_path / "new.db").status == 0
    assert rows(tmp_path / "new.db") == before


def test_results_in_the_log_are_rescued_and_a_garbled_log_costs_only_itself(cli, sound, recordings, tmp_path):
    before = rows(sound)
    with Database.open(store_url(sound)) as database:
        with database.unit_of_work() as db:
            sessions.save(db, "later", {})
        log = sound.with_name(f"{sound.name}-wal")
        parts = sound.read_bytes(), log.read_bytes()
    store = tmp_path / "s.db"
    for log_bytes, names in ((parts[1], {"work", "later"}), (b"\x00" * 40 + parts[1][40:], {"work"})):
        store.write_bytes(parts[0])
        store.with_name("s.db-wal").write_bytes(log_bytes)
        (tmp_path / "new.db").unlink(missing_ok=True)
        assert cli("runs", "rescue", store, "-o", tmp_path / "new.db").status == 0
        after = rows(tmp_path / "new.db")
        assert after["prediction"] == before["prediction"]
        assert {name for name in ("work", "later") if name in repr(after["session"])} == names
        assert store.read_bytes() == parts[0], "the damaged file stays as it is"
        assert store.with_name("s.db-wal").read_bytes() == log_bytes


def test_what_is_no_store_of_this_program_is_refused(cli, sound, tmp_path):
    new = tmp_path / "new.db"
    (tmp_path / "notes.txt").write_text("These are my notes.\n" * 500)
    with closing(sqlite3.connect(tmp_path / "other.db")) as raw:
        raw.execute("CREATE TABLE moz_places (id)")
        raw.commit()
    (tmp_path / "empty.db").touch()
    for name, words in (
        ("notes.txt", "nothing of a store"),
        ("other.db", "another program"),
        ("empty.db", "is empty"),
        ("none.db", "no such file"),
    ):
        ended = cli("runs", "rescue", tmp_path / name, "-o", new)
        assert (ended.status, new.exists()) == (2, False)
        assert words in ended.line
    assert "a file already" in cli("runs", "rescue", "-o", tmp_path / "notes.txt").line
    assert "no new store is named" in cli("runs", "rescue").line
    with closing(sqlite3.connect(sound)) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9000'")
        raw.commit()
    assert "newer version (schema 9000)" in cli("runs", "rescue", "-o", new).line


def test_a_rescue_that_is_cancelled_writes_nothing(sound, tmp_path):
    token = CancelToken()
    updates = []
    for update in rescue(sound, tmp_path / "new.db", token=token):
        updates.append(update)
        token.cancel()
    assert len(updates) == 1 and updates[0].report is None
    assert not list(tmp_path.glob("*new.db*"))


def test_a_folder_that_is_not_there_is_told(sound, tmp_path):
    with pytest.raises(StoreError, match="Nothing can be written here"):
        list(rescue(sound, tmp_path / "none" / "new.db"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE scoring SET run_id = 'nobody' WHERE own", "scoring belongs to one of the table run that is not there"),
        (
            "UPDATE scoring SET run_id = (SELECT id FROM run WHERE id <> scoring.run_id) WHERE own = 0",
            "a score is that of another run's item",
        ),
        ("UPDATE scoring SET own = 0", "no score under its run's own rule"),
        ("UPDATE scoring SET own = 1", "several rules of its own"),
        ("UPDATE scoring SET own = 2 WHERE own", "own is a whole number, not yes or no"),
        ("UPDATE score SET status = 'perfect' WHERE prediction_id = 2", "'perfect' is not a valid ScoreStatus"),
        ("UPDATE score SET value = 'x' WHERE prediction_id = 2", "value is another text, not a number"),
        ("UPDATE score SET value = 7 WHERE prediction_id = 2", "the score 7 is not between 0 and 1"),
        ("UPDATE score SET parts = '[[' WHERE prediction_id = 2", "of the table score cannot be read"),
        ("UPDATE score SET parts = '{}' WHERE prediction_id = 2", "its parts are no numbers by name"),
        ("UPDATE run SET protocol = 'motif' WHERE protocol = 'aitw'", "scored under another rule than it says"),
        ("UPDATE score SET parts = '[[1, 2]]' WHERE prediction_id = 2", "its parts are no numbers by name"),
        ("UPDATE score SET parts = '[\"action\", 1]' WHERE prediction_id = 2", "of the table score cannot be read"),
        ("UPDATE score SET malformed = 'no' WHERE prediction_id = 2", "malformed is another text, not yes or no"),
        ("UPDATE prediction SET status = '' WHERE id = 2", "'' is not a valid PredictionStatus"),
        ("UPDATE prediction SET confidence = x'00' WHERE id = 2", "confidence is bytes, not a number"),
        ("UPDATE prediction SET run_id = 'nobody' WHERE id = 2", "belongs to one of the table run that is not there"),
    ],
)
def test_what_would_only_make_other_numbers_is_told_before_any_is_shown(cli, sound, change, said):
    with closing(sqlite3.connect(sound)) as raw:
        assert raw.execute(change).rowcount
        raw.commit()
    listed = cli("runs", "list")
    assert (listed.status, listed.out) == (2, "")
    assert "The store is damaged" in listed.line and said in listed.line


def test_what_looks_wrong_and_is_not_is_no_damage(cli, sound):
    """A part that is no number is written by rules that could not measure it."""
    with closing(sqlite3.connect(sound)) as raw:
        raw.execute("""UPDATE score SET parts = '[["distance", NaN], ["limit", Infinity], ["hit", 1]]'""")
        raw.commit()
    assert cli("runs", "list").status == 0
