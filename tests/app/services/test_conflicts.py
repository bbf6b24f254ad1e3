"""Two people change the same row of one store from the same state: the second is told, and nothing is lost."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from stepscope.app.services import judging
from stepscope.app.services.annotations import (
    NAME_VARIABLE,
    AnnotationChange,
    ChangedMeanwhileError,
    listed,
    make,
    user_name,
)
from stepscope.app.services.campaigns import campaigns
from stepscope.app.services.campaigns.campaigns import CampaignChange
from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.campaign import (
    AppEntry,
    Assignment,
    AssignmentState,
    Campaign,
    CampaignContents,
    CampaignGoal,
    Demonstration,
    Pair,
    PairOrigin,
)
from stepscope.core.domain.episode import Feasibility
from stepscope.core.domain.judgement import (
    JudgeId,
    Judgement,
    OriginKind,
    PairAnswers,
    TextOrigin,
    TextPair,
    TextPairKey,
)
from stepscope.core.settings import user_config_dir
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import campaigns as campaign_rows
from stepscope.core.store.repositories.campaigns import ChangeConflictError

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TIME = f"{NOON.astimezone():%Y-%m-%d at %H:%M}"


@pytest.fixture
def people(postgresql: Any) -> Iterator[tuple[Database, Database]]:
    """Anna's and Bob's connection to one store."""
    with postgresql.store() as url, Database.open(url) as anna, Database.open(url) as bob:
        yield anna, bob


def note(text: str, author: str, step: int = 3) -> Annotation:
    return Annotation("data", "e", step, AnnotationKind.NOTE, text, author, NOON)


def test_the_second_who_changes_a_note_is_told_and_changes_nothing(people: tuple[Database, Database]) -> None:
    anna, bob = people
    first = note("first", "eve")
    make(anna, AnnotationChange(after=(first,)))
    seen = listed(bob, "data")
    make(anna, AnnotationChange((first,), (note("Anna's", "anna"),)), seen=seen)
    with pytest.raises(ChangedMeanwhileError) as caught:
        make(bob, AnnotationChange((first,), (note("Bob's", "bob"),)), seen=seen)
    assert caught.value.message == (
        "Somebody else has changed the note of step 3 of e meanwhile: "
        f"anna changed the note “first” to the note “Anna's” on {TIME}."
    )
    assert listed(bob, "data") == [note("Anna's", "anna")]


def test_different_rows_do_not_conflict(people: tuple[Database, Database]) -> None:
    anna, bob = people
    make(anna, AnnotationChange(after=(note("one", "anna", 1),)), seen=())
    make(bob, AnnotationChange(after=(note("two", "bob", 2),)), seen=())
    assert listed(anna, "data") == [note("one", "anna", 1), note("two", "bob", 2)]


def test_the_second_who_judges_a_pair_under_the_same_name_is_told(people: tuple[Database, Database]) -> None:
    anna, bob = people
    origins = TextOrigin(OriginKind.REFERENCE), TextOrigin(OriginKind.RUN, "run")
    pair = TextPair(TextPairKey("data", "e", -1, *origins), "Buy a lamp", "Buy a lamb")
    one = Judgement(pair, JudgeId("anna"), PairAnswers(True, False, False, False), NOON)
    other = replace(one, answers=PairAnswers(True, True, True, True), made=NOON.replace(hour=13))
    told: list[str] = []

    def refuse(who: str) -> Exception:
        told.append(who)
        return RuntimeError

    judging.make(anna, judging.JudgingChange(after=(one,)), refuse)
    with pytest.raises(RuntimeError):
        judging.make(bob, judging.JudgingChange(after=(other,)), refuse)
    assert told == [f"anna said the answers “yes, no, no, no” on {TIME}."]


APP = AppEntry("org.clock", "Clock", "Tools")
GOAL = CampaignGoal(APP.package, "Set an alarm", "anna")
PAIR = Pair(APP.package, GOAL, PairOrigin.APP_SPECIFIC)
OPEN = Assignment(PAIR.key, "bob")
START = CampaignContents((APP,), (GOAL,), ("bob",), (PAIR,), (OPEN,))


@pytest.fixture
def campaign(people: tuple[Database, Database]) -> tuple[Database, Database]:
    with people[0].unit_of_work() as db:
        campaign_rows.add(db, Campaign("phones", "Show it.", 3))
    campaigns.make(people[0], "phones", CampaignChange(after=START))
    return people


def test_rows_of_a_campaign_are_changed_from_what_was_seen(campaign: tuple[Database, Database]) -> None:
    anna, bob = campaign

    def named(title: str) -> CampaignChange:
        return CampaignChange(CampaignContents(apps=(APP,)), CampaignContents(apps=(replace(APP, title=title),)))

    done = campaigns.make(anna, "phones", named("Alarm clock"), seen=START)
    with pytest.raises(ChangeConflictError, match="“Clock” in “Tools”, and is “Alarm clock” in “Tools” now"):
        campaigns.make(bob, "phones", named("Watch"), seen=START)
    assert campaigns.read(bob, "phones").contents.apps == (replace(APP, title="Alarm clock"),)
    seen = campaigns.read(bob, "phones").contents
    campaigns.make(bob, "phones", CampaignChange(done.after, named("Watch").after), seen=seen)
    with pytest.raises(ChangeConflictError, match="is “Watch” in “Tools” now"):
        campaigns.make(anna, "phones", done.undone(), seen=done.after)


def test_what_was_recorded_meanwhile_is_neither_dropped_nor_skipped(campaign: tuple[Database, Database]) -> None:
    anna, bob = campaign
    campaigns.done(bob, "phones", Demonstration(OPEN.key, "recordings/1", "a", Feasibility(), 1.0, NOON))
    words = r"“Set an alarm” in org.clock was open, and is done by bob now"
    with pytest.raises(ChangeConflictError, match=words):
        campaigns.make(anna, "phones", CampaignChange(CampaignContents(apps=(APP,))), seen=START)
    with pytest.raises(ChangeConflictError, match="is done by bob now"):
        campaigns.skip(anna, "phones", OPEN.key)
    (given,) = campaigns.read(anna, "phones").contents.assignments
    assert given.state is AssignmentState.DONE


def test_settings_of_a_campaign_are_changed_from_what_was_seen(campaign: tuple[Database, Database]) -> None:
    anna, bob = campaign
    seen = Campaign("phones", "Show it.", 3)
    with anna.unit_of_work() as db:
        campaign_rows.change(db, "phones", replace(seen, instructions="Show it twice."), seen=seen)
    words = "what people are told was “Show it.”, and is “Show it twice.” now"
    with pytest.raises(ChangeConflictError, match=words), bob.unit_of_work() as db:
        campaign_rows.change(db, "phones", replace(seen, k=5), seen=seen)


def test_the_name_is_the_one_in_preferences_else_the_variables_else_the_users(
    own_home: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME", NAME_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    assert user_name() == account
    monkeypatch.setenv(NAME_VARIABLE, " Anna  of B ")
    assert user_name() == "Anna of B"
    file = user_config_dir() / "preferences.json"
    file.parent.mkdir(parents=True)
    file.write_text("no JSON")
    assert user_name() == "Anna of B"
    file.write_text('{"annotator": "anna"}')
    assert user_name() == "anna"
