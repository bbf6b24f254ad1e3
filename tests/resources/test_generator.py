"""What generated episodes are to be, what is made of a plan, and the workers that perform them."""

from __future__ import annotations

import errno
import json
import random
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from stepscope.core.domain.action import FinishStatus
from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError, UsageError, UserError
from stepscope.core.progress import CancelToken
from stepscope.resources.sample.generator import worker, worker_pool
from stepscope.resources.sample.generator.build import Build, BuildSpec
from stepscope.resources.sample.generator.catalogue import chosen_apps
from stepscope.resources.sample.generator.choose import ELSEWHERE_TOO, INFEASIBLE, GoalKinds, Means, donors, drawn
from stepscope.resources.sample.generator.perform import EpisodeResult, fits
from stepscope.resources.sample.generator.plan import AppGoals, GoalPlan, Slot
from stepscope.resources.sample.generator.vary import (
    asking,
    key_id,
    other_app,
    removed,
    spoken,
    straight,
    two_slots,
    unclear,
    with_detour,
)
from stepscope.resources.sample.generator.worker_pool import WorkerPool
from stepscope.resources.sample.script import PhoneView, by_words, done, tap

SIZE = Size(270, 600)
TIME = Slot("time", "6:45", 1, "Wake me tomorrow", "At what time?", "At 6:45.")
PLAN = GoalPlan(
    goal="Wake me at 6:45 tomorrow",
    moves=(tap("add", "Add an alarm"), tap("hour_6", "Pick 6"), tap("save", "Save it"), done()),
    result=lambda _view: True,
    slots=(TIME,),
    key=2,
)
_BOTH = "Wake me[what| for the ferry] [time|at 6:45|later]"
TWO_SLOTS = replace(
    PLAN,
    goal="Wake me for the ferry at 6:45",
    slots=(
        Slot("time", "6:45", 1, "Wake me for the ferry later", "At what time?", "6:45.", _BOTH),
        Slot("what", "the ferry", 0, "Wake me at 6:45", "What for?", "The ferry.", _BOTH),
    ),
)
DETOUR = (tap("menu", "Open the menu"), tap("close", "Close it"))
OTHER_DETOUR = (tap("tab", "Look at the timer"), tap("home", "Go back"))
SEARCH = (tap("search", "Search for it"),)


def app(name: str, category: str, held_out: bool = False) -> AppGoals:
    return AppGoals(name, name.title(), category, held_out, (), lambda _v, _c: (), lambda _v, _c: ())


APPS = (
    app("clock", "time"), app("shop", "shopping"), app("market", "shopping"), app("player", "audio"),
    app("notes", "writing", True), app("tasks", "writing", True),
)  # fmt: skip


def says(moves: tuple[object, ...]) -> list[str]:
    return [move.say for move in moves]  # type: ignore[attr-defined]


def nothing_on(screen: str = "") -> PhoneView:
    return PhoneView({"data": {}}, UITree((), TreeOrigin.DOM, SIZE, screen))


def chance(seed: int = 1) -> random.Random:
    return random.Random(seed)


# --- what an episode is to be ---------------------------------------------------------------------------------------


def test_an_episode_does_not_depend_on_how_many_there_are_nor_on_who_asks() -> None:
    assert [drawn(3, number, 0, APPS) for number in (7, 500)] == [drawn(3, number, 0, APPS) for number in (7, 500)]
    assert drawn(3, 7, 0, APPS) != drawn(4, 7, 0, APPS)
    assert drawn(3, 7, 1, APPS).seed != drawn(3, 7, 0, APPS).seed
    assert drawn(3, 7, 1, APPS).id == drawn(3, 7, 0, APPS).id


def test_every_app_has_its_turn_and_the_shares_hold_in_each() -> None:
    draws = [drawn(1, number, 0, APPS) for number in range(600)]
    assert set(Counter(draw.app for draw in draws).values()) == {100}
    for name in ("clock", "notes"):
        means = Counter(draw.means for draw in draws if draw.app == name)
        assert 56 <= means[Means.STRAIGHT] + means[Means.DETOUR] <= 60
        assert 13 <= means[Means.ASK] <= 17
        assert 25 <= sum(means[kind] for kind in INFEASIBLE) <= 29
        assert all(5 <= means[kind] <= 9 for kind in INFEASIBLE)


