"""A run that moved to another store is the identical run; what is no whole and sound bundle changes nothing."""

import gzip
import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.domain.action import Swipe, Tap, Type
from core.domain.annotation import Annotation, AnnotationKind
from core.domain.episode import FeasibilityLabel
from core.domain.geometry import Point, Size
from core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    Candidate,
    FeasibilityAnswer,
    FieldsAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
    PredictionStatus,
    Task,
)
from core.domain.run import ItemKey, Outcome, RunSpec, RunState
from core.domain.score import Score
from core.errors import SourceError, StoreError, UsageError
from core.evaluation import bundle as bundles
from core.evaluation.bundle import read_bundle, write_bundle
from core.evaluation.runs import mark_interrupted, summary
from core.progress import CancelToken
from core.store import queries
from core.store.engine import Database
from core.store.repositories import annotations, outcomes, runs
from core.store.worker import Worker

SPEC = RunSpec(Task.AUTOMATION, "fake", "data/fake", "fake", "side", (("limit", "0.5"),))
PHONE, TABLET = Size(1080, 1920), Size(7, 9)
MADE = datetime(2026, 11, 1, 12, 0, 0, 5, tzinfo=UTC)
ANSWERS = (
    ActionAnswer(Tap(Point(1.5, 2.25, PHONE)), (Candidate(Tap(Point(3, 4, PHONE)), 0.5), Candidate(Type("ä\0"), 0.1))),
    ActionAnswer(Swipe(Point(1, 2, PHONE), Point(3, 4, TABLET))),
    FeasibilityAnswer(FeasibilityLabel.INFEASIBLE, 0.75),
    GoalAnswer("Öffne “es”\n"),
    OrderAnswer(("b", "a")),
    AskAnswer(None),
    FieldsAnswer((("name", "Ada"), ("", ""))),
)


def item(step, answer, score, **more):
    key = ItemKey("e/1", step)
    return Outcome(key, Prediction("e/1", None if step < 0 else step, answer, **more), score, "tap")


ITEMS = (
    *(item(n, answer, Score.scored(n % 2, "so", far=n / 3), raw="{}", confidence=n / 7)
      for n, answer in enumerate(ANSWERS)),
    item(20, None, Score.unusable("no JSON", null=False), status=PredictionStatus.MALFORMED, raw="\ud800\0", why="no"),
    item(21, None, Score.unusable("none", null=True), status=PredictionStatus.EMPTY),
    item(22, ANSWERS[0], Score.unscored("no reference"), latency_ms=0.1),
    item(-1, None, Score.error("broke"), status=PredictionStatus.FAILED, why="broke"),
)  # fmt: skip
SAID = (
    Annotation("data/fake", "e/1", None, AnnotationKind.STAR, "", "ada", MADE),
    Annotation("data/fake", "e/1", 2, AnnotationKind.NOTE, "a note", "ada", MADE),
)


def store_run(database):
    """A finished run with every kind of answer and score, under its own rule and a second one, on annotated data."""
    spec = replace(SPEC, split="test", limit=3, seed=7, predictions="p.jsonl", code_version="1", scorer_version="7")
    with database.unit_of_work() as db:
        made = runs.add(db, spec, ["e/1", "ö"], Worker.here(), total=len(ITEMS))
        own = outcomes.scoring(db, made, "side", "7", spec.options, own=True)
        outcomes.add_many(db, made, own, ITEMS)
        other = outcomes.scoring(db, made, "side", "7", (("limit", "9"),))
        outcomes.add_scores(db, made, other, [(one.key, Score.scored(1, "wide")) for one in ITEMS[:5]])
        runs.set_note(db, made, "by hand")
        runs.set_state(db, made, RunState.DONE)
        annotations.replace(db, (), SAID)
    return made


@pytest.fixture
def run_id(database):
    return store_run(database)


@pytest.fixture
def write(database, tmp_path):
    """Write a run's bundle; returns the file."""

    def of(run_id, name="run.bundle"):
        with (tmp_path / name).open("wb") as stream:
            list(write_bundle(database, run_id, stream))
        return tmp_path / name

    return of


@pytest.fixture
def elsewhere(tmp_path):
    """An empty store of another machine."""
    with Database.open(f"sqlite:///{tmp_path}/elsewhere.db") as opened:
        yield opened


def enter(database, path, **more):
    *_, last = read_bundle(database, path, **more)
    return last


def content(database, run_id, fakes):
    """Everything that can be asked about a run."""
    with database.reading() as db:
        known = queries.scorings(db, run_id)
        listed = [replace(one, id=0) for one in known]
        under = [list(queries.each_item(db, run_id, scoring_id=one.id)) for one in known]
        chosen, said = runs.selection(db, run_id), annotations.of_source(db, "data/fake")
        counts = queries.run_counts(db, run_id)
    return summary(database, run_id, fakes.FakeScorer()), counts, listed, under, chosen, said


def runs_in(database):
    with database.reading() as db:
        return [counts.run.id for counts in queries.run_list(db)]


def test_the_run_is_the_same_in_the_other_store(database, elsewhere, run_id, write, fakes):
    first = write(run_id)
    last = enter(elsewhere, first)
    assert (last.run_id, last.result, last.annotations) == (run_id, "imported", 2)
    assert (last.progress.done, last.progress.total) == (len(ITEMS), len(ITEMS))
    assert content(elsewhere, run_id, fakes) == content(database, run_id, fakes)
    with (first.with_name("again")).open("wb") as stream:
        list(write_bundle(elsewhere, run_id, stream))
    assert first.with_name("again").read_bytes() == first.read_bytes(), "and so on to the next one"


