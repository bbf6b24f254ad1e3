"""Nothing of people's recordings goes to a server on another machine before a person agrees.

The listener is this machine's, called another one for the test: whatever were sent would be heard.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stepscope.app.services import ambiguous_tasks, evaluation, goal_judging, question_trials
from stepscope.app.services.agent_trials import AgentTrialRequest, NewServer, try_agent
from stepscope.app.services.evaluation import EvaluationRequest
from stepscope.app.services.library import IndexedSource, whole_index
from stepscope.app.services.live.replaying import check_replayed
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.recordings_consent import check_consent, holds_recordings, needed, server_of
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.judgement import REFERENCE, OriginKind, TextOrigin
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.sources.mixed_folder import MIXED, MixedSource
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.sources.registry import open_source
from stepscope.core.store.engine import Database
from stepscope.models.chat import consents, servers
from stepscope.models.chat.consents import ConsentNeededError
from stepscope.models.chat.servers import ChatServer
from stepscope.models.goal.judges.named import judge_named
from tests.models.chat.conftest import own_home, ring, stage  # noqa: F401 - fixtures
from tests.models.chat.faults import Stage, completion

MODEL = "served:lab/m"
ROOT = Path(__file__).parents[3]
FAR = ChatServer("far", "https://models.example/v1", "m")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    size = Size(100, 200)
    seen = Observation(size)
    steps = (Step(0, seen, Tap(Point(50, 50, size))), Step(1, seen))
    write_recording(Episode("e", "recording", Platform.ANDROID, "Buy a lamp", steps), tmp_path / "walks" / "e")
    return tmp_path / "walks"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(store_url(tmp_path / "store.db")) as found:
        yield found


@pytest.fixture
def elsewhere(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:  # noqa: F811 - a fixture
    stage.plays(completion("Buy a lamp"))
    servers.add(stage.server(parallel=1, pictures=False))
    monkeypatch.setattr(ChatServer, "is_here", property(lambda _self: False))
    return stage


def indexed_of(database: Database, data: Path) -> IndexedSource:
    found = whole_index(database, data, CancelToken())
    assert found is not None
    return found


def refused(work: Callable[[], object], stage: Stage) -> None:  # noqa: F811 - a fixture's value
    with pytest.raises(ConsentNeededError, match="before you agree") as told:
        work()
    assert told.value.server.name == "lab" and not stage.seen, "nothing was heard"


@pytest.mark.needs("openai")
def test_no_evaluation_begins_waits_or_goes_on_without_consent(
    database: Database, data: Path, elsewhere: Stage
) -> None:
    indexed = indexed_of(database, data)
    request = EvaluationRequest(model=MODEL, task=Task.GOAL)
    refused(lambda: evaluation.start(database, indexed.source, indexed.source_id, request), elsewhere)
    refused(lambda: evaluation.queue(database, indexed.source, indexed.source_id, request), elsewhere)
    lab = servers.find("lab")
    consents.give(data, lab)
    queued = evaluation.queue(database, indexed.source, indexed.source_id, request)
    consents.withdraw(data)
    refused(lambda: list(evaluation.work_on(database, queued.run_id, queued.worker.claim)), elsewhere)
    consents.give(data, lab)
    run = evaluation.start(database, indexed.source, indexed.source_id, request).run
    consents.withdraw(data)
    refused(lambda: evaluation.resume(database, run.run_id), elsewhere)
    consents.give(data, lab)
    list(run.updates())
    assert len(elsewhere.seen) == 1


@pytest.mark.needs("openai")
def test_no_judge_and_no_trial_is_asked_without_consent(database: Database, data: Path, elsewhere: Stage) -> None:
    indexed = indexed_of(database, data)
    goals = data.parent / "goals.jsonl"
    goals.write_text('{"episode": "e", "goal": "Get a lamp"}\n')
    request = EvaluationRequest(predictions=goals, task=Task.GOAL)
    run = evaluation.start(database, indexed.source, indexed.source_id, request).run
    list(run.updates())
    origins, known_as = (REFERENCE, TextOrigin(OriginKind.RUN, run.run_id)), str(data)

    def ask() -> object:
        judge = judge_named(f"{MODEL}?fulfilment=0")
        return list(goal_judging.ask_judge(database, indexed.source_id, indexed.source, known_as, origins, judge))

    refused(ask, elsewhere)
    request = ambiguous_tasks.MakingRequest(MODEL)
    making = database, indexed.source_id, indexed.source, known_as, request
    refused(lambda: list(ambiguous_tasks.make_tasks(*making)), elsewhere)
    trial = AgentTrialRequest(NewServer(servers.find("lab"), "m"), data)
    refused(lambda: try_agent(trial), elsewhere)
    refused(lambda: try_agent(AgentTrialRequest(MODEL, data)), elsewhere)
    consents.give(data, servers.find("lab"))
    ask()
    assert elsewhere.seen


def test_it_is_asked_for_recordings_and_servers_elsewhere_alone(data: Path, tmp_path: Path) -> None:
    servers.add(FAR)
    servers.add(ChatServer("near", "http://127.0.0.1:8080/v1", "m"))
    source = open_source(data)
    assert holds_recordings(source) and not holds_recordings(open_source(SAMPLE))
    for model in ("text-match", "local:somebody", "served:near/m", "page:near/m", "rules"):
        check_consent(source, model)
    (one,) = needed(source, ("served:far/m#automation?screens=2", "page:far/m", "served:far?prompt=sentence"))
    assert one.server == FAR and one.data == data
    assert f"stepscope servers consent {data} --server far" in str(one) and "stepscope" not in one.words_in_window
    check_consent(open_source(SAMPLE), "served:far/m")
    assert server_of("page:local/model.gguf") is None


def test_recordings_among_other_formats_are_recordings_too(data: Path) -> None:
    source = open_source(data)
    assert holds_recordings(MixedSource(data, [source]))

    class Wrapped:
        format, path = MIXED, data

    assert holds_recordings(Wrapped()), "what does not tell its parts may have them"  # type: ignore[arg-type]

    class Other:
        format, path = "motif", data

    assert not holds_recordings(Other())  # type: ignore[arg-type]


def test_an_answer_holds_for_one_data_set_and_one_address(data: Path, tmp_path: Path) -> None:
    first = consents.give(data, FAR)
    assert consents.give(data, FAR) == first and len(consents.load()) == 1
    assert not consents.is_needed(data, FAR) and not consents.is_needed(data.parent / "x" / ".." / "walks", FAR)
    assert consents.is_needed(data / "e", FAR) and consents.is_needed(tmp_path, FAR)
    moved = ChatServer("far", "https://other.example/v1", "m")
    assert consents.is_needed(data, moved), "another machine under the same name"
    consents.give(data, moved)
    with pytest.raises(UserError, match="Nobody agreed"):
        consents.withdraw(data, "near")
    assert len(consents.withdraw(data, "far")) == 2 and consents.load() == ()


def test_recordings_that_are_walked_as_a_phone_or_tried_at_a_step_need_it_too(data: Path) -> None:
    servers.add(FAR)
    for look in (
        lambda: check_replayed(f"replay:{data}#shop", ["text-match", "served:far/m#automation"]),
        lambda: question_trials.open_model(open_source(data), "served:far/m#ask"),
    ):
        with pytest.raises(ConsentNeededError, match="before you agree"):
            look()
    check_replayed(f"replay:{data}", ["text-match"])
    check_replayed("simulated", ["served:far/m#automation"])
    consents.give(data, FAR)
    check_replayed(f"replay:{data}#shop", ["served:far/m#automation"])
    question_trials.open_model(open_source(data), "served:far/m#ask").close()


def test_answers_that_cannot_be_read_are_none(data: Path) -> None:
    servers.add(FAR)
    consents.give(data, FAR)
    consents.LIST.file.write_text('{"format": 1, "consents": [{"data": "x"}]}')
    with pytest.raises(UserError):
        check_consent(open_source(data), "served:far/m")


LOADS = re.compile(r"\b(?:registry\.load|judge_named|maker_named|load_model|asked\.load|page_model\.load|ask_judge)\(")
ASKED_BELOW = {
    "app/cli/evaluate.py": "its judge is asked by ask_judge",
    "app/cli/judged_runs.py": "by ask_judge",
    "app/cli/judgements.py": "by ask_judge",
    "app/cli/reproduce.py": "its judge is asked by ask_judge",
    "app/services/reproduction/running.py": "by ask_judge",
    "app/services/worker_child.py": "by ask_judge",
    "app/gui/features/judge/ask_judge_controller.py": "by ask_judge, and by the question before",
    "app/gui/features/webtask/webtask_solving_controller.py": "a page by solve_page, which is no recording either",
}
"""Where models are made that something else gives the data to."""


def test_whatever_makes_a_model_for_data_asks_for_consent() -> None:
    """A new place that loads models stands here, with the check or with what checks for it. A phone's own screens in
    Live are no data set."""
    found = {
        str(path.relative_to(ROOT)): text
        for path in sorted((ROOT / "app").rglob("*.py"))
        if LOADS.search(text := path.read_text(encoding="utf-8"))
    }
    assert "app/services/evaluation.py" in found
    unchecked = {name for name, text in found.items() if not re.search(r"\bcheck_(?:consent|server)\(", text)}
    assert unchecked == set(ASKED_BELOW)