def test_half_of_the_goals_to_learn_asking_from_leave_something_out_and_none_is_infeasible() -> None:
    draws = [drawn(1, number, 0, APPS, GoalKinds.ASKING) for number in range(600)]
    for name in ("clock", "notes"):
        means = Counter(draw.means for draw in draws if draw.app == name)
        assert 48 <= means[Means.ASK] + means[Means.ASK_TWICE] <= 52 and 8 <= means[Means.ASK_TWICE] <= 12
        assert not set(means) & set(INFEASIBLE)
    number = next(draw.number for draw in draws if draw.means is Means.ASK_TWICE)
    late = [drawn(1, number, attempt, APPS, GoalKinds.ASKING).means for attempt in (5, 6)]
    assert late == [Means.ASK_TWICE, Means.ASK], "an app whose goals say one thing only"


def test_splits_never_mix_apps() -> None:
    splits: dict[str, set[str]] = {}
    for number in range(300):
        draw = drawn(2, number, 0, APPS)
        splits.setdefault(draw.app, set()).add(draw.split)
    assert splits["notes"] == splits["tasks"] == {"app_unseen"}
    assert all(splits[name] == {"train", "validation"} for name in ("clock", "shop", "market", "player"))


def test_no_held_out_goal_is_put_to_a_seen_app() -> None:
    near, far = donors(APPS[1], APPS)
    assert [other.app for other in near] == ["market"]
    assert [other.app for other in far] == ["clock", "player"]
    near, far = donors(APPS[4], APPS)
    assert [other.app for other in near] == ["tasks"] and len(far) == 4


def test_an_app_without_one_kind_of_failure_gets_another_in_the_end() -> None:
    number = next(n for n in range(400) if drawn(1, n, 0, APPS).means is Means.PREMATURE)
    assert {drawn(1, number, attempt, APPS).means for attempt in range(6)} == {Means.PREMATURE}
    assert {drawn(1, number, attempt, APPS).means for attempt in range(6, 12)} == set(INFEASIBLE)


def test_means_need_what_a_plan_has() -> None:
    bare = GoalPlan("Save it", (tap(by_words("Save"), "Save"), done()), lambda _view: True, key=0)
    early = GoalPlan("Pay", (done(),), lambda _view: True, reason=InfeasibilityReason.PREMATURE, follow_up="Yet?")
    assert [means for means in Means if not fits(PLAN, means)] == [Means.ASK_TWICE, Means.PREMATURE]
    assert fits(TWO_SLOTS, Means.ASK_TWICE)
    need = (Means.ASK, Means.ASK_TWICE, Means.UNCLEAR, Means.REMOVED, Means.PREMATURE)
    assert not any(fits(bare, means) for means in need)
    assert [means for means in Means if fits(early, means)] == [Means.PREMATURE]
    assert key_id(PLAN) == "save" and key_id(bare) is None


# --- what is made of a plan -----------------------------------------------------------------------------------------


def test_a_question_comes_where_the_slot_is_needed_and_the_way_goes_on() -> None:
    made = asking(PLAN, (TIME,), chance())
    assert made.goal == "Wake me tomorrow" and made.reason is None and made.without == ""
    assert made.whole == "Wake me at 6:45 tomorrow" and straight(PLAN).whole is None
    assert [move.kind for move in made.moves] == ["tap", "ask", "tap", "tap", "finish"]
    assert (made.moves[1].text, made.moves[1].answer) == ("At what time?", "At 6:45.")
    assert made.moves[-1].status is FinishStatus.COMPLETE


def test_two_things_left_out_are_asked_for_one_after_the_other() -> None:
    pair = two_slots(TWO_SLOTS, chance())
    assert pair is not None and [one.name for one in pair] == ["what", "time"]
    made = asking(TWO_SLOTS, pair, chance())
    assert (made.goal, made.whole) == ("Wake me later", "Wake me for the ferry at 6:45")
    assert [move.kind for move in made.moves] == ["ask", "tap", "ask", "tap", "tap", "finish"]
    assert [move.text for move in made.moves if move.kind == "ask"] == ["What for?", "At what time?"]
    assert two_slots(PLAN, chance()) is None


def test_an_unclear_goal_is_given_up_where_the_slot_is_needed() -> None:
    made = unclear(PLAN, TIME, (), chance())
    assert (made.goal, made.reason, made.follow_up) == (TIME.goal_without, InfeasibilityReason.UNCLEAR, TIME.question)
    assert says(made.moves[:-1]) == ["Add an alarm"]
    assert made.moves[-1].status is FinishStatus.IMPOSSIBLE


