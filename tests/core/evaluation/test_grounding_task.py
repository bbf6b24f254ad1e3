"""Which steps are items of grounding, what is told of them, and what their element is taken for."""

from typing import Any

from stepscope.core.domain.action import Finish, FinishStatus, Swipe, Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.evaluation.tasks import Setting, task_kind

SIZE = Size(200, 100)
BOX = Box(10, 20, 40, 60, SIZE)
TREE = UITree((UIElement(0, BOX, text="Next"),), TreeOrigin.DUMP, SIZE)


def at(x: float = 20, y: float = 30) -> Point:
    return Point(x, y, SIZE)


class OneEpisode:
    def __init__(self, episode: Episode) -> None:
        self._episode = episode

    def read(self, _id: str, _place: str = "") -> Episode:
        return self._episode


def items_of(*steps: Step, show_reference: bool = False, **more: Any) -> list[Any]:
    episode = Episode(**({"id": "e", "format": "f", "platform": Platform.ANDROID, "goal": "buy a lamp"} | more),
                      steps=steps)  # fmt: skip
    source: Any = OneEpisode(episode)
    return list(task_kind(Task.GROUNDING).items(source, "e", Setting(show_reference=show_reference)))


def test_steps_that_point_at_something_that_is_described_are_items() -> None:
    seen = Observation(SIZE, tree=TREE)
    found = items_of(
        Step(0, seen, Tap(at(), Target(BOX, "Next")), "go on"),
        Step(1, seen, Tap(at(), Target(BOX))),  # nothing describes it: the goal is that of the whole
        Step(2, seen, Type("lamp"), "type lamp"),
        Step(3, seen, Swipe(at(), at(20, 90)), "go down"),
        Step(4, seen, Tap(at()), "tap that"),
        Step(5, seen, Finish(FinishStatus.IMPOSSIBLE), "give up"),
    )
    assert [one.key.step for one in found] == [0, 4]
    request = found[0].request
    assert (request.goal, request.instruction, request.history, request.reference) == ("go on", "go on", (), None)
    assert (found[0].material.box, found[0].material.kind, found[0].material.surface) == (BOX, "text", "mobile")
    assert found[1].material.box is None, "nobody knows where: unscored"


def test_an_episode_of_one_step_is_described_by_its_goal() -> None:
    (found,) = items_of(Step(0, Observation(SIZE), Tap(at(), Target(BOX))), show_reference=True)
    assert found.request.goal == "buy a lamp" and found.request.reference == Tap(at(), Target(BOX))
    assert found.material.kind == "", "without a tree nobody knows"
    (icon,) = items_of(Step(0, Observation(SIZE, tree=TREE), Tap(at(), Target(BOX))))
    assert (icon.material.kind, icon.reference) == ("icon", "icon")
    (refusal,) = items_of(Step(0, Observation(SIZE), Finish(FinishStatus.IMPOSSIBLE)))
    assert refusal.material.refusal and refusal.reference == "refusal"


def test_the_data_says_platform_and_type() -> None:
    (found,) = items_of(Step(0, Observation(SIZE, tree=TREE), Tap(at(), Target(BOX, "Next"))), platform=Platform.WEB,
                        splits=("platform/desktop", "type/icon"))  # fmt: skip
    assert (found.material.surface, found.material.kind) == ("desktop", "icon")


def test_who_acts_can_be_asked_where_unless_its_name_says_what_it_is_asked() -> None:
    acts = ModelInfo("text-match", "", Task.AUTOMATION, "", "")
    assert acts.serves(Task.GROUNDING) and acts.serves(Task.AUTOMATION) and not acts.serves(Task.ASK)
    assert not ModelInfo("served:lab/m#automation", "", Task.AUTOMATION, "", "").serves(Task.GROUNDING)
    assert ModelInfo("served:lab/m#grounding", "", Task.GROUNDING, "", "").serves(Task.GROUNDING)
    assert not ModelInfo("always-feasible", "", Task.FEASIBILITY, "", "").serves(Task.GROUNDING)
