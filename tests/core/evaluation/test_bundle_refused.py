"""What is no whole and sound bundle is refused with one message, and changes nothing.

Most on a store in memory: nothing of them gets as far as the store."""

import gzip
import hashlib
import json
import os

import pytest
from evaluation_bundled import ITEMS, enter, runs_in, store_run  # conftest.py has loaded it

from stepscope.core import limits
from stepscope.core.errors import SourceError
from stepscope.core.evaluation.bundle import write_bundle
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import annotations, model_calls, runs


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A sound bundle's bytes."""
    path = tmp_path_factory.mktemp("sound") / "run.bundle"
    with Database.open("sqlite://") as database, path.open("wb") as stream:
        list(write_bundle(database, store_run(database), stream))
    return path.read_bytes()


@pytest.fixture(scope="module")
def untouched():
    """A store that every refused bundle leaves empty."""
    with Database.open("sqlite://") as opened:
        yield opened


def check_refused(database, file, words):
    with pytest.raises(SourceError, match=words) as caught:
        enter(database, file)
    assert caught.value.hint
    assert caught.value.place == str(file)
    assert runs_in(database) == []
    with database.reading() as db:
        assert annotations.of_source(db, "data/fake") == []


def lines_of(data):
    return [json.loads(line) for line in gzip.decompress(data).splitlines()[:-1]]


def pack(file, lines):
    """A bundle of these lines with a right digest."""
    text = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    end = json.dumps({"sha256": hashlib.sha256(text).hexdigest()}).encode()
    file.write_bytes(gzip.compress(text + end + b"\n"))
    return file


def head(**more):
    return lambda lines: lines[0].update(more)


def of_run(**more):
    return lambda lines: lines[0]["run"].update(more)


def of_item(**more):
    return lambda lines: lines[2]["prediction"].update(more)


def of_score(**more):
    return lambda lines: lines[2]["scores"][0][1].update(more)


def of_call(**more):
    return lambda lines: next(line["calls"] for line in lines if "calls" in line)[0].update(more)


def of_cause(**more):
    return lambda lines: next(line["cause"] for line in lines if "cause" in line).update(more)


def sent(name, change):
    return lambda lines: change(next(line[name] for line in lines[1:] if name in line))


def test_the_lines_are_what_these_tests_take_them_for(sound):
    lines = lines_of(sound)
    assert lines[1] == {"episodes": ["e/1", "ö"]}
    items, others = lines[2 : 2 + len(ITEMS)], lines[2 + len(ITEMS) :]
    assert all({"prediction", "scores"} <= set(line) for line in items) and "calls" in items[-2]
    assert [set(line) for line in others] == [{"texts"}, {"sent_picture"}, *[{"annotation"}] * 2]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (head(version=2), "newer version"),
        (head(schema="9000"), "newer version"),
        (head(format="tar"), "no run bundle"),
        (head(version="1"), "no run bundle"),
        (head(predictions=10**9), "counts other things"),
        (head(predictions=None), "run cannot be read"),
        (head(scores=[1]), "counts other things"),
        (head(scorings=5), "run cannot be read"),
        (head(scorings=[]), "no rule"),
        (head(run=[]), "run cannot be read"),
        (lambda lines: lines[0].pop("run"), "missing"),
        (lambda lines: lines[0]["run"].pop("model"), "model"),
        (of_run(id="../../etc"), "id"),
        (of_run(id=5), "id"),
        (of_run(id=None), "id"),
        (of_run(task="golf"), "golf"),
        (of_run(state="winning"), "winning"),
        (of_run(created="yesterday"), "run cannot be read"),
        (of_run(created="2026-01-01T00:00:00"), "zone"),
        (of_run(created="0001-01-01T00:00:00+14:00"), "run cannot be read"),
        (of_run(options='["a"]'), "options"),
        (of_run(options="[" * 5000), "run cannot be read"),
        (of_run(seed=2**40), "seed"),
        (of_run(seed=True), "seed"),
        (of_run(format="x" * 41), "format"),
        (of_run(worker_host="here"), "not known"),
        (of_item(step=1.5), "step"),
        (of_item(step=-2), "step"),
        (of_item(episode={}), "episode"),
        (of_item(id=1), "not known"),
        (of_item(status="great"), "great"),
        (of_item(answer=None), "cannot lack an answer"),
        (of_item(answer="{}"), "no stored answer"),
        (of_item(answer="[1]"), "cannot be read"),
        (of_item(answer='{"goal":5}'), "answer"),
        (of_item(answer='{"ask":[]}'), "answer"),
        (of_item(answer='{"order":[1]}'), "answer"),
        (of_item(answer='{"fields":[["a",1]]}'), "answer"),
        (of_item(answer='{"feasibility":"feasible","score":NaN}'), "cannot be read"),
        (of_item(answer='{"action":{"kind":"tap","point":[1,2]},"size":[0,0]}'), "cannot be read"),
        (of_item(answer='{"action":{"kind":"fly"},"size":null}'), "fly"),
        (of_item(confidence="high"), "confidence"),
        (of_item(raw="\0"), "raw"),
        (of_score(status="scored", value=None), "cannot have the value"),
        (of_score(parts='[["far","near"]]'), "parts"),
        (of_score(parts='{"far":1}'), "parts"),
        (of_score(malformed=1), "malformed"),
        (lambda lines: lines[2]["scores"].append([7, lines[2]["scores"][0][1]]), "no rule"),
        (lambda lines: lines[2]["scores"].append([True, lines[2]["scores"][0][1]]), "no rule"),
        (lambda lines: lines[2]["scores"].append(lines[2]["scores"][0]), "two to the same"),
        (lambda lines: lines[2].pop("scores"), "missing"),
        (lambda lines: lines[0]["scorings"][1].update(own=True), "own rule"),
        (lambda lines: lines[0]["scorings"][1].update(lines[0]["scorings"][0], own=False), "twice"),
        (lambda lines: lines[1].update(episodes=[1, 2]), "id"),
        (lambda lines: lines[1].update(episodes=5), "cannot be read"),
        (sent("texts", lambda pairs: pairs[0].__setitem__(1, "another text")), "not what it was"),
        (sent("texts", lambda pairs: pairs.clear()), "counts other things"),
        (sent("sent_picture", lambda one: one.update(data="bm90aGlu")), "not what it was"),
        (sent("sent_picture", lambda one: one.update(data="?")), "cannot be read"),
        (of_call(tokens_in="many"), "number"),
        (of_cause(cause="bad luck"), "bad luck"),
        (of_cause(made="2026-01-01T00:00:00"), "cause"),
        (of_cause(author=5), "cause"),
        (of_cause(more=""), "cause"),
        (of_call(messages=[["user", [{"picture": {"digest": "x", "size": [1, 1], "media": ""}}]]]), "digest"),
        (of_run(machines='[{"processor":5}]'), "processor"),
        (of_run(weights="x" * 65), "weights"),
        (lambda lines: lines[-1]["annotation"].update(kind="curse"), "curse"),
        (lambda lines: lines[-1]["annotation"].update(step="x"), "step"),
        (lambda lines: lines[-1]["annotation"].update(made="2026-01-01"), "annotation"),
        (lambda lines: lines[-1]["annotation"].update(value="  x "), "annotation"),
        (lambda lines: lines.pop(), "counts other things"),
        (lambda lines: lines.insert(3, {"surprise": 1}), "nothing of a run"),
        (lambda lines: lines.insert(3, []), "no JSON object"),
    ],
)
def test_a_bundle_with_a_right_digest_and_wrong_content_changes_nothing(untouched, sound, tmp_path, change, words):
    lines = lines_of(sound)
    change(lines)
    check_refused(untouched, pack(tmp_path / "run.bundle", lines), words)