def test_a_removed_function_is_given_up_where_its_button_was() -> None:
    made = removed(PLAN, "Clock", (), chance())
    assert (made.goal, made.reason, made.without) == (PLAN.goal, InfeasibilityReason.IMPOSSIBLE, "save")
    assert says(made.moves[:-1]) == ["Add an alarm", "Pick 6"]
    assert made.follow_up.endswith("?") and "Clock" in made.follow_up
    assert made.result(nothing_on())
    with pytest.raises(ValueError, match="no key"):
        removed(GoalPlan("Save", PLAN.moves, PLAN.result), "Clock", (), chance())


def test_another_apps_goal_is_looked_for_and_given_up() -> None:
    made = other_app(PLAN, "Shop", (SEARCH,), (), chance())
    assert (made.goal, made.reason) == (PLAN.goal, InfeasibilityReason.IMPOSSIBLE)
    assert says(made.moves[:-1]) == ["Search for it"] and "Shop" in made.follow_up


def test_infeasible_attempts_are_about_as_long_as_feasible_ways() -> None:
    lengths = Counter(len(unclear(PLAN, TIME, (DETOUR, OTHER_DETOUR), chance(seed)).moves) for seed in range(400))
    assert set(lengths) == {2, 4, 6}, "at once, drawn out to the way's four moves, or to a way with a detour"
    assert all(60 < count < 190 for count in lengths.values())
    at_first = Slot("alarm", "Gym", 0, "Change it", "Which?", "Gym.")
    assert all(len(unclear(PLAN, at_first, (DETOUR,), chance(seed)).moves) > 1 for seed in range(50))


def test_a_detour_comes_first_and_changes_nothing_else() -> None:
    made = with_detour(straight(PLAN), (DETOUR,), chance())
    assert made.moves == (*DETOUR, *PLAN.moves) and made.goal == PLAN.goal and made.reason is None


def test_goals_are_written_as_people_write() -> None:
    forms = Counter(spoken("Call Ada", chance(seed)) for seed in range(400))
    assert {"Call Ada", "call Ada", "call ada", "Call Ada.", "Call Ada!", "call Ada."} <= set(forms)
    assert forms["Call Ada"] > 150
    assert not any(spoken("I want Tea", chance(seed)).startswith("i want Tea") for seed in range(50))
    assert not any(spoken("What is it?", chance(seed)).endswith(("?.", "?!")) for seed in range(50))


# --- workers --------------------------------------------------------------------------------------------------------

FAKE = """
import json, os, sys
order = json.loads(sys.stdin.readline())
print("ready", flush=True)
for line in sys.stdin:
    number = int(line)
    mark = os.path.join(order["into"], f"died-{number}")
    if number in order["dies"] and (number in order["always"] or not os.path.exists(mark)):
        open(mark, "w").close()
        os._exit(9)
    print(json.dumps({"number": number, "id": str(number), "steps": 1, "replaced": []}), flush=True)
"""


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "fake.py"
    script.write_text(FAKE, encoding="utf-8")
    monkeypatch.setattr(worker_pool, "COMMAND", (sys.executable, str(script)))


@pytest.mark.usefixtures("fake")
def test_a_worker_that_dies_is_started_anew_and_gives_up_only_what_kills_each(tmp_path: Path) -> None:
    order = {"into": str(tmp_path), "dies": [1, 3], "always": [3]}
    answers = list(WorkerPool(order, 2).perform(range(6), CancelToken()))
    assert sorted(answer.number for answer in answers) == [0, 1, 2, 3, 4, 5]
    assert [answer.number for answer in answers if answer.made is None] == [3]


@pytest.mark.usefixtures("fake")
def test_a_cancelled_crew_ends_what_it_has_begun(tmp_path: Path) -> None:
    token = CancelToken()
    done_numbers = []
    for answer in WorkerPool({"into": str(tmp_path), "dies": [], "always": []}, 1).perform(range(10_000), token):
        done_numbers.append(answer.number)
        token.cancel()
    assert done_numbers == list(range(len(done_numbers))) and 1 <= len(done_numbers) < 10_000


