"""A campaign in use: tasks are handed out and done, goals get other words, pairs are made anew."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from stepscope.app.services.campaigns import campaigns
from stepscope.app.services.campaigns.campaigns import CampaignChange
from stepscope.core.domain.action import Finish, Tap
from stepscope.core.domain.campaign import (
    AppEntry,
    Assignment,
    AssignmentKey,
    AssignmentState,
    Campaign,
    CampaignContents,
    CampaignGoal,
    Pair,
    PairOrigin,
)
from stepscope.core.domain.episode import (
    Episode,
    Feasibility,
    FeasibilityLabel,
    InfeasibilityReason,
    Observation,
    Platform,
    Step,
)
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.settings import store_url
from stepscope.core.sources.recording_writer import RecordingWriter
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import campaigns as rows

CLOCK, TIMER = AppEntry("clock", "Clock", "Tools"), AppEntry("timer", "Timer", "Tools")
ALARM, RING = CampaignGoal("clock", "Set an alarm", "ann"), CampaignGoal("timer", "Ring at seven", "ann")
PAIRS = tuple(Pair(app, goal, PairOrigin.CATEGORY, 1) for app in ("clock", "timer") for goal in (ALARM, RING))
START = CampaignContents((CLOCK, TIMER), (ALARM, RING), (), PAIRS)
SAID = Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.UNCLEAR, ("Which day?",))
SIZE = Size(100, 200)


@pytest.fixture
def database(tmp_path: Path):
    with Database.open(store_url(tmp_path / "s.db")) as opened:
        with opened.unit_of_work() as db:
            rows.add(db, Campaign("phones", "Show it.", 2))
            rows.replace(db, "phones", CampaignContents(), START)
        yield opened


def contents(database):
    return campaigns.read(database, "phones").contents


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    writer = RecordingWriter(tmp_path / "alarm-1")
    steps = (
        Step(0, Observation(SIZE, time=0.5), Tap(Point(1, 2, SIZE))),
        Step(1, Observation(SIZE, time=7.0), Finish()),
    )
    for step in steps:
        writer.add(step)
    writer.save(Episode("alarm-1", "recording", Platform.ANDROID, ALARM.text, steps, "clock", SAID))
    return tmp_path / "alarm-1"


def test_from_the_next_task_to_the_demonstration(database, recording):
    task = campaigns.next_task(database, "phones", " bob ")
    assert (task.goal, task.package, task.title, task.instructions) == (ALARM.text, "clock", "Clock", "Show it.")
    assert campaigns.next_task(database, "phones", "bob") == task, "it is theirs until it is done"
    shown = campaigns.demonstrated(recording, task.key)
    assert (shown.episode, shown.folder, shown.said, shown.seconds) == ("alarm-1", str(recording), SAID, 6.5)
    campaigns.done(database, "phones", shown)
    now = contents(database)
    assert now.demonstrations == (shown,) and now.annotators == ("bob",)
    assert now.assignments == (Assignment(task.key.pair, "bob", AssignmentState.DONE),)
    assert campaigns.next_task(database, "phones", "bob").key.pair != task.key.pair


def test_the_author_gets_nothing_and_who_skips_goes_on(database):
    assert campaigns.next_task(database, "phones", "ann") is None
    assert contents(database).annotators == (), "nobody was added for nothing"
    first = campaigns.next_task(database, "phones", "bob")
    campaigns.skip(database, "phones", first.key)
    second = campaigns.next_task(database, "phones", "bob")
    assert second.key.pair != first.key.pair
    with pytest.raises(UsageError, match="name is empty"):
        campaigns.next_task(database, "phones", "  ")


def test_people_who_ask_at_once_are_never_more_than_are_wanted(database):
    people = [f"p{number}" for number in range(6)]
    threads = [threading.Thread(target=campaigns.next_task, args=(database, "phones", name)) for name in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    given = contents(database).assignments
    assert len(given) == 6
    assert all(sum(one.pair == pair.key for one in given) <= 2 for pair in PAIRS)


def test_a_recording_of_another_goal_is_told_where_it_must_be_the_same(database, recording):
    task = campaigns.next_task(database, "phones", "bob")
    assert campaigns.demonstrated(recording, task.key, same_goal=True).episode == "alarm-1"
    other = AssignmentKey(PAIRS[1].key, "bob")
    with pytest.raises(UsageError, match="shows “Set an alarm”, the task is “Ring at seven”"):
        campaigns.demonstrated(recording, other, same_goal=True)
    assert campaigns.demonstrated(recording, other).assignment == other


def test_a_folder_without_a_recording_is_told(database, tmp_path):
    task = campaigns.next_task(database, "phones", "bob")
    with pytest.raises(SourceError):
        campaigns.demonstrated(tmp_path / "nowhere", task.key)


def test_a_goal_in_other_words_takes_its_pairs_along_until_it_was_demonstrated(database, recording):
    task = campaigns.next_task(database, "phones", "bob")
    other = replace(ALARM, text="Set an alarm for seven")
    change = campaigns.make(database, "phones", campaigns.renamed_goal(contents(database), ALARM, other))
    assert {pair.goal.text for pair in contents(database).pairs} == {other.text, RING.text}
    assert campaigns.next_task(database, "phones", "bob").goal == other.text
    campaigns.make(database, "phones", change.undone(), seen=change.after)
    assert contents(database) == replace(START, annotators=("bob",), assignments=(Assignment(*task.key),)).sorted()
    campaigns.done(database, "phones", campaigns.demonstrated(recording, task.key))
    with pytest.raises(UsageError, match=r"has 1 demonstrations already.*new goal"):
        campaigns.renamed_goal(contents(database), ALARM, other)
    assert campaigns.renamed_goal(contents(database), ALARM, replace(ALARM, author="eve")).after.pairs == ()


def test_pairing_anew_keeps_what_was_demonstrated_and_paired_by_hand(database, recording):
    task = campaigns.next_task(database, "phones", "bob")
    campaigns.done(database, "phones", campaigns.demonstrated(recording, task.key))
    campaigns.next_task(database, "phones", "bob")
    by_hand = Pair("timer", ALARM, PairOrigin.BY_HAND)
    campaigns.make(database, "phones", CampaignChange(after=CampaignContents(pairs=(by_hand,))))
    new = Pair("timer", RING, PairOrigin.APP_SPECIFIC, 2)
    campaigns.make(database, "phones", campaigns.paired(contents(database), "Tools", (new,)))
    now = contents(database)
    assert set(now.pairs) == {Pair("clock", ALARM, PairOrigin.CATEGORY, 1), by_hand, new}
    assert len(now.demonstrations) == 1 and all(one.pair in {pair.key for pair in now.pairs} for one in now.assignments)


def test_an_app_has_the_same_words_once(database):
    same = CampaignGoal("timer", ALARM.text)
    start = replace(contents(database), goals=(ALARM, RING, same), pairs=(Pair("clock", same, PairOrigin.BY_HAND),))
    change = campaigns.paired(start, "Tools", PAIRS)
    assert [pair for pair in change.after.pairs if pair.app == "clock"] == [PAIRS[1]]


def test_who_has_demonstrated_stays_without_what_is_open(database, recording):
    task = campaigns.next_task(database, "phones", "bob")
    assert campaigns.without_annotator(contents(database), "bob").before == CampaignContents(annotators=("bob",))
    campaigns.done(database, "phones", campaigns.demonstrated(recording, task.key))
    campaigns.next_task(database, "phones", "bob")
    campaigns.make(database, "phones", campaigns.without_annotator(contents(database), "bob"))
    assert [one.state for one in contents(database).assignments] == [AssignmentState.DONE]


def test_settings_that_make_no_sense_are_told():
    assert campaigns.checked(Campaign(" a  b ", " x\n", 1)) == Campaign("a b", "x", 1)
    with pytest.raises(UsageError, match="name is empty"):
        campaigns.checked(Campaign(" "))
    with pytest.raises(UsageError, match=r"0 demonstrations.*1 to 1,000"):
        campaigns.checked(Campaign("a", k=0))