def test_a_bundle_of_an_older_program_has_nothing_of_it(sound, tmp_path):
    first, *others = lines_of(sound)
    lines = [first, *(line for line in others if not line.keys() & {"texts", "sent_picture"})]
    lines[0]["schema"] = "0010"
    for name in ("texts", "sent_pictures"):
        del lines[0][name]
    for name in ("machines", "weights", "worked_s"):
        del lines[0]["run"][name]
    for line in lines:
        line.pop("calls", None)
        line.pop("cause", None)
    with Database.open("sqlite://") as opened:
        last = enter(opened, pack(tmp_path / "old.bundle", lines))
        assert last.result == "imported" and last.progress.done == len(ITEMS)
        with opened.reading() as db:
            run = runs.get(db, last.run_id)
            assert (run.machines, run.weights, run.worked_s) == ((), "", 0.0)
            assert model_calls.of_episode(db, last.run_id, "e/1") == {}


def test_an_item_that_is_there_twice_leaves_nothing_in_any_store(database, sound, tmp_path):
    """Only the store itself sees this, in the middle of its transaction."""
    lines = lines_of(sound)
    of_item(step=1)(lines)
    check_refused(database, pack(tmp_path / "run.bundle", lines), "twice")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: b"PK\3\4" + data,
        lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
        lambda data: data + b"more",
        lambda data: gzip.compress(gzip.decompress(data)[:-70]),
        lambda data: gzip.compress(gzip.decompress(data).replace(b"by hand", b"by hanD")),
        lambda data: gzip.compress(gzip.decompress(data) * 2),
        lambda data: gzip.compress(b"\xff\xfe"),
        lambda data: gzip.compress(b"[" * 100_000),
        lambda data: gzip.compress(b"{}\n{}\n"),
    ],
)
def test_a_damaged_file_changes_nothing(untouched, sound, tmp_path, spoil):
    (tmp_path / "run.bundle").write_bytes(spoil(sound))
    check_refused(untouched, tmp_path / "run.bundle", "bundle is|no run bundle|no JSON object")


@pytest.fixture
def small_limits():
    """They stand for the real ones."""
    limits.choose({"archive-bytes": 1 << 20, "json-nodes": 10_000})
    yield
    limits.choose({})


@pytest.mark.usefixtures("small_limits")
def test_a_file_that_unpacks_to_more_than_a_run_is_not_unpacked(untouched, sound, tmp_path):
    """One line without an end, lines without number, and one line of more values than memory has room for."""
    head = json.dumps(lines_of(sound)[0]).encode() + b"\n"
    (tmp_path / "line").write_bytes(gzip.compress(b" " * (40 << 20)))
    (tmp_path / "lines").write_bytes(gzip.compress(head + b"{}\n" * (2 << 20)))
    (tmp_path / "values").write_bytes(gzip.compress(head + b"[" + b"{}," * 10_000 + b"{}]\n"))
    refusals = {
        "line": "longer than any of a run.*--limit-bundle-line-bytes 64MB",
        "lines": "far more than data of its size.*--limit-archive-",
        "values": "more values than any of a run.*--limit-json-nodes 20000",
    }
    for name, words in refusals.items():
        with pytest.raises(SourceError, match=words):
            enter(untouched, tmp_path / name)


@pytest.mark.parametrize("name", ["nothing", "."])
def test_a_file_that_is_not_there(untouched, tmp_path, name):
    with pytest.raises(SourceError, match="cannot be read") as caught:
        enter(untouched, tmp_path / name)
    assert caught.value.hint


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(untouched, tmp_path):
    os.mkfifo(tmp_path / "run.bundle")
    check_refused(untouched, tmp_path / "run.bundle", "this is no file")