def test_a_disk_that_refuses_an_episode_ends_the_build_with_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **_more: object) -> EpisodeResult:
        raise SourceError("cannot be written") from OSError(errno.ENOSPC, "No space left on device")

    performer = Mock(make=full)
    assert worker._answer(performer, 3, Size(1, 1)) == {"trouble": "the disk is full"}
    said = 'import sys; [print(\'{"trouble": "the disk is full"}\', flush=True) for _ in sys.stdin]'
    monkeypatch.setattr(worker_pool, "COMMAND", (sys.executable, "-c", said))
    with pytest.raises(UserError, match=f"{tmp_path}: cannot be written: the disk is full. The same command goes on"):
        list(WorkerPool({"into": str(tmp_path)}, 2).perform(range(4), CancelToken()))


def test_a_phone_that_cannot_be_started_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "COMMAND", (sys.executable, "-c", "raise SystemExit('no browser here')"))
    with pytest.raises(UserError, match="cannot be started: no browser here"):
        list(WorkerPool({}, 2).perform(range(4), CancelToken()))


# --- the real thing -------------------------------------------------------------------------------------------------


def test_there_are_apps_enough_seen_and_held_out() -> None:
    from stepscope.resources.sample.generator.apps import APPS as NAMES

    apps = chosen_apps(NAMES)
    assert [goals.app for goals in apps] == list(NAMES) and len(apps) >= 10
    assert len({goals.category for goals in apps}) >= 5
    held_out = [goals for goals in apps if goals.held_out]
    assert 2 <= len(held_out) <= len(apps) / 2
    for goals in apps:
        assert len(goals.templates) >= 8 and len({template.name for template in goals.templates}) == len(
            goals.templates
        )
        assert all(template.app == goals.app for template in goals.templates)
    assert {f"{goals.app}/{template.name}" for goals in apps for template in goals.templates} >= ELSEWHERE_TOO


def content(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.chain
@pytest.mark.e2e
@pytest.mark.timeout(300)
def test_episodes_are_built_and_an_interrupted_build_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    import shutil

    from stepscope.core.domain.episode import Episode, EpisodeSummary
    from stepscope.core.sources.registry import open_source

    pytest.importorskip("PySide6")
    order = BuildSpec(6, 1, SIZE, ("clock", "notes"), "test")
    building = Build(order, tmp_path / "out")
    answers = list(building.run(1, CancelToken()))
    assert [answer.made["number"] for answer in answers if answer.made] == list(range(6))
    form = building.finish()
    assert form["complete"] and form["built"] == 6 and form["apps"] == {"clock": 3, "notes": 3}

    source = open_source(tmp_path / "out")
    episodes = [source.read(item.id) for item in source.scan() if isinstance(item, EpisodeSummary)]
    assert len(episodes) == 6 and all(isinstance(episode, Episode) and not episode.problems for episode in episodes)
    for episode in episodes:
        assert episode.splits == (("app_unseen",) if episode.app == "com.stepscope.sample.notes" else ("train",))
        assert all(step.observation.size == SIZE and step.observation.tree for step in episode.steps)

    before = content(tmp_path / "out")
    for gone in sorted(path for path in (tmp_path / "out").iterdir() if path.is_dir())[1::3]:
        shutil.rmtree(gone)
    (tmp_path / "out" / ".00003-clock.half").mkdir()
    again = Build(order, tmp_path / "out")
    assert again.missing_before == 2
    assert len(list(again.run(2, CancelToken()))) == 2
    again.finish()
    assert content(tmp_path / "out") == before


def test_a_folder_keeps_to_its_order(tmp_path: Path) -> None:
    order = BuildSpec(6, 1, SIZE, ("clock",), "test")
    Build(order, tmp_path / "out")
    Build(BuildSpec(8, 1, SIZE, ("clock",), "newer"), tmp_path / "out")
    with pytest.raises(UsageError, match="another seed, size"):
        Build(BuildSpec(6, 2, Size(540, 1200), ("clock",), "test"), tmp_path / "out")
    with pytest.raises(UsageError, match="another choice of goals"):
        Build(BuildSpec(6, 1, SIZE, ("clock",), "test", goals=GoalKinds.ASKING), tmp_path / "out")
    with pytest.raises(UsageError, match="of 6 episodes"):
        Build(BuildSpec(5, 1, SIZE, ("clock",), "test"), tmp_path / "out")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").touch()
    with pytest.raises(UsageError, match="not empty"):
        Build(order, tmp_path / "full")
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "manifest.json").write_text(json.dumps([1]), encoding="utf-8")
    with pytest.raises(UsageError, match="no build"):
        Build(order, tmp_path / "strange")
