"""Write the test file of the newest schema: `python tests/data/schemas/make.py`, once for each released schema.

The file is kept for good: tests migrate it with every later version. Run it before the schema changes again.
Whenever it is run it also writes what a new store is made by, `core/store/migrations/newest.sqlite.sql`.
"""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import StaticPool, create_engine

from stepscope.core.domain.action import Tap
from stepscope.core.domain.ambiguous_task import (
    AmbiguousTask,
    AskReview,
    Cut,
    MissingPiece,
    PieceEdit,
    PieceKind,
    ReviewVerdict,
    StepReading,
    StepRole,
    TaskSlot,
)
from stepscope.core.domain.annotation import Annotation, AnnotationKind, Defect
from stepscope.core.domain.campaign import (
    AppEntry,
    Assignment,
    AssignmentState,
    Campaign,
    CampaignContents,
    CampaignGoal,
    CampaignTask,
    Demonstration,
    Pair,
    PairOrigin,
)
from stepscope.core.domain.episode import (
    EpisodeSummary,
    Feasibility,
    FeasibilityLabel,
    InfeasibilityReason,
    Platform,
    Problem,
)
from stepscope.core.domain.error_cause import CauseLabel, ErrorCause
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.goal_error import GoalErrorClass
from stepscope.core.domain.human_order import HelpfulInput, HumanOrder, StepInput
from stepscope.core.domain.judgement import (
    REFERENCE,
    WHOLE,
    JudgeAssignment,
    JudgeId,
    Judgement,
    OriginKind,
    PairAnswers,
    TextOrigin,
    WrittenText,
    pair_of,
)
from stepscope.core.domain.machine import MachineFacts
from stepscope.core.domain.model_call import (
    CallAttempt,
    CoordinateSpace,
    ModelCall,
    SaidPoint,
    SentMessage,
    SentPicture,
    digest_of,
)
from stepscope.core.domain.prediction import ActionAnswer, Prediction, PredictionStatus, Task
from stepscope.core.domain.run import ItemKey, Outcome, RunLabels, RunSpec, RunState
from stepscope.core.domain.score import Score
from stepscope.core.domain.step_summary import StepSummary
from stepscope.core.domain.web_answer import WebAnswer
from stepscope.core.settings import store_url
from stepscope.core.store import schema
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import (
    ambiguous_tasks,
    annotations,
    campaigns,
    cause_labels,
    human_orders,
    judgements,
    outcomes,
    runs,
    sessions,
    sources,
    web_answers,
)
from stepscope.core.store.tables import SCHEMA
from stepscope.core.store.worker import WorkerClaim

SPEC = RunSpec(
    Task.AUTOMATION,
    "noisy-copy",
    "data/sample",
    "recording",
    "aitw",
    (("text", "ignore"),),
    filter="app:app",
    chosen=2,
    runtime="onnx",
)
WORKER = WorkerClaim("a-machine", 1, "a-start", "a-claim", "a-machine's-id")


def outcome(step: int, score: Score) -> Outcome:
    answer = ActionAnswer(Tap(Point(1.5, 2.5, Size(10, 20))))
    said = Prediction("e1", step, answer, confidence=0.5, raw="tap", trace="taps", calls=(call(),))
    return Outcome(ItemKey("e1", step), said, score, "tap")


def call() -> ModelCall:
    """A call with a text that is kept apart, a file that is kept, an attempt that failed, and a place as said."""
    picture = SentPicture(digest_of(b"a file"), 10, 20, "image/png", blocks=14, data=b"a file")
    prompt = SentMessage("system", ("You act on a phone. " * 8,)), SentMessage("user", ("Tap it.", picture))
    attempts = CallAttempt("busy (503)", 300.0, 1000.0), CallAttempt("", 900.0)
    said = (SaidPoint(1.5, 2.5, CoordinateSpace.SENT),)
    return ModelCall(prompt, "tap", (("model", "m"),), 120, 7, 40.0, 900.0, attempts, "stop", said)


def campaign(made: datetime) -> CampaignContents:
    """Two apps, a goal of the first that goes to both, and one demonstration of two assignments."""
    goal = CampaignGoal("app", "Goal 1", "author")
    pairs = Pair("app", goal, PairOrigin.APP_SPECIFIC), Pair("other", goal, PairOrigin.CATEGORY, 3)
    given = Assignment(pairs[0].key, "one"), Assignment(pairs[1].key, "one", AssignmentState.DONE)
    said = Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.UNCLEAR, ("Which?",))
    shown = Demonstration(given[1].key, "folder", "e1", said, 12.5, made)
    apps = AppEntry("app", "App", "Tools"), AppEntry("other", "Other", "Tools")
    return CampaignContents(apps, (goal,), ("one", "two"), pairs, given, (shown,))


def ordering() -> CampaignContents:
    """A procedure that one person is to order by its words alone."""
    goal = CampaignGoal(SPEC.source, "e1")
    pair = Pair(SPEC.source, goal, PairOrigin.BY_HAND)
    given = Assignment(pair.key, "one", shown=StepInput.TEXT)
    return CampaignContents((AppEntry(SPEC.source, "sample"),), (goal,), ("one",), (pair,), (given,))