def test_it_comes_back_into_a_store_that_lost_it(database, run_id, write, fakes):
    before, file = content(database, run_id, fakes), write(run_id)
    with database.unit_of_work() as db:
        runs.remove(db, run_id)
    assert enter(database, file).annotations == 0, "they were never gone"
    assert content(database, run_id, fakes) == before


def test_a_second_import_changes_nothing(database, run_id, write):
    assert enter(database, write(run_id)).result == "there already"
    assert runs_in(database) == [run_id]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda db, run: runs.set_note(db, run, "mine"), "differ in note"),
        (lambda db, run: outcomes.scoring(db, run, "aitw", "1", ()), "rules"),
        (lambda db, run: outcomes.drop_errors(db, run), "items"),
    ],
)
def test_another_run_of_the_same_id_is_refused_unless_it_gets_a_new_one(database, run_id, write, fakes, change, words):
    file = write(run_id)
    with database.unit_of_work() as db:
        change(db, run_id)
    before = content(database, run_id, fakes)
    with pytest.raises(UsageError, match=words) as caught:
        enter(database, file)
    assert "--as-new" in caught.value.hint
    last = enter(database, file, as_new=True)
    assert last.run_id != run_id
    assert set(runs_in(database)) == {run_id, last.run_id}
    assert content(database, run_id, fakes) == before


def test_data_that_lies_elsewhere_here(elsewhere, run_id, write):
    enter(elsewhere, write(run_id), data="/data/here")
    with elsewhere.reading() as db:
        assert runs.get(db, run_id).spec.source == "/data/here"
        assert [one.source for one in annotations.of_source(db, "/data/here")] == ["/data/here"] * 2


def test_what_somebody_said_here_stays(elsewhere, run_id, write):
    mine = replace(SAID[1], value="my note", author="bob")
    with elsewhere.unit_of_work() as db:
        annotations.put(db, mine)
    assert enter(elsewhere, write(run_id)).annotations == 1
    with elsewhere.reading() as db:
        assert annotations.of_source(db, "data/fake") == [SAID[0], mine]


@pytest.mark.parametrize("state", [RunState.QUEUED, RunState.RUNNING, RunState.PAUSED])
def test_a_run_that_is_at_work_there_is_interrupted_here(database, elsewhere, run_id, write, state):
    with database.unit_of_work() as db:
        runs.set_state(db, run_id, state)
    file = write(run_id)
    enter(elsewhere, file)
    with elsewhere.reading() as db:
        run = runs.get(db, run_id)
        assert (run.state, run.state.resumable) == (RunState.INTERRUPTED, True)
        assert "not finished" in run.message
    assert mark_interrupted(elsewhere) == []
    assert enter(elsewhere, file).result == "there already"
    assert enter(database, file).result == "there already", "the same run, at work or not"


def test_an_import_can_be_cancelled_and_broken_off(elsewhere, run_id, write):
    file, token = write(run_id), CancelToken()
    for _ in read_bundle(elsewhere, file, token=token):
        token.cancel()
    assert [update.result for update in read_bundle(elsewhere, file, token=token)][-1] == "cancelled"
    assert runs_in(elsewhere) == []
    work = read_bundle(elsewhere, file)
    while not next(work).run_id:
        pass
    work.close()
    assert runs_in(elsewhere) == []
    assert enter(elsewhere, file).result == "imported"


def test_an_export_that_is_cancelled_is_no_bundle(database, elsewhere, run_id, tmp_path):
    token = CancelToken()
    with (tmp_path / "cut").open("wb") as stream:
        for _ in write_bundle(database, run_id, stream, token=token):
            token.cancel()
    with pytest.raises(SourceError, match="cut off"):
        enter(elsewhere, tmp_path / "cut")


def test_nothing_of_a_run_that_is_not_there(database, tmp_path):
    with (tmp_path / "x").open("wb") as stream, pytest.raises(UsageError, match="no run"):
        list(write_bundle(database, "none", stream))


def test_a_store_that_cannot_be_written_refuses(elsewhere, run_id, write, tmp_path):
    url = f"sqlite:///file:{tmp_path}/elsewhere.db?mode=ro&uri=true"
    with Database.open(url) as fixed, pytest.raises(StoreError, match="read-only"):
        enter(fixed, write(run_id))


# -- hostile files: the same for every store, since nothing of them gets that far


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


def test_the_lines_are_what_these_tests_take_them_for(sound):
    lines = lines_of(sound)
    assert lines[1] == {"episodes": ["e/1", "ö"]}
    assert [set(line) for line in lines[2:]] == [{"prediction", "scores"}] * len(ITEMS) + [{"annotation"}] * 2


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


def test_a_file_that_unpacks_to_more_than_a_run_is_not_unpacked(untouched, sound, tmp_path, monkeypatch):
    """One line without an end, and lines without number; a small limit stands for the real one."""
    monkeypatch.setattr(bundles, "_SMALL", 1 << 20)
    head = json.dumps(lines_of(sound)[0]).encode() + b"\n"
    (tmp_path / "line").write_bytes(gzip.compress(b" " * (40 << 20)))
    (tmp_path / "lines").write_bytes(gzip.compress(head + b"{}\n" * (2 << 20)))
    for name in ("line", "lines"):
        with pytest.raises(SourceError, match="far more than a run"):
            enter(untouched, tmp_path / name)


@pytest.mark.parametrize("name", ["nothing", "."])
def test_a_file_that_is_not_there(untouched, tmp_path, name):
    with pytest.raises(SourceError, match="cannot be read") as caught:
        enter(untouched, tmp_path / name)
    assert caught.value.hint