def judged(made: datetime) -> tuple[Judgement, JudgeAssignment, WrittenText]:
    """A pair of the reference and a run, half judged; whose it is to judge; and a text of a person."""
    run = TextOrigin(OriginKind.RUN, "r1")
    pair = pair_of(SPEC.source, "e1", WHOLE, (REFERENCE, "Goal 1"), (run, "A goal"))
    answers = PairAnswers(True, False, None, True)
    said = Judgement(pair, JudgeId("one"), answers, made, remark="a remark", seconds=12.5, seed=3, detail='{"raw": []}')
    said = replace(said, error=GoalErrorClass.TOO_GENERAL)
    return said, JudgeAssignment(pair.key, "two", 0), WrittenText(SPEC.source, "e2", WHOLE, "one", "Mine", made, 3.0)


def left_out(made: datetime) -> tuple[AmbiguousTask, AskReview]:
    """A task without its date, which a person worded otherwise."""
    slot = TaskSlot(SPEC.source, "e1", "rules", 1)
    piece = MissingPiece(1, "March 4", "Which date?", "March 4.", PieceKind.DATE, (Cut(9, 20, ""),))
    readings = StepReading(0, "Tap Go"), StepReading(1, "Type March 4", StepRole.INFORMATIVE, "March 4")
    task = AmbiguousTask(slot, "See tides on March 4", "See tides", (piece,), readings, made, "rules 1", "app", ("a",))
    edit = (PieceEdit(1, "Of which date?", "March 4."),)
    return task, AskReview(slot, "one", ReviewVerdict.EDITED, task.wording, made, "See tides", edit, "a note", 2.5)


def make(path: Path) -> None:
    steps = (StepSummary(0, "tap", target="Search", texts=("Search", "Settings")), StepSummary(1, "tap", ask=True))
    episodes = [
        EpisodeSummary(f"e{n}", f"Goal {n}", "app", Platform.ANDROID, 3, 3, (("tap", 2),), details=steps)
        for n in (1, 2)
    ]
    failed = Prediction("e1", 2, None, PredictionStatus.FAILED, why="broken")
    with Database.open(store_url(path)) as database, database.unit_of_work() as db:
        sources.replace_index(db, SPEC.source, SPEC.format, "f", [*episodes, Problem("unreadable", "e3")])
        run_id = runs.add(db, SPEC, ["e1", "e2"], WORKER, total=4)
        runs.set_state(db, run_id, RunState.RUNNING)
        scoring = outcomes.scoring(db, run_id, SPEC.protocol, "1", SPEC.options, own=True)
        found = [outcome(0, Score.scored(1, "right")), outcome(1, Score.scored(0, "wrong", distance=0.3))]
        outcomes.add_many(db, run_id, scoring, [*found, Outcome(ItemKey("e1", 2), failed, Score.error("broken"))])
        runs.set_labels(db, run_id, RunLabels("mine", "a remark", ("one", "two"), pinned=True))
        runs.set_made_with(db, run_id, MachineFacts("a processor", 8, 2**34, libraries=(("numpy", "2"),)), "0" * 64)
        runs.add_worked(db, run_id, 12.5)
        said_by_hand = CauseLabel(ErrorCause.ROW, "somebody", datetime(2024, 5, 1, 12, tzinfo=UTC))
        cause_labels.put(db, run_id, {("e1", 1): said_by_hand})
        sessions.save(db, "old", {"position": ["e1", 1]})
        made = datetime(2024, 5, 1, 12, tzinfo=UTC)
        marks = [(None, AnnotationKind.STAR, ""), (1, AnnotationKind.DEFECT, Defect.WRONG_REFERENCE.value)]
        for step, kind, value in marks:
            annotations.put(db, Annotation(SPEC.source, "e1", step, kind, value, "somebody", made))
        campaigns.add(db, Campaign("old", "Show the goal.", 3))
        campaigns.replace(db, "old", CampaignContents(), campaign(made))
        campaigns.add(db, Campaign("orders", k=2, task=CampaignTask.ORDERING))
        campaigns.replace(db, "orders", CampaignContents(), ordering())
        said, given, written = judged(made)
        judgements.replace_judgements(db, (), [said])
        judgements.replace_assignments(db, (), [given])
        judgements.replace_written(db, (), [written])
        draft = WebAnswer("data/tasks", "t", "t/0", "one", {"q": "yes"}, made, 2.5)
        web_answers.put(db, draft)
        web_answers.put(db, WebAnswer("data/tasks", "t", "t/0", "two", {"q": "no"}, made, 3.0, made, "log"))
        task, review = left_out(made)
        ambiguous_tasks.keep(db, [task])
        ambiguous_tasks.replace_reviews(db, (), [review])
        order = HumanOrder(SPEC.source, "e1", "one", True, (("1", "0"), ("0", "1")), made, 4.0, 5, HelpfulInput.TEXT)
        human_orders.replace(db, (), [order])


def newest() -> str:
    """What the migrations make of an empty store, as the statements that make it at once."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        schema.migrate(connection)
        made = connection.exec_driver_sql(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
        ).scalars()
        statements = ["\n".join(line.rstrip() for line in statement.strip().splitlines()) for statement in made]
    statements.append(f"INSERT INTO alembic_version VALUES ('{SCHEMA}')")
    head = "-- What the migrations make of an empty store; written by tests/data/schemas/make.py\n\n"
    return head + "\n".join(f"{statement};\n" for statement in statements)


if __name__ == "__main__":
    schema.NEWEST.write_text(newest(), "utf-8")
    file = Path(__file__).with_name(f"{SCHEMA}.db")
    if file.exists():
        raise SystemExit(f"{file.name} was released: it must stay as it is.")
    make(file)
